/// Zooming: the scale of the photo on the screen, and its visible part.
extension Viewer {
  /// Whether the photo is, or will be, larger than the screen and can be panned.
  func isMagnified(on stage: Magnification.Stage?) -> Bool {
    guard let stage else { return false }
    return stage.isExceeded(by: view.frame(on: stage))
  }

  /// Whether the scale differs from fit.
  func isZoomed(on stage: Magnification.Stage?) -> Bool {
    guard let stage else { return false }
    return !view.isFit(on: stage)
  }

  /// The magnification for the next photo: the same scale and center, so that photos of one subject
  /// can be compared.
  ///
  /// A scale chosen in steps applies only to this photo; the next one is shown at fit.
  var viewForNext: Magnification {
    if case .factor = view.scale, view.scale != Magnification.actualSize { return Magnification() }
    return view
  }

  /// Performs a zoom command; if the photo's size is unknown, `larger` and `smaller` do nothing,
  /// and other commands take effect once it is known.
  mutating func zoom(_ command: Command.Zoom, _ count: Int, in context: Context) {
    guard let next = view.zoomed(command, count, on: context.stage) else { return }
    look(next, command.timing(context.motion), in: context)
  }

  /// Zooms by notches of the wheel; the point under the pointer stays in place throughout.
  mutating func zoom(_ notches: Int, at point: PixelPoint, in context: Context) {
    guard let stage = context.stage else { return }
    let present = pose(in: context)
    let next = view.zoomed(
      byNotches: notches, keeping: point, of: stage.wholeFrame(showing: present.frame), on: stage)
    guard let next else { return }
    // Start from rest: a motion in progress would move the point away from the pointer.
    phase = .flying(Animated(present), to: .screen)
    look(next, context.motion.zoomStep, in: context)
  }

  /// Starts a motion from the current pose to another magnification.
  mutating func look(_ view: Magnification, _ timing: Timing, in context: Context) {
    beginFlight(in: context)
    self.view = view
    guard context.motion.travels else {
      phase = .resting
      return
    }
    fly(to: .screen, timing, in: context)
  }

  /// Starts a flight from the current pose to the photo's frame on the screen, so that the frame
  /// can change.
  mutating func beginFlight(in context: Context) {
    if case .flying(_, to: .screen) = phase { return }
    phase = .flying(Animated(pose(in: context)), to: .screen)
  }

  /// Rotates or flips the photo a number of times.
  ///
  /// - Parameters:
  ///   - turning: The orientation to apply each time.
  ///   - count: The number of times.
  ///   - context: The surroundings of the photo, with its size before the rotation.
  mutating func turn(_ turning: Orientation, _ count: Int, in context: Context) {
    beginFlight(in: context)
    var (view, turned) = (view, context)
    for _ in 0..<count % 4 {
      view.center = turning.turned(view.center)
      turned.size = turned.size.map(turning.turned)
    }
    panDirection = .zero
    look(view, context.motion.tap, in: turned)
  }
}
