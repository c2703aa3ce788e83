import Geometry
import PhotoLibrary
import Photos

/// The saved filters, and the items that stand for them in the folders they were saved in.
struct SavedFilters {
  private(set) var filters: [NamedFilter]
  /// Whether the browser has the tiles of the present folder.
  var hasTiles = false
  private var items: [[UInt8]: Photo.ID] = [:]

  /// The most tiles in a folder.
  private static let maxTileCount = 50

  init(_ filters: [NamedFilter]) { self.filters = filters }

  /// Saves a filter, or replaces that of its name.
  mutating func save(_ filter: NamedFilter) {
    filters.removeAll { $0.name == filter.name }
    filters.append(filter)
    hasTiles = false
  }

  /// Returns the tiles of the filters that were saved in a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder's absolute path.
  ///   - prefix: The prefix of the paths in it, as they are listed.
  ///   - index: Gets a path for each filter that had no tile before.
  /// - Returns: The tiles, in the order in which the filters were saved.
  mutating func tiles(
    in folder: String, prefix: [UInt8], _ index: PathIndex
  ) -> [FilterTile] {
    hasTiles = true
    guard !folder.isEmpty else { return [] }
    return filters.filter { $0.folder == folder }.prefix(Self.maxTileCount).map { filter in
      // No listing finds a path with two slashes.
      let path = prefix + "/@\(filter.name)".utf8
      if let item = items[path] { return FilterTile(item, filter) }
      let item = Photo.ID(index.count)
      index.append([path])
      items[path] = item
      return FilterTile(item, filter)
    }
  }
}

extension RunLoop {
  /// The absolute path of the folder that is shown; empty if several are, or it is not text.
  var shownFolder: String {
    guard library.location.folder != nil else { return "" }
    return String(validating: AbsolutePath.of(folder(typed: "")), as: UTF8.self) ?? ""
  }

  /// Sends the browser the filters that were saved in this folder, once it is listed.
  mutating func showSavedFilters(at now: Instant) {
    guard !savedFilters.hasTiles, browser.collection.listingNotes != nil else { return }
    guard !savedFilters.filters.isEmpty else {
      savedFilters.hasTiles = true
      return
    }
    let tiles = savedFilters.tiles(
      in: shownFolder, prefix: library.location.base, library.index)
    if !tiles.isEmpty { send(.filtersFound(tiles), at: now) }
  }
}
