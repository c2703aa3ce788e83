import TestSupport
import Testing

@testable import PhotoGridCore
@testable import Photos

/// Folders that are opened by their paths, bookmarks, and the folders that were shown.
@Suite(.traced) struct FolderPathTests {
  init() { UTF8Locale.use() }

  private static func story() -> Story {
    var story = Story(names: (0..<4).map { "photo \($0).jpg" })
    var places = Places()
    for folder in ["~/Photos/Rome", "/mnt/card", "~/Photos"] { places.visit(folder) }
    places.setBookmark("/mnt/archive", true)
    story.send(.placesChanged(places))
    return story
  }

  private func lines(_ story: Story) -> [String] {
    story.browser.palette?.matches.map(\.line) ?? []
  }

  private func found(
    _ text: String, _ names: [String] = [], _ isFolder: Bool?, in story: inout Story
  ) {
    story.send(.foldersFound(FolderMatches(text: text, names: names, isFolder: isFolder)))
  }

  @Test func `gc lists the bookmarks and the latest folders, but not the one that is shown`() {
    var story = Self.story()
    story.keys("gc")
    #expect(story.bar.entry?.line.text == "cd " && story.effects.last == .findFolders(""))
    #expect(lines(story) == ["cd /mnt/archive", "cd /mnt/card", "cd ~/Photos/Rome"])
    #expect(story.browser.palette?.matches.first?.title == "Go to /mnt/archive (bookmark)")
    found("", ["a", "b"], true, in: &story)
    #expect(lines(story).suffix(2) == ["cd a/", "cd b/"])
    story.press(.down, .down, .enter)
    #expect(story.effects.last == .openFolder("~/Photos/Rome") && story.browser.palette == nil)
  }

  @Test func `without a folder to list gc asks for a path`() {
    var story = Story(names: ["a.jpg"])
    story.keys("gc")
    found("", [], true, in: &story)
    #expect(story.browser.panel?.lines.first?.hasPrefix("Type a path, such as") == true)
    story.keys("none")
    found("none", [], nil, in: &story)
    #expect(lines(story) == ["cd none"])
  }

  @Test func `words find an earlier folder, unless there is a folder of that path`() {
    var story = Self.story()
    story.keys(":cd rome")
    #expect(story.effects.last == .findFolders("rome"))
    found("rome", [], false, in: &story)
    #expect(lines(story) == ["cd ~/Photos/Rome", "cd rome"])
    story.press(.enter)
    #expect(story.effects.last == .openFolder("~/Photos/Rome"))
    story.keys(":cd rome")
    found("rome", ["rome", "romes"], true, in: &story)
    #expect(lines(story) == ["cd rome", "cd ~/Photos/Rome", "cd romes/"])
    story.press(.enter)
    #expect(story.effects.last == .openFolder("rome"))
    story.keys(":rome")
    #expect(lines(story).first == "cd ~/Photos/Rome", "without cd too")
  }

  @Test func `a path that is no folder stays in the line, and the bar says so`() {
    var story = Self.story()
    story.keys("gcnone")
    found("none", [], false, in: &story)
    #expect(story.bar.right == "no such folder")
    story.press(.enter)
    #expect(story.bar.entry?.line.text == "cd none" && story.bar.right == "no such folder")
    story.press(.backspace)
    #expect(story.effects.last == .findFolders("non"))
    #expect(!story.effects.contains { if case .openFolder = $0 { true } else { false } })
  }

  @Test func `Enter waits for a slow disk, and a second one does not`() {
    var story = Self.story()
    story.keys("gc/slow")
    story.press(.enter)
    #expect(story.bar.right == "Looking for that folder; Enter does not wait")
    found("/slow", [], true, in: &story)
    #expect(story.effects.last == .openFolder("/slow"))
    story.keys("gc/hung")
    story.press(.enter, .enter)
    #expect(story.effects.last == .openFolder("/hung"))
    story.keys("gc/gone")
    story.press(.enter)
    found("/gone", [], false, in: &story)
    #expect(story.bar.entry?.line.text == "cd /gone" && story.bar.right == "no such folder")
  }

  @Test(arguments: [false, true])
  func `Tab completes the path`(isLate: Bool) {
    var story = Self.story()
    story.keys("gca/k")
    if isLate { story.press(.tab) }
    found("a/k", ["keep", "kept"], false, in: &story)
    if !isLate { story.press(.tab) }
    #expect(story.bar.entry?.line.text == "cd a/ke" && story.effects.last == .findFolders("a/ke"))
    found("a/ke", ["keep", "kept"], false, in: &story)
    #expect(lines(story) == ["cd a/keep/", "cd a/kept/", "cd a/ke"])
    story.press(.down, .tab)
    #expect(story.bar.entry?.line.text == "cd a/kept/")
  }

  @Test func `gB bookmarks the folder that is shown, and gb lists the bookmarks`() {
    var story = Self.story()
    story.keys("gB")
    #expect(story.effects.last == .bookmark("~/Photos", true))
    #expect(story.bar.left == "Bookmarked · gb lists the bookmarks")
    story.send(.placesChanged(story.browser.options.places))
    story.keys("gb")
    #expect(lines(story) == ["cd /mnt/archive"], "not the one that is shown")
    story.press(.enter)
    #expect(story.effects.last == .openFolder("/mnt/archive"))
    story.keys("gB")
    #expect(story.effects.last == .bookmark("~/Photos", false))
    #expect(story.bar.left == "No longer bookmarked")
  }

  @Test func `without bookmarks gb says how to set one, and a list is no bookmark`() {
    var story = Story(names: ["a.jpg"])
    story.keys("gb")
    #expect(story.bar.right == "No other bookmarks; gB bookmarks the folder that is shown")
    #expect(story.browser.panel?.lines.first?.hasPrefix("No folder matches") == true)
    story.press(.escape)
    story.keys("gB")
    #expect(story.bar.left == "Only a folder can be bookmarked")
    #expect(!story.effects.contains { if case .bookmark = $0 { true } else { false } })
  }

  @Test func `a word that is a term, columns, and settings find something`() {
    var story = Self.story()
    for (word, title) in [
      ("raw", "Show only type:raw"), ("video", "Show only type:video"), ("map", "Show only gps"),
      ("unrated", "Show only rating:0"), ("show all", "Close, or go back a step"),
      ("folder", "cd …: go to a folder by its path, or to an earlier one"),
      ("columns", "columns N: show N columns of tiles"),
    ] {
      story.keys(":" + word)
      let titles = story.browser.palette?.matches.map(\.title) ?? []
      #expect(titles.contains(title), "\(word): \(titles)")
      story.press(.escape)
    }
    story.keys(":settings")
    #expect((story.browser.palette?.matches.filter { $0.isOn != nil }.count ?? 0) >= 8)
    story.press(.escape)
    story.keys(":columns 3")
    story.press(.enter)
    story.wait(1)
    #expect(story.tile(3).minY > story.tile(2).minY && story.tile(2).minY == story.tile(0).minY)
    story.keys(":columns x")
    story.press(.enter)
    #expect(story.bar.right == "Type a number of columns, such as 5")
    story.press(.escape)
    story.keys(":raw")
    story.press(.enter)
    #expect(story.browser.album.filter?.text == "type:raw")
  }

  @Test func `the places keep the latest twenty folders, and nothing that cannot be typed`() {
    var places = Places()
    for number in 0..<30 { places.visit("/\(number)") }
    places.visit("/15")
    #expect(places.visited.count == 20 && places.visited.last == "/15")
    #expect(places.visited.count { $0 == "/15" } == 1)
    let before = places.visited
    for folder in ["", "/a\u{1B}[31m", "/a\nb", "/" + String(repeating: "x", count: 4000)] {
      places.visit(folder)
      places.setBookmark(folder, true)
    }
    #expect(places.visited == before && places.bookmarks.isEmpty)
    places.setBookmark("~/a\tb", true)
    places.setBookmark("~/a b", true)
    var copy = Places()
    copy.replace(by: places.lines + ["x", "visited\trelative", "other\t/a", "bookmark"])
    #expect(copy.visited == places.visited && copy.bookmarks == ["~/a b"])
  }
}
