import Glibc
import TestSupport
import Testing

@testable import PhotoGridCore
@testable import Photos

/// What `u` and `Ctrl-y` act on, and what they ask before.
@Suite(.traced) struct UndoStoryTests {
  init() { UTF8Locale.use() }

  /// Ten past nine on 25 November 2025 where the tests run, in seconds since 1970.
  private static let morning: Int64 = {
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (125, 10, 25)
    (parts.tm_hour, parts.tm_min, parts.tm_isdst) = (9, 10, -1)
    return Int64(mktime(&parts))
  }()

  private static let earlier = RecordedOperation(
    RecordedOperation.ID(journal: Array("1".utf8), number: 4), .rename, name: Array("x.jpg".utf8),
    folder: Array("/lib/Rome trip/".utf8), time: morning, age: 7200)

  private func disk() -> DiskStory {
    var disk = DiskStory(FileStoryTests.names)
    disk.earlier = Self.earlier
    disk.recorded = RecordedUndo(
      kind: .rename, count: 1, name: Self.earlier.name, folder: Self.earlier.folder)
    return disk
  }

  @Test func `an earlier session's change is named with its folder and time, and asked for`() {
    var disk = disk()
    disk.keys("u")
    disk.work()
    #expect(
      disk.story.bar.left
        == "Undo the rename of 'x.jpg' in 'Rome trip' from 09:10? u, y: yes · Esc: no")
    disk.story.wait(0.5)
    disk.press(.escape)
    #expect(disk.open.isEmpty && disk.story.bar.left == "Nothing was undone")

    disk.keys("u")
    disk.work()
    disk.story.wait(0.5)
    disk.story.click(disk.story.tile(1).center)
    #expect(disk.open.isEmpty && disk.story.bar.left == "Nothing was undone")

    disk.keys("u")
    disk.work()
    disk.story.wait(0.5)
    disk.keys("u")
    #expect(disk.open == [.undoRecorded(Self.earlier.id)])
    disk.work()
    #expect(disk.story.bar.left == "'x.jpg' got its old name back in /lib/Rome trip/")
    disk.keys("u")
    disk.work()
    #expect(disk.story.bar.left == "Nothing to undo")
  }

  typealias Question = (FileOperation.Kind, Int, Bool, Int64?, Int64?, String)

  static let questions: [Question] = [
    (.trash, 3, true, morning, 30, "Restore the 3 photos you trashed a moment ago?"),
    (.move, 1, true, morning, 600, "Undo the move of 'x.jpg' from 10 minutes ago?"),
    (
      .copy, 2, false, morning, 86_400 * 3,
      "Undo the copy of 2 photos in 'Rome trip' from 2025-11-25 at 09:10?"
    ),
    (
      .trash, 1, false, morning, 86_400 * 3,
      "Restore 'x.jpg', which you trashed in 'Rome trip' on 2025-11-25 at 09:10?"
    ),
    (.trash, 2, true, nil, nil, "Restore the 2 photos you trashed?"),
    (.rotation, 1, true, nil, nil, "Undo the rotation of 'x.jpg'?"),
  ]

  @Test(arguments: questions)
  func `the question says what, where and when`(
    kind: FileOperation.Kind, count: Int, isHere: Bool, time: Int64?, age: Int64?, words: String
  ) {
    var disk = disk()
    disk.earlier?.kind = kind
    disk.earlier?.count = count
    disk.earlier?.isHere = isHere
    disk.earlier?.time = time
    disk.earlier?.age = age
    disk.keys("u")
    disk.work()
    #expect(disk.story.bar.left.hasPrefix(words), "\(disk.story.bar.left)")
  }

  @Test func `u typed ahead or held down is no answer`() {
    var disk = disk()
    disk.keys("duuu")
    disk.work()
    #expect(disk.story.shown == Array(0..<12), "the trashed photo is back")
    #expect(disk.story.bar.left.hasPrefix("Undo the rename of 'x.jpg'"))
    for _ in 0..<30 {
      disk.keys("u")
      disk.story.wait(0.05)
    }
    #expect(disk.open.isEmpty && disk.story.bar.left.hasPrefix("Undo the rename"))
    disk.story.wait(0.4)
    disk.keys("u")
    #expect(disk.open == [.undoRecorded(Self.earlier.id)])
  }

  @Test func `an operation that cannot be undone is said once, and not offered again`() {
    var disk = disk()
    disk.recorded = RecordedUndo(
      kind: .rename, failureCount: 1, reason: "no such file or folder")
    disk.keys("u")
    disk.work()
    disk.keys("y")
    disk.work()
    #expect(disk.story.bar.left == "Nothing was undone: no such file or folder")
    disk.keys("u")
    disk.work()
    #expect(disk.story.bar.left == "Nothing to undo")
  }

  @Test func `changes in this folder are undone first, those in another are asked for`() {
    var disk = DiskStory(FileStoryTests.names)
    disk.keys("d")
    disk.work()
    func move(_ from: String, _ to: String) {
      disk.story.send(
        .moved(
          FolderMove(
            from: Array(from.utf8), to: Array(to.utf8), .into(Photo.ID(50)),
            photos: disk.story.browser.items)))
    }
    move("lib/", "lib/Films/")
    disk.keys("d")
    disk.work()
    disk.story.now = disk.story.now.advanced(bySeconds: 300)
    #expect(disk.trash.count == 2)
    disk.keys("u")
    disk.work()
    #expect(disk.story.bar.left == "'photo 1.jpg' is back" && disk.trash.count == 1)
    disk.keys("u")
    #expect(
      disk.story.bar.left
        == "Restore 'photo 0.jpg', which you trashed in 'lib' 5 minutes ago? u, y: yes · Esc: no")
    disk.press(.enter)
    disk.work()
    #expect(disk.trash.isEmpty && disk.story.bar.left == "'photo 0.jpg' is back")
    disk.press(.control("y"))
    #expect(disk.story.bar.left == "Nothing to redo in this folder")
  }

  // MARK: - Redo

  @Test func `Ctrl-y does again what was undone last, and u undoes that`() {
    var disk = DiskStory(FileStoryTests.names)
    disk.keys("dd")
    disk.work()
    disk.keys("d")
    disk.work()
    let trashed = disk.trash.count
    #expect(trashed == 2)
    disk.keys("uu")
    disk.work()
    #expect(disk.trash.isEmpty)
    disk.press(.control("y"))
    disk.work()
    #expect(disk.trash.count == 1 && disk.story.shown == Array(1..<12))
    disk.press(.control("y"))
    disk.work()
    #expect(disk.trash.count == 2 && disk.story.shown == Array(2..<12))
    disk.press(.control("y"))
    #expect(disk.story.bar.left == "Nothing to redo" && disk.open.isEmpty)
    disk.keys("uu")
    disk.work()
    #expect(disk.trash.isEmpty && disk.story.shown == Array(0..<12))
  }

  @Test func `a rename is done again, also in the viewer`() {
    var disk = DiskStory(FileStoryTests.names)
    disk.press(.enter)
    disk.story.wait(1)
    disk.press(.function(2))
    disk.keys("x")
    disk.press(.enter)
    disk.work()
    disk.keys("u")
    disk.work()
    #expect(disk.here[0] == "photo 0.jpg")
    disk.press(.control("y"))
    disk.work()
    #expect(disk.here[0] == "photo 0x.jpg")
  }

  @Test func `a new change ends redoing`() {
    var disk = DiskStory(FileStoryTests.names)
    disk.press(.delete)
    disk.work()
    disk.keys("uld")
    disk.work()
    disk.press(.control("y"))
    #expect(disk.story.bar.left == "Nothing to redo")
    #expect(disk.trash.count == 1)
  }

  @Test func `ratings are undone and done again`() {
    var story = CullingStory(photos: 4)
    story.keys(";4")
    story.write()
    story.keys("u")
    story.write()
    #expect(story.disk[0]?.stars == 0)
    story.press(.control("y"))
    story.write()
    #expect(story.disk[0]?.stars == 4 && story.stars(0) == 4)
    story.keys("u")
    story.write()
    #expect(story.disk[0]?.stars == 0)
  }
}
