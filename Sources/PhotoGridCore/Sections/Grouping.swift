/// The property that the photos of a section have in common.
package enum Grouping: String, CaseIterable, Sendable {
  /// No sections.
  case none
  /// The day, month or year when the photos were taken.
  case day, month, year
  case folder
  case rating
  /// The group of near duplicates.
  case similar

  package var isByDate: Bool {
    switch self {
    case .day, .month, .year: true
    case .none, .folder, .rating, .similar: false
    }
  }

  /// Returns the order in which the photos of each section are consecutive.
  ///
  /// Sections by date are sorted by date taken, sections by folder by path, sections by rating by
  /// stars, and near duplicates by group; a reversed order stays reversed.
  package func order(replacing order: SortOrder) -> SortOrder {
    switch self {
    case .none: order
    case .day, .month, .year: SortOrder(by: .taken, isReversed: order.isReversed)
    case .folder: SortOrder(by: .name, isReversed: order.isReversed)
    case .rating: SortOrder(by: .rating, isReversed: order.isReversed)
    case .similar: SortOrder(by: .similar, isReversed: order.isReversed)
    }
  }
}
