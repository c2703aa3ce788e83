/// Keys and the mouse while photos are compared.
extension Browser {
  // MARK: - Keys

  /// Runs a command that compares photos.
  mutating func run(_ command: Command.ComparisonCommand, _ count: Int, at now: Instant) {
    if command == .start { return compare(at: now) }
    guard isComparing, !isPointerDown else { return }
    switch command {
    case .start: break
    case .remove: takeOutFocused(at: now)
    case .pin:
      changeComparison(at: now) { comparison, _ in comparison.togglePin() }
      showNotice(
        mode.comparison?.pinned == nil
          ? "Unpinned" : "Pinned: n and p change the others", for: 2, at: now)
    case .focusNext: changeComparison(at: now) { comparison, _ in comparison.moveFocus(by: count) }
    case .focusPrevious:
      changeComparison(at: now) { comparison, _ in comparison.moveFocus(by: -count) }
    case .focus(let direction):
      changeComparison(at: now) { comparison, _ in
        for _ in 0..<min(count, Comparison.possibleCounts.upperBound) {
          comparison.moveFocus(direction)
        }
      }
    case .zoomAlone:
      changeComparison(at: now) { $0.zoom(.toggleActualSize, 1, isAlone: true, in: $1) }
    case .panAlone(let direction):
      changeComparison(at: now) { $0.pan(direction, count, isAlone: true, in: $1) }
    }
  }

  /// Handles a navigation command while photos are compared.
  mutating func navigateInComparison(
    _ command: Command.Navigation, _ count: Int?, at now: Instant
  ) {
    let number = count ?? 1
    switch command {
    case .stepOut: stepOutOfComparison(at: now)
    case .open: openFocused(at: now)
    case .next: stepComparison(by: number, at: now)
    case .previous: stepComparison(by: -number, at: now)
    case .left where !isFocusedMagnified: stepComparison(by: -number, at: now)
    case .right where !isFocusedMagnified: stepComparison(by: number, at: now)
    case .left: panComparison(.left, number, at: now)
    case .right: panComparison(.right, number, at: now)
    case .up: panComparison(.up, number, at: now)
    case .down: panComparison(.down, number, at: now)
    case .first, .last, .forwardTen, .backTen, .pageForward, .pageBack, .halfPageForward,
      .halfPageBack:
      break  // no keys of the comparison
    }
  }

  /// Runs a command of the viewer: a zoom on all photos, a rotation on the focused one.
  mutating func runInComparison(
    _ command: Command.ViewerCommand, _ count: Int, at now: Instant
  ) {
    guard !isPointerDown else { return }
    switch command {
    case .zoom(let zoom):
      changeComparison(at: now) { $0.zoom(zoom, count, isAlone: false, in: $1) }
    case .edge(let direction): panComparison(direction, 1000, at: now)
    case .turn(let turning):
      guard let photo = mode.comparison?.focused else { return }
      for _ in 0..<count % 4 { collection.turn(photo, by: turning) }
      reshapeIfDue(at: now)
      changeComparison(at: now) { $0.retarget($1.motion.tap, in: $1) }
    }
  }

  private var isFocusedMagnified: Bool {
    guard let comparison = mode.comparison, let pane = comparison.pane(of: comparison.focused),
      let stage = stage(of: pane)
    else { return false }
    return comparison.isMagnified(pane, on: stage)
  }

  private mutating func panComparison(_ direction: Direction, _ count: Int, at now: Instant) {
    guard !isPointerDown else { return }
    changeComparison(at: now) { $0.pan(direction, count, isAlone: false, in: $1) }
  }

  /// Goes one step back: ends a drag, shows all photos whole, or sends them to their tiles.
  private mutating func stepOutOfComparison(at now: Instant) {
    if isPointerDown {
      endDrag(at: now)
    } else if mode.comparison?.isFit == false {
      changeComparison(at: now) { $0.zoom(.fit, 1, isAlone: false, in: $1) }
    } else {
      closeComparison(at: now)
    }
  }

  /// Advances in culling mode after the focused photo was rated: a rejected photo is removed from
  /// the comparison; otherwise the next photo gets the focus.
  mutating func advanceInComparison(after edit: RatingEdit?, at now: Instant) {
    if edit == .stars(Rating.rejected) {
      takeOutFocused(at: now)
    } else {
      changeComparison(at: now) { comparison, _ in comparison.moveFocus(by: 1) }
    }
  }

  // MARK: - Mouse

  /// Handles a mouse event: a click focuses, a drag pans, and the wheel zooms at the pointer.
  ///
  /// With Shift or Alt, only the photo under the pointer moves. Alt is for terminals in which Shift
  /// selects text, such as xterm and kitty.
  mutating func pointInComparison(_ event: MouseEvent, at now: Instant) {
    pointer.lostDragEnd = nil
    let isAlone = !event.modifiers.isDisjoint(with: [.shift, .alt])
    switch event.kind {
    case .pressed(.left):
      changeComparison(at: now) { $0.press(at: event.position, isAlone: isAlone, in: $1) }
    case .dragged(.left): changeComparison(at: now) { $0.drag(to: event.position, in: $1) }
    case .released(.left):
      changeComparison(at: now) { $0.drag(to: event.position, in: $1) }
      let isClick = mode.comparison?.press.map { $0.panned == nil } ?? false
      let isDouble = isClick && isDoubleClick(at: event.position, now)
      changeComparison(at: now) { $0.release(isDoubleClick: isDouble, in: $1) }
    case .moved: endDrag(at: now)
    case .wheel(.up):
      changeComparison(at: now) { $0.zoom(1, at: event.position, isAlone: isAlone, in: $1) }
    case .wheel(.down):
      changeComparison(at: now) { $0.zoom(-1, at: event.position, isAlone: isAlone, in: $1) }
    case .wheel, .pressed, .dragged, .released: break
    }
  }
}
