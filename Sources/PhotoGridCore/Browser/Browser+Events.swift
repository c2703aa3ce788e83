import Geometry
import Photos
import SceneModel

extension Browser {
  mutating func route(_ event: Event, at now: Instant) {
    switch event {
    case .key(let key): route(key, at: now)
    case .mouse(let mouse): route(mouse, at: now)
    case .pasted(let text): paste(text, at: now)
    case .dragOffered:
      gallery.pointer.isDragOffered = true
      interpret(GridScreen().dragOut(in: &gallery, at: now), at: now)
    case .dropped(let files, let folder, let position):
      drop(files, in: folder, at: position, now)
    case .identified(let groups, let folder):
      interpret(files.request(groups.map { .copy($0, to: folder) }), at: now)
    case .focusLost: if isPointerDown { gallery.pointer.focusLost(at: now) }
    case .focusGained: gallery.pointer.lostDragEnd = nil
    case .resized(let cells, let metrics): resize(to: cells, metrics, at: now)
    case .found(let items): extend(by: items, at: now)
    case .named(let names): route(names, at: now)
    case .filesRead(let photos, let block, let isRecorded):
      route(block, of: photos, isRecorded: isRecorded, at: now)
    case .filesChanged(let photos): expire(photos, at: now)
    case .sidecarsChanged(let photos):
      gallery.collection.expireMetadata(of: photos)
      refreshIfDue(at: now)
    case .listingReplaced(let order): relist(order, at: now)
    case .listed(let notes): endListing(notes, at: now)
    case .framesUpdated(let photo, let frames): route(frames, of: photo, at: now)
    case .drawn(let isWhole):
      gallery.playback?.isFullyDrawn = isWhole
      statusBar.didDraw(at: now)
    case .jumped(let index): gallery.jump(to: index, at: now)
    case .slideshowRequested: startSlideshow(nil, at: now)
    case .prepared(let photo, let isShown):
      tellScreens(.prepared(photo, isShown: isShown), at: now)
    case .nameReceived(let photo, let name):
      let text = String(decoding: name, as: UTF8.self)
      ask(.rename, from: Prompt.Origin(photo: photo, name: text), at: now)
    case .namesReceived(let files): ask(.pattern, from: Prompt.Origin(files: files), at: now)
    case .fileOperationsFinished(let results):
      interpret(files.receive(results, in: &gallery, at: now), at: now)
    case .filesCopied(let percentage): files.copiedPercentage = percentage
    case .foldersFound(let matches): route(matches, at: now)
    case .ratingsUpdated(let updates): route(updates, at: now)
    case .hashesUpdated(let updates): route(updates, at: now)
    case .digestsUpdated(let updates): gallery.collection.learn(updates)
    case .annotationsWritten(let results): interpret(files.receive(results, in: &gallery), at: now)
    case .dayBegan(let today):
      gallery.options.dating.today = today
      gallery.collection.date(by: options.dating)
      refreshIfDue(at: now)
    case .notice(let text): statusBar.show(text, for: 5, at: now, isUnexpected: true)
    case .leaving: waitForFiles(at: now)
    case .moved(let move): self.move(move, at: now)
    case .pendingSelectionFound(let folder): selectPending(folder, at: now)
    case .filtersFound(let filters): interpret(gallery.show(filters), at: now)
    case .folderPreviewed(let folder, let preview): gallery.folders.receive(preview, of: folder)
    case .placesChanged(let places): gallery.options.places = places
    case .tick: break
    }
  }

  /// The difference between what a film's container says and its frames that a message is about, in
  /// seconds.
  private static let missingSeconds = 1.5

  private mutating func route(_ frames: DecodedFrames, of photo: Photo.ID, at now: Instant) {
    guard let playback = gallery.playback(of: photo) else { return }
    gallery.playback?.take(frames, at: now)
    guard let film = frames.film, let before = playback.film?.frameCount, film.frameCount < before,
      let length = album.facts(of: photo)?.length, film.length < length - Self.missingSeconds
    else { return }
    statusBar.show(
      "This video is damaged and ends at \(Information.length(film.length))", for: 5, at: now)
  }

  // MARK: - Listing

  private mutating func route(_ names: NameBatch, at now: Instant) {
    gallery.collection.learn(names)
    refreshIfDue(at: now)
  }

  private mutating func route(
    _ block: InfoBlock, of photos: [Photo.ID], isRecorded: Bool, at now: Instant
  ) {
    let resized = gallery.collection.learn(block, of: photos, isRecorded: isRecorded)
    if !resized.isEmpty { tellScreens(.sizes(resized), at: now) }
    reshapeIfDue(at: now)
    refreshIfDue(at: now)
    modal?.follow(gallery.album)
  }

  private mutating func expire(_ photos: [Photo.ID], at now: Instant) {
    gallery.collection.expire(photos)
    for photo in photos { gallery.folders.expirePreview(of: photo) }
    tellScreens(.filesChanged(photos), at: now)
    refreshIfDue(at: now)
    modal?.follow(gallery.album)
  }

  /// Routes ratings that were read, but ignores those of photos whose ratings are being written.
  private mutating func route(_ updates: [RatingUpdate], at now: Instant) {
    gallery.collection.learn(updates.filter { [files] in !files.annotations.contains($0.photo) })
    refreshIfDue(at: now)
    modal?.follow(gallery.album)
  }

  private mutating func route(_ updates: [HashUpdate], at now: Instant) {
    gallery.collection.learn(updates)
    refreshIfDue(at: now)
  }

  /// Shows the bar, which reports the remaining file operations before the program ends.
  private mutating func waitForFiles(at now: Instant) {
    files.isLeaving = true
    if !statusBar.isVisible { toggleBar(at: now) }
  }

  // MARK: - Layout

  /// Resizes the viewport to the terminal's size in cells and the size of a cell.
  private mutating func resize(to cells: CellSize, _ metrics: CellMetrics, at now: Instant) {
    let before = viewport
    gallery.viewport = Viewport(cells: cells, metrics: metrics, hasBar: statusBar.isVisible)
    gallery.viewport.panelColumns = panelColumns
    if !viewport.isLaidOut(as: before) { adapt(at: now) }
    if viewport != before { tellScreens(.resized, at: now) }
  }

  /// Replaces the items with a new listing of the folder, if the listing differs.
  private mutating func relist(_ order: [Photo.ID], at now: Instant) {
    let album = collection.album
    guard
      order.count != album.folders.count + album.listing.count
        || order != album.folders + album.listing
    else { return }
    changeCollection(at: now) { $0.relist(order) }
  }
}
