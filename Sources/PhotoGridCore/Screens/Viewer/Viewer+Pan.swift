/// Panning a photo larger than the screen: by keys, by the pointer, and by gliding on after the
/// release.
extension Viewer {
  // MARK: - Keys

  /// Pans the photo to show more of it in a direction, by a number of steps.
  mutating func pan(_ direction: Direction, _ count: Int, in context: Context) {
    move(
      by: direction.panTranslation(steps: count, in: context.viewport.pictureSize),
      context.motion.scroll, in: context)
  }

  /// Moves the photo until its edge in a direction is visible.
  mutating func panToEdge(_ direction: Direction, in context: Context) {
    move(
      by: direction.panTranslation(by: screenFrame(in: context).size), context.motion.tap,
      in: context)
  }

  private mutating func move(by translation: PixelPoint, _ timing: Timing, in context: Context) {
    guard let stage = context.stage, isMagnified(on: stage) else { return }
    let frame = view.frame(on: stage)
    look(view.panned(by: translation, on: stage), timing, in: context)
    panDirection = frame.direction(to: view.frame(on: stage))
  }

  // MARK: - The pointer

  /// Returns the pose of a photo panned by the pointer, no further than its edges.
  ///
  /// - Parameters:
  ///   - start: The pose at the start of the pan.
  ///   - translation: The pointer's movement since, in pixels.
  ///   - stage: The photo and the screen.
  /// - Returns: The current pose.
  static func panned(_ start: Pose, by translation: PixelPoint, on stage: Magnification.Stage)
    -> Pose
  {
    let frame = start.frame
    /// Returns the position along one axis; a photo caught in flight can start out of bounds.
    func place(_ low: Double, _ side: Double, _ distance: Double, _ from: Double, _ room: Double)
      -> Double
    {
      guard side > room else { return low }
      return min(max(low + distance, min(from + room - side, low)), max(from, low))
    }
    var pose = start
    pose.frame = PixelRect(
      x: place(frame.minX, frame.width, translation.x, stage.area.minX, stage.area.width),
      y: place(frame.minY, frame.height, translation.y, stage.area.minY, stage.area.height),
      width: frame.width, height: frame.height)
    return pose
  }

  /// Pans a magnified photo with the pointer.
  mutating func pan(_ drag: Drag, from start: Pose, to position: PixelPoint, in context: Context) {
    guard let stage = context.stage else { return }
    let before = view.frame(on: stage)
    var drag = drag
    drag.move(to: position, at: context.now)
    let after = Self.panned(start, by: drag.translation, on: stage).frame
    let scale = scale(of: start.frame, on: stage)
    phase = .panning(drag, from: start)
    view = Magnification(scale: scale, showing: stage.wholeFrame(showing: after), on: stage)
    panDirection = before.direction(to: view.frame(on: stage))
  }

  /// Returns the scale of a frame, or the requested scale if the photo has almost reached it.
  private func scale(of frame: PixelRect, on stage: Magnification.Stage) -> Magnification.Scale {
    let factor = stage.wholeFrame(showing: frame).width / stage.photo.width
    if abs(stage.factor(of: view.scale) / factor - 1) < 0.03 { return view.scale }
    return .factor(stage.factor(of: .factor(factor)))
  }

  /// Releases a magnified photo: it glides, slows down by friction and stops at its edges.
  mutating func releaseGliding(_ drag: Drag, in context: Context) {
    guard let stage = context.stage else { return }
    let present = pose(in: context)
    let translation = drag.glide(on: context.viewport, at: context.now)
    guard context.motion.travels, let translation else {
      look(view, context.motion.scroll, in: context)
      return
    }
    let frame = view.frame(on: stage)
    view = view.panned(by: translation, on: stage)
    panDirection = frame.direction(to: view.frame(on: stage))
    phase = .flying(
      .gliding(
        from: present, to: pose(at: .screen, in: context), by: translation, context.motion,
        at: context.now),
      to: .screen)
  }
}

extension Animated<Pose> {
  /// Returns a glide to a pose, with the initial speed at which friction would stop the photo after
  /// `translation`.
  static func gliding(
    from present: Pose, to end: Pose, by translation: PixelPoint, _ motion: MotionSetting,
    at now: Instant
  ) -> Animated<Pose> {
    /// Returns how many times farther friction alone would have carried the photo than its edge
    /// allows.
    func reach(_ wanted: Double, _ actual: Double) -> Double {
      actual == 0 ? 1 : max(wanted / actual, 1)
    }
    // The two axes come to rest at different times, so each has its own leg.
    var middle = end
    middle.frame = PixelRect(
      x: end.frame.minX, y: present.frame.minY, width: end.frame.width,
      height: present.frame.height)
    let across = reach(translation.x, end.frame.minX - present.frame.minX)
    let down = reach(translation.y, end.frame.minY - present.frame.minY)
    var flight = Animated(from: present, to: middle, motion.glide(reach: across), at: now)
    flight.retarget(to: end, motion.glide(reach: down), at: now)
    return flight
  }
}
