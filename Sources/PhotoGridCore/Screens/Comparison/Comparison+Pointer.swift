/// The left button and the wheel on compared photos: a click focuses, a drag pans.
extension Comparison {
  /// Presses the photo under the pointer, which gets the focus.
  mutating func press(at position: PixelPoint, isAlone: Bool, in context: Context) {
    guard let pane = panes.first(where: { $0.frame.contains(position) }) else { return }
    focused = pane.photo
    press = Press(
      photo: pane.photo, drag: Drag(at: position, time: context.now), isAlone: isAlone)
  }

  /// Pans the photos with the pointer, once it has moved far enough.
  mutating func drag(to position: PixelPoint, in context: Context) {
    guard var press else { return }
    press.drag.move(to: position, at: context.now)
    let isClick = press.drag.isClick(on: context.viewport)
    guard press.panned != nil || !isClick else {
      self.press = press
      return
    }
    let from = press.panned ?? press.drag.start
    if let pane = pane(of: press.photo),
      let next = panned(
        pane, by: PixelPoint(x: position.x - from.x, y: position.y - from.y), in: context)
    {
      let moved = looked(next, at: press.photo, isAlone: press.isAlone, in: context)
      shift(to: moved, in: context)
    }
    press.panned = position
    self.press = press
  }

  /// Takes over another view without a new motion; motions in progress continue.
  private mutating func shift(to next: Comparison, in context: Context) {
    self = next
    for index in panes.indices {
      let target = Pose(frame: wholeFrame(of: panes[index], in: context), backdrop: 0)
      panes[index].whole.shift(by: target - panes[index].whole.target)
    }
  }

  /// Releases the pointer: panned photos glide on, and a double click shows all photos whole.
  mutating func release(isDoubleClick: Bool, in context: Context) {
    guard let press else { return }
    self.press = nil
    guard press.panned != nil else {
      if isDoubleClick { zoom(.fit, 1, isAlone: press.isAlone, in: context) }
      return
    }
    guard context.motion.travels,
      let translation = press.drag.glide(on: context.viewport, at: context.now)
    else { return }
    glide(press, by: translation, in: context)
  }

  /// Lets panned photos glide until friction, or the edge of each photo, stops them.
  private mutating func glide(_ press: Press, by translation: PixelPoint, in context: Context) {
    guard let lead = pane(of: press.photo),
      let next = panned(lead, by: translation, in: context)
    else { return }
    let before = panes.map { wholeFrame(of: $0, in: context) }
    let size = wholeFrame(of: lead, in: context).size
    self = looked(next, at: press.photo, isAlone: press.isAlone, in: context)
    for index in panes.indices {
      let after = wholeFrame(of: panes[index], in: context)
      guard after != before[index] else { continue }
      // All photos show the same part, so a larger photo glides farther.
      let (across, down) = (after.width / size.width, after.height / size.height)
      panes[index].whole = .gliding(
        from: panes[index].whole.value(at: context.now), to: Pose(frame: after, backdrop: 0),
        by: PixelPoint(x: translation.x * across, y: translation.y * down),
        context.motion, at: context.now)
    }
  }

  /// Ends a drag without a glide.
  mutating func endDrag() { press = nil }
}
