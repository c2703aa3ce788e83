/// A photo out of its tile: opening, closing, next and previous.
extension Browser {
  mutating func runInDetail(_ reading: KeyReader.Reading, at now: Instant) {
    guard let index = outing?.index else { return }
    switch reading.command {
    case .stepOut, .open:
      stepOut(at: now)
    case .next, .previous, .first, .last, .forwardTen, .backTen:
      if let target = destination(of: reading, from: index) { show(target, at: now) }
    case .pageForward, .halfPageForward: show(index + 10 * (reading.count ?? 1), at: now)
    case .pageBack, .halfPageBack: show(index - 10 * (reading.count ?? 1), at: now)
    case .left, .right, .up, .down: break
    case .toggleHelp, .toggleBar, .toggleLabels, .toggleSlowMotion, .redraw, .suspend,
      .interrupt, .quit, .quitAndPrint, .unbuilt:
      break  // done before for both views
    }
  }

  /// Lets the photo at an index out of its tile, or turns the one that is going home around.
  mutating func open(_ index: Int, at now: Instant) {
    guard photos.indices.contains(index) else { return }
    selection = index
    if outing?.index == index {
      fly(to: .screen, options.motion.tap, at: now)
      return
    }
    // Another photo still on its way home lands at once: only one is out at a time.
    // With reduced motion a photo appears in its place on the screen.
    let start =
      options.motion.travels
      ? pose(of: index, at: .tile)
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
  private mutating func show(_ index: Int, at now: Instant) {
    guard !photos.isEmpty else { return }
    let target = min(max(index, 0), photos.count - 1)
    guard target != outing?.index else { return }
    outing = Outing(index: target, activity: .resting)
    selection = target
    scroll.jump(to: scrollOffset(showing: target, from: scroll.target))
  }

  private mutating func stepOut(at now: Instant) {
    switch outing?.activity {
    case .dragging, .sliding, .held:
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
    var flight: Animated<Pose>
    if case .flying(let running, _) = outing?.activity {
      flight = running
      flight.retarget(to: target, timing, at: now)
    } else {
      flight = Animated(from: present, to: target, timing, at: now)
    }
    outing?.activity = .flying(flight, to: destination)
  }

  /// A scrolling grid takes the landing place of a photo along.
  mutating func followScroll(at now: Instant) {
    guard options.motion.travels, case .flying(var flight, to: .tile) = outing?.activity,
      let index = outing?.index
    else { return }
    flight.retarget(to: pose(of: index, at: .tile), options.motion.scroll, at: now)
    outing?.activity = .flying(flight, to: .tile)
  }

  // MARK: - Poses

  /// The pose of a photo at the end of a flight.
  func pose(of index: Int, at destination: Outing.Destination) -> Pose {
    switch destination {
    case .tile:
      Pose(frame: layout.frame(at: index).offset(x: 0, y: -scroll.target), backdrop: 1)
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
    case .resting, .sliding, .settling:
      var pose = pose(of: outing.index, at: .screen)
      pose.frame = pose.frame.offset(x: slideOffset(at: now), y: 0)
      return pose
    }
  }

  /// The photo fitted into the picture area, on whole quanta; a square until its size is known.
  private func screenFrame(of index: Int) -> PixelRect {
    let area = viewport.pictureSize
    let size = photos.indices.contains(index) ? sizes[photos[index]] : nil
    let fitted = (size ?? PixelSize(width: 1, height: 1)).fitted(in: area)
    let quantum = viewport.metrics.quantum
    func snapped(_ length: Double, _ room: Double, _ step: Double) -> (Double, Double) {
      let side = max((length / step).rounded(), 1) * step
      return (((room - side) / 2 / step).rounded(.down) * step, side)
    }
    let (x, width) = snapped(fitted.width, area.width, quantum.width)
    let (y, height) = snapped(fitted.height, area.height, quantum.height)
    return PixelRect(x: x, y: y, width: width, height: height)
  }
}
