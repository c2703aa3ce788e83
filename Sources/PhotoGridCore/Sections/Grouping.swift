/// By what photos are put into sections.
package enum Grouping: String, CaseIterable, Sendable {
  /// No sections.
  case none
  /// The day on which photos were taken, the month or the year.
  case day, month, year
  /// The folder that photos are in.
  case folder

  /// Whether sections are parts of the calendar.
  package var isByDate: Bool {
    switch self {
    case .day, .month, .year: true
    case .none, .folder: false
    }
  }

  /// The order in which the photos of a section come one after the other.
  ///
  /// Sections by date need photos by the date taken, those by folder photos by their paths; whichever
  /// comes first, the earliest or the latest, is as before.
  package func order(replacing order: SortOrder) -> SortOrder {
    switch self {
    case .none: order
    case .day, .month, .year: SortOrder(by: .taken, isReversed: order.isReversed)
    case .folder: SortOrder(by: .name, isReversed: order.isReversed)
    }
  }
}
