import FactIndex
import Glibc
import Photos
import WorkerProtocol
import WorkerRuntime

/// Collects the names in a folder with their indexed facts, and reports them before they exceed the
/// size of a message.
struct NameReporter {
  /// The indexed facts of the folder's files; nil if there are none.
  private(set) var known: IndexedFolder?
  /// Whether to check each file, and report its facts only if it has not changed since they were
  /// read.
  var checksFacts = false
  /// Whether facts include where photos were taken.
  var includesLocations = false
  private let root: Int
  private let folder: [UInt8]
  /// The names that were not reported yet, each followed by a NUL.
  private var names: [UInt8] = []
  private var count = 0
  /// The facts of their files; empty if none of them are known.
  private var facts: [PackedInfo] = []
  /// The bits of the pictures' hashes, in the order of `facts`; empty if no picture has one.
  private var hashBits: [UInt64] = []
  /// Where photos were taken, and their words as records, by their indices in `facts`.
  private var locations: [Int: PhotoMetadata.Location] = [:]
  private var words: [Int: [UInt8]] = [:]
  /// The length of `words`, in bytes.
  private var wordLength = 0
  private let report: (ListingEvent) -> Void

  /// Creates a reporter of the names in a folder.
  ///
  /// - Parameters:
  ///   - root: The index of the folder's root.
  ///   - folder: The path of the folder, which ends with a slash; empty for the current folder.
  ///   - report: Receives the batches.
  init(root: Int, folder: [UInt8], _ report: @escaping (ListingEvent) -> Void) {
    self.root = root
    self.folder = folder
    self.report = report
  }

  /// Uses the indexed facts of the folder's files; nil if there are none.
  mutating func use(_ known: IndexedFolder?) { self.known = known }

  /// Reports images in natural order.
  mutating func add(_ images: NameList) {
    let indices = knownIndices(of: images)
    if let order = images.order(by: indices, sortedCount: known?.count ?? 0) {
      images.forEach(order) { add($1, knownIndex: indices[$0]) }
    } else {
      images.forEachInOrder(
        { add($1, knownIndex: indices.isEmpty ? -1 : indices[$0]) }, pause: { flush() })
    }
    flush()
  }

  /// Returns the indices of images in `known`, -1 for unknown ones; empty if none is known.
  private mutating func knownIndices(of images: NameList) -> [Int32] {
    guard known != nil else { return [] }
    var indices: [Int32] = []
    indices.reserveCapacity(images.count)
    images.forEach(0..<images.count) { _, name in
      indices.append(known?.index(of: UnsafeRawBufferPointer(name)).map { Int32($0) } ?? -1)
    }
    return indices
  }

  /// Adds a name with the index of its file in `known`; -1 if that is not known.
  private mutating func add(_ name: NameList.Name, knownIndex: Int32) {
    // A longer path fits into no message and no system call.
    guard folder.count + name.count < Int(PATH_MAX) * 4 else { return }
    let known = knownIndex < 0 ? nil : facts(of: name, at: Int(knownIndex))
    // A message has facts for all of its names or for none, and facts take more room than names.
    if known != nil, facts.isEmpty, count > 0 { flush() }
    let hasFacts = known != nil || !facts.isEmpty
    let byteCount = names.count + facts.count * Self.factLength + wordLength
    let addedCount = name.count + 1 + (hasFacts ? Self.factLength : 0)
    if folder.count + byteCount + addedCount > ListingEvent.maxBatchLength { flush() }
    names.append(contentsOf: name)
    names.append(0)
    count += 1
    guard hasFacts else { return }
    facts.append(known ?? PackedInfo())
    appendHash(at: knownIndex, to: &hashBits, count: facts.count, facts: known)
    if known?.hasWords == true, let words = self.known?.words(Int(knownIndex)) {
      self.words[facts.count - 1] = words
      wordLength += words.count + 8
    }
    if let location = location(at: Int(knownIndex), known) { locations[facts.count - 1] = location }
  }

  /// Returns where a photo was taken, if that is asked for and known.
  private func location(at index: Int, _ facts: PackedInfo?) -> PhotoMetadata.Location? {
    includesLocations && facts?.hasLocation == true ? known?.location(index) : nil
  }

  /// The length of the facts and the hash of a photo in a message, in bytes.
  private static let factLength =
    MemoryLayout<PackedInfo>.stride + MemoryLayout<UInt64>.stride

  /// Appends the bits of a photo's hash, the `count`th of its message; 0 stands for no hash.
  ///
  /// The bits stay empty until a photo has a hash; the photos before it then get zeros.
  private func appendHash(
    at knownIndex: Int32, to bits: inout [UInt64], count: Int, facts: PackedInfo?
  ) {
    let hash = facts?.hasHash == true ? known?.hash(Int(knownIndex)) : nil
    guard hash != nil || !bits.isEmpty else { return }
    bits.append(contentsOf: repeatElement(0, count: count - 1 - bits.count))
    bits.append(hash?.bits ?? 0)
  }

  /// Returns the indexed facts of a file; nil if `checksFacts` is set and all of them are outdated.
  private func facts(of name: NameList.Name, at knownIndex: Int) -> PackedInfo? {
    guard checksFacts else { return known?.facts(knownIndex) }
    guard let known else { return nil }
    var facts = known.facts(knownIndex)
    let path = folder + name
    if known.ratingStamp(knownIndex) != RatingStamp.of(photo: path) { facts.rating = nil }
    if known.hasStamp(knownIndex), FileStamp(of: path, withSidecar: true) == known.stamp(knownIndex)
    {
      return facts
    }
    guard let rating = facts.rating else { return nil }
    facts = PackedInfo()
    facts.rating = rating
    return facts
  }

  /// Returns a batch with the facts of the photos that are known and have not changed.
  mutating func withFacts(_ batch: PhotoBatch) -> PhotoBatch {
    guard known != nil else { return batch }
    var rows: [PackedInfo] = []
    var bits: [UInt64] = []
    var locations: [Int: PhotoMetadata.Location] = [:]
    var words: [Int: [UInt8]] = [:]
    batch.forEachName { name in
      let knownIndex = name.withUnsafeBytes { known?.index(of: $0) }
      let row = knownIndex.flatMap { knownIndex in
        name.withUnsafeBufferPointer { facts(of: $0, at: knownIndex) }
      }
      rows.append(row ?? PackedInfo())
      appendHash(at: Int32(knownIndex ?? -1), to: &bits, count: rows.count, facts: row)
      locations[rows.count - 1] = self.location(at: knownIndex ?? -1, row)
      if let knownIndex, row?.hasWords == true { words[rows.count - 1] = known?.words(knownIndex) }
    }
    var block = InfoBlock(rows, hashBits: bits, copyingFrom: known?.pools ?? TextPools())
    block.setLocations(locations)
    block.setWords(words)
    guard block.knownCount > 0, block.byteCount < ListingEvent.maxBatchLength else { return batch }
    return PhotoBatch(root: batch.root, folder: batch.folder, names: batch.names, facts: block)
  }

  /// Adds folders, whose names get a trailing slash.
  mutating func add(folders: NameList) {
    folders.forEachInOrder { _, name in
      (Array(name) + [0x2f]).withUnsafeBufferPointer { add($0, knownIndex: -1) }
    }
  }

  /// Reports the names so far.
  mutating func flush() {
    if count > 0 { report(names, facts, hashBits, locations, words) }
    names.removeAll(keepingCapacity: true)
    facts.removeAll(keepingCapacity: true)
    hashBits.removeAll(keepingCapacity: true)
    locations.removeAll(keepingCapacity: true)
    words.removeAll(keepingCapacity: true)
    (count, wordLength) = (0, 0)
  }

  /// Reports names, in several messages if the texts of their facts are too long for one.
  private func report(
    _ names: [UInt8], _ facts: [PackedInfo], _ hashBits: [UInt64],
    _ locations: [Int: PhotoMetadata.Location], _ words: [Int: [UInt8]]
  ) {
    var block =
      facts.isEmpty
      ? nil : InfoBlock(facts, hashBits: hashBits, copyingFrom: known?.pools ?? TextPools())
    block?.setLocations(locations)
    block?.setWords(words)
    let batch = PhotoBatch(root: root, folder: folder, names: names, facts: block)
    guard batch.byteCount > ListingEvent.maxBatchLength * 3 / 2, facts.count > 1 else {
      return report(.found(batch))
    }
    let half = facts.count / 2
    var end = 0
    for _ in 0..<half { end = (names[end...].firstIndex(of: 0) ?? names.count - 1) + 1 }
    report(
      Array(names[..<end]), Array(facts[..<half]), Array(hashBits.prefix(half)),
      locations.filter { $0.key < half }, words.filter { $0.key < half })
    report(
      Array(names[end...]), Array(facts[half...]), Array(hashBits.dropFirst(half)),
      Self.late(locations, from: half), Self.late(words, from: half))
  }

  /// Returns the values for indices from one on, which then begin with 0.
  private static func late<Value>(_ values: [Int: Value], from half: Int) -> [Int: Value] {
    Dictionary(values.filter { $0.key >= half }.map { ($0.key - half, $0.value) }) { $1 }
  }
}
