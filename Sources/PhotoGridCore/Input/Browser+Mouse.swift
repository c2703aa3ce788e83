/// The mouse: clicks, the wheel, and drags, down to dismiss a photo or sideways to change it.
extension Browser {
  /// Handles a mouse event in the grid or the viewer.
  mutating func point(_ event: MouseEvent, at now: Instant, effects: inout [Effect]) {
    pointer.lostDragEnd = nil
    switch event.kind {
    case .pressed(.left): press(at: event, now)
    case .dragged(.left):
      drag(to: event.position, at: now)
    case .released(.left):
      drag(to: event.position, at: now)
      release(event, at: now, effects: &effects)
    case .pressed(.right): beginPainting(at: event.position, now)
    case .dragged(.right): paint(to: event.position, at: now)
    case .released(.right): pointer.painting = nil
    case .moved:
      // The release was lost, perhaps outside the window.
      endDrag(at: now)
    case .wheel(let wheel):
      turn(wheel, at: event.position, event.modifiers, at: now)
    case .pressed, .dragged, .released: break
    }
  }

  /// Whether a mouse button is held in a drag, press or painting.
  var isPointerDown: Bool {
    pointer.isDown || grid.scrubber.heldAt != nil || viewer?.isGrabbed == true
      || mode.comparison?.press != nil
  }

  private mutating func press(at event: MouseEvent, _ now: Instant) {
    if grabScrubber(at: event.position, now) { return }
    var isOnPhoto = false
    changeViewer(at: now) { viewer, context in
      isOnPhoto = viewer.press(at: event.position, in: context)
      return nil
    }
    if !isOnPhoto { pointer.gridPress = Drag(at: event.position, time: now) }
  }

  private mutating func drag(to position: PixelPoint, at now: Instant) {
    if grid.scrubber.heldAt != nil { return scrub(to: position.y, at: now) }
    pointer.gridPress?.move(to: position, at: now)
    changeViewer(at: now) { viewer, context in
      viewer.drag(to: position, in: context)
      return nil
    }
  }

  private mutating func release(
    _ event: MouseEvent, at now: Instant, effects: inout [Effect]
  ) {
    guard grid.scrubber.heldAt == nil else { return grid.scrubber.release(at: now) }
    if let press = pointer.gridPress {
      pointer.gridPress = nil
      if press.isClick(on: viewport), !isDoubleClick(at: event.position, now) {
        click(event, at: now, effects: &effects)
      }
      return
    }
    var isDouble = false
    if case .held = viewer?.phase { isDouble = isDoubleClick(at: event.position, now) }
    changeViewer(at: now) { viewer, context in
      viewer.release(isDoubleClick: isDouble, in: context)
    }
  }

  /// Ends every drag and press, as a release at rest would.
  mutating func endDrag(at now: Instant) {
    pointer.release()
    grid.scrubber.release(at: now)
    changeViewer(at: now) { viewer, context in viewer.endDrag(in: context) }
    changeComparison(at: now) { comparison, _ in comparison.endDrag() }
  }

  private mutating func click(
    _ event: MouseEvent, at now: Instant, effects: inout [Effect]
  ) {
    if let section = sectionHeading(at: event.position, now) {
      return markSection(section, at: now)
    }
    guard let index = index(at: event.position, now) else { return }
    if !markByClick(on: index, event.modifiers, at: now) {
      open(index, at: now, effects: &effects)
    }
  }

  /// Records a click, and returns whether it is the second one of a double click.
  mutating func isDoubleClick(at position: PixelPoint, _ now: Instant) -> Bool {
    pointer.isDoubleClick(
      at: position, within: Viewer.dragThreshold * viewport.metrics.point, now)
  }

  private mutating func turn(
    _ wheel: MouseEvent.Wheel, at position: PixelPoint, _ modifiers: MouseEvent.Modifiers,
    at now: Instant
  ) {
    guard !isInDetail else {
      return zoom(wheel, at: position, now)
    }
    guard !modifiers.contains(.control) else {
      switch wheel {
      case .up: if !isZooming(inward: true) { enlarge(by: 1, at: now) }
      case .down: shrinkTiles(by: 1, at: now)
      case .left, .right: break
      }
      return
    }
    switch wheel {
    case .up: changeGrid(at: now) { $0.scrollRows(-1, in: $1) }
    case .down: changeGrid(at: now) { $0.scrollRows(1, in: $1) }
    case .left, .right: break
    }
  }

  /// Zooms the open photo by one notch of the wheel.
  private mutating func zoom(_ wheel: MouseEvent.Wheel, at position: PixelPoint, _ now: Instant) {
    changeFreeViewer(at: now) { viewer, context in
      switch wheel {
      case .up: viewer.zoom(1, at: position, in: context)
      case .down: viewer.zoom(-1, at: position, in: context)
      case .left, .right: break
      }
    }
  }
}
