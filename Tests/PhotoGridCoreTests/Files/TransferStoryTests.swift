@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import TestSupport
import Testing

/// The prompt for a folder, and photos that are moved or copied into it.
@Suite(.traced) struct TransferStoryTests {
  init() { UTF8Locale.use() }

  private static let names = (0..<12).map { "photo \($0).jpg" }

  private func task(_ story: Story) -> [FileOperation] {
    story.effects.flatMap { effect -> [FileOperation] in
      if case .file(let tasks) = effect { return tasks }
      return []
    }
  }

  private func destination(_ folder: String, isCreated: Bool = false) -> FileDestination {
    FileDestination(folder: Array(folder.utf8), isCreated: isCreated)
  }

  @Test func `M asks for a folder and moves the marked photos, and u moves them back`() throws {
    var story = Story(names: Self.names)
    story.keys("  M")
    #expect(story.browser.prompt?.label == "move 2 photos to: ")
    #expect(story.effects.last == .findFolders(""))
    story.keys("keep/")
    story.press(.enter)
    let folder = destination("keep/", isCreated: true)
    let (first, second) = (
      FileOperation.move([Photo.ID(0)], to: folder), FileOperation.move([Photo.ID(1)], to: folder)
    )
    #expect(task(story) == [first, second])
    #expect(story.effects.contains(.rememberFolder("keep/")))
    #expect(story.bar.right.contains("moving 0 of 2…"))
    story.send(.filesCopied(61))
    #expect(story.bar.right.contains("moving 0 of 2… 61%"))

    let files = (0..<2).map {
      FileStep(from: Array("photo \($0).jpg".utf8), to: Array("/keep/photo \($0).jpg".utf8))
    }
    story.send(.listingReplaced((2..<12).map { Photo.ID($0) }))
    story.send(
      .fileOperationsFinished([
        first.performed(.done([files[0]]), name: files[0].source),
        second.performed(.done([files[1]]), name: files[1].source),
      ]))
    #expect(story.bar.left == "2 photos are in 'keep/'; u moves them back")
    #expect(story.marked == [])

    story.effects = []
    story.keys("u")
    let back = (0..<2).map { FileOperation(.move, [Photo.ID($0)], [files[$0]], isUndo: true) }
    #expect(task(story) == back)
    story.send(.listingReplaced((0..<12).map { Photo.ID($0) }))
    story.send(
      .fileOperationsFinished(
        zip(back, files).map { $0.performed(.done([$1.reversed]), name: $1.source) }))
    #expect(story.bar.left == "2 photos are back")
    #expect(story.marked == [0, 1] && story.browser.current == Photo.ID(0))
  }

  @Test func `yc copies the selected photo, and u removes the copy`() throws {
    var story = Story(names: Self.names)
    story.keys("lyc")
    #expect(story.browser.prompt?.label == "copy to: ")
    story.keys("/mnt/card")
    story.send(.foldersFound(FolderMatches(text: "/mnt/card", names: ["card"], isFolder: true)))
    story.press(.enter)
    let copy = FileOperation.copy([Photo.ID(1)], to: destination("/mnt/card"))
    #expect(task(story) == [copy])
    let file = FileStep(from: Array("photo 1.jpg".utf8), to: Array("/mnt/card/photo 1-1.jpg".utf8))
    story.send(.fileOperationsFinished([copy.performed(.done([file]), name: file.source)]))
    #expect(
      story.bar.left
        == "'photo 1.jpg' was copied to '/mnt/card' as 'photo 1-1.jpg'; u removes the copy")
    story.effects = []
    story.keys("u")
    #expect(task(story) == [FileOperation(.copy, [Photo.ID(1)], [file], isUndo: true)])
    story.send(
      .fileOperationsFinished([
        FileOperation(.copy, [Photo.ID(1)], [file], isUndo: true)
          .performed(.done([]), name: file.target)
      ]))
    #expect(story.bar.left == "The copy was removed")
  }

  /// Texts, the folders that complete them, and the line and hint after Tab.
  static let completions: [(String, [String], String, String?)] = [
    ("ke", ["keep"], "keep/", nil),
    ("a/k", ["keep", "kept"], "a/ke", "keep · kept"),
    ("/", ["bin", "etc"], "/", "bin · etc"),
    ("x", [], "x", "no folder name starts with that"),
    ("~/Bil", ["Bilder"], "~/Bilder/", nil),
    ("ä", ["äb", "äbc"], "äb", "äb · äbc"),
  ]

  @Test(arguments: completions, [false, true])
  func `Tab completes folders, whether they are known or have yet to be found`(
    row: (text: String, names: [String], line: String, hint: String?), isLate: Bool
  ) {
    var story = Story(names: Self.names)
    story.keys("M" + row.text)
    #expect(story.effects.last == .findFolders(row.text))
    let matches = FolderMatches(text: row.text, names: row.names, isFolder: false)
    // What was found for an earlier text completes nothing.
    story.send(.foldersFound(FolderMatches(text: "other", names: ["others"], isFolder: true)))
    if isLate {
      story.press(.tab)
      #expect(story.browser.prompt?.line.text == row.text)
      story.send(.foldersFound(matches))
    } else {
      story.send(.foldersFound(matches))
      story.press(.tab)
    }
    #expect(story.browser.prompt?.line.text == row.line)
    #expect(story.browser.prompt?.hint == row.hint)
    if row.line != row.text { #expect(story.effects.last == .findFolders(row.line)) }
  }

  @Test func `a folder that does not exist is created after a second Enter`() {
    var story = Story(names: Self.names)
    story.keys("Mkeep")
    story.send(.foldersFound(FolderMatches(text: "keep", names: [], isFolder: false)))
    #expect(story.bar.right == "new folder: Enter asks to create it")
    story.press(.enter)
    #expect(task(story) == [])
    #expect(story.bar.right == "Create 'keep'? Enter: yes")
    story.keys("s")
    story.send(.foldersFound(FolderMatches(text: "keeps", names: [], isFolder: false)))
    story.press(.enter)
    #expect(task(story) == [], "another name is asked about again")
    story.press(.enter)
    #expect(task(story) == [.move([Photo.ID(0)], to: destination("keeps", isCreated: true))])
  }

  @Test func `while it is typed, the bar says whether a folder exists`() {
    var story = Story(names: Self.names)
    story.keys("Mbe")
    #expect(story.bar.right == "Enter moves; Tab completes", "not known yet")
    story.send(.foldersFound(FolderMatches(text: "be", names: ["best"], isFolder: false)))
    #expect(story.bar.right == "new folder, or Tab completes")
    story.keys("st")
    story.send(.foldersFound(FolderMatches(text: "best", names: ["best"], isFolder: true)))
    #expect(story.bar.right == "Enter moves there; the folder exists")
    story.keys("x/")
    story.send(.foldersFound(FolderMatches(text: "bestx/", names: [], isFolder: false)))
    #expect(story.bar.right == "new folder: Enter creates it")
    story.press(.escape)
    story.keys("ycbest")
    story.send(.foldersFound(FolderMatches(text: "best", names: ["best"], isFolder: nil)))
    #expect(story.bar.right == "Enter copies; Tab completes", "a disk does not say")
  }

  @Test(arguments: [true, false, nil])
  func `Enter waits until it is known whether the folder exists`(isFolder: Bool?) {
    var story = Story(names: Self.names)
    story.keys("Mkeep")
    story.press(.enter)
    #expect(task(story) == [] && story.entry == "move to: keep|")
    #expect(story.bar.right == "looking for that folder; Enter does not wait")
    story.send(.foldersFound(FolderMatches(text: "keep", names: [], isFolder: isFolder)))
    guard isFolder == false else {
      return #expect(task(story) == [.move([Photo.ID(0)], to: destination("keep"))])
    }
    #expect(task(story) == [] && story.bar.right == "Create 'keep'? Enter: yes")
    #expect(story.entry == "move to: keep|", "nothing that was typed is lost")
  }

  @Test func `a key typed after Enter changes the folder, and nothing is moved`() {
    var story = Story(names: Self.names)
    story.keys("Mkeep")
    story.press(.enter)
    story.keys("s")
    story.send(.foldersFound(FolderMatches(text: "keep", names: [], isFolder: true)))
    story.send(.foldersFound(FolderMatches(text: "keeps", names: [], isFolder: true)))
    #expect(task(story) == [] && story.entry == "move to: keeps|")
  }

  @Test func `after a second Enter a folder is tried, and the worker's refusal is shown`() {
    var story = Story(names: Self.names)
    story.keys("Mkeep")
    story.press(.enter, .enter)
    let move = FileOperation.move([Photo.ID(0)], to: destination("keep"))
    #expect(task(story) == [move])
    story.send(
      .fileOperationsFinished([
        move.performed(.refused("there is no such folder"), name: Array("photo 0.jpg".utf8))
      ]))
    #expect(story.bar.left == "'photo 0.jpg' was not moved: there is no such folder")
  }

  @Test func `earlier folders are recalled, in the other prompt too and from earlier sessions`() {
    var story = Story(names: Self.names)
    story.browser.gallery.options.recentFolders = ["/old"]
    story.keys("M")
    #expect(story.bar.right == "Tab completes; Up: /old")
    story.press(.up)
    #expect(story.browser.prompt?.line.text == "/old")
    story.press(.escape)
    story.keys("Mnew/")
    story.press(.enter)
    story.keys("yc")
    story.press(.up)
    #expect(story.browser.prompt?.line.text == "new/")
    story.press(.up)
    #expect(story.browser.prompt?.line.text == "/old")
  }

  @Test func `Esc and an empty line move nothing, and a read-only session refuses`() {
    var story = Story(names: Self.names)
    story.keys("Mkeep/")
    story.press(.escape)
    story.keys("M")
    story.press(.enter)
    #expect(task(story) == [] && story.browser.prompt == nil)
    story.browser.gallery.options.isReadOnly = true
    story.keys("M")
    #expect(story.bar.left == "--read-only turns off moving")
    story.keys("yc")
    #expect(story.bar.left == "--read-only turns off copying")
    #expect(story.browser.prompt == nil)
  }
}
