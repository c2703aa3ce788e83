/// The sections of the items and their titles, and going to a date.
extension PhotoCollection {
  package func section(ofItem index: Int) -> Int? {
    sections.isEmpty ? nil : sections.section(ofItem: index)
  }

  package func photos(inSection section: Int) -> [Photo.ID] {
    items[sections[section].range].filter { !album.isFolder($0) }
  }

  /// Whether the dates or the hashes of all photos are known, so that the photos in the last section
  /// have no date, or no near duplicate.
  private var hasAllDates: Bool { isComplete && (grouping.isByDate || grouping == .similar) }

  /// Returns the title of a section, printable.
  package func title(ofSection section: Int, _ dates: DateFormat) -> String {
    album.title(of: sections[section].key, dates, isSettled: hasAllDates)
  }

  /// Returns the heading of a section: its title and its number of photos, printable.
  package func heading(ofSection section: Int, _ dates: DateFormat, columns: Int = .max) -> String {
    album.heading(of: sections[section], dates, isSettled: hasAllDates, columns: columns)
  }

  /// Returns the index of the photo to go to for a date; nil if no date is known.
  ///
  /// It is the first photo that was taken on the date, else the earliest one taken after it or the
  /// latest one taken before it, whichever is fewer days away; the earliest one after it if both
  /// are equally far.
  ///
  /// - Returns: The index, and whether that photo was taken on the date.
  package func index(taken date: CalendarDate) -> (index: Int, isThen: Bool)? {
    let grouping: Grouping = date.day != nil ? .day : date.month != nil ? .month : .year
    func days(to taken: TakenTime) -> Int64 {
      CalendarDate(taken, by: .day).map { date.days(to: $0) } ?? .max
    }
    var next: (index: Int, taken: TakenTime)?
    var last: (index: Int, taken: TakenTime)?
    for (index, item) in items.enumerated() {
      guard let taken = album.date(of: item)?.time, let day = CalendarDate(taken, by: grouping)
      else { continue }
      if day == date { return (index, true) }
      if day > date {
        if next.map({ taken.digits < $0.taken.digits }) ?? true { next = (index, taken) }
      } else if last.map({ taken.digits > $0.taken.digits }) ?? true {
        last = (index, taken)
      }
    }
    guard let next, let last else { return (next ?? last).map { ($0.index, false) } }
    let isLastNearer = days(to: last.taken) < days(to: next.taken)
    return (isLastNearer ? last.index : next.index, false)
  }
}
