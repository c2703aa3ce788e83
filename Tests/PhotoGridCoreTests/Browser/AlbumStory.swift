@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

extension Story {
  /// A grid of named photos, with the facts of their files where given.
  init(names: [String], facts: [PhotoInfo?] = [], columns: Int = 100, rows: Int = 31) {
    self.init(photos: 0, columns: columns, rows: rows)
    browser.gallery.collection.listingNotes = nil
    for batch in NameBatch.batches(of: names.map { Array($0.utf8) }, first: Photo.ID(0)) {
      send(.named(batch))
    }
    send(.found(names.indices.map { Photo.ID($0) }))
    for (number, info) in facts.enumerated() {
      if let info { send(.filesRead([(Photo.ID(number), info)])) }
    }
    send(.listed(ListingNotes()))
  }

  /// The numbers of the shown photos, in display order.
  var shown: [Int] { browser.items.map(\.index) }

  /// The numbers of the marked photos.
  var marked: [Int] { browser.album.markedInOrder.map(\.index) }

  /// The number of the current photo, which keys act on.
  var current: Int? { browser.current?.index }

  /// The bar's contents, before they are cut to the available width.
  var bar: Bar { browser.bar(facts, at: now) }

  /// The facts that the bar is made from.
  var facts: Bar.Facts {
    Bar.Facts(
      source: "folder", name: current.map { "photo \($0)" } ?? "", info: nil, failure: nil,
      loading: 0)
  }

  /// The text beside a prompt, or in the box above it if the bar has no room.
  var explanation: String {
    let words = browser.panel?.lines.joined(separator: " ")
    return bar.right.isEmpty ? words ?? "" : bar.right
  }

  /// The prompt's label and text, with the caret as `|`; nil without a prompt.
  var entry: String? {
    bar.entry.map { "\($0.label)\($0.line.before)|\($0.line.after)" }
  }

  mutating func press(_ keys: Key...) {
    for key in keys { send(.key(key)) }
  }
}
