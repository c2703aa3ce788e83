/// A photo out of its tile: opening, closing, next and previous.
extension Browser {
  mutating func runInDetail(_ reading: KeyReader.Reading, at now: Instant) {
    guard let index = outing?.index else { return }
    let count = reading.count ?? 1
    switch reading.command {
    case .stepOut: stepOut(at: now)
    case .open: leave(at: now)
    case .left where isMagnified: pan(.left, count, at: now)
    case .right where isMagnified: pan(.right, count, at: now)
    case .up: pan(.up, count, at: now)
    case .down: pan(.down, count, at: now)
    case .left: show(index - count, at: now)
    case .right: show(index + count, at: now)
    case .edge(let direction): panToEdge(direction, at: now)
    case .zoom(let zoom): self.zoom(zoom, count, at: now)
    case .turn(let turning): turn(turning, count, at: now)
    case .next, .previous, .first, .last, .forwardTen, .backTen:
      if let target = destination(of: reading, from: index) { show(target, at: now) }
    case .pageForward, .halfPageForward: show(index + 10 * count, at: now)
    case .pageBack, .halfPageBack: show(index - 10 * count, at: now)
    case .album, .files, .toggleHelp, .toggleBar, .toggleLabels, .toggleSlowMotion, .redraw,
      .reload, .suspend, .goUp, .toggleInformation, .startSlideshow,
      .interrupt, .quit, .quitAndPrint, .choose, .nextLayout, .previousLayout, .largerTiles,
      .smallerTiles, .resetTiles, .toggleCrop, .togglePlaying, .stepFrame:
      break  // done before for both views
    }
  }

  /// Lets the photo at an index out of its tile, or turns the one that is going home around.
  mutating func open(_ index: Int, at now: Instant) {
    guard photos.indices.contains(index) else { return }
    selection = index
    guard index >= folderCount else { return enter(photos[index], at: now) }
    if outing?.index == index {
      fly(to: .screen, options.motion.tap, at: now)
      return
    }
    // Another photo still on its way home lands at once: only one is out at a time.
    // With reduced motion a photo appears in its place on the screen.
    let start =
      options.motion.travels
      ? (passage == nil ? pose(of: index, at: .tile) : tilePose(of: index, at: now))
      : Pose(frame: screenFrame(of: index), backdrop: 1, opacity: 0)
    outing = Outing(index: index, activity: .flying(Animated(start), to: .tile))
    fly(to: .screen, options.motion.tap, at: now)
  }

  /// Sends the photo home.
  mutating func close(_ timing: Timing, at now: Instant) {
    guard let index = outing?.index else { return }
    let isGridHidden = currentPose(at: now).map { $0.backdrop < 1 / 64 } ?? true
    let offset = scrollOffset(showing: index, from: scroll.target)
    if isGridHidden { scroll.jump(to: offset) } else { scroll(to: offset, at: now) }
    fly(to: .tile, timing, at: now)
  }

  /// Shows another photo in place of this one, without motion.
  mutating func show(_ index: Int, at now: Instant) {
    guard !album.shown.isEmpty else { return }
    let target = min(max(index, folderCount), photos.count - 1)
    guard target != outing?.index else { return }
    outing = Outing(index: target, activity: .resting, view: viewForNext)
    selection = target
    scroll.jump(to: scrollOffset(showing: target, from: scroll.target))
  }

  /// One step: out of a drag, out of the zoom, out of the photo.
  private mutating func stepOut(at now: Instant) {
    if isPointerDown {
      endDrag(at: now)
    } else if !zoomOut(at: now) {
      leave(at: now)
    }
  }

  /// Back to the grid, from however near.
  private mutating func leave(at now: Instant) {
    switch outing?.activity {
    case .dragging, .panning, .sliding, .held:
      endDrag(at: now)
    case .flying(_, to: .tile), nil:
      break
    case .flying(_, to: .screen), .resting, .settling:
      close(options.motion.tap, at: now)
    }
  }

  /// Sends the photo from where it is to a destination; what moved it before runs out meanwhile.
  mutating func fly(to destination: Outing.Destination, _ timing: Timing, at now: Instant) {
    guard let index = outing?.index, let present = currentPose(at: now) else { return }
    guard options.motion != .none else {
      if destination == .tile { outing = nil } else { outing?.activity = .resting }
      return
    }
    let target =
      options.motion.travels || destination == .screen
      ? pose(of: index, at: destination) : Pose(frame: present.frame, backdrop: 1, opacity: 0)
    var flight = Animated(present)
    if case .flying(let running, _) = outing?.activity { flight = running }
    flight.retarget(to: target, zoomed(timing, from: flight.target, to: target), at: now)
    outing?.activity = .flying(flight, to: destination)
  }

  /// The timing of a flight; one that begins or ends larger than the screen is a zoom.
  private func zoomed(_ timing: Timing, from start: Pose, to end: Pose) -> Timing {
    let (from, to) = (start.frame.size, end.frame.size)
    let screen = viewport.pictureSize
    guard max(from.width, to.width) > screen.width || max(from.height, to.height) > screen.height
    else { return timing }
    return timing.enlarging(by: (to.width + to.height) / (from.width + from.height))
  }

  /// A scrolling or changing grid takes the landing place of a photo along.
  mutating func retargetReturn(_ timing: Timing, at now: Instant) {
    guard options.motion.travels, case .flying(var flight, to: .tile) = outing?.activity,
      let index = outing?.index
    else { return }
    flight.retarget(to: pose(of: index, at: .tile), timing, at: now)
    outing?.activity = .flying(flight, to: .tile)
  }

  /// A photo on its way to the screen follows a change of its place there.
  mutating func retargetScreen(at now: Instant) {
    guard case .flying(var flight, to: .screen) = outing?.activity, let index = outing?.index
    else { return }
    flight.retarget(to: pose(of: index, at: .screen), options.motion.tap, at: now)
    outing?.activity = .flying(flight, to: .screen)
  }

  // MARK: - Poses

  /// The pose of a photo at the end of a flight.
  func pose(of index: Int, at destination: Outing.Destination) -> Pose {
    switch destination {
    case .tile:
      Pose(frame: restingTileFrame(of: index), backdrop: 1)
    case .screen:
      Pose(frame: screenFrame(of: index), backdrop: 0)
    }
  }

  /// Where a photo is now that has left its tile.
  func currentPose(at now: Instant) -> Pose? {
    guard let outing else { return nil }
    switch outing.activity {
    case .flying(let flight, _): return flight.value(at: now)
    case .held(let hold): return hold.pose
    case .dragging(let drag, let start):
      return Outing.dragged(start, by: drag.translation, point: viewport.metrics.point)
    case .panning(let drag, let start):
      return stage(of: outing.index).map { panned(start, by: drag.translation, on: $0) } ?? start
    case .resting, .sliding, .settling:
      var pose = pose(of: outing.index, at: .screen)
      pose.frame = pose.frame.offset(x: slideOffset(at: now), y: 0)
      return pose
    }
  }
}
