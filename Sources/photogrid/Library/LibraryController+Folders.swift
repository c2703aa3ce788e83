import Geometry
import PhotoGridCore
import PhotoLibrary
import Photos
import WorkerProtocol

/// Moving between folders; each has its own lister and listing, but photos keep their IDs.
extension LibraryController {
  /// The most previews requested at a time, so that a folder that becomes visible does not wait for
  /// many others.
  private static let previewLimit = 16

  mutating func enter(_ folder: Photo.ID) -> [Outcome] {
    let old = location
    location.enter(index[folder])
    return move(.into(folder), from: old)
  }

  /// Goes to the folder of an absolute path.
  mutating func go(to path: [UInt8]) -> [Outcome] {
    let old = location
    location.go(to: path)
    guard location.id != old.id else {
      location = old
      return [.event(.notice("This folder is shown already"))]
    }
    let tile = location.folder.flatMap { catalog.photo(at: $0) }
    let isListed = tile.map { catalog.listing.contains($0) } ?? false
    return move(isListed ? tile.map { .into($0) } ?? .outOf(nil) : .outOf(nil), from: old)
  }

  mutating func goUp() -> [Outcome] {
    let old = location
    guard let tile = location.goUp() else {
      let message =
        source.isOrdered
        ? "This folder has no parent folder" : "A list of names has no parent folder"
      return [.event(.notice(message))]
    }
    let photo = catalog.photo(at: tile)
    let outcomes = move(.outOf(photo), from: old)
    let exists = photo.map { catalog.listing.contains($0) } ?? false
    if location != old, !exists { pendingSelection = tile }
    return outcomes
  }

  /// Lists the folder of the single photo of the command line, so that its siblings are a key away.
  ///
  /// Only if the folder's listing has the photo too, which otherwise would be lost.
  mutating func listSiblings() {
    guard source.isOnePhoto, !location.hasMoved, catalog.listing.count == 1 else { return }
    let name = index[catalog.listing[0]].lastPathComponent
    let ending = String(decoding: name[name.extensionStart...].dropFirst(), as: UTF8.self)
    guard ImageFormat(word: ending.lowercased()) != nil,
      name.first != UInt8(ascii: ".") || source.request.includesHidden
    else { return }
    let old = location
    guard location.goUp() != nil else { return }
    do throws(LibraryError) {
      try source.move(to: location.roots, isKnown: true)
    } catch {
      return location = old
    }
    catalog.extend(old.id, to: location.id)
    fileCheck.reset()
    isListed = false
  }

  private mutating func move(_ direction: FolderMove.Direction, from old: FolderLocation)
    -> [Outcome]
  {
    do throws(LibraryError) {
      try source.move(to: location.roots, isKnown: catalog.isKnown(location.id))
    } catch {
      location = old
      return [.event(.notice(error.message))]
    }
    catalog.move(from: old.id, to: location.id)
    fileCheck.reset()
    (problem, pendingSelection, isListed) = (nil, nil, false)
    pendingPreviews.removeAll()
    return [
      .event(
        .moved(FolderMove(from: old.id, to: location.id, direction, photos: catalog.listing)))
    ]
  }

  /// Returns the tile of the folder from which the user moved up, if it is among new photos.
  mutating func takePendingSelection(among found: [Photo.ID]) -> Photo.ID? {
    guard let pendingSelection else { return nil }
    let tile = found.first { photo in
      let path = index[photo]
      // If subfolders are listed too, the folder has no tile, so one of its photos is selected.
      return isRecursive ? path.starts(with: pendingSelection) : path == pendingSelection
    }
    if tile != nil { self.pendingSelection = nil }
    return tile
  }

  // MARK: - Previews

  /// Whether another preview may be requested.
  var canRequestPreview: Bool { pendingPreviews.count < Self.previewLimit }

  /// Requests previews of folders, most urgent first.
  mutating func requestPreviews(of folders: some Sequence<Photo.ID>, at now: Instant) {
    var requested: [[UInt8]] = []
    for folder in folders {
      guard canRequestPreview else { break }
      let path = index[folder]
      guard pendingPreviews.updateValue(folder, forKey: path) == nil else { continue }
      requested.append(path)
    }
    if !requested.isEmpty { source.requestPreviews(of: requested, at: now) }
  }

  mutating func handle(_ preview: FolderSamples) -> [Outcome] {
    guard let folder = pendingPreviews.removeValue(forKey: preview.folder) else { return [] }
    // If the folder was renamed after the request, the browser requests its preview again.
    guard index[folder] == preview.folder else {
      return [.event(.filesChanged([folder]))]
    }
    let samples = preview.samples.compactMap { catalog.previewedPhoto(at: $0) }
    let failure = preview.failure?.message
    return names() + [
      .message(failure ?? (samples.isEmpty ? "no photos" : nil), of: folder),
      .event(.folderPreviewed(folder, FolderPreview(samples: samples, failure: failure))),
    ]
  }
}
