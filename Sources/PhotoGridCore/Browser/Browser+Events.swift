/// Where events go, and what those do that come from neither keys nor the mouse.
extension Browser {
  /// Follows an event.
  mutating func route(_ event: Event, at now: Instant, effects: inout [Effect]) {
    switch event {
    case .key(let key): route(key, at: now, effects: &effects)
    case .mouse(let mouse): route(mouse, at: now, effects: &effects)
    case .pasted(let text): paste(text, at: now, effects: &effects)
    case .focusLost: if isPointerDown { pointer.focusLost(at: now) }
    case .focusGained: pointer.lostDragEnd = nil
    case .resized(let cells, let metrics): resize(to: cells, metrics, at: now)
    case .found(let items): append(items, at: now)
    case .named(let names):
      collection.receive(names)
      refreshIfDue(at: now)
    case .learned(let news): learn(news, at: now)
    case .arranged(let order): relist(order, at: now)
    case .listed(let notes): endListing(notes, at: now)
    case .measured(let photo, let size, let frames):
      if collection.receive(size, frameCount: frames, of: photo), current == photo {
        retargetScreen(at: now)
      }
    case .reeled(let photo, let reel): animator.receive(reel, of: photo, at: now)
    case .drawn(let isWhole): animator.isDrawnWhole = isWhole
    case .jumped(let index):
      jump(to: index, at: now)
    case .slideshowAsked: startSlideshow(nil, at: now)
    case .prepared(let photo, let isShown):
      mode.updateSlideshow { $0.receive(isShown: isShown, of: photo, at: now) }
    case .nameTold(let photo, let name): askName(of: photo, name, at: now)
    case .filed(let results): receive(results, at: now, effects: &effects)
    case .told(let text): showNotice(text, for: 5, at: now)
    case .leaving:
      files.isLeaving = true
      if !statusBar.isVisible { toggleBar(at: now, effects: &effects) }
    case .moved(let move): self.move(move, at: now)
    case .landed(let folder): land(on: folder, at: now)
    case .glanced(let folder, let preview): folders.receive(preview, of: folder)
    case .tick: break
    }
  }

  // MARK: - Listing

  /// Adds items that were found to the listing.
  private mutating func append(_ items: [Photo.ID], at now: Instant) {
    collection.append(items)
    grid.append(in: gridContext(at: now))
    refreshIfDue(at: now)
  }

  /// Receives the end of the listing; opens a single photo, if the options say so.
  private mutating func endListing(_ notes: ListingNotes, at now: Instant) {
    let isFirst = collection.listingNotes == nil
    collection.receive(notes)
    refreshIfDue(at: now)
    if isFirst, options.opensSinglePhoto, photos.count == 1, folderCount == 0, viewer == nil {
      viewer = Viewer(index: 0, phase: .resting)
    }
  }

  // MARK: - Layout

  /// Follows a change of the terminal's size, or of its pixels.
  private mutating func resize(to cells: CellSize, _ metrics: CellMetrics, at now: Instant) {
    let before = viewport
    viewport = Viewport(cells: cells, metrics: metrics, hasBar: statusBar.isVisible)
    if !viewport.isLaidOut(as: before) { adapt(at: now) }
    // The picture that was ready was one for the screen before.
    if viewport != before { mode.updateSlideshow { $0.isNextReady = false } }
  }

  /// Follows a change of the viewport: the selection stays in sight, and a photo on its way goes on to
  /// its new target.
  mutating func adapt(at now: Instant) {
    grid.resize(in: gridContext(at: now))
    folders.transition = nil
    pointer.gridPress = nil
    scrubber.release(at: now)
    changeViewer(at: now) { viewer, context in
      viewer.retarget(to: .tile, context.motion.tap, in: context)
      viewer.retarget(to: .screen, context.motion.tap, in: context)
      return nil
    }
  }

  /// Replaces the items by a new listing of the folder, if that is another one.
  private mutating func relist(_ order: [Photo.ID], at now: Instant) {
    let album = collection.album
    guard
      order.count != album.folders.count + album.listing.count
        || order != album.folders + album.listing
    else { return }
    changeCollection(at: now) { $0.relist(order) }
  }

  /// Selects an item without motion, as if the user had.
  mutating func jump(to index: Int, at now: Instant) {
    grid.hasUserInteracted = true
    select(index, at: now)
    grid.scroll.jump(to: grid.scroll.target)
  }
}
