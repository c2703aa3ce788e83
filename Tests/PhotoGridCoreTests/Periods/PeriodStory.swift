@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import TestSupport

/// A browser with photos of some months, to be seen from farther away.
struct PeriodStory {
  var story: Story

  /// Photos of consecutive months, so many of each, from January 2020 on, and some without a date
  /// after them; `isRead` is whether their files have been read.
  init(
    _ counts: [Int], undated: Int = 0, isRead: Bool = true, columns: Int = 100, rows: Int = 31,
    motion: MotionSetting = .full
  ) {
    story = Story(photos: 0, columns: columns, rows: rows, motion: motion)
    story.browser.gallery.collection.listingNotes = nil
    let months = counts.enumerated().flatMap { Array(repeating: $0, count: $1) }
    let photos = (0..<months.count + undated).map { Photo.ID($0) }
    story.send(
      .named(
        NameBatch(
          first: Photo.ID(0), folder: [], names: nameBlock(photos.map { "p\($0.index)" }))))
    story.send(.found(photos))
    if isRead { for photo in photos { read(photo.index, month: months[safely: photo.index]) } }
    story.send(.listed(ListingNotes()))
    story.wait(1)
  }

  /// Reads the file of a photo that was taken in the month of a number, or has no date.
  mutating func read(_ photo: Int, month: Int?) {
    let date = month.map { CalendarDate(year: 2020 + $0 / 12, month: $0 % 12 + 1, day: 5) }
    let info = PhotoInfo.made(4000, 3000, taken: date.map { $0.iso8601 + "T10:00:00" })
    story.send(.filesRead([(Photo.ID(photo), info)]))
  }

  /// The months or years; nil while photos are shown.
  var periods: PeriodGrid? { story.browser.periods }

  /// The names under the tiles.
  var labels: [String] { story.scene.labels.map(\.text) }

  /// The name of the selected month or year.
  var selected: String { story.bar.left }

  /// The center of the tile of a month or year.
  func center(_ index: Int) -> PixelPoint { periods?.restingFrame(at: index).center ?? .zero }

  /// Zooms by keys, and waits for the end.
  mutating func zoom(_ keys: String) {
    story.keys(keys)
    story.wait(1)
  }

  mutating func press(_ key: Key) {
    story.send(.key(key))
    story.wait(1)
  }
}

extension Array {
  fileprivate subscript(safely index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
