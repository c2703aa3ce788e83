import Photos

/// A list of names, stored in one array of bytes.
struct NameList {
  private var bytes: [UInt8] = []
  /// The offset of each name's end.
  private var ends: [Int] = []

  var isEmpty: Bool { ends.isEmpty }

  /// Adds a name.
  mutating func append(_ name: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: name)
    ends.append(bytes.count)
  }

  var count: Int { ends.count }

  mutating func removeAll() { self = NameList() }

  /// About how many names of a very long list are sorted and visited before the others.
  private static let headCount = 1000

  /// The bytes of a name, valid only during the call that passes it.
  typealias Name = UnsafeBufferPointer<UInt8>

  /// Calls a function with each name in natural order.
  ///
  /// - Parameters:
  ///   - body: Receives the indices and the names.
  ///   - pause: Called after the first names of a very long list, so that a screen of them can be
  ///     shown before all are sorted.
  func forEachInOrder(_ body: (Int, Name) -> Void, pause: () -> Void = {}) {
    let (head, rest) = divided()
    forEach(sorted(head), body)
    guard !rest.isEmpty else { return }
    pause()
    forEach(sorted(rest), body)
  }

  /// Calls a function with the names at some indices.
  func forEach(_ indices: some Sequence<Int>, _ body: (Int, Name) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      for index in indices { body(index, Name(rebasing: bytes[range(index)])) }
    }
  }

  /// Returns the indices of all names in natural order, using the order that an earlier session
  /// recorded, which takes less time than sorting them.
  ///
  /// - Parameters:
  ///   - known: The index of each name in the recorded order; -1 for an unknown name.
  ///   - sortedCount: The number of places, from 0 on, that are in natural order.
  /// - Returns: The indices; nil if fewer than half of the names have an index, or the recorded
  ///   order is wrong.
  func order(by known: [Int32], sortedCount: Int) -> [Int]? {
    guard sortedCount > 0, sortedCount >= count / 2 else { return nil }
    var indices = [Int](repeating: -1, count: sortedCount)
    var rest: [Int] = []
    for (index, knownIndex) in known.enumerated() {
      if knownIndex >= 0, knownIndex < sortedCount, indices[Int(knownIndex)] < 0 {
        indices[Int(knownIndex)] = index
      } else {
        rest.append(index)
      }
    }
    indices.removeAll { $0 < 0 }
    guard rest.count <= count / 2, isSorted(indices) else { return nil }
    return rest.isEmpty ? indices : merged(indices, sorted(rest))
  }

  private func isSorted(_ indices: [Int]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      indices.indices.dropFirst().allSatisfy { precedes(indices[$0 - 1], indices[$0], in: bytes) }
    }
  }

  /// Merges two lists of indices, each in the natural order of its names.
  private func merged(_ left: [Int], _ right: [Int]) -> [Int] {
    var merged: [Int] = []
    merged.reserveCapacity(left.count + right.count)
    var rest = right[...]
    bytes.withUnsafeBufferPointer { bytes in
      for index in left {
        while let first = rest.first, precedes(first, index, in: bytes) {
          merged.append(first)
          rest.removeFirst()
        }
        merged.append(index)
      }
    }
    return merged + rest
  }

  /// Divides a very long list into the first names and the rest; both are unsorted.
  private func divided() -> (head: [Int], rest: [Int]) {
    let all = Array(ends.indices)
    guard all.count > 16 * Self.headCount else { return (all, []) }
    // A name of a sorted sample is the bound, which makes the head about `headCount` names long.
    let sample = sorted(Array(stride(from: 0, to: all.count, by: all.count / 512)))
    let bound = sample[Self.headCount * sample.count / all.count + 4]
    var (head, rest): ([Int], [Int]) = ([], [])
    bytes.withUnsafeBufferPointer { bytes in
      for index in all {
        if precedes(index, bound, in: bytes) { head.append(index) } else { rest.append(index) }
      }
    }
    return (head, rest)
  }

  private func sorted(_ indices: [Int]) -> [Int] {
    bytes.withUnsafeBufferPointer { bytes in
      NaturalOrder.sorted(indices) { Name(rebasing: bytes[range($0)]) }
    }
  }

  private func precedes(_ left: Int, _ right: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    NaturalOrder.precedes(
      UnsafeBufferPointer(rebasing: bytes[range(left)]),
      UnsafeBufferPointer(rebasing: bytes[range(right)]))
  }

  private func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : ends[index - 1])..<ends[index]
  }
}
