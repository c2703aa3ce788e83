import Geometry
import Photos
import SceneModel

/// The state of the scrubber, a scale of all photos along the right edge, on which the pointer
/// scrolls to any of them.
///
/// It shows what the photos are sorted by, such as years and months, letters, or sizes.
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

  mutating func settle(at now: Instant) {
    if let end, end <= now { self.end = nil }
    if let restStart, restStart <= now { self.restStart = nil }
  }

  /// Whether the pointer moved the scrubber a moment ago.
  func isMoving(at now: Instant) -> Bool { restStart.map { now < $0 } ?? false }
}

/// The mapping between the rows of the scrubber and the items, and the texts in its rows.
struct ScrubberScale: Equatable, Sendable {
  let itemCount: Int
  /// The number of text rows; the first one belongs to the heading at the top.
  let rowCount: Int

  /// The texts of an item on the scale.
  struct Mark: Equatable, Sendable {
    /// The text that is shown wherever it changes, such as a year or a letter; nil for none.
    var main: String?
    /// The text that is shown where there is room, such as a month or a size; nil for none.
    var minor: String?
  }

  init?(itemCount: Int, rowCount: Int) {
    guard itemCount > 0, rowCount > 2 else { return nil }
    (self.itemCount, self.rowCount) = (itemCount, rowCount)
  }

  func item(atRow row: Int) -> Int { item(at: Double(row - 1) / Double(rowCount - 2)) }

  func item(at share: Double) -> Int {
    min(max(Int((share * Double(itemCount)).rounded(.down)), 0), itemCount - 1)
  }

  /// Returns the fraction of all items, from 0 to 1, at a height in rows.
  func share(atRow row: Double) -> Double { min(max((row - 1) / Double(rowCount - 2), 0), 1) }

  func row(ofItem index: Int) -> Int {
    let share = Double(index) / Double(itemCount)
    return 1 + min(max(Int((share * Double(rowCount - 2)).rounded()), 0), rowCount - 2)
  }

  /// Returns the texts of rows: those of `Mark.main` where they begin, the others where there is
  /// room.
  func texts(_ mark: (Int) -> Mark) -> [(row: Int, text: String)] {
    let marks = (1..<rowCount).map { (row: $0, mark: mark(item(atRow: $0))) }
    var texts: [Int: String] = [:]
    var before: String?
    for (row, mark) in marks {
      if let main = mark.main, main != before { texts[row] = main }
      before = mark.main
    }
    before = nil
    for (row, mark) in marks {
      defer { before = mark.minor }
      guard let minor = mark.minor, minor != before,
        (row - 1...row + 1).allSatisfy({ texts[$0] == nil })
      else { continue }
      texts[row] = minor
    }
    return texts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

/// The scrubber's texts about the items.
extension PhotoCollection {
  /// Returns the scrubber's texts about an item: what the photos are grouped by, or else sorted by.
  func scrubberMark(ofItem index: Int, _ dates: DateFormat) -> ScrubberScale.Mark {
    let item = items[index]
    guard sections.isEmpty else {
      return mark(ofSection: sections[sections.section(ofItem: index)].key, dates)
    }
    guard !album.isFolder(item) else { return ScrubberScale.Mark() }
    switch album.order.key {
    case .listed, .name: return album.scrubberMark(ofNameOf: item)
    case .taken, .modified:
      return album.scrubberDate(of: item).map { Self.mark(of: $0, dates) } ?? ScrubberScale.Mark()
    case .size: return ScrubberScale.Mark(minor: album.byteCount(of: item).map(ByteCount.text))
    case .length:
      return ScrubberScale.Mark(minor: album.facts(of: item)?.length.map(Information.length))
    case .rating:
      return ScrubberScale.Mark(
        main: album.rating(of: item).map { Rating(stars: $0.stars).symbols })
    case .similar, .random: return ScrubberScale.Mark(minor: "\(index + 1)")
    }
  }

  /// Returns the words beside the pointer that holds the scrubber at an item; nil if nothing is known
  /// about the item.
  func scrubberTitle(ofItem index: Int, _ dates: DateFormat) -> String? {
    if let section = section(ofItem: index) { return title(ofSection: section, dates) }
    let item = items[index]
    guard !album.isFolder(item) else { return "Folders" }
    if [.taken, .modified].contains(album.order.key) {
      return album.scrubberDate(of: item).map { dates.text(of: $0) }
    }
    if [.listed, .name].contains(album.order.key) {
      return album.names.name(of: item).map { PrintableText.from($0) }
    }
    let mark = scrubberMark(ofItem: index, dates)
    return (mark.main ?? mark.minor).flatMap { $0.isEmpty ? nil : $0 }
  }

  private func mark(ofSection key: Sections.Key, _ dates: DateFormat) -> ScrubberScale.Mark {
    switch key {
    case .date(let date): Self.mark(of: date, dates)
    case .rating(let stars): ScrubberScale.Mark(main: Rating(stars: stars).symbols)
    case .folder, .folders, .similar, .rest: ScrubberScale.Mark()
    }
  }

  private static func mark(of date: CalendarDate, _ dates: DateFormat) -> ScrubberScale.Mark {
    ScrubberScale.Mark(main: String(date.year), minor: date.month.flatMap { dates.shortMonth($0) })
  }
}

extension Album {
  /// The width of the longest name of a photo that the scrubber shows, in text columns.
  private static let nameColumns = 16

  /// The width of the longest folder's name that the scrubber shows, in text columns.
  private static let folderColumns = 12

  /// Returns the scrubber's texts about a photo by its name: the subfolder, or else the first
  /// letter; and the name, if it is short, since cameras begin all names with the same letters.
  fileprivate func scrubberMark(ofNameOf photo: Photo.ID) -> ScrubberScale.Mark {
    guard let (path, name) = names.path(of: photo) else { return ScrubberScale.Mark() }
    if path.count > folder.count, path.starts(with: folder), !folder.isEmpty {
      let subfolder = PrintableText.from(path[folder.count...].prefix { $0 != UInt8(ascii: "/") })
      return ScrubberScale.Mark(
        main: CellText(subfolder).truncatedMiddle(to: Self.folderColumns).string)
    }
    let text = PrintableText.from(name)
    let stem = String(FileName.stem(of: text))
    return ScrubberScale.Mark(
      main: text.first.map { $0.isLetter ? String($0).uppercased() : "#" },
      minor: CellText(stem).width <= Self.nameColumns ? stem : nil)
  }

  /// Returns the day of a photo by which the photos are sorted; nil if it is unknown.
  fileprivate func scrubberDate(of photo: Photo.ID) -> CalendarDate? {
    if order.key == .taken { return date(of: photo, by: .day) }
    guard let facts = facts(of: photo), facts.isReadable else { return nil }
    return CalendarDate(localSeconds: facts.modified)
  }

  /// Returns the size of a photo's file in bytes; nil if it is unknown.
  fileprivate func byteCount(of photo: Photo.ID) -> Int? {
    facts(of: photo).flatMap { $0.isReadable ? Int($0.byteCount) : nil }
  }
}
