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
    if let order = known?.order(of: images) {
      for index in order { add(images[index]) }
      return flush()
    }
    images.forEachInOrder({ add($0) }, pause: { flush() })
    flush()
  }

  /// Adds a name.
  mutating func add(_ name: ArraySlice<UInt8>) {
    // A longer path fits into no message and no system call.
    guard folder.count + name.count < Int(PATH_MAX) * 4 else { return }
    let known = known == nil ? nil : facts(of: name)
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
  private mutating func facts(of name: ArraySlice<UInt8>) -> PackedFacts? {
    guard let index = known?.index(of: name) else { return nil }
    guard checksFacts, var facts = known?.facts(index) else { return known?.facts(index) }
    let path = folder + name
    if known?.ratingStamp(index) != RatingStamp.of(photo: path) { facts.rating = nil }
    if FileStamp(of: path) == known?.stamp(index) { return facts }
    guard let rating = facts.rating else { return nil }
    facts = PackedFacts()
    facts.rating = rating
    return facts
  }

  /// Adds folders, whose names get a trailing slash.
  mutating func add(folders: NameList) { folders.forEachInOrder { add($0 + [0x2f]) } }

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

extension IndexedFolder {
  /// Returns the indices of names in natural order, see `NameList.order(knownFrom:)`.
  fileprivate mutating func order(of names: NameList) -> [Int]? { names.order(knownFrom: &self) }
}
