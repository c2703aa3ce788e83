/// Sections of the items, and what they are called.
extension PhotoCollection {
  /// The number of the section that an item is in; nil where there are no sections.
  func section(ofItem index: Int) -> Int? {
    sections.isEmpty ? nil : sections.section(ofItem: index)
  }

  /// The photos of a section.
  func photos(inSection section: Int) -> [Photo.ID] {
    items[sections[section].range].filter { !album.isFolder($0) }
  }

  /// Whether a photo without a section of a date has no date.
  private var hasAllDates: Bool { isComplete && grouping.isByDate }

  /// What a section is called, printable.
  func title(ofSection section: Int, _ dates: DateFormat) -> String {
    album.title(of: sections[section].key, dates, isSettled: hasAllDates)
  }

  /// The heading of a section, printable.
  func heading(ofSection section: Int, _ dates: DateFormat, columns: Int = .max) -> String {
    album.heading(of: sections[section], dates, isSettled: hasAllDates, columns: columns)
  }

  /// The index of the photo to go to for a date: the first one that was taken then, else the one
  /// taken next, else the last one before; nil where no date is known.
  ///
  /// - Returns: The index, and whether it was taken on that date.
  func index(taken date: CalendarDate) -> (index: Int, isThen: Bool)? {
    let grouping: Grouping = date.day != nil ? .day : date.month != nil ? .month : .year
    var next: (index: Int, taken: TakenTime)?
    var last: (index: Int, taken: TakenTime)?
    for (index, item) in items.enumerated() {
      guard let taken = album.facts(of: item)?.taken, let day = CalendarDate(taken, by: grouping)
      else { continue }
      if day == date { return (index, true) }
      if day > date {
        if next.map({ taken.digits < $0.taken.digits }) ?? true { next = (index, taken) }
      } else if last.map({ taken.digits > $0.taken.digits }) ?? true {
        last = (index, taken)
      }
    }
    return (next ?? last).map { ($0.index, false) }
  }
}
