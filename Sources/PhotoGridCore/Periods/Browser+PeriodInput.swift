/// Keys and mouse events while months or years are shown.
extension Browser {
  // MARK: - Keys

  /// Runs a command while months or years are shown; commands that concern photos are refused.
  mutating func runInPeriods(
    _ reading: KeyReader.Reading, at now: Instant, effects: inout [Effect]
  ) {
    switch reading.command {
    case .app(.choose): zoomIn(at: now)
    case .app(.toggleInformation), .app(.startSlideshow), .app(.togglePlaying), .app(.stepFrame):
      refuseInPeriods(at: now)
    case .app(let command): run(command, reading.count, at: now, effects: &effects)
    case .navigation(.open): zoomIn(at: now)
    case .navigation(.stepOut): stepOutOfPeriods(at: now)
    case .navigation(let command): navigateInPeriods(command, reading.count, at: now)
    case .grid(.largerTiles): zoomIn(at: now)
    case .grid(.smallerTiles), .grid(.zoomOut), .grid(.goUp): zoomOut(at: now)
    case .album(.filter): ask(.filter, at: now)
    case .album(.goToDate): ask(.date, at: now)
    case .grid, .viewer, .album, .files, .culling, .comparison: refuseInPeriods(at: now)
    }
  }

  private mutating func refuseInPeriods(at now: Instant) {
    showNotice(
      "Works on photos only. Enter opens the month, Esc goes back.", for: 2, at: now)
  }

  private mutating func navigateInPeriods(
    _ command: Command.Navigation, _ count: Int?, at now: Instant
  ) {
    let number = count ?? 1
    let last = (mode.periods?.items.count ?? 0) - 1
    changePeriods(at: now) { grid, context in
      grid.hasUserInteracted = true
      let selection = grid.selection(in: context.collection)
      switch command {
      case .left: grid.move(.left, number, in: context)
      case .right: grid.move(.right, number, in: context)
      case .up: grid.move(.up, number, in: context)
      case .down: grid.move(.down, number, in: context)
      case .pageForward: grid.movePages(Double(number), in: context)
      case .pageBack: grid.movePages(-Double(number), in: context)
      case .halfPageForward: grid.movePages(Double(number) / 2, in: context)
      case .halfPageBack: grid.movePages(-Double(number) / 2, in: context)
      case .first: grid.select(count.map { $0 - 1 } ?? 0, in: context)
      case .last: grid.select(count.map { $0 - 1 } ?? last, in: context)
      case .forwardTen: grid.select(selection + 10 * number, in: context)
      case .backTen: grid.select(selection - 10 * number, in: context)
      case .next, .previous, .open, .stepOut: break
      }
    }
  }

  // MARK: - Mouse

  /// Handles a mouse event while months or years are shown: a click zooms into one, the wheel
  /// scrolls.
  mutating func pointInPeriods(_ event: MouseEvent, at now: Instant) {
    pointer.lostDragEnd = nil
    switch event.kind {
    case .pressed(.left): pointer.gridPress = Drag(at: event.position, time: now)
    case .dragged(.left): pointer.gridPress?.move(to: event.position, at: now)
    case .released(.left):
      pointer.gridPress?.move(to: event.position, at: now)
      guard let press = pointer.gridPress else { return }
      pointer.gridPress = nil
      if press.isClick(on: viewport), !isDoubleClick(at: event.position, now),
        selectPeriod(at: event.position, now)
      {
        zoomIn(at: now)
      }
    case .moved: endDrag(at: now)
    case .wheel(let wheel):
      turnInPeriods(wheel, at: event.position, event.modifiers, now)
    case .pressed, .dragged, .released: break
    }
  }

  private mutating func turnInPeriods(
    _ wheel: MouseEvent.Wheel, at position: PixelPoint, _ modifiers: MouseEvent.Modifiers,
    _ now: Instant
  ) {
    let isZoom = modifiers.contains(.control)
    switch wheel {
    // One turn of the wheel has many notches; the remaining ones must not zoom by another level.
    case .up where isZoom:
      guard !isZooming(inward: true) else { return }
      if !isZooming(inward: false) { _ = selectPeriod(at: position, now) }
      zoomIn(at: now)
    case .down where isZoom:
      if !isZooming(inward: false) { zoomOut(at: now) }
    case .up, .down:
      changePeriods(at: now) { grid, context in
        grid.hasUserInteracted = true
        grid.scrollRows(wheel == .up ? -1 : 1, in: context)
      }
    case .left, .right: break
    }
  }

  /// Selects the month or year whose tile or label is under the pointer.
  ///
  /// - Returns: Whether there is one.
  private mutating func selectPeriod(at point: PixelPoint, _ now: Instant) -> Bool {
    guard let periods = mode.periods else { return false }
    let context = periods.inside(gridContext(at: now))
    let scroll = periods.grid.scroll.value(at: now)
    let index = periods.grid.visibleIndices(in: context).last {
      periodPose(of: $0, in: periods, at: now).frame.contains(point)
        || periods.grid.layout.labelFrame(at: $0)?.offset(x: 0, y: -scroll).contains(point) == true
    }
    guard let index else { return false }
    changePeriods(at: now) { grid, context in
      grid.hasUserInteracted = true
      grid.selected = context.collection.items[index]
    }
    return true
  }
}
