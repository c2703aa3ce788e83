/// The sections of photos, by what is known of them.
extension Album {
  /// The sections of what has a tile, in its order; none without a grouping.
  package func sections(by grouping: Grouping) -> Sections {
    var sections = Sections(isReversed: order.isReversed)
    if grouping != .none { sections.append(sectionKeys(of: tiles, by: grouping)) }
    return sections
  }

  /// The keys of the sections that items belong to, in their order.
  func sectionKeys(
    of items: some Sequence<Photo.ID>, by grouping: Grouping
  ) -> some Sequence<Sections.Key> {
    items.lazy.map { sectionKey(of: $0, by: grouping) }
  }

  private func sectionKey(of item: Photo.ID, by grouping: Grouping) -> Sections.Key {
    if isFolder(item) { return .folders }
    if grouping == .folder { return names.folderNumber(of: item).map { .folder($0) } ?? .rest }
    let date = facts(of: item)?.taken.flatMap { CalendarDate($0, by: grouping) }
    return date.map { .date($0) } ?? .rest
  }

  /// The date or the path of the folder that a section is of; nil for one without.
  package func path(of key: Sections.Key) -> [UInt8]? {
    switch key {
    case .folders, .rest: nil
    case .date(let date): Array(date.iso8601.utf8)
    case .folder(let number): folderPath(number)
    }
  }

  /// The path of a folder without the slash at its end; "." for the one that is started in.
  private func folderPath(_ number: Int) -> [UInt8] {
    let path = names.folder(number)
    guard !path.isEmpty else { return [UInt8(ascii: ".")] }
    return path.last == UInt8(ascii: "/") && path.count > 1 ? path.dropLast() : path
  }

  /// The heading of a section: "Tuesday, 21 May 2024 · 34 photos", printable.
  ///
  /// - Parameters:
  ///   - section: The section.
  ///   - dates: How dates are written.
  ///   - isSettled: Whether all that there is to know of the photos is known.
  ///   - columns: The room for it; the title gives way.
  /// - Returns: The text.
  package func heading(
    of section: Sections.Section, _ dates: DateFormat, isSettled: Bool, columns: Int = .max
  ) -> String {
    let count = section.range.count
    let unit = section.key == .folders ? "folder" : "photo"
    let number = " · \(count) \(unit)\(count == 1 ? "" : "s")"
    let title = CellText(title(of: section.key, dates, isSettled: isSettled))
    return title.truncatedMiddle(to: max(columns - CellText(number).width, 1)).string + number
  }

  /// What a section is called, printable.
  package func title(of key: Sections.Key, _ dates: DateFormat, isSettled: Bool) -> String {
    switch key {
    case .folders: return "Folders"
    case .date(let date): return dates.text(of: date)
    case .rest: return isSettled ? "No date" : "Not read yet"
    case .folder(let number): return PrintableText.from(folderPath(number))
    }
  }
}
