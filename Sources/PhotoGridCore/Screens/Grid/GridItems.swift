import Geometry
import Photos

/// The identity of something that has a tile.
package enum ItemID: Hashable, Sendable {
  case photo(Photo.ID)
  case folder(Photo.ID)
  /// A month or a year; nil stands for the photos without a date.
  case period(CalendarDate?)

  package var file: Photo.ID? {
    switch self {
    case .photo(let file), .folder(let file): file
    case .period: nil
    }
  }
}

/// The items that have tiles in a grid, in the order of the tiles: folders and then photos, or months
/// or years.
struct GridItems {
  var collection: PhotoCollection
  /// The months or years of the photos, which have the tiles instead; nil if photos and folders do.
  var periods: Periods?

  init(_ collection: PhotoCollection, periods: Periods? = nil) {
    (self.collection, self.periods) = (collection, periods)
  }

  var count: Int { periods?.items.count ?? collection.items.count }
  var isEmpty: Bool { count == 0 }

  subscript(index: Int) -> ItemID {
    periods.map { .period($0.items[index]) } ?? collection.item(at: index)
  }

  /// Returns the index of an item; nil if it has no tile.
  func index(of item: ItemID) -> Int? {
    switch (item, periods) {
    case (.photo(let file), nil), (.folder(let file), nil): collection.index(of: file)
    case (.period(let date), let periods?): periods.index(of: date)
    case (.photo, _), (.folder, _), (.period, nil): nil
    }
  }

  var folderCount: Int { periods == nil ? collection.folderCount : 0 }

  var first: ItemID? { isEmpty ? nil : self[0] }

  /// The first photo, else the first folder; nil without items.
  var firstPhoto: ItemID? { isEmpty ? nil : self[periods == nil ? collection.firstIndex : 0] }

  var sections: Sections { periods == nil ? collection.sections : Sections() }

  /// Whether no item will come before those that are there.
  var isOrderFinal: Bool {
    periods != nil
      || collection.listingNotes != nil && collection.sections.isEmpty
        && !collection.album.order.needsHashes
  }

  /// Whether other items have the same tiles, in the same order.
  func hasSameItems(as other: GridItems) -> Bool {
    periods?.items == other.periods?.items
      && (periods != nil || collection.items == other.collection.items)
  }

  /// Returns the aspect ratio of the displayed item at an index, width divided by height; nil if it is
  /// unknown.
  func aspectRatio(at index: Int) -> Double? {
    periods == nil ? collection.aspectRatio(at: index) : nil
  }

  func size(of item: ItemID) -> PixelSize? {
    if case .photo(let photo) = item { collection.size(of: photo) } else { nil }
  }

  /// Returns the index of the tile into which an item was folded; nil if there is none.
  func index(ofTileWith item: ItemID) -> Int? {
    item.file.flatMap { collection.index(ofTileWith: $0) }
  }

  /// Returns the index in `old` of the tile that showed an item or its pair; nil if there was none.
  func origin(of item: ItemID, in old: GridItems) -> Int? {
    item.file.flatMap { collection.origin(of: $0, in: old.collection) }
  }

  /// Returns what to select instead of an item: the item itself if it is still there, else what stands
  /// for it, else the nearest after it that still exists, else the nearest before it.
  func replacement(for item: ItemID, in old: GridItems) -> ItemID? {
    if let file = item.file {
      return collection.replacement(for: file, in: old.collection).map { collection.item(of: $0) }
    }
    guard let index = old.index(of: item) else { return nil }
    let isHere = { (index: Int) in self.index(of: old[index]) != nil }
    let kept = (index..<old.count).first(where: isHere) ?? (0..<index).last(where: isHere)
    return kept.map { old[$0] }
  }
}

extension PhotoCollection {
  func item(of file: Photo.ID) -> ItemID { album.isFolder(file) ? .folder(file) : .photo(file) }

  func item(at index: Int) -> ItemID {
    index < folderCount ? .folder(items[index]) : .photo(items[index])
  }
}
