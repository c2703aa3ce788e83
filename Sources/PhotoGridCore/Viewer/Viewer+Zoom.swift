/// Zooming: how large the photo is on the screen, and which part of it is seen.
extension Viewer {
  /// How many times as large a step of the zoom makes a photo, by a key: whole numbers of steps
  /// double it.
  private static let keyRatio = 2.0.squareRoot()
  /// The same by a notch of the wheel.
  private static let wheelRatio = 2.0.squareRoot().squareRoot()

  /// Whether the photo is, or will be, larger than the screen, so that it can be moved.
  func isMagnified(on stage: Magnification.Stage?) -> Bool {
    guard let stage else { return false }
    return stage.isExceeded(by: view.frame(on: stage))
  }

  /// Whether it is seen in another way than as a whole.
  func isZoomed(on stage: Magnification.Stage?) -> Bool {
    guard let stage else { return false }
    return !view.isFit(on: stage)
  }

  /// How the next photo is seen: by the same rule and at the same place, so that photos of one thing
  /// can be compared; a scale that was chosen by steps was for this photo alone.
  var viewForNext: Magnification {
    if case .factor = view.scale, view.scale != Magnification.actualSize { return Magnification() }
    return view
  }

  /// Carries out a key of the zoom; of a photo whose size is not known yet, once it is.
  mutating func zoom(_ command: Command.Zoom, _ count: Int, in context: Context) {
    let stage = context.stage
    var view = stage.map { self.view.settled(on: $0) } ?? view
    var timing = context.motion.tap
    switch command {
    case .larger, .smaller:
      guard let stage else { return }
      let steps = command == .larger ? count : -count
      view.scale = view.stepped(steps, ratio: Self.keyRatio, on: stage)
      timing = context.motion.zoomStep
    case .fit: view.scale = .fit
    case .actualSize: view.scale = Magnification.actualSize
    case .toggleActualSize:
      view.scale = view.scale == Magnification.actualSize ? .fit : Magnification.actualSize
    case .width: view.scale = view.scale == .width ? .fit : .width
    case .fill: view.scale = view.scale == .fill ? .fit : .fill
    }
    look(view, timing, in: context)
  }

  /// Zooms by notches of the wheel; what is under the pointer stays there all the while.
  mutating func zoom(_ notches: Int, at point: PixelPoint, in context: Context) {
    guard let stage = context.stage else { return }
    let present = pose(in: context)
    let scale = view.stepped(notches, ratio: Self.wheelRatio, on: stage)
    guard scale != view.scale else { return }
    let frame = stage.wholeFrame(showing: present.frame)
    // From rest, whatever the speed was: legs that add up would carry the point away.
    phase = .flying(Animated(present), to: .screen)
    look(
      .scaled(to: scale, keeping: point, of: frame, on: stage), context.motion.zoomStep,
      in: context)
  }

  /// Takes the photo to another magnification, from where it is.
  mutating func look(_ view: Magnification, _ timing: Timing, in context: Context) {
    takeOff(in: context)
    self.view = view
    guard context.motion.travels else {
      phase = .resting
      return
    }
    fly(to: .screen, timing, in: context)
  }

  /// Lets the photo's place change under it: from now on it is on its way there, from where it is.
  mutating func takeOff(in context: Context) {
    if case .flying(_, to: .screen) = phase { return }
    phase = .flying(Animated(pose(in: context)), to: .screen)
  }

  /// Turns or flips the photo a number of times.
  ///
  /// - Parameters:
  ///   - turning: What is done each time.
  ///   - count: How many times.
  ///   - context: What is around the photo, with its size before the turn.
  mutating func turn(_ turning: Orientation, _ count: Int, in context: Context) {
    takeOff(in: context)
    var (view, turned) = (view, context)
    for _ in 0..<count % 4 {
      view.center = turning.turned(view.center)
      turned.size = turned.size.map(turning.turned)
    }
    panDirection = .zero
    look(view, context.motion.tap, in: turned)
  }
}
