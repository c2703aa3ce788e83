import Testing

@testable import PhotoGridCore
@testable import Photos

/// Names that photos are given.
extension FileStoryTests {
  @Test func `r edits the name with the caret before the extension, and u undoes the renaming`() {
    var disk = DiskStory(Self.names)
    disk.keys("lr")
    #expect(disk.story.entry == "name: photo 1|.jpg")
    disk.keys("日本")
    #expect(disk.story.bar.right == "Enter renames")
    disk.press(.enter)
    #expect(disk.open == [.rename([Renaming(Photo.ID(1), to: Array("photo 1日本.jpg".utf8))])])
    disk.work()
    #expect(disk.here[1] == "photo 1日本.jpg" && disk.story.current == 1)
    #expect(disk.story.bar.left == "'photo 1.jpg' is now 'photo 1日本.jpg' · u undoes this")
    disk.keys("u")
    disk.work()
    #expect(disk.here[1] == "photo 1.jpg")
    #expect(disk.story.bar.left == "'photo 1日本.jpg' was renamed back to 'photo 1.jpg'")
  }

  @Test(arguments: [
    ("", "a file needs a name"), (".", "'.' is a folder"), ("..", "'..' is a folder"),
    ("../x.jpg", "a name cannot contain /"),
    (String(repeating: "é", count: 128), "too long: 256 bytes; the limit is 255"),
  ])
  func `an invalid name keeps the prompt open, and the bar says why`(
    name: String, complaint: String
  ) {
    var disk = DiskStory(Self.names)
    disk.keys("r")
    disk.press(.end, .control("u"))
    disk.keys(name)
    #expect(disk.story.bar.right == complaint)
    disk.press(.enter)
    #expect(disk.open.isEmpty && disk.story.browser.prompt != nil)
    disk.press(.escape)
    #expect(disk.story.browser.prompt == nil)
  }

  @Test func `a taken name, an unchanged name and a missing file rename nothing`() {
    var disk = DiskStory(Self.names)
    disk.keys("r")
    disk.press(.backspace)
    disk.keys("1")
    disk.press(.enter)
    disk.work()
    #expect(disk.story.bar.left == "'photo 0.jpg' was not renamed: a file with that name exists")
    disk.keys("rx")
    disk.press(.backspace, .enter)
    #expect(disk.open.isEmpty)
    disk.keys("rx")
    disk.here[0] = nil
    disk.press(.enter)
    disk.work()
    #expect(disk.story.bar.left.contains("was not renamed: no such file"))
    disk.keys("u")
    disk.work()
    #expect(disk.story.bar.left == "Nothing to undo")
  }

  @Test func `a name that is not UTF-8 can be edited, and Enter without an edit keeps it`() {
    var story = Story(names: Self.names)
    story.send(.nameReceived(Photo.ID(0), [0xFF, 0x1B, 0x2E, 0x6A]))
    #expect(story.browser.prompt?.line.text == "\u{FFFD}\u{1B}.j")
    story.press(.enter)
    #expect(story.effects.isEmpty)
  }
}
