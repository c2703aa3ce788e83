import FactIndex
import Glibc
import PhotoGridCore
import WorkerProtocol
import WorkerRuntime

/// Collects the names in a folder with their indexed facts, and reports them before they exceed the
/// size of a message.
struct NameReporter {
  /// The indexed facts of the folder's files; nil if there are none.
  private(set) var known: IndexedFolder?
  /// Whether facts are reported only for files that have not changed since they were read.
  var checksFacts = false
  private let root: Int
  private let folder: [UInt8]
  /// The names that were not reported yet, each followed by a NUL.
  private var names: [UInt8] = []
  private var count = 0
  /// The facts of their files; empty if none of them are known.
  private var facts: [PackedFacts] = []
  private let report: (FolderEvent) -> Void

  /// Creates a reporter of a folder, which ends with a slash.
  init(root: Int, folder: [UInt8], _ report: @escaping (FolderEvent) -> Void) {
    self.root = root
    self.folder = folder
    self.report = report
  }

  /// Uses the indexed facts of the folder's files; nil if there are none.
  mutating func use(_ known: IndexedFolder?) { self.known = known }

  /// Reports images in natural order.
  mutating func add(_ images: NameList) {
    let places = places(of: images)
    if let order = images.order(by: places, sortedCount: known?.sortedCount ?? 0) {
      images.forEach(order) { add($1, place: places[$0]) }
    } else {
      images.forEachInOrder(
        { add($1, place: places.isEmpty ? -1 : places[$0]) }, pause: { flush() })
    }
    flush()
  }

  /// Returns the indices of images in `known`, -1 for unknown ones; empty if none is known.
  private mutating func places(of images: NameList) -> [Int32] {
    guard known != nil else { return [] }
    var places: [Int32] = []
    places.reserveCapacity(images.count)
    images.forEach(0..<images.count) { _, name in
      places.append(known?.index(of: UnsafeRawBufferPointer(name)).map { Int32($0) } ?? -1)
    }
    return places
  }

  /// Adds a name with the index of its file in `known`; -1 if that is not known.
  private mutating func add(_ name: NameList.Name, place: Int32) {
    // A longer path fits into no message and no system call.
    guard folder.count + name.count < Int(PATH_MAX) * 4 else { return }
    let known = place < 0 ? nil : facts(of: name, at: Int(place))
    // Facts take more room than names, and those of all names of a message have some.
    if known != nil, facts.isEmpty, count > 0 { flush() }
    let hasFacts = known != nil || !facts.isEmpty
    let byteCount = names.count + facts.count * MemoryLayout<PackedFacts>.stride
    let addedCount = name.count + 1 + (hasFacts ? MemoryLayout<PackedFacts>.stride : 0)
    if folder.count + byteCount + addedCount > FolderEvent.longestBatch { flush() }
    names.append(contentsOf: name)
    names.append(0)
    count += 1
    if hasFacts { facts.append(known ?? PackedFacts()) }
  }

  /// Returns the indexed facts of a file.
  private func facts(of name: NameList.Name, at place: Int) -> PackedFacts? {
    guard checksFacts else { return known?.facts(place) }
    guard let known else { return nil }
    var facts = known.facts(place)
    let path = folder + name
    if known.ratingStamp(place) != RatingStamp.of(photo: path) { facts.rating = nil }
    if known.hasStamp(place), FileStamp(of: path) == known.stamp(place) { return facts }
    guard let rating = facts.rating else { return nil }
    facts = PackedFacts()
    facts.rating = rating
    return facts
  }

  /// Returns a batch of photos with the facts of those that are known and have not changed.
  mutating func withFacts(_ batch: PhotoBatch) -> PhotoBatch {
    guard known != nil else { return batch }
    var rows: [PackedFacts] = []
    batch.forEachName { name in
      let row = name.withUnsafeBufferPointer { name in
        known?.index(of: UnsafeRawBufferPointer(name)).flatMap { facts(of: name, at: $0) }
      }
      rows.append(row ?? PackedFacts())
    }
    let block = FactBlock(rows, copyingFrom: known?.pools ?? TextPools())
    guard block.knownCount > 0, block.byteCount < FolderEvent.longestBatch else { return batch }
    return PhotoBatch(root: batch.root, folder: batch.folder, names: batch.names, facts: block)
  }

  /// Adds folders, whose names get a trailing slash.
  mutating func add(folders: NameList) {
    folders.forEachInOrder { _, name in
      (Array(name) + [0x2f]).withUnsafeBufferPointer { add($0, place: -1) }
    }
  }

  /// Reports the names so far.
  mutating func flush() {
    if count > 0 { report(names, facts) }
    names.removeAll(keepingCapacity: true)
    facts.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Reports names, in several messages if the texts of their facts are too long for one.
  private func report(_ names: [UInt8], _ facts: [PackedFacts]) {
    let block =
      facts.isEmpty ? nil : FactBlock(facts, copyingFrom: known?.pools ?? TextPools())
    let batch = PhotoBatch(root: root, folder: folder, names: names, facts: block)
    guard batch.byteCount > FolderEvent.longestBatch * 3 / 2, facts.count > 1 else {
      return report(.found(batch))
    }
    let half = facts.count / 2
    var end = 0
    for _ in 0..<half { end = (names[end...].firstIndex(of: 0) ?? names.count - 1) + 1 }
    report(Array(names[..<end]), Array(facts[..<half]))
    report(Array(names[end...]), Array(facts[half...]))
  }
}
