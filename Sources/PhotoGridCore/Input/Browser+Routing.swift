/// Routing keys and mouse events to the current mode.
extension Browser {
  // MARK: - Keys

  /// Routes a key to the prompt, help, slideshow or view that currently receives input.
  mutating func route(_ key: Key, at now: Instant, effects: inout [Effect]) {
    grid.hasUserInteracted = true
    switch mode {
    case .grid(_, let modal?), .viewer(_, let modal?), .periods(_, let modal?),
      .comparison(_, let modal?):
      press(key, in: modal, at: now, effects: &effects)
    case .slideshow:
      statusBar.dismissNotice(at: now)
      pressInSlideshow(key, at: now, effects: &effects)
    case .grid(_, nil), .viewer(_, nil), .periods(_, nil), .comparison(_, nil):
      statusBar.dismissNotice(at: now)
      if press(starKey: key, at: now) { break }
      if press(cullingKey: key, at: now, effects: &effects) { break }
      let hadInput = keyboard.reader.isPending
      guard let reading = read(key, at: now, effects: &effects) else { break }
      // Esc cancels pending input, and does nothing else.
      if hadInput, key == .escape, reading.command == .navigation(.stepOut) { break }
      run(reading, at: now, effects: &effects)
    }
    keyboard.updateHint(at: now)
  }

  private mutating func press(
    _ key: Key, in modal: Mode.Modal, at now: Instant, effects: inout [Effect]
  ) {
    switch modal {
    case .confirmation(let confirmation):
      answer(key, to: confirmation, at: now, effects: &effects)
    case .prompt(let prompt): press(key, in: prompt, at: now, effects: &effects)
    case .help(let help): press(key, in: help, effects: &effects)
    case .palette(let palette): press(key, in: palette, at: now, effects: &effects)
    }
  }

  /// Adds a key to the pending command, and returns the command with its count when it is complete.
  private mutating func read(
    _ key: Key, at now: Instant, effects: inout [Effect]
  ) -> KeyReader.Reading? {
    // Ctrl-C ends the program, whatever was typed before it.
    guard key != .control("c") else {
      effects.append(.interrupt)
      return nil
    }
    let reading = keyboard.reader.read(key, in: keyView, by: options.keys)
    if reading == nil, let unknown = keyboard.reader.unknown {
      let typed = PrintableText.from(unknown.utf8)
      showNotice("\(typed) does nothing here. ? shows the keys.", for: 1, at: now)
    }
    return reading
  }

  // MARK: - Mouse

  /// Routes a mouse event to the help, slideshow or view under the pointer.
  mutating func route(_ event: MouseEvent, at now: Instant, effects: inout [Effect]) {
    grid.hasUserInteracted = true
    if case .pressed = event.kind, case .confirmation? = mode.modal { mode.modal = nil }
    if mode.modal?.isMouseBlocking == true {
      pointer.lostDragEnd = nil
      if event.kind == .pressed(.left) { mode.modal = nil }
      return
    }
    switch mode {
    case .slideshow: pointInSlideshow(event)
    case .grid, .viewer: point(event, at: now, effects: &effects)
    case .periods: pointInPeriods(event, at: now)
    case .comparison: pointInComparison(event, at: now)
    }
  }
}
