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
    case .help(let page):
      statusBar.dismissNotice(at: now)
      guard let reading = read(key, at: now, effects: &effects) else { break }
      if reading.command == .app(.quit) {
        effects.append(.quit)
      } else {
        mode.modal = helpPage(after: reading.command, on: page).map { .help(page: $0) }
      }
    }
  }

  /// Adds a key to the pending command, and returns the command with its count when it is complete.
  ///
  /// A key without a command closes the help, or shows a notice outside of the help.
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
      if helpPage != nil {
        mode.modal = nil
      } else {
        let typed = PrintableText.from(unknown.utf8)
        showNotice("\(typed) does nothing here; ? shows the keys", for: 1, at: now)
      }
    }
    return reading
  }

  // MARK: - Mouse

  /// Routes a mouse event to the help, slideshow or view under the pointer.
  mutating func route(_ event: MouseEvent, at now: Instant, effects: inout [Effect]) {
    grid.hasUserInteracted = true
    if case .pressed = event.kind, case .confirmation? = mode.modal { mode.modal = nil }
    switch mode {
    case .slideshow: pointInSlideshow(event)
    case .grid(_, .help?), .viewer(_, .help?), .periods(_, .help?), .comparison(_, .help?):
      pointer.lostDragEnd = nil
      // The help blocks the mouse from the view beneath it.
      if event.kind == .pressed(.left) { mode.modal = nil }
    case .grid, .viewer: point(event, at: now, effects: &effects)
    case .periods: pointInPeriods(event, at: now)
    case .comparison: pointInComparison(event, at: now)
    }
  }
}
