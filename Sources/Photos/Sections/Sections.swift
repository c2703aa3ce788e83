import Geometry

/// The division of items into sections, such as the photos of each day: every item is in exactly
/// one section.
///
/// Sections follow from the order of the items and their facts. From the first item that does not
/// fit the order of the sections, such as a photo whose date is unknown, all items are in one
/// section at the end. So no section occurs twice.
package struct Sections: Equatable, Sendable {
  /// The property that the items of a section have in common.
  package enum Key: Hashable, Sendable {
    case folders
    /// Photos taken on a day, in a month or in a year.
    case date(CalendarDate)
    /// Photos in the folder with a number; see `PhotoNames`.
    case folder(Int)
    /// Photos with a number of stars; 0 for unrated photos, −1 for rejected ones.
    case rating(Int)
    /// Near duplicates of each other, by the index in the listing of the first one.
    case similar(Int)
    /// Photos without a date, photos without a near duplicate, and photos whose facts, ratings or
    /// hashes are unknown.
    case rest
  }

  package struct Section: Equatable, Sendable {
    package var key: Key
    package var range: Range<Int>
  }

  private var keys: [Key] = []
  /// The index of the first item of each section.
  private var starts: [Int] = []
  /// The number of items.
  package private(set) var itemCount = 0
  /// The numbers of the folders that have a section.
  private var folders: Set<Int> = []
  /// Whether the section with the latest date or the fewest stars comes first.
  private let isReversed: Bool

  /// Creates a division without items.
  package init(isReversed: Bool = false) { self.isReversed = isReversed }

  package var count: Int { keys.count }

  package var isEmpty: Bool { keys.isEmpty }

  /// The items of each section.
  package var ranges: [Range<Int>] { (0..<count).map { self[$0].range } }

  package subscript(section: Int) -> Section {
    let end = section + 1 < starts.count ? starts[section + 1] : itemCount
    return Section(key: keys[section], range: starts[section]..<end)
  }

  /// Returns the number of the section that contains an item, or the last section for indices past
  /// the end; 0 if there are no sections.
  ///
  /// - Complexity: O(log n), where n is the number of sections.
  package func section(ofItem index: Int) -> Int {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= index { low = middle + 1 } else { high = middle }
    }
    return max(low - 1, 0)
  }

  /// Appends an item to the section with its key, or to the rest if that section cannot follow the
  /// last one.
  ///
  /// - Complexity: O(1).
  package mutating func append(_ key: Key) {
    let last = keys.last
    let key = last.map { follows(key, $0) } ?? true ? key : .rest
    if key != last {
      keys.append(key)
      starts.append(itemCount)
      if case .folder(let number) = key { folders.insert(number) }
    }
    itemCount += 1
  }

  package mutating func append(_ keys: some Sequence<Key>) { for key in keys { append(key) } }

  /// Returns whether an item with a key may follow an item with the key `last`.
  private func follows(_ key: Key, _ last: Key) -> Bool {
    switch (last, key) {
    case (_, _) where key == last: true
    case (.rest, _): false
    case (.date(let last), .date(let date)): isReversed ? date < last : date > last
    case (_, .folder(let number)): !folders.contains(number)
    case (_, .folders): false
    case (.rating(let last), .rating(let stars)): isReversed ? stars > last : stars < last
    case (.similar(let last), .similar(let group)): isReversed ? group < last : group > last
    case (.folders, _), (.folder, _), (_, .rest): true
    case (.date, _), (.rating, _), (.similar, _): false
    }
  }
}

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

extension Album {
  /// Returns the sections of the tiles, in display order; empty without a grouping.
  package func sections(by grouping: Grouping) -> Sections {
    var sections = Sections(isReversed: order.isReversed)
    if grouping != .none { sections.append(sectionKeys(of: tiles, by: grouping)) }
    return sections
  }

  func sectionKeys(
    of items: some Sequence<Photo.ID>, by grouping: Grouping
  ) -> some Sequence<Sections.Key> {
    items.lazy.map { sectionKey(of: $0, by: grouping) }
  }

  private func sectionKey(of item: Photo.ID, by grouping: Grouping) -> Sections.Key {
    if isFolder(item) { return .folders }
    if grouping == .rating { return rating(of: item).map { .rating($0.stars) } ?? .rest }
    if grouping == .similar {
      return sorting.groups?.rank(of: item).map { .similar(Int($0)) } ?? .rest
    }
    if grouping == .folder { return names.folderNumber(of: item).map { .folder($0) } ?? .rest }
    return date(of: item, by: grouping).map { .date($0) } ?? .rest
  }

  /// Returns the day, month or year in which a photo was taken; nil if unknown.
  package func date(of photo: Photo.ID, by grouping: Grouping) -> CalendarDate? {
    date(of: photo)?.calendarDate(by: grouping)
  }

  /// Returns the date, the folder's path, the number of stars or the number of the group of a
  /// section, as bytes; nil for the sections of folders and of the rest.
  package func path(of key: Sections.Key) -> [UInt8]? {
    switch key {
    case .folders, .rest: nil
    case .date(let date): Array(date.iso8601.utf8)
    case .rating(let stars): Array("\(stars)".utf8)
    case .similar(let first): Array("\(first + 1)".utf8)
    case .folder(let number): folderPath(number)
    }
  }

  /// Returns the path of a folder without its trailing slash; "." for the folder that the program
  /// was started in.
  private func folderPath(_ number: Int) -> [UInt8] {
    let path = names.folder(number)
    guard !path.isEmpty else { return [UInt8(ascii: ".")] }
    return path.last == UInt8(ascii: "/") && path.count > 1 ? path.dropLast() : path
  }

  /// Returns the heading of a section, printable: "Tuesday, 21 May 2024 · 34 photos".
  ///
  /// - `isSettled`: Whether all photos' dates have been read, so that the photos in the section
  ///   `rest` have none.
  /// - `columns`: The available width, in text columns. To fit, a heading leaves out the word after
  ///   the number, and that of a date the weekday and then the number; other titles are truncated.
  package func heading(
    of section: Sections.Section, _ dates: DateFormat, isSettled: Bool, columns: Int = .max
  ) -> String {
    if case .similar = section.key {
      return CellText(groupHeading(of: tiles[section.range])).truncatedTail(to: columns).string
    }
    let count = photoCount(of: tiles[section.range])
    let unit = section.key == .folders ? "folder" : "photo"
    let number = " · \(count) \(unit)\(count == 1 ? "" : "s")"
    let title = title(of: section.key, dates, isSettled: isSettled)
    var texts = [title + number, "\(title) · \(count)"]
    if case .date(let date) = section.key {
      let short = dates.text(of: date, hasWeekday: false)
      texts += [short + number, "\(short) · \(count)", short]
    }
    return texts.first { CellText($0).width <= columns }
      ?? CellText(title).truncatedMiddle(to: max(columns - CellText(number).width, 1)).string
      + number
  }

  private static func title(ofStars stars: Int) -> String {
    let rating = Rating(stars: stars)
    guard let words = rating.words else { return "Not rated" }
    return stars > 0 ? "\(rating.symbols) \(words)" : "\(rating.symbols) Rejected"
  }

  /// Returns the title of a section, without the number of its photos; printable.
  package func title(of key: Sections.Key, _ dates: DateFormat, isSettled: Bool) -> String {
    switch key {
    case .folders: return "Folders"
    case .date(let date): return dates.text(of: date)
    case .rating(let stars): return Self.title(ofStars: stars)
    case .similar: return "Near duplicates"
    case .rest:
      guard isSettled else { return "Not read yet" }
      return order.needsHashes ? "No near duplicates" : "No date"
    case .folder(let number): return PrintableText.from(folderPath(number))
    }
  }
}
