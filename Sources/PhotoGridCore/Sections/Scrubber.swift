/// The column at the right edge in which years and months stand in proportion to their photos, and by
/// which the pointer goes to any of them.
///
/// It is there while the grid scrolls, and a moment longer, and while the pointer holds it.
struct Scrubber: Equatable, Sendable {
  /// When it disappears; nil where it is hidden or held.
  private var end: Instant?
  /// Where the pointer holds it, in pixels from the top of the picture area; nil where it does not.
  private(set) var heldAt: Double?
  /// Until when it counts as moving after the pointer did.
  private var restStart: Instant?

  /// Seconds that it stays after the grid has scrolled.
  private static let stay = 1.5
  /// Seconds without a movement of the pointer until what is on the screen is drawn as finely as it
  /// can be.
  private static let pause = 0.15

  /// Whether it is there.
  var isShown: Bool { end != nil || heldAt != nil }

  /// When it disappears by itself.
  var nextChange: Instant? { end }

  /// Shows it for a while.
  mutating func show(at now: Instant) {
    if heldAt == nil { end = now.advanced(bySeconds: Self.stay) }
  }

  /// Follows the pointer, which holds it at a height.
  mutating func hold(at y: Double, _ now: Instant) {
    (heldAt, end) = (y, nil)
    restStart = now.advanced(bySeconds: Self.pause)
  }

  /// Lets go of it.
  mutating func release(at now: Instant) {
    guard heldAt != nil else { return }
    (heldAt, restStart) = (nil, nil)
    show(at: now)
  }

  /// Hides it where its time is over.
  mutating func settle(at now: Instant) {
    if let end, end <= now { self.end = nil }
    if let restStart, restStart <= now { self.restStart = nil }
  }

  /// Whether the pointer moves it.
  func isMoving(at now: Instant) -> Bool { restStart.map { now < $0 } ?? false }
}

/// The rows of a scrubber: which items each stands for, and what is written there.
struct ScrubberScale: Equatable, Sendable {
  /// The sections of the items.
  let sections: Sections
  /// The text rows; the first is that of the heading at the top.
  let rowCount: Int

  /// A scale; nil where there is nothing to scale, or no room.
  init?(_ sections: Sections, rowCount: Int) {
    guard sections.itemCount > 0, rowCount > 2 else { return nil }
    (self.sections, self.rowCount) = (sections, rowCount)
  }

  /// The item that a row begins with.
  func item(atRow row: Int) -> Int { item(at: Double(row - 1) / Double(rowCount - 2)) }

  /// The item at a share of the way, from 0 to 1.
  func item(at share: Double) -> Int {
    let count = sections.itemCount
    return min(max(Int((share * Double(count)).rounded(.down)), 0), count - 1)
  }

  /// The share of the way at a height, given in rows.
  func share(atRow row: Double) -> Double {
    min(max((row - 1) / Double(rowCount - 2), 0), 1)
  }

  /// The row that an item is in.
  func row(ofItem index: Int) -> Int {
    let share = Double(index) / Double(max(sections.itemCount, 1))
    return 1 + min(max(Int((share * Double(rowCount - 2)).rounded()), 0), rowCount - 2)
  }

  /// What is written in some of the rows: years where they begin, and months as far as there is room.
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
