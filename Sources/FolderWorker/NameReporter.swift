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
  private var batch: PhotoBatch
  private let report: (FolderEvent) -> Void

  /// Creates a reporter of a folder, which ends with a slash.
  init(root: Int, folder: [UInt8], _ report: @escaping (FolderEvent) -> Void) {
    batch = PhotoBatch(root: root, folder: folder)
    self.report = report
  }

  /// Uses the indexed facts of the folder's files; nil if there are none.
  mutating func use(_ known: IndexedFolder?) {
    self.known = known
    batch = emptyBatch
  }

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
    guard batch.folder.count + name.count < Int(PATH_MAX) * 4 else { return }
    if batch.byteCount + name.count + 1 > FolderEvent.longestBatch { flush() }
    guard known != nil else { return batch.append(name) }
    let facts = facts(of: name)
    // A batch with facts has room for those of each of its names, also of the ones before.
    if facts != nil, batch.facts == nil { flush() }
    batch.append(name, facts)
  }

  /// Returns the indexed facts of a file.
  private mutating func facts(of name: ArraySlice<UInt8>) -> PackedFacts? {
    guard let index = known?.index(of: name) else { return nil }
    guard checksFacts, var facts = known?.facts(index) else { return known?.facts(index) }
    let path = batch.folder + name
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
    if batch.count > 0 { report(.found(batch)) }
    batch = emptyBatch
  }

  private var emptyBatch: PhotoBatch {
    PhotoBatch(root: batch.root, folder: batch.folder, texts: known?.pools)
  }
}

extension IndexedFolder {
  /// Returns the indices of names in natural order, see `NameList.order(knownFrom:)`.
  fileprivate mutating func order(of names: NameList) -> [Int]? { names.order(knownFrom: &self) }
}
