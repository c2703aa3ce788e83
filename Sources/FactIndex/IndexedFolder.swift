import PhotoGridCore

/// What the index knows of the files of a folder, in the order of their names' bytes.
package struct IndexedFolder {
  /// The texts of the facts.
  package private(set) var pools: TextPools
  private var names: [UInt8] = []
  /// The offset of each name's end.
  private var ends: [Int] = []
  private var facts: [PackedFacts] = []
  private var stamps: [FileStamp] = []
  /// The stamps of the ratings, by the indices of files that have one.
  private var ratingStamps: [Int: UInt64] = [:]
  /// The index of the name that is probably asked for next.
  private var next = 0

  /// A folder without files.
  init(pools: TextPools) { self.pools = pools }

  /// The number of files.
  package var count: Int { ends.count }

  /// Adds a file, whose name comes after the others.
  mutating func append(
    _ name: UnsafeRawBufferPointer, _ facts: PackedFacts, _ stamp: FileStamp,
    ratingStamp: UInt64? = nil
  ) {
    if let ratingStamp { ratingStamps[stamps.count] = ratingStamp }
    names.append(contentsOf: name)
    ends.append(names.count)
    self.facts.append(facts)
    stamps.append(stamp)
  }

  /// Sets the texts of the facts.
  mutating func finish(_ pools: TextPools) { self.pools = pools }

  /// The name of a file.
  package func name(_ index: Int) -> ArraySlice<UInt8> {
    names[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// What tells whether a file is still the one that was read.
  package func stamp(_ index: Int) -> FileStamp { stamps[index] }

  /// What tells whether a rating is still that of the file; nil if none is known.
  package func ratingStamp(_ index: Int) -> UInt64? { ratingStamps[index] }

  /// The facts of a file.
  package func facts(_ index: Int) -> PackedFacts { facts[index] }

  /// Finds a file: fast if names are asked for in about their order.
  ///
  /// - Returns: Its index; nil if the index knows nothing of it.
  package mutating func index(of name: ArraySlice<UInt8>) -> Int? {
    if next < count, self.name(next) == name {
      next += 1
      return next - 1
    }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self.name(middle).lexicographicallyPrecedes(name) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < count, self.name(low) == name else { return nil }
    next = low + 1
    return low
  }
}
