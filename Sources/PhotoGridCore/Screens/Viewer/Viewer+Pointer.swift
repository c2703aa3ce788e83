import Geometry

/// The left button on an open photo: a click closes the photo, a drag down dismisses it, and a
/// horizontal drag swipes to its neighbor.
extension Viewer {
  /// The distance that turns a press into a drag, in points.
  static let dragThreshold = 20.0

  /// The speed below which the pointer counts as resting, in points per second.
  private static let restingSpeed = 20.0
  /// The distance over which a dragged photo would shrink to nothing, in points.
  private static let shrinkDistance = 1000.0
  /// The smallest scale of a dragged photo.
  private static let smallestScale = 0.1
  /// The opacity that the grid would gain if a dragged photo shrank to nothing.
  private static let backdropGain = 1.3

  // MARK: - Press

  /// Presses the photo.
  ///
  /// - Returns: Whether the press is on the photo rather than on the grid beside a closing photo.
  mutating func press(at position: PixelPoint, in context: Context) -> Bool {
    let press = Drag(at: position, time: context.now)
    let pose = pose(in: context)
    switch phase {
    case .flying(_, let destination):
      if destination == .tile, !pose.frame.contains(position) { return false }
      let isSettled = destination == .screen && isNearlyOnScreen(pose, in: context)
      phase = .held(Press(press: press, pose: pose, interrupted: isSettled ? nil : destination))
    case .resting:
      phase = .held(Press(press: press, pose: pose, interrupted: nil))
    case .snapping(let offset):
      // A snapping photo is so slow at the end that it seems to rest.
      let rest = isNearlyOnScreen(pose, in: context) ? 0 : offset.value(at: context.now)
      phase = .held(Press(press: press, pose: pose, interrupted: nil, swipe: rest))
    case .held, .dragging, .panning, .swiping: break
    }
    return true
  }

  /// Whether a pose is so close to the photo's frame on the screen that it seems to rest there.
  private func isNearlyOnScreen(_ pose: Pose, in context: Context) -> Bool {
    let reach = Self.dragThreshold * context.viewport.metrics.point
    let target = self.pose(at: .screen, in: context)
    return pose.isClose(to: target, tolerance: PixelSize(width: reach, height: reach))
  }

  // MARK: - Drag

  /// Moves the photo with the pointer if it is pressed.
  mutating func drag(to position: PixelPoint, in context: Context) {
    switch phase {
    case .held(var hold):
      hold.press.move(to: position, at: context.now)
      beginDrag(hold, at: position, in: context)
    case .dragging(var drag, let start):
      drag.move(to: position, at: context.now)
      phase = .dragging(drag, from: start)
    case .panning(let drag, let start):
      pan(drag, from: start, to: position, in: context)
    case .swiping(var drag, let start):
      drag.move(to: position, at: context.now)
      phase = .swiping(drag, from: start)
    case .flying, .resting, .snapping: break
    }
  }

  /// Turns a press into a drag once the pointer has moved far enough; the direction selects the
  /// kind.
  private mutating func beginDrag(_ hold: Press, at position: PixelPoint, in context: Context) {
    let translation = hold.press.translation
    if hold.press.isClick(on: context.viewport) {
      phase = .held(hold)
    } else if hold.interrupted != .tile,
      context.stage?.isExceeded(by: hold.pose.frame) ?? false
    {
      pan(hold.press, from: hold.pose, to: position, in: context)
    } else if abs(translation.x) > abs(translation.y), hold.interrupted == nil {
      let rest = pose(at: .screen, in: context).frame.minX
      phase = .swiping(hold.press, from: hold.pose.frame.minX - rest)
    } else {
      if hold.swipe != 0 {
        passing = Animated(from: hold.swipe, to: 0, context.motion.scroll, at: context.now)
      }
      phase = .dragging(hold.press, from: hold.pose)
    }
  }

  /// Returns the pose of a photo that is dragged: it follows the pointer and shrinks about its
  /// center.
  ///
  /// - Parameters:
  ///   - pose: The pose at the start of the drag.
  ///   - translation: The pointer's movement since, in pixels.
  ///   - point: The size of a point, in pixels.
  /// - Returns: The current pose, with the resulting opacity of the grid.
  static func dragged(_ pose: Pose, by translation: PixelPoint, point: Double) -> Pose {
    let down = max(translation.y / point, 0)
    let scale = max(1 - down / shrinkDistance, smallestScale)
    return Pose(
      frame: pose.frame.scaledAboutCenter(by: scale).offset(x: translation.x, y: translation.y),
      backdrop: min(max(pose.backdrop + (1 - scale) * backdropGain, 0), 1))
  }

  // MARK: - Release

  /// Releases the photo.
  ///
  /// - Parameters:
  ///   - isDoubleClick: Whether this is the second click of a double click.
  ///   - context: The surroundings of the photo.
  /// - Returns: The update that the grid needs; nil for none.
  mutating func release(isDoubleClick: Bool, in context: Context) -> Outcome? {
    switch phase {
    case .held(let hold): return click(hold, isDouble: isDoubleClick, in: context)
    case .dragging(let drag, _):
      let velocity = drag.velocity(at: context.now)
      let isSlow =
        PixelPoint.zero.distance(to: velocity)
        < Self.restingSpeed * context.viewport.metrics.point
      let isDown = isSlow ? Self.isFarDown(drag, in: context) : velocity.y > 0
      return releaseDrag(velocity: velocity, to: isDown ? .tile : .screen, in: context)
    case .panning(let drag, _): releaseGliding(drag, in: context)
    case .swiping(let drag, _):
      return endSwipe(velocity: drag.velocity(at: context.now).x, in: context)
    case .flying, .resting, .snapping: break
    }
    return nil
  }

  /// Handles a click, which closes a photo that fits the screen; a double click resets the zoom of
  /// a larger photo.
  private mutating func click(_ hold: Press, isDouble: Bool, in context: Context) -> Outcome? {
    releasePress(of: hold, in: context)
    if case .snapping = phase { return nil }
    let isMagnified = isMagnified(on: context.stage)
    // The first click may have caught the photo before the zoom came to rest.
    if isDouble, isMagnified, hold.interrupted != .tile { zoom(.fit, 1, in: context) }
    guard hold.interrupted == nil, !isDouble, !isMagnified else { return nil }
    return close(context.motion.tap, in: context)
  }

  /// Releases a pressed photo: it continues its flight, or rests.
  private mutating func releasePress(of hold: Press, in context: Context) {
    if let destination = hold.interrupted {
      fly(to: destination, context.motion.tap, in: context)
    } else if hold.swipe != 0 {
      phase = .snapping(Animated(from: hold.swipe, to: 0, context.motion.scroll, at: context.now))
    } else if hold.pose == pose(at: .screen, in: context) {
      phase = .resting
    } else {
      fly(to: .screen, context.motion.scroll, in: context)
    }
  }

  /// Ends every drag and press, as a release at rest would.
  mutating func endDrag(in context: Context) -> Outcome? {
    switch phase {
    case .held(let hold): releasePress(of: hold, in: context)
    case .dragging(let drag, _):
      let isFar = Self.isFarDown(drag, in: context)
      return releaseDrag(velocity: .zero, to: isFar ? .tile : .screen, in: context)
    case .panning: fly(to: .screen, context.motion.scroll, in: context)
    case .swiping: return endSwipe(velocity: 0, in: context)
    case .flying, .resting, .snapping: break
    }
    return nil
  }

  /// Whether a photo was dragged down so far that it closes even when released at rest.
  private static func isFarDown(_ drag: Drag, in context: Context) -> Bool {
    drag.translation.y > context.viewport.pictureSize.height / 3
  }

  /// Starts the flight of a dragged photo to a destination, with the pointer's velocity in pixels
  /// per second.
  private mutating func releaseDrag(
    velocity: PixelPoint, to destination: Destination, in context: Context
  ) -> Outcome? {
    let context = destination == .tile ? context.scrolledToTile : context
    let from = pose(in: context).frame.center
    let target = pose(at: destination, in: context).frame.center
    let share = Drag.relativeVelocity(of: velocity, from: from, to: target)
    fly(to: destination, context.motion.release(velocity: share), in: context)
    return destination == .tile ? .closing(isGridHidden: false) : nil
  }

  // MARK: - Swipes

  /// Returns the horizontal offset of the photos, in pixels; it is smaller than the pointer's if
  /// there is no neighbor on that side.
  func swipeOffset(in context: Context) -> Double {
    switch phase {
    case .swiping(let drag, let start):
      let offset = start + drag.translation.x
      return context.neighbor(at: offset) != nil ? offset : offset * 0.3
    case .snapping(let offset): return offset.value(at: context.now)
    case .held(let hold): return hold.swipe
    case .flying, .resting, .dragging, .panning: return 0
    }
  }

  /// Returns the horizontal offset of the photos that decides where a neighbor is drawn, in pixels.
  func neighborOffset(in context: Context) -> Double {
    passing?.value(at: context.now) ?? swipeOffset(in: context)
  }

  /// Snaps to the neighbor if the swipe was far or fast enough; otherwise snaps back.
  private mutating func endSwipe(velocity: Double, in context: Context) -> Outcome? {
    var offset = swipeOffset(in: context)
    let isFar = abs(offset) > context.viewport.photoArea.width / 4
    let isFlung = velocity * offset > 0 && abs(velocity) > 400 * context.viewport.metrics.point
    let isReturned = velocity * offset < 0
    var outcome: Outcome?
    if isFar && !isReturned || isFlung, let neighbor = context.neighbor(at: offset) {
      photo = neighbor
      offset += offset < 0 ? context.swipePitch : -context.swipePitch
      view = Magnification()
      outcome = .changed(to: photo)
    }
    guard context.motion.travels, offset != 0 else {
      phase = .resting
      return outcome
    }
    let release = context.motion.release(velocity: -velocity / offset)
    phase = .snapping(Animated(from: offset, to: 0, release, at: context.now))
    return outcome
  }
}

extension Drag {
  /// Whether the pointer has moved so little that the press can still become a click.
  func isClick(on viewport: Viewport) -> Bool {
    PixelPoint.zero.distance(to: translation) < Viewer.dragThreshold * viewport.metrics.point
  }
}
