/// The mouse: clicks, the wheel, dragging down to dismiss and sideways to the next.
extension Browser {
  /// A pointer that is slower than this stands still, in points per second.
  private static let restingSpeed = 20.0

  mutating func handle(_ event: MouseEvent, at now: Instant, effects: inout [Effect]) {
    pointer.lostDragEnd = nil
    guard helpPage == nil else {
      // What is beneath the help is not pointed at.
      if event.kind == .pressed(.left) { helpPage = nil }
      return
    }
    switch event.kind {
    case .pressed(.left): press(at: event, now)
    case .dragged(.left):
      drag(to: event.position, at: now)
    case .released(.left):
      drag(to: event.position, at: now)
      release(event, at: now, effects: &effects)
    case .pressed(.right): beginPainting(at: event.position, now)
    case .dragged(.right): paint(to: event.position, at: now)
    case .released(.right): pointer.painting = nil
    case .moved:
      // The release got lost, outside of the window perhaps.
      endDrag(at: now)
    case .wheel(let wheel):
      turn(wheel, at: event.position, event.modifiers, at: now)
    case .pressed, .dragged, .released: break
    }
  }

  /// Whether a button is down that something follows.
  var isPointerDown: Bool {
    if pointer.isDown { return true }
    switch viewer?.phase {
    case .held, .dragging, .panning, .swiping: return true
    case .flying, .resting, .snapping, nil: return false
    }
  }

  private mutating func press(at event: MouseEvent, _ now: Instant) {
    let press = Drag(at: event.position, time: now)
    guard let pose = currentPose(at: now), let viewer else {
      pointer.gridPress = press
      return
    }
    switch viewer.phase {
    case .flying(_, let destination):
      if destination == .tile, !pose.frame.contains(event.position) {
        pointer.gridPress = press
      } else {
        let isSettled = destination == .screen && isNearlyHome(pose)
        self.viewer?.phase = .held(
          Viewer.Press(press: press, pose: pose, interrupted: isSettled ? nil : destination))
      }
    case .resting:
      self.viewer?.phase = .held(Viewer.Press(press: press, pose: pose, interrupted: nil))
    case .snapping(let offset):
      // The last of the way is so slow that the photo seems to rest.
      let isHome = isNearlyHome(pose)
      self.viewer?.phase =
        isHome
        ? .held(Viewer.Press(press: press, pose: pose, interrupted: nil))
        : .swiping(press, from: offset.value(at: now))
    case .held, .dragging, .panning, .swiping: break
    }
  }

  /// Whether a photo is so near to its place on the screen that it seems to rest there.
  private func isNearlyHome(_ pose: Pose) -> Bool {
    guard let index = viewer?.index else { return false }
    let reach = Viewer.dragThreshold * viewport.metrics.point
    let target = self.pose(of: index, at: .screen)
    return pose.isClose(to: target, tolerance: PixelSize(width: reach, height: reach))
  }

  /// Lets go of a photo that was held without anything else to come of it.
  private mutating func rest(from hold: Viewer.Press, at now: Instant) {
    guard let index = viewer?.index else { return }
    if hold.pose == pose(of: index, at: .screen) {
      viewer?.phase = .resting
    } else {
      fly(to: .screen, options.motion.scroll, at: now)
    }
  }

  private mutating func drag(to position: PixelPoint, at now: Instant) {
    pointer.gridPress?.move(to: position, at: now)
    switch viewer?.phase {
    case .held(var hold):
      hold.press.move(to: position, at: now)
      let way = hold.press.translation
      if isClick(hold.press) {
        viewer?.phase = .held(hold)
      } else if hold.interrupted != .tile, exceedsScreen(hold.pose) {
        pan(hold.press, from: hold.pose, to: position, at: now)
      } else if abs(way.x) > abs(way.y), hold.interrupted == nil {
        let rest = viewer.map { pose(of: $0.index, at: .screen).frame.minX } ?? 0
        viewer?.phase = .swiping(hold.press, from: hold.pose.frame.minX - rest)
      } else {
        viewer?.phase = .dragging(hold.press, from: hold.pose)
      }
    case .dragging(var drag, let start):
      drag.move(to: position, at: now)
      viewer?.phase = .dragging(drag, from: start)
    case .panning(let drag, let start):
      pan(drag, from: start, to: position, at: now)
    case .swiping(var drag, let start):
      drag.move(to: position, at: now)
      viewer?.phase = .swiping(drag, from: start)
    case .flying, .resting, .snapping, nil: break
    }
  }

  /// Whether there is more of a photo than fits on the screen.
  private func exceedsScreen(_ pose: Pose) -> Bool {
    viewer.flatMap { stage(of: $0.index) }?.isExceeded(by: pose.frame) ?? false
  }

  private func isClick(_ press: Drag) -> Bool {
    let way = press.translation
    let threshold = Viewer.dragThreshold * viewport.metrics.point
    return PixelPoint.zero.distance(to: way) < threshold
  }

  private mutating func release(
    _ event: MouseEvent, at now: Instant, effects: inout [Effect]
  ) {
    if let press = pointer.gridPress {
      pointer.gridPress = nil
      if isClick(press), !isDoubleClick(at: event.position, now) {
        click(event, at: now, effects: &effects)
      }
      return
    }
    switch viewer?.phase {
    case .held(let hold):
      if let destination = hold.interrupted {
        fly(to: destination, options.motion.tap, at: now)
        // The first of two clicks may have caught the photo before the zoom had come to rest.
        if isDoubleClick(at: event.position, now), destination == .screen, isMagnified {
          zoom(.fit, 1, at: now)
        }
      } else {
        rest(from: hold, at: now)
        switch (isDoubleClick(at: event.position, now), isMagnified) {
        case (true, true): zoom(.fit, 1, at: now)
        case (false, false): close(options.motion.tap, at: now)
        case (false, true), (true, false): break
        }
      }
    case .dragging(let drag, _):
      let velocity = drag.velocity(at: now)
      let isDown = isAtRest(velocity) ? isFarDown(drag) : velocity.y > 0
      letGo(velocity: velocity, to: isDown ? .tile : .screen, at: now)
    case .panning(let drag, _):
      letGlide(drag, at: now)
    case .swiping(let drag, _):
      letGoSideways(velocity: drag.velocity(at: now).x, at: now)
    case .flying, .resting, .snapping, nil: break
    }
  }

  /// Ends whatever the pointer does as a release at rest would.
  mutating func endDrag(at now: Instant) {
    pointer.release()
    switch viewer?.phase {
    case .held(let hold):
      if let destination = hold.interrupted {
        fly(to: destination, options.motion.tap, at: now)
      } else {
        rest(from: hold, at: now)
      }
    case .dragging(let drag, _):
      letGo(velocity: .zero, to: isFarDown(drag) ? .tile : .screen, at: now)
    case .panning: fly(to: .screen, options.motion.scroll, at: now)
    case .swiping: letGoSideways(velocity: 0, at: now)
    case .flying, .resting, .snapping, nil: break
    }
  }

  /// Whether a pointer stands still, as nearly as a hand can.
  private func isAtRest(_ velocity: PixelPoint) -> Bool {
    PixelPoint.zero.distance(to: velocity) < Self.restingSpeed * viewport.metrics.point
  }

  /// Whether a photo was dragged down so far that it goes home even from rest.
  private func isFarDown(_ drag: Drag) -> Bool {
    drag.translation.y > viewport.pictureSize.height / 3
  }

  private mutating func letGo(
    velocity: PixelPoint, to destination: Viewer.Destination, at now: Instant
  ) {
    guard let index = viewer?.index, let present = currentPose(at: now) else { return }
    if destination == .tile {
      scroll(to: scrollOffset(showing: index, from: scroll.target), at: now)
    }
    let target = pose(of: index, at: destination)
    let share = Drag.share(of: velocity, from: present.frame.center, to: target.frame.center)
    fly(to: destination, options.motion.release(velocity: share), at: now)
  }

  private mutating func click(
    _ event: MouseEvent, at now: Instant, effects: inout [Effect]
  ) {
    guard let index = index(at: event.position, now) else { return }
    if !markByClick(on: index, event.modifiers, at: now) {
      open(index, at: now, effects: &effects)
    }
  }

  private mutating func isDoubleClick(at position: PixelPoint, _ now: Instant) -> Bool {
    pointer.isDoubleClick(
      at: position, within: Viewer.dragThreshold * viewport.metrics.point, now)
  }

  private mutating func turn(
    _ wheel: MouseEvent.Wheel, at position: PixelPoint, _ modifiers: MouseEvent.Modifiers,
    at now: Instant
  ) {
    guard viewer.map(\.isClosing) ?? true else {
      switch wheel {
      case .up: zoom(1, at: position, now)
      case .down: zoom(-1, at: position, now)
      case .left, .right: break
      }
      return
    }
    guard !modifiers.contains(.control) else {
      switch wheel {
      case .up: enlarge(by: 1, at: now)
      case .down: enlarge(by: -1, at: now)
      case .left, .right: break
      }
      return
    }
    switch wheel {
    case .up: scrollRows(-1, at: now)
    case .down: scrollRows(1, at: now)
    case .left, .right: break
    }
  }

  // MARK: - Sideways

  /// From one photo's centre to its neighbour's while they slide, in pixels.
  var slidePitch: Double {
    viewport.pictureSize.width + 2 * viewport.metrics.cell.width
  }

  /// How far the photos are pushed sideways; less than the pointer where there is no neighbour.
  func slideOffset(at now: Instant) -> Double {
    switch viewer?.phase {
    case .swiping(let drag, let start):
      let offset = start + drag.translation.x
      let hasNeighbour = neighbour(inDirectionOf: offset) != nil
      return hasNeighbour ? offset : offset * 0.3
    case .snapping(let offset): return offset.value(at: now)
    case .flying, .resting, .held, .dragging, .panning, nil: return 0
    }
  }

  private func neighbour(inDirectionOf offset: Double) -> Int? {
    guard let index = viewer?.index else { return nil }
    let next = index + (offset < 0 ? 1 : -1)
    return photos.indices.contains(next) && next >= folderCount ? next : nil
  }

  /// Goes on to the neighbour if the push was far or fast enough, else back.
  private mutating func letGoSideways(velocity: Double, at now: Instant) {
    var offset = slideOffset(at: now)
    let isFar = abs(offset) > viewport.pictureSize.width / 4
    let isFlung = velocity * offset > 0 && abs(velocity) > 400 * viewport.metrics.point
    let isReturned = velocity * offset < 0
    if isFar && !isReturned || isFlung, let next = neighbour(inDirectionOf: offset) {
      offset += offset < 0 ? slidePitch : -slidePitch
      viewer?.index = next
      viewer?.view = Magnification()
      selection = next
      scroll.jump(to: scrollOffset(showing: next, from: scroll.target))
    }
    guard options.motion.travels, offset != 0 else {
      viewer?.phase = .resting
      return
    }
    let release = options.motion.release(velocity: -velocity / offset)
    viewer?.phase = .snapping(Animated(from: offset, to: 0, release, at: now))
  }
}
