/// A month or a year, with some of its photos.
struct PhotoPeriod: Equatable, Sendable {
  /// The month or year; nil for photos without a date or whose date has not been read yet.
  var date: CalendarDate?
  /// The number of its photos.
  var count = 0
  /// The photos on the period's tile, spread over the period; at most `mostSamples`.
  var samples: [Photo.ID] = []

  /// The largest number of photos on a tile.
  static let mostSamples = 4

  /// The number of photos that the tile should have.
  var sampleCount: Int { min(count, Self.mostSamples) }

  /// The length of a period.
  enum Length: CaseIterable, Sendable {
    /// A month or a year.
    case month, year

    /// The grouping that has these periods as its sections.
    var grouping: Grouping {
      switch self {
      case .month: .month
      case .year: .year
      }
    }
  }
}
