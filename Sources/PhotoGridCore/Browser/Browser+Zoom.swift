/// Looking closely: how large a photo is on the screen, and which part of it is seen.
extension Browser {
  /// How many times as large a step of the zoom makes a photo, by a key and by the wheel: whole
  /// numbers of steps double it.
  private static let keyRatio = 2.0.squareRoot()
  private static let wheelRatio = 2.0.squareRoot().squareRoot()
  /// The share of the screen that a photo is moved by, by a key.
  private static let panShare = 0.2
  /// A photo that is let go of more slowly than this stays where it is, in points per second.
  private static let slowestGlide = 60.0

  // MARK: - What is seen

  /// The photo at an index as it is on the screen; nil until its size is known.
  func stage(of index: Int) -> Magnification.Stage? {
    guard photos.indices.contains(index), let size = size(of: photos[index]) else { return nil }
    return Magnification.Stage(
      photo: size, area: viewport.pictureArea, quantum: viewport.metrics.quantum)
  }

  /// Where the photo at an index has its place on the screen: as it is looked at if it is out, else
  /// fitted.
  ///
  /// On whole quanta where it fits; a square until its size is known; larger than the screen where
  /// it is zoomed.
  func screenFrame(of index: Int) -> PixelRect {
    guard let stage = stage(of: index) else {
      return viewport.pictureArea.wholePhoto(
        of: PixelSize(width: 1, height: 1), quantum: viewport.metrics.quantum)
    }
    let view = outing.flatMap { $0.index == index ? $0.view : nil } ?? Magnification()
    return view.frame(on: stage)
  }

  /// Whether the photo that is out is, or will be, larger than the screen, so that it can be moved.
  var isMagnified: Bool {
    guard let outing, let stage = stage(of: outing.index) else { return false }
    return stage.isExceeded(by: outing.view.frame(on: stage))
  }

  /// Whether a photo on the screen is looked at in another way than as a whole.
  var isZoomed: Bool {
    guard let outing, let stage = stage(of: outing.index) else { return false }
    return !outing.view.isFit(on: stage)
  }

  /// How large the photo on the screen is, in hundredths of its pixels' number; nil at fit.
  var percentage: Int? {
    guard let outing, !outing.isReturning, isZoomed, let stage = stage(of: outing.index) else {
      return nil
    }
    return Int((stage.factor(of: outing.view.scale) * 100).rounded())
  }

  /// How the next photo is looked at: by the same rule and at the same place, so that photos of one
  /// thing can be compared; a scale chosen by steps was for this photo alone.
  var viewForNext: Magnification {
    guard let view = outing?.view else { return Magnification() }
    if case .factor = view.scale, view.scale != Magnification.actualSize { return Magnification() }
    return view
  }

  // MARK: - Zooming

  /// Carries out a key of the zoom; of a photo whose size is not known yet, once it is.
  mutating func zoom(_ command: Command.Zoom, _ count: Int, at now: Instant) {
    guard let outing, !isPointerDown else { return }
    var view = outing.view
    var timing = options.motion.tap
    switch command {
    case .larger, .smaller:
      guard let stage = stage(of: outing.index) else { return }
      let steps = command == .larger ? count : -count
      view.scale = view.stepped(steps, ratio: Self.keyRatio, on: stage)
      timing = options.motion.zoomStep
    case .fit: view.scale = .fit
    case .actualSize: view.scale = Magnification.actualSize
    case .toggleActualSize:
      view.scale = view.scale == Magnification.actualSize ? .fit : Magnification.actualSize
    case .width: view.scale = view.scale == .width ? .fit : .width
    case .fill: view.scale = view.scale == .fill ? .fit : .fill
    }
    look(stage(of: outing.index).map { view.settled(on: $0) } ?? view, timing, at: now)
  }

  /// Zooms by notches of the wheel; what is under the pointer stays there all the while.
  mutating func zoom(_ notches: Int, at point: PixelPoint, _ now: Instant) {
    guard let outing, !isPointerDown, let stage = stage(of: outing.index),
      let present = currentPose(at: now)
    else { return }
    let scale = outing.view.stepped(notches, ratio: Self.wheelRatio, on: stage)
    guard scale != outing.view.scale else { return }
    let frame = stage.wholeFrame(showing: present.frame)
    // From rest, whatever the speed was: legs that add up would carry the point away.
    self.outing?.activity = .flying(Animated(present), to: .screen)
    look(
      .scaled(to: scale, keeping: point, of: frame, on: stage), options.motion.zoomStep, at: now)
  }

  /// Takes the photo to another way of looking at it, from where it is.
  private mutating func look(_ view: Magnification, _ timing: Timing, at now: Instant) {
    takeOff(at: now)
    outing?.view = view
    guard options.motion.travels else {
      outing?.activity = .resting
      return
    }
    fly(to: .screen, timing, at: now)
  }

  /// Lets the photo's place change under it: from now on it is on its way there, from where it is.
  private mutating func takeOff(at now: Instant) {
    if case .flying(_, to: .screen) = outing?.activity { return }
    guard let present = currentPose(at: now) else { return }
    outing?.activity = .flying(Animated(present), to: .screen)
  }

  /// Goes back to the whole photo; returns whether there was anything to go back from.
  mutating func zoomOut(at now: Instant) -> Bool {
    guard isZoomed else { return false }
    zoom(.fit, 1, at: now)
    return true
  }

  // MARK: - Moving about

  /// Moves the photo so that what lies in a direction comes into sight, by shares of the screen.
  mutating func pan(_ direction: Direction, _ count: Int, at now: Instant) {
    let share = Self.panShare * Double(count)
    let area = viewport.pictureSize
    move(
      direction, by: PixelSize(width: area.width * share, height: area.height * share),
      options.motion.scroll, at: now)
  }

  /// Moves the photo so that its edge in a direction is in sight.
  mutating func panToEdge(_ direction: Direction, at now: Instant) {
    guard let index = outing?.index else { return }
    move(direction, by: screenFrame(of: index).size, options.motion.tap, at: now)
  }

  private mutating func move(
    _ direction: Direction, by way: PixelSize, _ timing: Timing, at now: Instant
  ) {
    guard let outing, !isPointerDown, let stage = stage(of: outing.index), isMagnified else {
      return
    }
    let step =
      switch direction {
      case .left: PixelPoint(x: way.width, y: 0)
      case .right: PixelPoint(x: -way.width, y: 0)
      case .up: PixelPoint(x: 0, y: way.height)
      case .down: PixelPoint(x: 0, y: -way.height)
      }
    let frame = outing.view.frame(on: stage)
    takeOff(at: now)
    aim(at: frame.offset(x: step.x, y: step.y), from: frame, on: stage)
    look(self.outing?.view ?? outing.view, timing, at: now)
  }

  /// Looks at the photo where a frame has it, at the same scale, and notes which way it went.
  private mutating func aim(
    at frame: PixelRect, from before: PixelRect, on stage: Magnification.Stage
  ) {
    guard let scale = outing?.view.scale else { return }
    let view = Magnification(scale: scale, showing: frame, on: stage)
    outing?.view = view
    let after = view.frame(on: stage)
    func sign(_ distance: Double) -> Double { abs(distance) < 1 ? 0 : distance < 0 ? -1 : 1 }
    outing?.heading = PixelPoint(
      x: sign(after.minX - before.minX), y: sign(after.minY - before.minY))
  }

  /// The pose of a photo moved by the pointer: never further than its edges.
  func panned(_ start: Pose, by way: PixelPoint, on stage: Magnification.Stage) -> Pose {
    let frame = start.frame
    /// Where one axis comes to; a photo caught in flight may be off its bounds, and starts there.
    func place(_ low: Double, _ side: Double, _ way: Double, _ from: Double, _ room: Double)
      -> Double
    {
      guard side > room else { return low }
      return min(max(low + way, min(from + room - side, low)), max(from, low))
    }
    var pose = start
    pose.frame = PixelRect(
      x: place(frame.minX, frame.width, way.x, stage.area.minX, stage.area.width),
      y: place(frame.minY, frame.height, way.y, stage.area.minY, stage.area.height),
      width: frame.width, height: frame.height)
    return pose
  }

  /// Follows the pointer with a zoomed photo, and notes where that leads.
  mutating func pan(_ drag: Drag, from start: Pose, to position: PixelPoint, at now: Instant) {
    guard var outing, let stage = stage(of: outing.index) else { return }
    var drag = drag
    let before = panned(start, by: drag.translation, on: stage).frame
    drag.move(to: position, at: now)
    outing.activity = .panning(drag, from: start)
    outing.view.scale = scale(of: start.frame, on: stage)
    self.outing = outing
    let after = panned(start, by: drag.translation, on: stage).frame
    aim(
      at: stage.wholeFrame(showing: after), from: stage.wholeFrame(showing: before), on: stage)
  }

  /// The scale of a frame: the one that was asked for if the photo had come to it.
  private func scale(of frame: PixelRect, on stage: Magnification.Stage) -> Magnification.Scale {
    let factor = stage.wholeFrame(showing: frame).width / stage.photo.width
    if let present = outing?.view.scale, abs(stage.factor(of: present) / factor - 1) < 1e-3 {
      return present
    }
    return .factor(stage.factor(of: .factor(factor)))
  }

  /// Lets go of a zoomed photo: it glides on, slows down by friction and stops at its edges.
  mutating func letGlide(_ drag: Drag, at now: Instant) {
    guard let outing, let stage = stage(of: outing.index), let present = currentPose(at: now) else {
      return
    }
    let velocity = drag.velocity(at: now)
    let speed = PixelPoint.zero.distance(to: velocity)
    let frame = outing.view.frame(on: stage)
    guard options.motion.travels, speed > Self.slowestGlide * viewport.metrics.point else {
      look(outing.view, options.motion.scroll, at: now)
      return
    }
    let way = PixelPoint(
      x: velocity.x * Timing.glideSeconds, y: velocity.y * Timing.glideSeconds)
    aim(at: frame.offset(x: way.x, y: way.y), from: frame, on: stage)
    let end = pose(of: outing.index, at: .screen)
    /// How much further friction alone would have led than the edge of the photo does.
    func reach(_ wanted: Double, _ actual: Double) -> Double {
      actual == 0 ? 1 : max(wanted / actual, 1)
    }
    var middle = end
    middle.frame = PixelRect(
      x: end.frame.minX, y: present.frame.minY, width: end.frame.width,
      height: present.frame.height)
    let across = reach(way.x, end.frame.minX - present.frame.minX)
    let down = reach(way.y, end.frame.minY - present.frame.minY)
    var flight = Animated(from: present, to: middle, options.motion.glide(reach: across), at: now)
    flight.retarget(to: end, options.motion.glide(reach: down), at: now)
    self.outing?.activity = .flying(flight, to: .screen)
  }

  // MARK: - Turning

  /// A photo's size as it is seen: upright, and then turned.
  func size(of photo: Photo.ID) -> PixelSize? {
    sizes[photo].map(orientation(of: photo).turned)
  }

  /// How a photo is turned for the time of the session, beyond what its file says.
  package func orientation(of photo: Photo.ID) -> Orientation { turns[photo] ?? .upright }

  /// Turns or flips the photo on the screen.
  mutating func turn(_ turning: Orientation, _ count: Int, at now: Instant) {
    guard let outing, photos.indices.contains(outing.index), !isPointerDown else { return }
    let photo = photos[outing.index]
    takeOff(at: now)
    var view = outing.view
    for _ in 0..<count % 4 {
      turns[photo] = orientation(of: photo).followed(by: turning)
      view.center = turning.turned(view.center)
    }
    if turns[photo] == .upright { turns[photo] = nil }
    self.outing?.heading = .zero
    look(view, options.motion.tap, at: now)
  }
}
