/// What events do that come from neither keys nor the mouse.
extension Browser {
  /// Follows an event.
  mutating func route(_ event: Event, at now: Instant, effects: inout [Effect]) {
    switch event {
    case .key(let key): route(key, at: now, effects: &effects)
    case .mouse(let mouse): route(mouse, at: now, effects: &effects)
    case .pasted(let text): paste(text, at: now, effects: &effects)
    case .focusLost:
      if isPointerDown { pointer.focusLost(at: now) }
    case .focusGained:
      pointer.lostDragEnd = nil
    case .resized(let cells, let metrics):
      let before = viewport
      viewport = Viewport(cells: cells, metrics: metrics, hasBar: options.showsBar)
      if !viewport.isLaidOut(as: before) { adapt(at: now) }
      // The picture that was ready was one for the screen before.
      if viewport != before { mode.updateSlideshow { $0.isNextReady = false } }
    case .found(let more):
      collection.append(more)
      relayout()
      if !hasUserInteracted { selection = collection.firstIndex }
      // More photos can take less room: the last segments of a mosaic depend on their number.
      if scroll.target > scrollLimit { scroll.jump(to: scrollLimit) }
      refreshIfDue(at: now)
    case .named(let names):
      collection.receive(names)
      refreshIfDue(at: now)
    case .learned(let news): learn(news, at: now)
    case .arranged(let order):
      arrange(order, at: now)
    case .listed(let notes):
      let isFirst = collection.listingNotes == nil
      collection.receive(notes)
      refreshIfDue(at: now)
      if isFirst, options.opensSinglePhoto, photos.count == 1, folderCount == 0, viewer == nil {
        viewer = Viewer(index: 0, phase: .resting)
      }
    case .measured(let photo, let size, let frames):
      if collection.receive(size, frameCount: frames, of: photo), current == photo {
        retargetScreen(at: now)
      }
    case .reeled(let photo, let reel):
      animator.receive(reel, of: photo, at: now)
    case .drawn(let isWhole):
      animator.isDrawnWhole = isWhole
    case .jumped(let index):
      hasUserInteracted = true
      select(index, at: now)
      scroll.jump(to: scroll.target)
    case .slideshowAsked: startSlideshow(nil, at: now)
    case .prepared(let photo, let isShown):
      mode.updateSlideshow { $0.receive(isShown: isShown, of: photo, at: now) }
    case .nameTold(let photo, let name): askName(of: photo, name, at: now)
    case .filed(let results): receive(results, at: now, effects: &effects)
    case .told(let text):
      showNotice(text, for: 5, at: now)
    case .moved(let move): self.move(move, at: now)
    case .landed(let folder): land(on: folder, at: now)
    case .glanced(let folder, let preview): folders.receive(preview, of: folder)
    case .tick:
      break
    }
  }

  // MARK: - Layout

  /// Lays out anew for the present photos, viewport and options.
  mutating func relayout() {
    layout = options.layout.snapped(
      photos.count, in: viewport.pictureSize, metrics: viewport.metrics, isCentered: true)
  }

  /// Follows a change of the viewport or of the layout: the selection stays in sight, and a photo
  /// on its way goes on to its new target.
  mutating func adapt(at now: Instant) {
    relayout()
    rearrangement = Rearrangement()
    folders.transition = nil
    pointer.gridPress = nil
    scroll.jump(to: scrollOffset(showing: selection, from: scroll.target))
    changeViewer(at: now) { viewer, context in
      viewer.retarget(to: .tile, context.motion.tap, in: context)
      viewer.retarget(to: .screen, context.motion.tap, in: context)
      return nil
    }
  }
}
