import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// The questions and messages before files are changed.
@Suite(.traced) struct FileQuestionTests {
  init() { UTF8Locale.use() }

  private static let names = (0..<12).map { "photo \($0).jpg" }

  /// A story in which photos 1 and 2 are marked and photo 0 is open.
  private var detailWithMarks: Story {
    var story = Story(names: Self.names)
    story.keys("l  gg")
    story.press(.enter)
    story.wait(1)
    return story
  }

  @Test func `d trashes the open photo, and the marks stay`() {
    var story = detailWithMarks
    story.keys("d")
    #expect(story.effects == [.file([.trash([Photo.ID(0)])])])
    let file = FileStep(trash: Array("/trash".utf8), name: Array("1".utf8), originalPath: [])
    story.send(.listingReplaced((1..<12).map { Photo.ID($0) }))
    story.send(
      .fileOperationsFinished([
        FileOperation.trash([Photo.ID(0)])
          .performed(.done([file]), name: Array("photo 0.jpg".utf8))
      ]))
    #expect(story.marked == [1, 2])
    #expect(
      story.bar.left == "'photo 0.jpg' is in the trash; u restores it; 1 marked photo not included")
  }

  @Test func `a question that the bar has no room for stands in full above it`() {
    var story = Story(names: Self.names, columns: 40, rows: 12)
    story.keys("   d")
    let lines = story.browser.panel?.lines ?? []
    #expect(lines.joined(separator: " ") == "Trash 3 marked photos? d, y, Enter: yes · Esc: no")
    #expect(lines.allSatisfy { $0.count <= 36 })
    story.send(.resized(CellSize(columns: 100, rows: 31), .standard))
    #expect(story.browser.panel == nil)
  }

  @Test(arguments: [("o", Effect.open(Photo.ID(0))), ("yy", .copyPath(Photo.ID(0)))])
  func `o and yy act on the open photo, not on the marked ones`(keys: String, effect: Effect) {
    var story = detailWithMarks
    story.keys(keys)
    #expect(story.effects == [effect] && story.bar.left == "2 marked photos not included")
  }

  @Test func `a command gets the open photo, and r renames it`() {
    var story = detailWithMarks
    story.keys("!")
    #expect(story.bar.right == "only this photo; 2 marked photos not included")
    story.keys("rm")
    story.press(.enter)
    guard case .run(let command)? = story.effects.last else {
      Issue.record("no command")
      return
    }
    #expect(command.photos == [Photo.ID(0)])
    story.keys("r")
    #expect(story.effects.last == .requestName(Photo.ID(0)))
  }

  @Test func `d asks before it trashes marked photos, and keys other than d, y and Enter cancel`() {
    var story = Story(names: Self.names)
    story.keys("   d")
    #expect(story.effects.isEmpty)
    #expect(story.bar.left == "Trash 3 marked photos? d, y, Enter: yes · Esc: no")
    #expect(story.bar.isMessage)
    story.wait(60)
    #expect(story.bar.left.hasPrefix("Trash 3"), "it waits")
    for key in [Key.escape, .character("j"), .character("q"), .tab] {
      story.press(key)
      #expect(story.effects.isEmpty && story.bar.left == "Nothing was trashed")
      #expect(story.marked == [0, 1, 2] && story.current == 3)
      story.keys("d")
    }
    story.press(.enter)
    #expect(story.effects == [.file((0..<3).map { .trash([Photo.ID($0)]) })])
  }

  @Test func `a press answers no, and does nothing behind the question`() {
    var story = Story(names: Self.names)
    story.keys("   d")
    story.click(story.tile(5).center)
    #expect(story.effects.isEmpty && story.bar.left == "Nothing was trashed")
    #expect(story.current == 3 && story.browser.viewer == nil && story.marked == [0, 1, 2])
    story.wait(1)
    story.click(story.tile(5).center)
    #expect(story.current == 5 && story.browser.viewer != nil)
  }

  @Test func `5d trashes five photos from the selection on, as one operation`() {
    var story = Story(names: Self.names)
    story.keys("ll5d")
    #expect(story.effects == [.file((2..<7).map { .trash([Photo.ID($0)]) })])
    story.effects = []
    story.keys("G9d")
    #expect(story.effects.isEmpty, "one step after the other")
  }

  @Test(arguments: [".jpg", ".hidden", "..jpg"])
  func `a new name that hides the file needs a second Enter`(name: String) {
    var story = Story(names: Self.names)
    story.send(.nameReceived(Photo.ID(0), Array("photo 0.jpg".utf8)))
    story.press(.end, .control("u"))
    story.keys(name)
    story.press(.enter)
    #expect(story.effects.isEmpty)
    #expect(story.explanation == "a leading dot hides the file; press Enter to rename it anyway")
    story.keys("x")
    story.press(.backspace, .enter)
    #expect(story.effects.isEmpty, "another name, another question")
    story.press(.enter)
    #expect(story.effects == [.file([.rename([Renaming(Photo.ID(0), to: Array(name.utf8))])])])
  }

  @Test func `Ctrl-u in the rename prompt keeps the extension, and the bar says so`() {
    var story = Story(names: Self.names)
    story.send(.nameReceived(Photo.ID(0), Array("photo 0.jpg".utf8)))
    story.press(.control("u"))
    #expect(story.entry == "name: |.jpg" && story.bar.right == "the whole name is .jpg")
    story.keys(" ")
    #expect(story.bar.right == "a name cannot be all spaces")
    story.press(.enter)
    #expect(story.effects.isEmpty && story.browser.prompt != nil)
  }

  @Test(arguments: [
    ("Fence.JPG", "Fence.JPG"), ("Fence.jpg", "Fence.jpg"), ("Fence", "Fence.JPG"),
    ("Fence.png", "Fence.png.JPG"), ("Fence.JPG.jpg", "Fence.JPG.jpg"),
  ])
  func `a name typed with its extension does not get it twice`(typed: String, name: String) {
    var story = Story(names: Self.names)
    story.send(.nameReceived(Photo.ID(0), Array("IMG_1.JPG".utf8)))
    story.press(.control("u"))
    story.keys(typed)
    #expect(story.entry == "name: \(typed)|.JPG")
    if name.count < typed.count + 4 {
      #expect(story.bar.right == "Enter renames it to '\(name)'")
    } else {
      #expect(story.bar.right == "Enter renames")
    }
    story.press(.enter)
    #expect(story.effects == [.file([.rename([Renaming(Photo.ID(0), to: Array(name.utf8))])])])
  }

  @Test func `a file that has its extension twice may keep it`() {
    var story = Story(names: Self.names)
    story.send(.nameReceived(Photo.ID(0), Array("a.jpg.jpg".utf8)))
    story.keys("x")
    story.press(.backspace, .backspace)
    story.keys("g")
    #expect(story.bar.right == "Enter renames")
  }

  @Test func `r on an open photo says that it renames only that one`() {
    var story = Story(names: Self.names)
    story.keys("   ")
    story.press(.enter)
    story.wait(1)
    story.keys("r")
    #expect(story.effects.last == .requestName(Photo.ID(3)))
    story.send(.nameReceived(Photo.ID(3), Array("photo 3.jpg".utf8)))
    #expect(story.explanation == "renames only this photo; 3 marked photos not included")
  }
}
