import PhotoGridCore

/// The indexed facts of the files in a folder, sorted by the bytes of their names.
package struct IndexedFolder {
  /// The texts that the facts refer to.
  package private(set) var pools: TextPools
  private var names: [UInt8] = []
  /// The offset of each name's end.
  private var ends: [Int] = []
  private var facts: [PackedFacts] = []
  private var stamps: [FileStamp] = []
  /// The index of the name that is probably looked up next.
  private var next = 0

  /// Creates a folder without files.
  init(pools: TextPools) { self.pools = pools }

  /// The number of files.
  package var count: Int { ends.count }

  /// Appends a file, whose name must come after the others.
  mutating func append(
    _ name: UnsafeRawBufferPointer, _ facts: PackedFacts, _ stamp: FileStamp
  ) {
    names.append(contentsOf: name)
    ends.append(names.count)
    self.facts.append(facts)
    stamps.append(stamp)
  }

  /// Sets the final texts that the facts refer to.
  mutating func finish(_ pools: TextPools) { self.pools = pools }

  /// Returns the name of the file at an index.
  package func name(_ index: Int) -> ArraySlice<UInt8> {
    names[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// Returns the stamp of the file at an index, by which a change is recognized.
  package func stamp(_ index: Int) -> FileStamp { stamps[index] }

  /// Returns the facts of the file at an index.
  package func facts(_ index: Int) -> PackedFacts { facts[index] }

  /// Finds a file by its name, in constant time if names are looked up in order.
  ///
  /// - Returns: The file's index; nil if its facts are not known.
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
