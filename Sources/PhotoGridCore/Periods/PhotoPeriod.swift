/// A month or a year, with some of its photos.
struct PhotoPeriod: Equatable, Sendable {
  /// The month or year; nil for the photos without a date, and for those that were not read yet.
  var date: CalendarDate?
  /// The number of its photos.
  var count = 0
  /// Photos from all over the period, at most `mostSamples`, for its tile.
  var samples: [Photo.ID] = []

  /// The largest number of photos on a tile.
  static let mostSamples = 4

  /// The number of photos on its tile.
  var sampleCount: Int { min(count, Self.mostSamples) }

  /// The item that stands for a period among the tiles of `PeriodGrid`; it is no photo's.
  static func item(of date: CalendarDate?) -> Photo.ID {
    // Small numbers, as `IndexMap` has an entry for each up to the highest.
    Photo.ID(date.map { $0.year * 13 + ($0.month ?? 0) } ?? 0)
  }

  /// The length of a period.
  enum Length: CaseIterable, Sendable {
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
