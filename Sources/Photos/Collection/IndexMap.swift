/// A map from items to their indices in an order.
///
/// It takes four bytes for every item number up to the highest.
struct IndexMap: Equatable, Sendable {
  private var indices: [Int32] = []
  private var count = 0

  /// Creates the map of an order, in which no item may occur twice.
  ///
  /// - Complexity: O(n), where n is the highest item number.
  init(_ order: [Photo.ID]) {
    let highest = order.max()?.index ?? -1
    indices = Array(repeating: -1, count: max(highest, -1) + 1)
    append(order)
  }

  mutating func append(_ items: some Sequence<Photo.ID>) {
    for item in items {
      if item.index >= indices.count {
        indices.append(contentsOf: repeatElement(-1, count: item.index + 1 - indices.count))
      }
      indices[item.index] = Int32(count)
      count += 1
    }
  }

  subscript(item: Photo.ID) -> Int? {
    guard indices.indices.contains(item.index), indices[item.index] >= 0 else { return nil }
    return Int(indices[item.index])
  }
}
