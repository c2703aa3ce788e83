import PhotoGridCore
import WorkerProtocol

/// Many names in one piece of memory.
struct NameList {
  private var bytes: [UInt8] = []
  /// Where each name ends.
  private var ends: [Int] = []

  var isEmpty: Bool { ends.isEmpty }

  mutating func append(_ name: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: name)
    ends.append(bytes.count)
  }

  mutating func removeAll() { self = NameList() }

  /// So many names are put in order, and visited, before the rest is.
  private static let headCount = 1000

  /// Visits the names in natural order, and `pause` after the first of very many: a screen of names
  /// need not wait for all to be sorted.
  func forEachInOrder(_ body: (ArraySlice<UInt8>) -> Void, pause: () -> Void = {}) {
    let (head, rest) = divided()
    for index in sorted(head) { body(bytes[range(index)]) }
    guard !rest.isEmpty else { return }
    pause()
    for index in sorted(rest) { body(bytes[range(index)]) }
  }

  /// The names, and those that come after all of them; only very many are divided.
  private func divided() -> (head: [Int], rest: [Int]) {
    let all = Array(ends.indices)
    guard all.count > 16 * Self.headCount else { return (all, []) }
    // One name of a sample bounds the head, whatever its size really comes to.
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
