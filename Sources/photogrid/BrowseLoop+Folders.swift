import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

/// Going from folder to folder: another lister, another listing, the same photos.
extension BrowseLoop {
  /// No more folders than these are asked about at once, so that those in sight are never far back.
  private static let mostGlances = 16

  /// Goes into a folder that has a tile.
  mutating func enter(_ folder: Photo.ID, at now: Instant) {
    let from = trail
    trail.enter(store.paths[folder])
    move(.into(folder), from: from, at: now)
  }

  /// Goes to the folder that this one is in.
  mutating func goUp(at now: Instant) {
    let from = trail
    guard let tile = trail.goUp() else {
      tell(.told(source.isOrdered ? "there is no folder above" : "a list is in no folder"), at: now)
      return
    }
    let known = catalog.photo(at: tile, in: store)
    move(.outOf(known), from: from, at: now)
    let isThere = known.map { browser.photos.contains($0) } ?? false
    if trail != from, !isThere { landing = tile }
  }

  private mutating func move(_ way: FolderMove.Way, from: FolderTrail, at now: Instant) {
    let isKnown = catalog.isKnown(trail.place)
    do throws(LibraryError) {
      try source.move(to: trail.roots, isKnown: isKnown)
    } catch {
      trail = from
      tell(.told(error.words), at: now)
      return
    }
    catalog.move(from: from.place, to: trail.place, in: store)
    (loss, landing) = (nil, nil)
    glancing.removeAll()
    tell(
      .moved(FolderMove(from: from.place, to: trail.place, way, photos: catalog.listing)), at: now)
  }

  /// Selects what one came from, where it is among photos and folders that were found.
  mutating func land(on found: [Photo.ID], at now: Instant) {
    guard let landing else { return }
    // Where subfolders are looked through, the folder has no tile, but photos.
    let tile = found.first { photo in
      let path = store.paths[photo]
      return configuration.isRecursive ? path.starts(with: landing) : path == landing
    }
    guard let tile else { return }
    self.landing = nil
    tell(.landed(on: tile), at: now)
  }

  // MARK: - What is in folders

  /// Has the lister look into the folders that are seen.
  mutating func askForGlances(at now: Instant) {
    guard glancing.count < Self.mostGlances else { return }
    var asked: [[UInt8]] = []
    for folder in browser.unglanced {
      guard glancing.count < Self.mostGlances else { break }
      let path = store.paths[folder]
      guard glancing.updateValue(folder, forKey: path) == nil else { continue }
      asked.append(path)
    }
    if !asked.isEmpty { source.glance(into: asked, at: now) }
  }

  /// Takes what a look into a folder showed.
  mutating func take(_ glance: FolderGlance, at now: Instant) {
    guard let folder = glancing.removeValue(forKey: glance.folder) else { return }
    let samples = glance.samples.compactMap { catalog.sample($0, in: store) }
    tellNames(of: [], at: now)
    store.setMessage(
      glance.failure?.words ?? (samples.isEmpty ? "no photos" : nil), of: folder)
    tell(.glanced(folder, FolderPreview(samples: samples, failure: glance.failure?.words)), at: now)
  }
}
