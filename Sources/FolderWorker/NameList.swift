import PhotoGridCore
import WorkerProtocol

/// A list of names, stored in one array of bytes.
struct NameList {
  private var bytes: [UInt8] = []
  /// The offset of each name's end.
  private var ends: [Int] = []

  /// Whether there are no names.
  var isEmpty: Bool { ends.isEmpty }

  /// Adds a name.
  mutating func append(_ name: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: name)
    ends.append(bytes.count)
  }

  /// Removes all names.
  mutating func removeAll() { self = NameList() }

  /// About how many names of a very long list are sorted and visited before the others.
  private static let headCount = 1000

  /// Calls a function with each name in natural order.
  ///
  /// - Parameters:
  ///   - body: Receives the names.
  ///   - pause: Called after the first names of a very long list, so that a screen of them can be
  ///     shown before all are sorted.
  func forEachInOrder(_ body: (ArraySlice<UInt8>) -> Void, pause: () -> Void = {}) {
    let (head, rest) = divided()
    for index in sorted(head) { body(bytes[range(index)]) }
    guard !rest.isEmpty else { return }
    pause()
    for index in sorted(rest) { body(bytes[range(index)]) }
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
      indices.sorted { precedes($0, $1, in: bytes) }
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
