/// Zooming and panning, all photos together or one alone.
extension Comparison {
  /// Whether a photo is, or will be, larger than its pane and can be panned.
  func isMagnified(_ pane: ComparisonPane, on stage: Magnification.Stage) -> Bool {
    stage.isExceeded(by: view.magnification(of: pane, on: stage).frame(on: stage))
  }

  /// Whether all photos are as large as their panes allow.
  var isFit: Bool {
    view.zoom == .fit && panes.allSatisfy { $0.ownZoom == 1 }
  }

  /// Zooms the photos by a command, which is applied to the focused photo and then to the shared
  /// view.
  mutating func zoom(
    _ command: Command.Zoom, _ count: Int, isAlone: Bool, in context: Context
  ) {
    guard let pane = pane(of: focused) else { return }
    if command == .fit, !isAlone { return fit(in: context) }
    guard let stage = context.stage(of: pane) else { return }
    var present = view.magnification(of: pane, on: stage)
    // A pane's own zoom is a factor, with which 100 % can have a rounding error.
    if command == .toggleActualSize, abs(stage.factor(of: present.scale) - 1) < 1e-9 {
      present.scale = Magnification.actualSize
    }
    guard let next = present.zoomed(command, count, on: stage) else { return }
    look(next, at: focused, isAlone: isAlone, command.timing(context.motion), in: context)
  }

  /// Zooms by notches of the wheel; the point under the pointer stays in place.
  mutating func zoom(
    _ notches: Int, at point: PixelPoint, isAlone: Bool, in context: Context
  ) {
    guard let pane = panes.first(where: { $0.frame.contains(point) }),
      let stage = context.stage(of: pane)
    else { return }
    let next = view.magnification(of: pane, on: stage).zoomed(
      byNotches: notches, keeping: point, of: pane.whole.value(at: context.now).frame, on: stage)
    guard let next else { return }
    // Start from rest: motions in progress would carry the point away from the pointer.
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
    let translation = direction.panTranslation(steps: count, in: pane.frame.size)
    guard let next = panned(pane, by: translation, in: context) else { return }
    look(next, at: focused, isAlone: isAlone, context.motion.scroll, in: context)
  }

  /// Returns the magnification of a photo after a pan, which stops at the photo's edges; nil if the
  /// photo is not magnified.
  func panned(
    _ pane: ComparisonPane, by translation: PixelPoint, in context: Context
  ) -> Magnification? {
    guard let stage = context.stage(of: pane), isMagnified(pane, on: stage) else { return nil }
    return view.magnification(of: pane, on: stage).panned(by: translation, on: stage)
  }

  // MARK: - Motion

  /// Returns the comparison after a photo got a magnification; unless it moves alone, the other
  /// photos show the same part.
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
      next.panes[index].panDirection =
        after.size == before.size ? before.direction(to: after) : .zero
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

  /// Moves the whole photos to the frames that their magnifications give them.
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
