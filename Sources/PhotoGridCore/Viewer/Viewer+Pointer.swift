/// The left button on an open photo: a click closes it, a drag down puts it back, a drag sideways
/// goes on to the next one.
extension Viewer {
  /// A pointer must move this far, in points, before a press becomes a drag.
  static let dragThreshold = 20.0

  /// A pointer that is slower than this stands still, in points per second.
  private static let restingSpeed = 20.0
  /// The distance in points over which a dragged photo would shrink to nothing.
  private static let shrinkDistance = 1000.0
  private static let smallestScale = 0.1
  private static let backdropGain = 1.3

  // MARK: - Press

  /// Presses the photo.
  ///
  /// - Returns: Whether the press is on the photo rather than on the grid beside one that closes.
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
      // The last of the way is so slow that the photo seems to rest.
      phase =
        isNearlyOnScreen(pose, in: context)
        ? .held(Press(press: press, pose: pose, interrupted: nil))
        : .swiping(press, from: offset.value(at: context.now))
    case .held, .dragging, .panning, .swiping: break
    }
    return true
  }

  /// Whether a pose is so near to the photo's place on the screen that it seems to rest there.
  private func isNearlyOnScreen(_ pose: Pose, in context: Context) -> Bool {
    let reach = Self.dragThreshold * context.viewport.metrics.point
    let target = self.pose(at: .screen, in: context)
    return pose.isClose(to: target, tolerance: PixelSize(width: reach, height: reach))
  }

  // MARK: - Drag

  /// Follows the pointer, if it holds the photo.
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

  /// Makes a press a drag once the pointer has moved far enough: what kind, its direction decides.
  private mutating func beginDrag(_ hold: Press, at position: PixelPoint, in context: Context) {
    let way = hold.press.translation
    if hold.press.isClick(on: context.viewport) {
      phase = .held(hold)
    } else if hold.interrupted != .tile,
      context.stage?.isExceeded(by: hold.pose.frame) ?? false
    {
      pan(hold.press, from: hold.pose, to: position, in: context)
    } else if abs(way.x) > abs(way.y), hold.interrupted == nil {
      let rest = pose(at: .screen, in: context).frame.minX
      phase = .swiping(hold.press, from: hold.pose.frame.minX - rest)
    } else {
      phase = .dragging(hold.press, from: hold.pose)
    }
  }

  /// The pose of a photo dragged by a way: it follows the pointer and shrinks about its centre.
  ///
  /// - Parameters:
  ///   - pose: Where it was taken.
  ///   - way: The pointer's way since, in pixels.
  ///   - point: A point's size in pixels.
  /// - Returns: The pose under the pointer, with as much of the grid as shows through.
  static func dragged(_ pose: Pose, by way: PixelPoint, point: Double) -> Pose {
    let down = max(way.y / point, 0)
    let scale = max(1 - down / shrinkDistance, smallestScale)
    return Pose(
      frame: pose.frame.scaledAboutCenter(by: scale).offset(x: way.x, y: way.y),
      backdrop: min(max(pose.backdrop + (1 - scale) * backdropGain, 0), 1))
  }

  // MARK: - Release

  /// Lets go of the photo.
  ///
  /// - Parameters:
  ///   - isDoubleClick: Whether a click at that place is the second of two.
  ///   - context: What is around the photo.
  /// - Returns: What the grid has to do.
  mutating func release(isDoubleClick: Bool, in context: Context) -> Outcome? {
    switch phase {
    case .held(let hold): return click(hold, isDouble: isDoubleClick, in: context)
    case .dragging(let drag, _):
      let velocity = drag.velocity(at: context.now)
      let isSlow =
        PixelPoint.zero.distance(to: velocity)
        < Self.restingSpeed * context.viewport.metrics.point
      let isDown = isSlow ? Self.isFarDown(drag, in: context) : velocity.y > 0
      return letGo(velocity: velocity, to: isDown ? .tile : .screen, in: context)
    case .panning(let drag, _): letGlide(drag, in: context)
    case .swiping(let drag, _):
      return endSwipe(velocity: drag.velocity(at: context.now).x, in: context)
    case .flying, .resting, .snapping: break
    }
    return nil
  }

  /// A click closes a photo that fits the screen; two of them zoom out of one that does not.
  private mutating func click(_ hold: Press, isDouble: Bool, in context: Context) -> Outcome? {
    letGo(of: hold, in: context)
    let isMagnified = isMagnified(on: context.stage)
    // The first of two clicks may have caught the photo before the zoom had come to rest.
    if isDouble, isMagnified, hold.interrupted != .tile { zoom(.fit, 1, in: context) }
    guard hold.interrupted == nil, !isDouble, !isMagnified else { return nil }
    return close(context.motion.tap, in: context)
  }

  /// Lets go of a photo that was pressed: it flies on, or rests.
  private mutating func letGo(of hold: Press, in context: Context) {
    if let destination = hold.interrupted {
      fly(to: destination, context.motion.tap, in: context)
    } else if hold.pose == pose(at: .screen, in: context) {
      phase = .resting
    } else {
      fly(to: .screen, context.motion.scroll, in: context)
    }
  }

  /// Ends whatever the pointer does as a release at rest would.
  mutating func endDrag(in context: Context) -> Outcome? {
    switch phase {
    case .held(let hold): letGo(of: hold, in: context)
    case .dragging(let drag, _):
      let isFar = Self.isFarDown(drag, in: context)
      return letGo(velocity: .zero, to: isFar ? .tile : .screen, in: context)
    case .panning: fly(to: .screen, context.motion.scroll, in: context)
    case .swiping: return endSwipe(velocity: 0, in: context)
    case .flying, .resting, .snapping: break
    }
    return nil
  }

  /// Whether a photo was dragged down so far that it closes even from rest.
  private static func isFarDown(_ drag: Drag, in context: Context) -> Bool {
    drag.translation.y > context.viewport.pictureSize.height / 3
  }

  /// Lets a dragged photo fly to a destination with the pointer's velocity, in pixels per second.
  private mutating func letGo(
    velocity: PixelPoint, to destination: Destination, in context: Context
  ) -> Outcome? {
    let context = destination == .tile ? context.scrolledToTile : context
    let from = pose(in: context).frame.center
    let target = pose(at: destination, in: context).frame.center
    let share = Drag.share(of: velocity, from: from, to: target)
    fly(to: destination, context.motion.release(velocity: share), in: context)
    return destination == .tile ? .closing(isGridHidden: false) : nil
  }

  // MARK: - Sideways

  /// How far the photos are pushed sideways, in pixels; less than the pointer where there is no
  /// neighbour.
  func swipeOffset(in context: Context) -> Double {
    switch phase {
    case .swiping(let drag, let start):
      let offset = start + drag.translation.x
      return context.neighbor(at: offset) != nil ? offset : offset * 0.3
    case .snapping(let offset): return offset.value(at: context.now)
    case .flying, .resting, .held, .dragging, .panning: return 0
    }
  }

  /// Goes on to the neighbour if the push was far or fast enough, else back.
  private mutating func endSwipe(velocity: Double, in context: Context) -> Outcome? {
    var offset = swipeOffset(in: context)
    let isFar = abs(offset) > context.viewport.pictureSize.width / 4
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
  /// Whether the pointer has moved so little that the press may become a click.
  func isClick(on viewport: Viewport) -> Bool {
    PixelPoint.zero.distance(to: translation) < Viewer.dragThreshold * viewport.metrics.point
  }
}
