@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import TestSupport
import Testing

@Suite(.traced) struct FileStoryTests {
  init() { UTF8Locale.use() }

  /// The names of the photos on the disk.
  static let names = (0..<12).map { "photo \($0).jpg" }

  @Test func `d trashes the selected photo, and the next one is selected`() throws {
    var disk = DiskStory(Self.names)
    disk.keys("lld")
    #expect(disk.open == [.trash([Photo.ID(2)])])
    #expect(disk.story.bar.right.contains("trashing…"))
    #expect(disk.story.shown.count == 12, "it is there until it is gone")
    disk.keys("l")
    #expect(disk.story.current == 3, "keys are answered meanwhile")
    disk.keys("h")
    let place = disk.story.tile(2)
    disk.work()

    #expect(disk.story.shown == [0, 1] + Array(3..<12) && disk.story.current == 3)
    #expect(disk.story.bar.left == "'photo 2.jpg' is in the trash; u restores it")
    #expect(!disk.story.bar.right.contains("trashing"))
    let fading = try #require(disk.story.scene.placements.first { $0.photo == Photo.ID(2) })
    #expect(fading.frame == place && fading.opacity == 1, "it vanishes by motion")
    disk.story.wait(0.4)
    #expect(!disk.story.scene.placements.contains { $0.photo == Photo.ID(2) })
    #expect(disk.story.scene.placements.first { $0.photo == Photo.ID(3) }?.frame == place)
  }

  @Test func `u restores the trashed photo to its place and selects it`() throws {
    var disk = DiskStory(Self.names)
    disk.keys("lld")
    disk.work()
    disk.keys("Gu")
    #expect(disk.story.bar.right.contains("restoring…"))
    disk.work()
    #expect(disk.story.shown == Array(0..<12) && disk.story.current == 2)
    #expect(disk.story.bar.left == "'photo 2.jpg' is back")
    #expect(disk.trash.isEmpty)
    disk.keys("u")
    disk.work()
    #expect(disk.story.bar.left == "Nothing to undo" && disk.open.isEmpty)
  }

  @Test func `d trashes the marked photos, and u restores them with their marks`() {
    var disk = DiskStory(Self.names)
    disk.keys(" l l Gd")
    #expect(disk.open.isEmpty)
    #expect(disk.story.bar.left == "Trash 3 marked photos? d, y, Enter: yes · Esc: no")
    disk.keys("d")
    #expect(disk.open.compactMap(\.photos.first?.index) == [0, 2, 4])
    disk.work(2)
    #expect(disk.story.bar.right.contains("trashing 2 of 3…"))
    disk.work()
    #expect(disk.story.shown == [1, 3] + Array(5..<12) && disk.story.current == 11)
    #expect(disk.story.marked.isEmpty)
    #expect(disk.story.bar.left == "3 photos are in the trash; u restores them")
    disk.keys("u")
    disk.work()
    #expect(disk.story.shown == Array(0..<12) && disk.story.marked == [0, 2, 4])
    #expect(disk.story.current == 0 && disk.story.bar.left == "3 photos are back")
  }

  @Test func `d trashes the photos of an unfinished range`() {
    var disk = DiskStory(Self.names)
    disk.keys("lvlld")
    #expect(disk.story.bar.left == "Trash 3 photos? d, y, Enter: yes · Esc: no")
    disk.press(.enter)
    #expect(disk.open.compactMap(\.photos.first?.index) == [1, 2, 3])
    #expect(!disk.story.bar.right.contains("range"))
  }

  @Test func `an open photo that is trashed is replaced by the next one, and u shows it again`() {
    var disk = DiskStory(Self.names)
    disk.keys("l")
    disk.press(.enter)
    disk.story.wait(0.5)
    disk.keys("d")
    disk.work()
    #expect(disk.story.current == 2)
    disk.story.wait(0.5)
    #expect(disk.story.browser.viewer?.phase == .resting)
    #expect(disk.story.scene.placements.map(\.photo) == [Photo.ID(2)])
    disk.keys("u")
    disk.work()
    #expect(disk.story.current == 1 && disk.story.browser.viewer != nil)
  }

  @Test func `the only photo of a folder can be trashed and restored`() {
    var disk = DiskStory(["only.jpg"])
    disk.press(.enter)
    disk.story.wait(0.5)
    disk.keys("d")
    disk.work()
    disk.story.wait(0.5)
    #expect(disk.story.shown == [] && disk.story.browser.viewer == nil)
    #expect(disk.story.browser.panel?.title == "No photos here")
    disk.keys("du")
    disk.work()
    #expect(disk.story.shown == [0] && disk.story.current == 0)
  }

  @Test func `keys typed ahead wait for their turn, and no photo is trashed twice`() {
    var disk = DiskStory(Self.names)
    disk.keys("ddl")
    #expect(disk.open.count == 1, "it is on its way already")
    #expect(disk.story.bar.left.hasPrefix("photo") || disk.story.bar.left.hasPrefix("Wait"))
    disk.keys("duu")
    #expect(disk.open.compactMap(\.photos.first?.index) == [0], "one step at a time")
    disk.work()
    #expect(disk.story.shown == Array(0..<12) && disk.trash.isEmpty)
    #expect(disk.story.browser.files.trashed.isEmpty)
  }

  @Test func `a photo that cannot be trashed stays, and the bar says why`() {
    var disk = DiskStory(Self.names)
    disk.stuck = [0]
    disk.keys("d")
    disk.work()
    #expect(disk.story.shown.count == 12)
    #expect(disk.story.bar.left == "'photo 0.jpg' was not trashed: the disk is full")
    disk.keys("u")
    disk.work()
    #expect(disk.story.bar.left == "Nothing to undo")

    disk.keys(" l dy")
    disk.work()
    #expect(disk.story.shown == [0, 1] + Array(3..<12))
    #expect(
      disk.story.bar.left
        == "'photo 2.jpg' is in the trash; u restores it; 'photo 0.jpg' was not trashed: the disk is full"
    )
    #expect(disk.story.marked == [0], "it is still marked")
  }

  @Test func `a photo that cannot be restored stays in the trash, and u tries again`() {
    var disk = DiskStory(Self.names)
    disk.keys("dd")
    disk.work()
    disk.here[1] = "photo 0.jpg"
    disk.keys("u")
    disk.work()
    #expect(disk.story.bar.left == "'photo 0.jpg' was not restored: a file with that name exists")
    #expect(disk.story.browser.files.trashed == [Photo.ID(0)])
    disk.here[1] = "photo 1.jpg"
    disk.keys("u")
    disk.work()
    #expect(disk.story.shown == Array(0..<12))

    disk.keys("d")
    disk.work()
    disk.trash = [:]
    disk.keys("u")
    disk.work()
    #expect(disk.story.bar.left == "'photo 0.jpg' was not restored: it is no longer in the trash")
    #expect(disk.story.browser.files.trashed.isEmpty)
  }

  // MARK: - Read only

  @Test func `with --read-only keys that could change files say that they are switched off`() {
    var disk = DiskStory(Self.names, isReadOnly: true)
    for (key, words) in [
      ("d", "the trash"), ("u", "undoing"), ("r", "renaming"),
      ("o", "other programs"),
      ("!", "running commands"),
    ] {
      disk.keys(key)
      #expect(disk.story.bar.left == "--read-only turns off \(words)")
      #expect(disk.story.browser.prompt == nil)
    }
    #expect(disk.open.isEmpty && disk.others.isEmpty)
  }

  @Test func `--read-only allows yy and yi, which change nothing`() {
    var disk = DiskStory(Self.names, isReadOnly: true)
    disk.keys("yyyi")
    #expect(disk.others == [.copyPath(Photo.ID(0)), .copyPicture(Photo.ID(0))])
  }

  @Test func `yi acts on the selected photo, and on the open one`() {
    var disk = DiskStory(Self.names)
    disk.keys("lyi")
    disk.story.press(.enter)
    disk.story.wait(1)
    disk.keys("nyi")
    #expect(disk.others == [.copyPicture(Photo.ID(1)), .copyPicture(Photo.ID(2))])
  }

  @Test func `o and yy act on the selected photo`() {
    var disk = DiskStory(Self.names)
    disk.keys("looyy")
    #expect(disk.others == [.open(Photo.ID(1)), .open(Photo.ID(1)), .copyPath(Photo.ID(1))])
  }

  // MARK: - Random keys

  @Test(arguments: seeds(1...60))
  func `every photo is shown, filtered out or in the trash, and undo brings all back`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var disk = DiskStory(Self.names)
    let pieces = [
      "d", "d", "d", "u", "u", "l", "h", "j", "G", "gg", " ", "m", "v", "U", "f1\r", "f\u{15}\r",
      "F", "rx\r", "r\u{15}a.jpg\r", "\r", "\u{1B}", ",N", ",n", "q",
    ]
    for step in 0..<80 {
      for character in pieces.randomElement(using: &random) ?? "d" {
        switch character {
        case "\r": disk.press(.enter)
        case "\u{1B}": disk.press(.escape)
        case "\u{15}": disk.press(.control("u"))
        default: disk.keys(String(character))
        }
      }
      disk.stuck =
        Int.random(in: 0..<5, using: &random) == 0 ? [Int.random(in: 0..<12, using: &random)] : []
      if Bool.random(using: &random) { disk.work(Int.random(in: 1...3, using: &random)) }
      disk.story.wait(Double.random(in: 0...0.2, using: &random))

      let browser = disk.story.browser
      let shown = Set(browser.items.map(\.index))
      let all = Set(browser.album.listing.map(\.index))
      let trashed = browser.files.trashed.map(\.index)
      let trace = "seed \(seed), step \(step)"
      #expect(shown.isSubset(of: all) && shown.count == browser.items.count, "\(trace)")
      #expect(Set(trashed).count == trashed.count, "\(trace): twice in the trash")
      if disk.open.isEmpty, browser.files.running == nil {
        #expect(all.isDisjoint(with: trashed), "\(trace): here and in the trash")
        #expect(all.union(trashed) == Set(0..<12), "\(trace): a photo is nowhere")
        #expect(Set(disk.here.keys) == all && disk.trash.count == trashed.count, "\(trace)")
      }
      #expect(browser.files.running != nil || browser.files.queue.isEmpty, "\(trace)")
    }
    disk.stuck = []
    disk.press(.escape, .escape, .escape, .escape, .escape)
    disk.work()
    for _ in 0..<100 {
      disk.keys("u")
      disk.work()
    }
    #expect(Set(disk.here.values) == Set(Self.names), "the same names")
    #expect(disk.here == Dictionary(uniqueKeysWithValues: Self.names.enumerated().map { ($0, $1) }))
    #expect(disk.trash.isEmpty && disk.story.browser.files.trashed.isEmpty)
  }
}
