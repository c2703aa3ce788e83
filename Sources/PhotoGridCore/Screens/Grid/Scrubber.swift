/// The state of the scrubber: a scale of years and months along the right edge, spaced in
/// proportion to their photos, on which the pointer scrolls to any photo.
///
/// The scrubber is visible while the grid scrolls, for a moment after that, and while the pointer
/// holds it.
struct Scrubber: Equatable, Sendable {
  /// The time at which the scrubber disappears; nil while it is hidden or held.
  private var end: Instant?
  /// The height of the pointer that holds the scrubber, in pixels from the top of the picture area;
  /// nil if it is not held.
  private(set) var heldAt: Double?
  /// The time from which the scrubber counts as resting unless the pointer moves; nil if it rests.
  private var restStart: Instant?

  /// The time for which the scrubber stays visible after the grid has scrolled, in seconds.
  private static let stay = 1.5
  /// The time without a movement of the pointer after which the screen is drawn at full quality, in
  /// seconds.
  private static let pause = 0.15

  /// Whether the scrubber is visible.
  var isShown: Bool { end != nil || heldAt != nil }

  /// The time at which the scrubber disappears unless something happens; nil while it is hidden or
  /// held.
  var nextChange: Instant? { end }

  mutating func show(at now: Instant) {
    if heldAt == nil { end = now.advanced(bySeconds: Self.stay) }
  }

  /// Holds the scrubber at the pointer's height, in pixels from the top of the picture area.
  mutating func hold(at y: Double, _ now: Instant) {
    (heldAt, end) = (y, nil)
    restStart = now.advanced(bySeconds: Self.pause)
  }

  /// Releases the scrubber, which stays visible for a while.
  mutating func release(at now: Instant) {
    guard heldAt != nil else { return }
    (heldAt, restStart) = (nil, nil)
    show(at: now)
  }

  /// Hides the scrubber or ends its motion if either is due.
  mutating func settle(at now: Instant) {
    if let end, end <= now { self.end = nil }
    if let restStart, restStart <= now { self.restStart = nil }
  }

  /// Whether the pointer moved the scrubber a moment ago.
  func isMoving(at now: Instant) -> Bool { restStart.map { now < $0 } ?? false }
}

/// The mapping between the rows of the scrubber and the items, and the texts in its rows.
struct ScrubberScale: Equatable, Sendable {
  let sections: Sections
  /// The number of text rows; the first one belongs to the heading at the top.
  let rowCount: Int

  /// Creates a scale; nil if there are no items, or fewer than three rows.
  init?(_ sections: Sections, rowCount: Int) {
    guard sections.itemCount > 0, rowCount > 2 else { return nil }
    (self.sections, self.rowCount) = (sections, rowCount)
  }

  func item(atRow row: Int) -> Int { item(at: Double(row - 1) / Double(rowCount - 2)) }

  /// Returns the item at a fraction of all items, from 0 to 1.
  func item(at share: Double) -> Int {
    let count = sections.itemCount
    return min(max(Int((share * Double(count)).rounded(.down)), 0), count - 1)
  }

  /// Returns the fraction of all items, from 0 to 1, at a height in rows.
  func share(atRow row: Double) -> Double {
    min(max((row - 1) / Double(rowCount - 2), 0), 1)
  }

  func row(ofItem index: Int) -> Int {
    let share = Double(index) / Double(max(sections.itemCount, 1))
    return 1 + min(max(Int((share * Double(rowCount - 2)).rounded()), 0), rowCount - 2)
  }

  /// Returns the texts of rows: years where they begin, and months where there is room.
  func marks(_ dates: DateFormat) -> [(row: Int, text: String)] {
    let dated = (1..<rowCount).map { row in (row: row, date: date(ofItem: item(atRow: row))) }
    var before: CalendarDate?
    let years = dated.filter { _, date in
      defer { before = date }
      return date != nil && date?.year != before?.year
    }
    var marks: [Int: String] = [:]
    for (row, date) in years { marks[row] = date.map { String($0.year) } }
    before = nil
    for (row, date) in dated {
      defer { before = date }
      guard let month = date?.month, month != before?.month,
        (row - 1...row + 1).allSatisfy({ marks[$0] == nil })
      else { continue }
      marks[row] = dates.shortMonth(month)
    }
    return marks.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func date(ofItem index: Int) -> CalendarDate? {
    guard case .date(let date) = sections[sections.section(ofItem: index)].key else { return nil }
    return date
  }
}
