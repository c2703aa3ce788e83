/// Where each photo is in an order.
///
/// Four bytes for every photo that was ever known: made for one change and thrown away.
struct IndexMap {
  private var places: [Int32]

  /// The places in an order in which no photo is twice.
  ///
  /// - Complexity: O(number of photos).
  init(_ order: [Photo.ID]) {
    let highest = order.max()?.index ?? -1
    places = Array(repeating: -1, count: max(highest, -1) + 1)
    for (place, photo) in order.enumerated() { places[photo.index] = Int32(place) }
  }

  /// The index of a photo; nil where it is not in the order.
  subscript(photo: Photo.ID) -> Int? {
    guard places.indices.contains(photo.index), places[photo.index] >= 0 else { return nil }
    return Int(places[photo.index])
  }

  /// The photo of another order that takes the place of the one at `index` there: itself, else the
  /// nearest one after it that is still there, else the nearest before.
  func replacement(of index: Int, in old: [Photo.ID]) -> Int? {
    guard old.indices.contains(index) else { return nil }
    for photo in old[index...] {
      if let place = self[photo] { return place }
    }
    for photo in old[..<index].reversed() {
      if let place = self[photo] { return place }
    }
    return nil
  }
}
