@testable import PhotoGridCore

extension Story {
  /// A grid of photos with names and, where they are told, facts of their files.
  init(names: [String], facts: [PhotoInfo?] = [], columns: Int = 100, rows: Int = 31) {
    self.init(photos: 0, columns: columns, rows: rows)
    browser.collection.listingNotes = nil
    for batch in NameBatch.batches(of: names.map { Array($0.utf8) }, first: Photo.ID(0)) {
      send(.named(batch))
    }
    send(.found(names.indices.map { Photo.ID($0) }))
    for (number, info) in facts.enumerated() {
      if let info { send(.factsUpdated([FactUpdate(Photo.ID(number), FileFacts(info))])) }
    }
    send(.listed(ListingNotes()))
  }

  /// The numbers of the photos that are shown, in their order.
  var shown: [Int] { browser.photos.map(\.index) }

  /// The numbers of the photos that are marked.
  var marked: [Int] { browser.album.markedInOrder.map(\.index) }

  /// The number of the photo that keys are about.
  var current: Int? { browser.current?.index }

  /// The bar, its parts as they would be drawn with room enough.
  var bar: Bar { browser.bar(facts, at: now) }

  /// What the bar is told.
  var facts: Bar.Facts {
    Bar.Facts(
      source: "folder", name: current.map { "photo \($0)" } ?? "", info: nil, failure: nil,
      loading: 0)
  }

  /// What is typed in the bar, with its label and the caret as `|`.
  var entry: String? {
    bar.entry.map { "\($0.label)\($0.line.before)|\($0.line.after)" }
  }

  mutating func press(_ keys: Key...) {
    for key in keys { send(.key(key)) }
  }
}
