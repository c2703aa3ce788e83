/// Sections of the items, and what they are called.
extension PhotoCollection {
  /// The keys of the sections that items belong to, in their order.
  func sectionKeys(of items: some Sequence<Photo.ID>) -> some Sequence<Sections.Key> {
    items.lazy.map { sectionKey(of: $0) }
  }

  private func sectionKey(of item: Photo.ID) -> Sections.Key {
    if album.isFolder(item) { return .folders }
    if grouping == .folder {
      return album.names.folderNumber(of: item).map { .folder($0) } ?? .rest
    }
    let date = album.facts(of: item)?.taken.flatMap { CalendarDate($0, by: grouping) }
    return date.map { .date($0) } ?? .rest
  }

  /// The number of the section that an item is in; nil where there are no sections.
  func section(ofItem index: Int) -> Int? {
    sections.isEmpty ? nil : sections.section(ofItem: index)
  }

  /// The photos of a section.
  func photos(inSection section: Int) -> ArraySlice<Photo.ID> {
    items[sections[section].range].drop { album.isFolder($0) }
  }

  /// What a section is called, printable.
  func title(ofSection section: Int, _ dates: DateFormat) -> String {
    switch sections[section].key {
    case .folders: "Folders"
    case .date(let date): dates.text(of: date)
    case .folder(let number): Self.title(ofFolder: album.names.folder(number))
    case .rest: isComplete ? (grouping.isByDate ? "No date" : "Other folders") : "Not read yet"
    }
  }

  /// The heading of a section: "Tuesday, 21 May 2024 · 34 photos".
  func heading(ofSection section: Int, _ dates: DateFormat) -> String {
    let count = sections[section].range.count
    let unit = sections[section].key == .folders ? "folder" : "photo"
    return title(ofSection: section, dates) + " · \(count) \(unit)\(count == 1 ? "" : "s")"
  }

  private static func title(ofFolder path: [UInt8]) -> String {
    // The slash at the end says no more; of the root it is all.
    let name = path.last == UInt8(ascii: "/") && path.count > 1 ? path.dropLast() : path[...]
    return name.isEmpty ? "." : PrintableText.from(name)
  }
}
