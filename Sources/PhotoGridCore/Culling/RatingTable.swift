/// The ratings of photos, by photo number, in a byte each.
struct RatingTable: Equatable, Sendable {
  /// The codes of the ratings; 0 for a photo whose rating has not been read.
  private var codes: [UInt8] = []

  /// The rating of a photo; nil until it has been read.
  subscript(photo: Photo.ID) -> Rating? {
    get { codes.indices.contains(photo.index) ? Rating(code: codes[photo.index]) : nil }
    set {
      guard photo.index >= 0 else { return }
      if photo.index >= codes.count {
        guard newValue != nil else { return }
        let count = max(photo.index + 1, codes.count * 2)
        codes.append(contentsOf: repeatElement(0, count: count - codes.count))
      }
      codes[photo.index] = newValue?.code ?? 0
    }
  }

  /// Whether a photo's rating was read.
  func isKnown(_ photo: Photo.ID) -> Bool {
    codes.indices.contains(photo.index) && codes[photo.index] != 0
  }

  /// Whether two tables have the same ratings, regardless of their capacity.
  static func == (left: RatingTable, right: RatingTable) -> Bool {
    let (short, long) =
      left.codes.count < right.codes.count
      ? (left.codes, right.codes) : (right.codes, left.codes)
    return long.starts(with: short) && long[short.count...].allSatisfy { $0 == 0 }
  }
}
