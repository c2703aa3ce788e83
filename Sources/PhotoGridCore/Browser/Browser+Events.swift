/// Dispatching events, and handling the events other than keys and the mouse.
extension Browser {
  /// Dispatches an event.
  mutating func route(_ event: Event, at now: Instant, effects: inout [Effect]) {
    switch event {
    case .key(let key): route(key, at: now, effects: &effects)
    case .mouse(let mouse): route(mouse, at: now, effects: &effects)
    case .pasted(let text): paste(text, at: now, effects: &effects)
    case .focusLost: if isPointerDown { pointer.focusLost(at: now) }
    case .focusGained: pointer.lostDragEnd = nil
    case .resized(let cells, let metrics): resize(to: cells, metrics, at: now)
    case .found(let items): append(items, at: now)
    case .named(let names): receive(names, at: now)
    case .factsUpdated(let updates): updateFacts(updates, at: now)
    case .factsRecorded(let photos, let block):
      receive(block, of: photos, isRecorded: true, at: now)
    case .factsRead(let photos, let block):
      receive(block, of: photos, isRecorded: false, at: now)
    case .arranged(let order): relist(order, at: now)
    case .listed(let notes): endListing(notes, at: now)
    case .measured(let photo, let size, let frames): receive(size, frames, of: photo, at: now)
    case .framesUpdated(let photo, let animation): animator.receive(animation, of: photo, at: now)
    case .drawn(let isWhole):
      animator.isFullyDrawn = isWhole
      statusBar.didDraw(at: now)
    case .jumped(let index): jump(to: index, at: now)
    case .slideshowRequested: startSlideshow(nil, at: now)
    case .prepared(let photo, let isShown):
      mode.updateSlideshow { $0.receive(isShown: isShown, of: photo, at: now) }
    case .nameReceived(let photo, let name): askName(of: photo, name, at: now)
    case .namesReceived(let files): askPattern(for: files, at: now)
    case .fileOperationsFinished(let results): receive(results, at: now, effects: &effects)
    case .filesCopied(let percentage): files.copiedPercentage = percentage
    case .foldersFound(let matches): receive(matches, at: now, effects: &effects)
    case .ratingsUpdated(let updates): updateRatings(updates, at: now)
    case .hashesUpdated(let updates): receive(updates, at: now)
    case .ratingsWritten(let results): receive(results, at: now, effects: &effects)
    case .dayBegan(let today):
      options.dating.today = today
      collection.date(by: options.dating)
      refreshIfDue(at: now)
    case .notice(let text): statusBar.show(text, for: 5, at: now, isUnexpected: true)
    case .leaving: waitForFiles(at: now, effects: &effects)
    case .moved(let move): self.move(move, at: now)
    case .pendingSelectionFound(let folder): selectPending(folder, at: now)
    case .folderPreviewed(let folder, let preview): folders.receive(preview, of: folder)
    case .tick: break
    }
  }

  // MARK: - Listing

  private mutating func receive(_ names: NameBatch, at now: Instant) {
    collection.receive(names)
    refreshIfDue(at: now)
  }

  /// Receives facts of many photos, which an earlier session recorded or a process has just read.
  private mutating func receive(
    _ block: FactBlock, of photos: [Photo.ID], isRecorded: Bool, at now: Instant
  ) {
    collection.receive(block, of: photos, isRecorded: isRecorded)
    reshapeIfDue(at: now)
    refreshIfDue(at: now)
    updateRenamePlan()
  }

  private mutating func receive(_ updates: [HashUpdate], at now: Instant) {
    collection.receive(updates)
    refreshIfDue(at: now)
  }

  /// Receives the size of a photo, and the number of its frames.
  private mutating func receive(
    _ size: PixelSize, _ frameCount: Int, of photo: Photo.ID, at now: Instant
  ) {
    if collection.receive(size, frameCount: frameCount, of: photo), current == photo {
      retargetScreen(at: now)
    }
    if mode.comparison?.contains(photo) == true {
      changeComparison(at: now) { $0.retarget($1.motion.tap, in: $1) }
    }
    reshapeIfDue(at: now)
  }

  /// Shows the bar, which reports the remaining file operations before the program ends.
  private mutating func waitForFiles(at now: Instant, effects: inout [Effect]) {
    files.isLeaving = true
    if !statusBar.isVisible { toggleBar(at: now, effects: &effects) }
  }

  /// Appends items to the listing.
  private mutating func append(_ items: [Photo.ID], at now: Instant) {
    // The tile of a raw file is replaced by the tile of its picture.
    guard !album.hidesTiles(items) else { return changeCollection(at: now) { $0.append(items) } }
    let before = grid.isComplete ? grid.snapshot(in: gridContext(at: now)) : nil
    let folderCount = folderCount
    collection.append(items)
    grid.append(isAtEnd: folderCount == self.folderCount, in: gridContext(at: now))
    if let before, grid.layout.frame(at: 0) != before.layout.frame(at: 0) {
      changeGrid(at: now, options.motion.rearrangement) { $0.moveTiles(from: before, in: $1) }
    }
    countPeriods(soon: false, at: now)
    refreshIfDue(at: now)
  }

  /// Receives the end of the listing, and opens a single photo if the options say so.
  private mutating func endListing(_ notes: ListingNotes, at now: Instant) {
    let isFirst = collection.listingNotes == nil
    collection.receive(notes)
    // If all facts were recorded, the photos are sorted now: the first one stays selected.
    let selectsFirst = isFirst && !grid.hasUserInteracted && collection.album.isStale
    if selectsFirst { grid.selected = nil }
    refreshIfDue(at: now)
    if selectsFirst { grid.selectFirst(of: collection) }
    changeGrid(at: now, options.motion.rearrangement) { $0.complete(in: $1) }
    countPeriods(soon: true, at: now)
    if isFirst, options.opensSinglePhoto, photos.count == 1, folderCount == 0, viewer == nil,
      mode.periods == nil
    {
      viewer = Viewer(photo: photos[0], phase: .resting)
    }
  }

  // MARK: - Layout

  /// Resizes the viewport to the terminal's size in cells and the size of a cell.
  private mutating func resize(to cells: CellSize, _ metrics: CellMetrics, at now: Instant) {
    let before = viewport
    viewport = Viewport(cells: cells, metrics: metrics, hasBar: statusBar.isVisible)
    if !viewport.isLaidOut(as: before) { adapt(at: now) }
    // The next slide was prepared for the previous size.
    if viewport != before { mode.updateSlideshow { $0.isNextReady = false } }
  }

  /// Adapts to a new viewport: the selection stays visible, and a moving photo continues to its new
  /// target.
  mutating func adapt(at now: Instant) {
    let context = gridContext(at: now)
    grid.resize(in: context)
    mode.updatePeriods { $0.resize(in: context) }
    folders.transition = nil
    pointer.gridPress = nil
    grid.scrubber.release(at: now)
    changeComparison(at: now) { $0.resize(in: $1) }
    changeViewer(at: now) { viewer, context in
      viewer.retarget(to: .tile, context.motion.tap, in: context)
      viewer.retarget(to: .screen, context.motion.tap, in: context)
      return nil
    }
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

  /// Selects an item without motion, as if the user had selected it.
  mutating func jump(to index: Int, at now: Instant) {
    grid.hasUserInteracted = true
    select(index, at: now)
    grid.scroll.jump(to: grid.scroll.target)
  }
}
