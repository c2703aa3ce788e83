/// Looking closely: how large a photo is on the screen, and which part of it is seen.
extension Browser {
  /// How many times as large a step of the zoom makes a photo, by a key and by the wheel: whole
  /// numbers of steps double it.
  private static let keyRatio = 2.0.squareRoot()
  private static let wheelRatio = 2.0.squareRoot().squareRoot()

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
    let view = viewer.flatMap { $0.index == index ? $0.view : nil } ?? Magnification()
    return view.frame(on: stage)
  }

  /// Whether the photo that is out is, or will be, larger than the screen, so that it can be moved.
  var isMagnified: Bool {
    guard let viewer, let stage = stage(of: viewer.index) else { return false }
    return stage.isExceeded(by: viewer.view.frame(on: stage))
  }

  /// Whether a photo on the screen is looked at in another way than as a whole.
  var isZoomed: Bool {
    guard let viewer, let stage = stage(of: viewer.index) else { return false }
    return !viewer.view.isFit(on: stage)
  }

  /// How large the photo on the screen is, in hundredths of its pixels' number; nil at fit.
  var percentage: Int? {
    guard let viewer, !viewer.isClosing, isZoomed, let stage = stage(of: viewer.index) else {
      return nil
    }
    return Int((stage.factor(of: viewer.view.scale) * 100).rounded())
  }

  /// How the next photo is looked at: by the same rule and at the same place, so that photos of one
  /// thing can be compared; a scale chosen by steps was for this photo alone.
  var viewForNext: Magnification {
    guard let view = viewer?.view else { return Magnification() }
    if case .factor = view.scale, view.scale != Magnification.actualSize { return Magnification() }
    return view
  }

  // MARK: - Zooming

  /// Carries out a key of the zoom; of a photo whose size is not known yet, once it is.
  mutating func zoom(_ command: Command.Zoom, _ count: Int, at now: Instant) {
    guard let viewer, !isPointerDown else { return }
    let stage = stage(of: viewer.index)
    var view = stage.map { viewer.view.settled(on: $0) } ?? viewer.view
    var timing = options.motion.tap
    switch command {
    case .larger, .smaller:
      guard let stage else { return }
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
    look(view, timing, at: now)
  }

  /// Zooms by notches of the wheel; what is under the pointer stays there all the while.
  mutating func zoom(_ notches: Int, at point: PixelPoint, _ now: Instant) {
    guard let viewer, !isPointerDown, let stage = stage(of: viewer.index),
      let present = currentPose(at: now)
    else { return }
    let scale = viewer.view.stepped(notches, ratio: Self.wheelRatio, on: stage)
    guard scale != viewer.view.scale else { return }
    let frame = stage.wholeFrame(showing: present.frame)
    // From rest, whatever the speed was: legs that add up would carry the point away.
    self.viewer?.phase = .flying(Animated(present), to: .screen)
    look(
      .scaled(to: scale, keeping: point, of: frame, on: stage), options.motion.zoomStep, at: now)
  }

  /// Takes the photo to another way of looking at it, from where it is.
  mutating func look(_ view: Magnification, _ timing: Timing, at now: Instant) {
    takeOff(at: now)
    viewer?.view = view
    guard options.motion.travels else {
      viewer?.phase = .resting
      return
    }
    fly(to: .screen, timing, at: now)
  }

  /// Lets the photo's place change under it: from now on it is on its way there, from where it is.
  private mutating func takeOff(at now: Instant) {
    if case .flying(_, to: .screen) = viewer?.phase { return }
    guard let present = currentPose(at: now) else { return }
    viewer?.phase = .flying(Animated(present), to: .screen)
  }

  /// Goes back to the whole photo; returns whether there was anything to go back from.
  mutating func zoomOut(at now: Instant) -> Bool {
    guard isZoomed else { return false }
    zoom(.fit, 1, at: now)
    return true
  }

  // MARK: - Turning

  /// A photo's size as it is seen: upright, and then turned.
  func size(of photo: Photo.ID) -> PixelSize? { collection.size(of: photo) }

  /// How a photo is turned for the time of the session, beyond what its file says.
  func orientation(of photo: Photo.ID) -> Orientation { collection.orientation(of: photo) }

  /// How the photo on the screen is turned, in words; nil where it is as its file says.
  package var turnedWords: String? {
    guard isInDetail, let photo = current else { return nil }
    return switch orientation(of: photo).number {
    case 2: "mirrored"
    case 3: "turned 180°"
    case 4: "flipped"
    case 5: "turned 270°, flipped"
    case 6: "turned 90°"
    case 7: "turned 90°, flipped"
    case 8: "turned 270°"
    default: nil
    }
  }

  /// Turns or flips the photo on the screen.
  mutating func turn(_ turning: Orientation, _ count: Int, at now: Instant) {
    guard let viewer, photos.indices.contains(viewer.index), !isPointerDown else { return }
    let photo = photos[viewer.index]
    takeOff(at: now)
    var view = viewer.view
    for _ in 0..<count % 4 {
      collection.turn(photo, by: turning)
      view.center = turning.turned(view.center)
    }
    self.viewer?.panDirection = .zero
    look(view, options.motion.tap, at: now)
  }
}
