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
  func date(of photo: Photo.ID, by grouping: Grouping) -> CalendarDate? {
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
  /// - `columns`: The available width, in text columns; a title that is too long is truncated.
  package func heading(
    of section: Sections.Section, _ dates: DateFormat, isSettled: Bool, columns: Int = .max
  ) -> String {
    if case .similar = section.key {
      return CellText(groupHeading(of: tiles[section.range])).truncatedTail(to: columns).string
    }
    let count = section.range.count
    let unit = section.key == .folders ? "folder" : "photo"
    let number = " · \(count) \(unit)\(count == 1 ? "" : "s")"
    let title = CellText(title(of: section.key, dates, isSettled: isSettled))
    return title.truncatedMiddle(to: max(columns - CellText(number).width, 1)).string + number
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
