/// Zooming and panning, all photos together or one alone.
extension Comparison {
  /// The factor of a zoom step with a key: two steps double the size.
  private static let keyRatio = 2.0.squareRoot()
  /// The factor of a zoom step with a notch of the wheel.
  private static let wheelRatio = 2.0.squareRoot().squareRoot()
  /// The fraction of a pane that a step pans by.
  private static let panFraction = 0.2

  /// Whether a photo is, or will be, larger than its pane and can be panned.
  func isMagnified(_ photo: Photo.ID, in context: Context) -> Bool {
    guard let pane = pane(of: photo), let stage = context.stage(of: pane) else { return false }
    return stage.isExceeded(by: view.magnification(of: pane, on: stage).frame(on: stage))
  }

  /// Whether all photos are as large as their panes allow.
  var isFit: Bool {
    view.zoom == .fit && panes.allSatisfy { $0.ownZoom == 1 }
  }

  /// Zooms the photos by a command; the focused one decides what they have in common.
  mutating func zoom(
    _ command: Command.Zoom, _ count: Int, isAlone: Bool, in context: Context
  ) {
    guard let pane = pane(of: focused) else { return }
    if command == .fit, !isAlone { return fit(in: context) }
    guard let stage = context.stage(of: pane) else { return }
    var present = view.magnification(of: pane, on: stage).settled(on: stage)
    var timing = context.motion.tap
    switch command {
    case .larger, .smaller:
      let steps = command == .larger ? count : -count
      present.scale = present.stepped(steps, ratio: Self.keyRatio, on: stage)
      timing = context.motion.zoomStep
    case .fit: present.scale = .fit
    case .actualSize: present.scale = Magnification.actualSize
    case .toggleActualSize:
      let isActual = abs(stage.factor(of: present.scale) - 1) < 1e-9
      present.scale = isActual ? .fit : Magnification.actualSize
    case .width: present.scale = present.scale == .width ? .fit : .width
    case .fill: present.scale = present.scale == .fill ? .fit : .fill
    }
    look(present, at: focused, isAlone: isAlone, timing, in: context)
  }

  /// Zooms by notches of the wheel; the point under the pointer stays in place.
  mutating func zoom(
    _ notches: Int, at point: PixelPoint, isAlone: Bool, in context: Context
  ) {
    guard let pane = panes.first(where: { $0.frame.contains(point) }),
      let stage = context.stage(of: pane)
    else { return }
    let present = view.magnification(of: pane, on: stage)
    let scale = present.stepped(notches, ratio: Self.wheelRatio, on: stage)
    guard scale != present.scale else { return }
    let frame = pane.whole.value(at: context.now).frame
    let next = Magnification.scaled(to: scale, keeping: point, of: frame, on: stage)
    // Start from rest, whatever the speed was: adding legs would carry the point away.
    for index in panes.indices {
      panes[index].whole.jump(to: panes[index].whole.value(at: context.now))
    }
    look(next, at: pane.photo, isAlone: isAlone, context.motion.zoomStep, in: context)
  }

  /// Shows all photos whole, and lets them move together again.
  private mutating func fit(in context: Context) {
    view = ComparisonView()
    for index in panes.indices { panes[index].resetView() }
    moveWholes(context.motion.tap, in: context)
  }

  // MARK: - Panning

  /// Pans the photos to show more of them in a direction, by a number of steps.
  mutating func pan(_ direction: Direction, _ count: Int, isAlone: Bool, in context: Context) {
    guard let pane = pane(of: focused) else { return }
    let share = Self.panFraction * Double(count)
    let (across, down) = (pane.frame.width * share, pane.frame.height * share)
    let translation =
      switch direction {
      case .left: PixelPoint(x: across, y: 0)
      case .right: PixelPoint(x: -across, y: 0)
      case .up: PixelPoint(x: 0, y: down)
      case .down: PixelPoint(x: 0, y: -down)
      }
    guard let next = panned(pane, by: translation, in: context) else { return }
    look(next, at: focused, isAlone: isAlone, context.motion.scroll, in: context)
  }

  /// Returns the magnification of a photo after it was moved, no further than its edges; nil if it
  /// cannot be moved.
  func panned(
    _ pane: ComparisonPane, by translation: PixelPoint, in context: Context
  ) -> Magnification? {
    guard let stage = context.stage(of: pane), isMagnified(pane.photo, in: context) else {
      return nil
    }
    let present = view.magnification(of: pane, on: stage)
    return Magnification(
      scale: present.scale,
      showing: present.frame(on: stage).offset(x: translation.x, y: translation.y), on: stage)
  }

  // MARK: - Motion

  /// Gives a photo a magnification, and unless it is alone, all others the same part.
  func looked(
    _ magnification: Magnification, at photo: Photo.ID, isAlone: Bool, in context: Context
  ) -> Comparison {
    var next = self
    guard let index = panes.firstIndex(where: { $0.photo == photo }),
      let stage = context.stage(of: panes[index])
    else { return self }
    if isAlone {
      next.panes[index].leave(view, for: magnification, on: stage)
    } else {
      next.view.follow(magnification, of: panes[index], on: stage)
    }
    for index in panes.indices {
      let before = wholeFrame(of: panes[index], in: context)
      let after = next.wholeFrame(of: next.panes[index], in: context)
      guard after != before else { continue }
      func sign(_ distance: Double) -> Double { abs(distance) < 1 ? 0 : distance < 0 ? -1 : 1 }
      next.panes[index].panDirection =
        after.size == before.size
        ? PixelPoint(x: sign(after.minX - before.minX), y: sign(after.minY - before.minY)) : .zero
    }
    return next
  }

  private mutating func look(
    _ magnification: Magnification, at photo: Photo.ID, isAlone: Bool, _ timing: Timing,
    in context: Context
  ) {
    self = looked(magnification, at: photo, isAlone: isAlone, in: context)
    moveWholes(timing, in: context)
  }

  /// Moves the photos to their frames in their panes.
  private mutating func moveWholes(_ timing: Timing, in context: Context) {
    for index in panes.indices {
      let target = Pose(frame: wholeFrame(of: panes[index], in: context), backdrop: 0)
      guard context.motion.travels else {
        panes[index].whole.jump(to: target)
        continue
      }
      let (from, to) = (panes[index].whole.target.frame.size, target.frame.size)
      panes[index].whole.retarget(
        to: target, timing.enlarging(by: (to.width + to.height) / (from.width + from.height)),
        at: context.now)
    }
  }
}
