/// The index of each item in an order, by the item's number: four bytes for every number up to the
/// highest.
struct IndexMap: Equatable, Sendable {
  private var indices: [Int32] = []
  private var count = 0

  /// The indices in an order in which no item is twice.
  ///
  /// - Complexity: O(number of items).
  init(_ order: [Photo.ID]) {
    let highest = order.max()?.index ?? -1
    indices = Array(repeating: -1, count: max(highest, -1) + 1)
    append(order)
  }

  /// Adds items at the end of the order.
  mutating func append(_ items: some Sequence<Photo.ID>) {
    for item in items {
      if item.index >= indices.count {
        indices.append(contentsOf: repeatElement(-1, count: item.index + 1 - indices.count))
      }
      indices[item.index] = Int32(count)
      count += 1
    }
  }

  /// The index of an item; nil where it is not in the order.
  subscript(item: Photo.ID) -> Int? {
    guard indices.indices.contains(item.index), indices[item.index] >= 0 else { return nil }
    return Int(indices[item.index])
  }
}
