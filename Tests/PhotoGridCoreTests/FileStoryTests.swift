import TestSupport
import Testing

@testable import PhotoGridCore

/// A story with a disk, which performs the browser's file tasks when `work()` is called.
private struct DiskStory {
  var story: Story
  /// The names of the photos in the folder, by number.
  var here: [Int: String]
  /// The original names of trashed files, by their names in the trash.
  var trash: [String: String] = [:]
  /// The pending tasks.
  var open: [FileTask] = []
  /// Photos that the disk refuses to move.
  var stuck: Set<Int> = []
  /// The result of undoing an operation of an earlier session.
  var recorded = RecordedUndo()
  /// All other effects, in order.
  var others: [Effect] = []
  private var count = 0

  init(_ names: [String], isReadOnly: Bool = false) {
    story = Story(names: names)
    story.browser.options.isReadOnly = isReadOnly
    here = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0, $1) })
  }

  mutating func keys(_ text: String) {
    for character in text {
      story.keys(String(character))
      collect()
    }
  }

  mutating func press(_ keys: Key...) {
    for key in keys { story.press(key) }
    collect()
  }

  private mutating func collect() {
    for effect in story.effects {
      switch effect {
      case .file(let tasks): open += tasks
      case .requestName(let photo):
        story.send(.nameReceived(photo, Array((here[photo.index] ?? "").utf8)))
      default: others.append(effect)
      }
    }
    story.effects = []
  }

  /// Performs the first `number` pending tasks; by default all, and those that follow from them.
  mutating func work(_ number: Int = .max) {
    while !open.isEmpty {
      let some = open.prefix(number)
      open.removeFirst(some.count)
      var filed: [FileResult] = []
      for task in some {
        let photo = task.photos.first?.index ?? -1
        let name = here[photo] ?? gone[photo] ?? ""
        filed.append(FileResult(task, outcome(of: task, name), name: Array(name.utf8)))
      }
      story.send(.arranged(here.keys.sorted().map { Photo.ID($0) }))
      story.send(.fileOperationsFinished(filed))
      collect()
      if number != .max { return }
    }
  }

  /// The names of the trashed photos, by number.
  private var gone: [Int: String] = [:]

  private mutating func outcome(of task: FileTask, _ name: String) -> FileOutcome {
    let photo = task.photos.first?.index ?? -1
    guard !stuck.contains(photo) else { return .refused("the disk is full") }
    switch task {
    case .trash:
      guard here.removeValue(forKey: photo) != nil else { return .refused("no such file") }
      count += 1
      trash["\(count)"] = name
      gone[photo] = name
      let file = TrashedFile(
        trash: Array("/trash".utf8), name: Array("\(count)".utf8), originalPath: Array(name.utf8))
      return .trashed([file])
    case .restore(_, let files):
      let entry = String(decoding: files[0].name, as: UTF8.self)
      guard let name = trash[entry] else { return .lost }
      guard !here.values.contains(name) else { return .refused("there is a file of that name") }
      trash[entry] = nil
      here[photo] = name
      return .done
    case .rename, .moveBack:
      let new = names(after: task)
      guard new.allSatisfy({ here[$0.key] != nil }) else { return .refused("no such file") }
      guard Set(here.merging(new) { $1 }.values).count == here.count else {
        return .refused("there is a file of that name")
      }
      let files = task.photos.map { photo in
        MovedFile(
          from: Array((here[photo.index] ?? "").utf8), to: Array((new[photo.index] ?? "").utf8))
      }
      here.merge(new) { $1 }
      return .moved(files)
    case .move, .copy, .removeCopies: return .refused("the story has one folder")
    case .undoRecorded: return .undone(recorded)
    }
  }

  /// The names that photos have after they are renamed, by number.
  private func names(after task: FileTask) -> [Int: String] {
    let names: [(Photo.ID, [UInt8])] =
      switch task {
      case .rename(let renamings): renamings.map { ($0.photo, $0.name) }
      case .moveBack(let photos, let files): Array(zip(photos, files.map(\.source)))
      case .trash, .restore, .move, .copy, .removeCopies, .undoRecorded: []
      }
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0.index, String(decoding: $1, as: UTF8.self)) })
  }
}

@Suite(.traced) struct FileStoryTests {
  init() { UTF8Locale.use() }

  private static let names = (0..<12).map { "photo \($0).jpg" }

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
    #expect(disk.story.bar.left == "'photo 2.jpg' is in the trash; u brings it back")
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
    #expect(disk.story.bar.right.contains("bringing back…"))
    disk.work()
    #expect(disk.story.shown == Array(0..<12) && disk.story.current == 2)
    #expect(disk.story.bar.left == "'photo 2.jpg' is back")
    #expect(disk.trash.isEmpty)
    disk.keys("u")
    disk.work()
    #expect(disk.story.bar.left == "nothing to undo" && disk.open.isEmpty)
  }

  @Test func `d trashes the marked photos, and u restores them with their marks`() {
    var disk = DiskStory(Self.names)
    disk.keys(" l l Gd")
    #expect(disk.open.isEmpty)
    #expect(disk.story.bar.left == "trash 3 marked photos? d, y or Enter: yes; Esc: no")
    disk.keys("d")
    #expect(disk.open.compactMap(\.photos.first?.index) == [0, 2, 4])
    disk.work(2)
    #expect(disk.story.bar.right.contains("trashing 2 of 3…"))
    disk.work()
    #expect(disk.story.shown == [1, 3] + Array(5..<12) && disk.story.current == 11)
    #expect(disk.story.marked.isEmpty)
    #expect(disk.story.bar.left == "3 photos are in the trash; u brings them back")
    disk.keys("u")
    disk.work()
    #expect(disk.story.shown == Array(0..<12) && disk.story.marked == [0, 2, 4])
    #expect(disk.story.current == 0 && disk.story.bar.left == "3 photos are back")
  }

  @Test func `d trashes the photos of an unfinished range`() {
    var disk = DiskStory(Self.names)
    disk.keys("lvlld")
    #expect(disk.story.bar.left == "trash 3 photos? d, y or Enter: yes; Esc: no")
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
    #expect(disk.story.browser.panel?.title == "no photos here")
    disk.keys("du")
    disk.work()
    #expect(disk.story.shown == [0] && disk.story.current == 0)
  }

  @Test func `keys typed ahead wait for their turn, and no photo is trashed twice`() {
    var disk = DiskStory(Self.names)
    disk.keys("ddl")
    #expect(disk.open.count == 1, "it is on its way already")
    #expect(disk.story.bar.left.hasPrefix("photo") || disk.story.bar.left.hasPrefix("wait"))
    disk.keys("duu")
    #expect(disk.open.compactMap(\.photos.first?.index) == [0], "one step at a time")
    disk.work()
    #expect(disk.story.shown == Array(0..<12) && disk.trash.isEmpty)
    #expect(disk.story.browser.trashed.isEmpty)
  }

  @Test func `a photo that cannot be trashed stays, and the bar says why`() {
    var disk = DiskStory(Self.names)
    disk.stuck = [0]
    disk.keys("d")
    disk.work()
    #expect(disk.story.shown.count == 12)
    #expect(disk.story.bar.left == "'photo 0.jpg' is not trashed: the disk is full")
    disk.keys("u")
    disk.work()
    #expect(disk.story.bar.left == "nothing to undo")

    disk.keys(" l dy")
    disk.work()
    #expect(disk.story.shown == [0, 1] + Array(3..<12))
    #expect(
      disk.story.bar.left
        == "'photo 2.jpg' is in the trash; u brings it back; 'photo 0.jpg' is not trashed: the disk is full"
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
    #expect(disk.story.bar.left == "'photo 0.jpg' is not back: there is a file of that name")
    #expect(disk.story.browser.trashed == [Photo.ID(0)])
    disk.here[1] = "photo 1.jpg"
    disk.keys("u")
    disk.work()
    #expect(disk.story.shown == Array(0..<12))

    disk.keys("d")
    disk.work()
    disk.trash = [:]
    disk.keys("u")
    disk.work()
    #expect(disk.story.bar.left == "'photo 0.jpg' is not back: it is not in the trash any more")
    #expect(disk.story.browser.trashed.isEmpty)
  }

  // MARK: - Names

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
    #expect(disk.story.bar.left == "'photo 1.jpg' is now 'photo 1日本.jpg'; u undoes that")
    disk.keys("u")
    disk.work()
    #expect(disk.here[1] == "photo 1.jpg")
    #expect(disk.story.bar.left == "'photo 1日本.jpg' is now 'photo 1.jpg' again")
  }

  @Test(arguments: [
    ("", "a file needs a name"), (".", "'.' is a folder"), ("..", "'..' is a folder"),
    ("../x.jpg", "a name has no /"),
    (String(repeating: "é", count: 128), "256 bytes, 255 is the most"),
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
    #expect(disk.story.bar.left == "'photo 0.jpg' keeps its name: there is a file of that name")
    disk.keys("rx")
    disk.press(.backspace, .enter)
    #expect(disk.open.isEmpty)
    disk.keys("rx")
    disk.here[0] = nil
    disk.press(.enter)
    disk.work()
    #expect(disk.story.bar.left.contains("keeps its name: no such file"))
    disk.keys("u")
    disk.work()
    #expect(disk.story.bar.left == "nothing to undo")
  }

  @Test func `a name that is not UTF-8 can be edited, and Enter without an edit keeps it`() {
    var story = Story(names: Self.names)
    story.send(.nameReceived(Photo.ID(0), [0xFF, 0x1B, 0x2E, 0x6A]))
    #expect(story.browser.prompt?.line.text == "\u{FFFD}\u{1B}.j")
    story.press(.enter)
    #expect(story.effects.isEmpty)
  }

  // MARK: - Read only

  @Test func `with --read-only keys that could change files say that they are switched off`() {
    var disk = DiskStory(Self.names, isReadOnly: true)
    for (key, words) in [
      ("d", "the trash"), ("u", "undoing"), ("r", "renaming"),
      ("o", "opening with another program"),
      ("!", "running commands"),
    ] {
      disk.keys(key)
      #expect(disk.story.bar.left == "\(words) is switched off by --read-only")
      #expect(disk.story.browser.prompt == nil)
    }
    #expect(disk.open.isEmpty && disk.others.isEmpty)
  }

  @Test func `--read-only allows yy, which changes nothing`() {
    var disk = DiskStory(Self.names, isReadOnly: true)
    disk.keys("yy")
    #expect(disk.others == [.copyPath(Photo.ID(0))])
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
      let shown = Set(browser.photos.map(\.index))
      let all = Set(browser.album.listing.map(\.index))
      let trashed = browser.trashed.map(\.index)
      let trace = "seed \(seed), step \(step)"
      #expect(shown.isSubset(of: all) && shown.count == browser.photos.count, "\(trace)")
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
    #expect(disk.trash.isEmpty && disk.story.browser.trashed.isEmpty)
  }
}
