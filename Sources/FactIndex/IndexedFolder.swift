import Glibc
import PhotoGridCore

/// The indexed facts of the files in a folder, by their names.
package struct IndexedFolder {
  /// The texts that the facts refer to.
  package private(set) var pools = TextPools()
  private var names: [UInt8] = []
  /// The offset of each name's end.
  private var ends: [Int] = []
  private var facts: [PackedFacts] = []
  private var stamps: [FileStamp] = []
  /// The stamps of the ratings, by the indices of files that have one.
  private var ratingStamps: [Int: UInt64] = [:]
  /// The number of files at the beginning that an earlier session has sorted.
  package private(set) var sortedCount = 0
  /// The index of the name that is probably looked up next.
  private var next = 0
  /// The indices of files, each at the hash of its name or at the first free slot after it.
  ///
  /// Free slots are -1. Empty until a name is looked up.
  private var slots: [Int32] = []

  /// Creates a folder without files.
  init() {}

  /// The number of files.
  package var count: Int { ends.count }

  // MARK: - Files

  /// Reserves memory for a number of files.
  mutating func reserve(_ count: Int) {
    // A damaged index may claim any number.
    let count = min(count, 1 << 20)
    ends.reserveCapacity(count)
    facts.reserveCapacity(count)
    stamps.reserveCapacity(count)
  }

  /// Appends a file, unless it is known already.
  mutating func append(
    _ name: UnsafeRawBufferPointer, _ facts: PackedFacts, _ stamp: FileStamp
  ) {
    guard count < Int(Int32.max) else { return }
    names.append(contentsOf: name)
    ends.append(names.count)
    self.facts.append(facts)
    stamps.append(stamp)
    guard !slots.isEmpty else { return }
    if count > slots.count / 2 { slots = [] } else { enter(count - 1) }
  }

  /// Records that all files so far are in the order of a listing.
  mutating func markSorted() { sortedCount = count }

  /// Sets the facts of a file, which is appended unless it is known.
  mutating func put(_ name: UnsafeRawBufferPointer, _ facts: PackedFacts, _ stamp: FileStamp) {
    guard let index = index(of: name) else { return append(name, facts, stamp) }
    self.facts[index] = facts
    stamps[index] = stamp
  }

  /// Sets the hash of a file's picture, which is appended without facts unless it is known; a hash
  /// of another state of the file than its facts is dropped.
  mutating func put(_ name: UnsafeRawBufferPointer, _ hash: DifferenceHash?, _ stamp: FileStamp) {
    let known = index(of: name)
    if known == nil { append(name, PackedFacts(), stamp) }
    let index = known ?? count - 1
    if stamps[index] == stamp { facts[index].setHash(hash) }
  }

  /// Sets the rating of a file, which is appended without facts unless it is known.
  mutating func put(_ name: UnsafeRawBufferPointer, _ rating: Rating, stamp: UInt64) {
    let known = index(of: name)
    if known == nil {
      append(name, PackedFacts(), FileStamp(inode: 0, byteCount: -1, modified: 0))
    }
    let index = known ?? count - 1
    facts[index].rating = rating
    ratingStamps[index] = stamp
  }

  /// Sets the texts that the facts refer to.
  mutating func finish(_ pools: TextPools) { self.pools = pools }

  // MARK: - Facts

  /// Returns the name of the file at an index.
  package func name(_ index: Int) -> ArraySlice<UInt8> {
    names[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// Returns the stamp of the file at an index, by which a change is recognized.
  package func stamp(_ index: Int) -> FileStamp { stamps[index] }

  /// Returns the stamp of a rating, by which a change is recognized; nil if no rating is known.
  package func ratingStamp(_ index: Int) -> UInt64? {
    ratingStamps.isEmpty ? nil : ratingStamps[index]
  }

  /// Returns the facts of the file at an index.
  package func facts(_ index: Int) -> PackedFacts { facts[index] }

  // MARK: - Looking up names

  /// Finds a file by its name, in constant time.
  ///
  /// - Returns: The file's index; nil if its facts are not known.
  package mutating func index(of name: ArraySlice<UInt8>) -> Int? {
    name.withUnsafeBytes { index(of: $0) }
  }

  /// Finds a file by its name, in constant time.
  package mutating func index(of name: UnsafeRawBufferPointer) -> Int? {
    if next < count, isName(name, at: next) {
      next += 1
      return next - 1
    }
    if slots.isEmpty { enterAll() }
    var slot = Self.hash(name) & (slots.count - 1)
    while slots[slot] >= 0 {
      let index = Int(slots[slot])
      if isName(name, at: index) {
        next = index + 1
        return index
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private func isName(_ name: UnsafeRawBufferPointer, at index: Int) -> Bool {
    let start = index == 0 ? 0 : ends[index - 1]
    guard ends[index] - start == name.count, let other = name.baseAddress else { return false }
    return names.withUnsafeBytes { names in
      names.baseAddress.map { memcmp($0 + start, other, name.count) == 0 } ?? false
    }
  }

  /// The hash of a name, seeded at random, so that nobody can choose names with equal ones.
  private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: name)
    return hasher.finalize()
  }

  private mutating func enterAll() {
    var size = 64
    while size < 4 * count { size *= 2 }
    slots = Array(repeating: -1, count: size)
    for index in 0..<count { enter(index) }
  }

  private mutating func enter(_ index: Int) {
    let start = index == 0 ? 0 : ends[index - 1]
    let hash = names.withUnsafeBytes {
      Self.hash(UnsafeRawBufferPointer(rebasing: $0[start..<ends[index]]))
    }
    var slot = hash & (slots.count - 1)
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = Int32(index)
  }
}
