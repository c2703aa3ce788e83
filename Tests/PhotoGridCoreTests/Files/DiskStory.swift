import TestSupport

@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// A story with a disk, which performs the browser's file tasks when `work()` is called.
struct DiskStory {
  var story: Story
  /// The names of the photos in the folder, by number.
  var here: [Int: String]
  /// The original names of trashed files, by their names in the trash.
  var trash: [String: String] = [:]
  /// The pending tasks.
  var open: [FileOperation] = []
  /// Photos that the disk refuses to move.
  var stuck: Set<Int> = []
  /// The operation of an earlier session that can be undone; nil if there is none.
  var earlier: RecordedOperation?
  /// The result of undoing it.
  var recorded = RecordedUndo()
  /// All other effects, in order.
  var others: [Effect] = []
  private var count = 0

  init(_ names: [String], isReadOnly: Bool = false) {
    story = Story(names: names)
    story.browser.gallery.options.isReadOnly = isReadOnly
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
      var filed: [FileOperation] = []
      for task in some {
        let photo = task.photos.first?.index ?? -1
        let name = here[photo] ?? gone[photo] ?? ""
        filed.append(task.performed(outcome(of: task, name), name: Array(name.utf8)))
      }
      story.send(.listingReplaced(here.keys.sorted().map { Photo.ID($0) }))
      story.send(.fileOperationsFinished(filed))
      collect()
      if number != .max { return }
    }
  }

  /// The names of the trashed photos, by number.
  private var gone: [Int: String] = [:]

  private mutating func outcome(of task: FileOperation, _ name: String) -> FileOutcome {
    let photo = task.photos.first?.index ?? -1
    guard !stuck.contains(photo) else { return .refused("the disk is full") }
    switch (task.kind, task.isUndo) {
    case (.trash, false):
      guard here.removeValue(forKey: photo) != nil else { return .refused("no such file") }
      count += 1
      trash["\(count)"] = name
      gone[photo] = name
      let file = FileStep(
        trash: Array("/trash".utf8), name: Array("\(count)".utf8), originalPath: Array(name.utf8))
      return .done([file])
    case (.trash, true):
      let entry = String(decoding: task.steps[0].target.lastPathComponent, as: UTF8.self)
      guard let name = trash[entry] else { return .lost }
      guard !here.values.contains(name) else { return .refused("a file with that name exists") }
      trash[entry] = nil
      here[photo] = name
      return .done([])
    case (.rename, _):
      let new = names(after: task)
      guard new.allSatisfy({ here[$0.key] != nil }) else { return .refused("no such file") }
      guard Set(here.merging(new) { $1 }.values).count == here.count else {
        return .refused("a file with that name exists")
      }
      let files = task.photos.map { photo in
        FileStep(
          from: Array((here[photo.index] ?? "").utf8), to: Array((new[photo.index] ?? "").utf8))
      }
      here.merge(new) { $1 }
      return .done(files)
    case (.move, _), (.copy, _), (.rotation, _): return .refused("the story has one folder")
    case (.recorded, false):
      return .found(earlier.flatMap { task.recorded.contains($0.id) ? nil : $0 })
    case (.recorded, true):
      guard let earlier, task.recorded == [earlier.id] else { return .undone(RecordedUndo()) }
      if recorded.failureCount == 0 { self.earlier = nil }
      return .undone(recorded)
    }
  }

  /// The names that photos have after they are renamed, by number.
  private func names(after task: FileOperation) -> [Int: String] {
    let names = task.steps.map { task.isUndo ? $0.source : $0.target }
    return Dictionary(
      uniqueKeysWithValues: zip(task.photos, names).map {
        ($0.index, String(decoding: $1, as: UTF8.self))
      })
  }
}
