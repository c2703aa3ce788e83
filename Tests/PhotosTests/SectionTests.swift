import TestSupport
import Testing

@testable import Photos

/// The division of photos into sections by their order and their known facts.
@Suite struct SectionTests {
  /// Photos with the given times; "" is a photo without a date, nil one that nothing is known of.
  func collection(
    _ times: [String?], by grouping: Grouping, isReversed: Bool = false, folder: String = ""
  ) -> PhotoCollection {
    var collection = PhotoCollection(
      order: SortOrder(by: .listed, isReversed: isReversed), grouping: grouping)
    let names = times.indices.map { "photo\($0)" }
    collection.learn(
      NameBatch(first: Photo.ID(0), folder: Array(folder.utf8), names: nameBlock(names)))
    collection.extend(by: times.indices.map { Photo.ID($0) })
    collection.learn(times.indices.compactMap { facts(of: $0, times[$0]) })
    collection.learn(ListingNotes())
    collection.refresh()
    return collection
  }

  /// The facts of a photo that was taken at a time, or has no date; nil if nothing is known of it.
  func facts(of photo: Int, _ time: String?) -> (photo: Photo.ID, info: PhotoInfo?)? {
    time.map { time in
      let info = PhotoInfo.made(4, 3, taken: time.isEmpty ? nil : time)
      return (Photo.ID(photo), info)
    }
  }

  /// The sections as "heading: numbers of photos".
  private func text(_ collection: PhotoCollection) -> [String] {
    (0..<collection.sections.count).map { number in
      let photos = collection.items[collection.sections[number].range].map { "\($0.index)" }
      return collection.title(ofSection: number, .english) + ": " + photos.joined(separator: " ")
    }
  }

  // MARK: - Stories

  @Test func `photos are in sections by day, month and year, those without a date at the end`() {
    let times = [
      "2024-05-21T10:00:00", "2023-12-31T23:59:59", "", "2024-05-21T09:00:00",
      "2024-05-02T00:00:00",
    ]
    #expect(
      text(collection(times, by: .day)) == [
        "Sunday, 31 December 2023: 1", "Thursday, 2 May 2024: 4", "Tuesday, 21 May 2024: 3 0",
        "No date: 2",
      ])
    #expect(
      text(collection(times, by: .month)) == ["December 2023: 1", "May 2024: 4 3 0", "No date: 2"])
    #expect(text(collection(times, by: .year)) == ["2023: 1", "2024: 4 3 0", "No date: 2"])
    #expect(
      text(collection(times, by: .year, isReversed: true)) == [
        "2024: 0 3 4", "2023: 1", "No date: 2",
      ]
    )
    #expect(text(collection(times, by: .none)) == [])
  }

  @Test func `a photo does not move until its date is known`() {
    var collection = collection(
      [nil, "2024-05-21T10:00:00", nil, "2024-05-22T10:00:00"], by: .day)
    collection.learn(ListingNotes())
    #expect(
      text(collection) == [
        "Tuesday, 21 May 2024: 1", "Wednesday, 22 May 2024: 3", "Not read yet: 0 2",
      ])
    collection.learn([facts(of: 2, "2024-05-21T12:00:00")].compactMap(\.self))
    #expect(text(collection).count == 3, "facts change nothing by themselves")
    collection.refresh()
    #expect(
      text(collection) == [
        "Tuesday, 21 May 2024: 1 2", "Wednesday, 22 May 2024: 3", "Not read yet: 0",
      ])
    collection.learn([facts(of: 0, "")].compactMap(\.self))
    collection.refresh()
    #expect(text(collection).last == "No date: 0")
  }

  @Test func `until facts are known, all photos are in one section`() {
    let collection = collection([nil, nil, nil], by: .day)
    #expect(text(collection) == ["Not read yet: 0 1 2"])
    #expect(collection.heading(ofSection: 0, .english) == "Not read yet · 3 photos")
  }

  @Test func `sections by folder are in the order of the paths, and their names are printable`() {
    var collection = PhotoCollection(grouping: .folder)
    let paths = ["b/1", "a/2", "b/3", "\u{1B}[2J\n/4", "5"]
    for batch in NameBatch.batches(of: paths.map { Array($0.utf8) }, first: Photo.ID(0)) {
      collection.learn(batch)
    }
    collection.extend(by: paths.indices.map { Photo.ID($0) })
    collection.learn(ListingNotes())
    #expect(text(collection) == ["b: 0", "a: 1", "Not read yet: 2 3 4"])
    collection.refresh()
    #expect(text(collection) == [".: 4", "?[2J?: 3", "a: 1", "b: 0 2"])
  }

  @Test func `folders have a section of their own, before the photos`() {
    var collection = PhotoCollection(grouping: .month)
    collection.learn(
      NameBatch(first: Photo.ID(0), folder: [], names: nameBlock(["f/", "a", "g/"])))
    collection.extend(by: (0..<3).map { Photo.ID($0) })
    collection.learn([facts(of: 1, "2024-05-21T10:00:00")].compactMap(\.self))
    collection.learn(ListingNotes())
    collection.refresh()
    #expect(text(collection) == ["Folders: 0 2", "May 2024: 1"])
    #expect(collection.heading(ofSection: 0, .english) == "Folders · 2 folders")
    #expect(collection.heading(ofSection: 1, .english) == "May 2024 · 1 photo")
    #expect(collection.photos(inSection: 0).isEmpty)
  }

  @Test(arguments: [
    (38, "Wednesday, 25 September 2024 · 1 photo"), (37, "Wednesday, 25 September 2024 · 1"),
    (32, "Wednesday, 25 September 2024 · 1"), (31, "25 September 2024 · 1 photo"),
    (27, "25 September 2024 · 1 photo"), (26, "25 September 2024 · 1"),
    (21, "25 September 2024 · 1"),
    (20, "25 September 2024"), (17, "25 September 2024"), (16, "We…024 · 1 photo"),
  ])
  func `the heading of a day leaves out words to fit`(columns: Int, heading: String) {
    UTF8Locale.use()
    let day = collection(["2024-09-25T10:00:00"], by: .day)
    #expect(day.heading(ofSection: 0, .english, columns: columns) == heading)
  }

  @Test func `the headings of a month and of a folder are shortened to fit`() {
    UTF8Locale.use()
    let photo = ["2024-09-25T10:00:00"]
    let month = collection(photo, by: .month)
    let folder = collection(photo, by: .folder, folder: "Pictures/2024/Rome/")
    func headings(_ collection: PhotoCollection, _ widths: Int...) -> [String] {
      widths.map { collection.heading(ofSection: 0, .english, columns: $0) }
    }
    #expect(
      headings(month, 24, 23, 17)
        == ["September 2024 · 1 photo", "September 2024 · 1", "September 2024"])
    #expect(
      headings(folder, 28, 27, 21)
        == ["Pictures/2024/Rome · 1 photo", "Pictures/2024/Rome · 1", "Pictu…/Rome · 1 photo"])
  }

  @Test func `a grouping sorts, another order ends it, and ungrouping restores the order`() {
    var collection = collection(
      ["2024-05-21T10:00:00", "2023-12-31T23:59:59"], by: .none, isReversed: true)
    collection.sort(by: SortOrder(by: .name, isReversed: true))
    collection.group(by: .month)
    #expect(collection.album.order == SortOrder(by: .taken, isReversed: true))
    #expect(text(collection) == ["May 2024: 0", "December 2023: 1"])
    collection.group(by: .folder)
    #expect(collection.album.order == SortOrder(by: .name, isReversed: true))
    collection.group(by: .none)
    #expect(collection.album.order == SortOrder(by: .name, isReversed: true))
    #expect(collection.sections.isEmpty)
    collection.group(by: .day)
    collection.sort(by: SortOrder(by: .taken))
    #expect(collection.grouping == .day && collection.sections.count == 2)
    collection.sort(by: SortOrder(by: .size))
    #expect(collection.grouping == .none && collection.sections.isEmpty)
  }

  // MARK: - Unusual dates

  @Test func `unusual dates have sections too, and impossible ones have none`() {
    let times = [
      "0001-01-01T00:00:00", "9999-12-31T23:59:60", "2023-02-31T00:00:00", "0000-01-01T00:00:00",
      "2024-13-01T00:00:00",
    ]
    #expect(
      text(collection(times, by: .day)) == [
        "Friday, 31 December 9999: 1", "No date: 0 2 3 4",
      ])
  }

  @Test func `a hundred thousand photos on one day are one section`() {
    let collection = collection(
      Array(repeating: "2024-05-21T10:00:00", count: 100_000), by: .day)
    #expect(collection.sections.count == 1)
    #expect(
      collection.heading(ofSection: 0, .english) == "Tuesday, 21 May 2024 · 100000 photos")
  }

  @Test func `a photo a day for ten years makes as many sections as there were days`() {
    let days = (2014...2023).flatMap { year in
      (1...12).flatMap { month in
        (1...31).compactMap { day in
          let text = "\(year)-\(month)-\(day)"
          return CalendarDate(parsing: text).map { $0.iso8601 + "T12:00:00" }
        }
      }
    }
    #expect(days.count == 3652)
    #expect(collection(days, by: .day).sections.count == 3652)
    #expect(collection(days, by: .month).sections.count == 120)
    #expect(collection(days, by: .year).sections.count == 10)
  }
}
