import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

/// Going from folder to folder: another lister and another listing, with the same photos.
extension LibraryController {
  /// At most so many previews are requested at once, so that a folder that scrolls into sight does
  /// not wait for many others.
  private static let previewLimit = 16

  /// Goes into a folder that has a tile.
  mutating func enter(_ folder: Photo.ID) -> [Outcome] {
    let old = location
    location.enter(index[folder])
    return move(.into(folder), from: old)
  }

  /// Goes to the folder above.
  mutating func goUp() -> [Outcome] {
    let old = location
    guard let tile = location.goUp() else {
      let message = source.isOrdered ? "there is no folder above" : "a list is in no folder"
      return [.event(.told(message))]
    }
    let photo = catalog.photo(at: tile)
    let outcomes = move(.outOf(photo), from: old)
    let isThere = photo.map { catalog.listing.contains($0) } ?? false
    if location != old, !isThere { pendingSelection = tile }
    return outcomes
  }

  private mutating func move(_ way: FolderMove.Way, from old: FolderLocation) -> [Outcome] {
    do throws(LibraryError) {
      try source.move(to: location.roots, isKnown: catalog.isKnown(location.place))
    } catch {
      location = old
      return [.event(.told(error.message))]
    }
    catalog.move(from: old.place, to: location.place)
    (problem, pendingSelection, isListed) = (nil, nil, false)
    openPreviews.removeAll()
    return [
      .event(
        .moved(FolderMove(from: old.place, to: location.place, way, photos: catalog.listing)))
    ]
  }

  /// The tile of the folder that was left upwards, if it is among photos that were found.
  mutating func takePendingSelection(among found: [Photo.ID]) -> Photo.ID? {
    guard let pendingSelection else { return nil }
    let tile = found.first { photo in
      let path = index[photo]
      // Where subfolders are listed too, the folder has no tile, but its photos have.
      return isRecursive ? path.starts(with: pendingSelection) : path == pendingSelection
    }
    if tile != nil { self.pendingSelection = nil }
    return tile
  }

  // MARK: - Previews

  /// Whether another preview may be requested.
  var canRequestPreview: Bool { openPreviews.count < Self.previewLimit }

  /// Requests previews of folders, most urgent first.
  mutating func requestPreviews(of folders: some Sequence<Photo.ID>, at now: Instant) {
    var requested: [[UInt8]] = []
    for folder in folders {
      guard canRequestPreview else { break }
      let path = index[folder]
      guard openPreviews.updateValue(folder, forKey: path) == nil else { continue }
      requested.append(path)
    }
    if !requested.isEmpty { source.glance(into: requested, at: now) }
  }

  /// Handles a preview that was requested.
  mutating func handle(_ preview: FolderSamples) -> [Outcome] {
    guard let folder = openPreviews.removeValue(forKey: preview.folder) else { return [] }
    // Renamed meanwhile: it is requested again, under its new name.
    guard index[folder] == preview.folder else {
      return [.event(.learned([Learned(folder, nil)]))]
    }
    let samples = preview.samples.compactMap { catalog.sample($0) }
    let failure = preview.failure?.message
    return names() + [
      .message(failure ?? (samples.isEmpty ? "no photos" : nil), of: folder),
      .event(.glanced(folder, FolderPreview(samples: samples, failure: failure))),
    ]
  }
}
