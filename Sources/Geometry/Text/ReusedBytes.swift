extension [UInt8] {
  /// The most memory that is kept for the next bytes: more than a screen of cells, less than a picture.
  private static let maxKeptCapacity = 1 << 20

  /// Removes all bytes, and keeps their memory for the next ones unless it is that of a picture.
  package mutating func reuse() {
    if capacity > Self.maxKeptCapacity {
      self = []
    } else {
      removeAll(keepingCapacity: true)
    }
  }
}
