import Geometry
import Photos
import SceneModel

/// The prompts, the palette, the help, and the questions.
extension Browser {
  // MARK: - Prompts

  /// Opens the prompt of a command, unless it needs photos and there are none.
  mutating func ask(_ kind: Prompt.Kind, at now: Instant) {
    guard let origin = Prompt.Origin(of: kind, on: activeScreen, in: gallery) else { return }
    if kind == .filter { gallery.rememberPositionBeforeFilter(origin.photo) }
    ask(kind, from: origin, at: now)
  }

  mutating func ask(_ kind: Prompt.Kind, from origin: Prompt.Origin, at now: Instant) {
    endDrag(at: now)
    let recent = kind.isFolder ? options.recentFolders : []
    let prompt = Prompt(
      kind, from: origin, history: recent + keyboard.promptHistory.lines(of: kind),
      on: activeScreen, in: gallery)
    present(.prompt(prompt))
    if kind.isFolder { effects.append(.findFolders("")) }
  }

  mutating func route(_ key: Key, to prompt: Prompt, at now: Instant) {
    var prompt = prompt
    let outcome = prompt.press(key, in: album)
    follow(outcome, of: prompt, at: now)
  }

  /// Pastes text into the prompt, the palette or the search of the help, if one is open.
  mutating func paste(_ text: String, at now: Instant) {
    switch modal {
    case .palette(var palette):
      palette.paste(text)
      modal = .palette(palette)
      if let text = palette.folderText { effects.append(.findFolders(text)) }
    case .help(var help):
      help.paste(text)
      modal = .help(help)
    case .prompt(var prompt):
      let outcome = prompt.paste(text, in: album)
      follow(outcome, of: prompt, at: now)
    case .confirmation, nil: break
    }
  }

  /// Routes the folders that complete a typed path.
  mutating func route(_ matches: FolderMatches, at now: Instant) {
    switch modal {
    case .prompt(var prompt):
      let outcome = prompt.receive(matches)
      follow(outcome, of: prompt, at: now)
    case .palette(var palette):
      let before = palette.folderText
      let outcome = palette.receive(matches)
      follow(outcome, of: palette, after: before, at: now)
    case .help, .confirmation, nil: break
    }
  }

  private mutating func follow(_ outcome: Prompt.Outcome, of prompt: Prompt, at now: Instant) {
    modal = .prompt(prompt)
    switch outcome {
    case .none: break
    case .edited where prompt.kind.isFolder: effects.append(.findFolders(prompt.line.text))
    case .edited where prompt.kind == .pattern: modal?.follow(gallery.album)
    case .edited(nil): break
    case .edited(let filter?): interpret(gallery.preview(filter, of: prompt, at: now), at: now)
    case .cancelled:
      modal = nil
      interpret(gallery.restoreOrigin(of: prompt), at: now)
    case .accepted:
      modal = nil
      keyboard.promptHistory.remember(prompt.line.text, of: prompt.kind)
      accept(prompt, at: now)
    }
  }

  private mutating func accept(_ prompt: Prompt, at now: Instant) {
    let (text, album) = (prompt.line.text, album)
    switch prompt.kind {
    case .find: interpret(gallery.reportMatches(of: text), at: now)
    case .filter: break
    case .command:
      let photos = activeScreen.chosenFiles(in: gallery)
      guard let command = ShellCommand(typed: text, photos: photos) else { return }
      endRange()
      effects.append(.run(command))
    case .rename:
      endRange()
      interpret(files.rename(prompt.origin, to: prompt.newName, of: album), at: now)
    case .pattern:
      endRange()
      if let plan = prompt.plan { interpret(files.rename(by: plan, of: album), at: now) }
    case .move, .copy:
      endRange()
      interpret(files.transfer(prompt, of: album), at: now)
    case .keywords:
      if prompt.keywordEdit != nil { endRange() }
      interpret(files.changeKeywords(prompt, in: &gallery, at: now), at: now)
    case .text:
      endRange()
      interpret(files.changeText(prompt, in: &gallery, at: now), at: now)
    case .date:
      if let date = CalendarDate(parsing: text, in: prompt.origin.dates) { go(to: date, at: now) }
    }
  }

  // MARK: - Questions

  mutating func route(_ key: Key, to confirmation: Confirmation, at now: Instant) {
    var confirmation = confirmation
    let isHeld = confirmation.isHeld(key, at: now)
    modal = isHeld ? .confirmation(confirmation) : nil
    guard !isHeld else { return }
    guard key != .control("c") else { return effects.append(.interrupt) }
    let isYes = confirmation.isYes(key)
    interpret(files.answer(confirmation, isYes, in: &gallery, at: now), at: now)
  }

  /// Asks about files that were dropped at a position.
  mutating func drop(
    _ files: DroppedFiles, in folder: [UInt8], at position: PixelPoint, _ now: Instant
  ) {
    guard modal == nil else {
      return statusBar.show("Nothing was copied: first close what is open here", for: 3, at: now)
    }
    let tile =
      screens.covering == nil ? GridScreen().folder(at: position, in: gallery, at: now) : nil
    endDrag(at: now)
    interpret([gallery.ask(about: files, in: folder, onto: tile)], at: now)
  }

  // MARK: - The palette

  mutating func route(_ key: Key, to palette: Palette, at now: Instant) {
    let before = palette.folderText
    var palette = palette
    let outcome = palette.press(key, in: album)
    follow(outcome, of: palette, after: before, at: now)
  }

  /// Follows a key in the palette, or a click on it; `before` is the path that was typed before it,
  /// whose folders are being looked for.
  private mutating func follow(
    _ outcome: Palette.Outcome, of palette: Palette, after before: String?, at now: Instant
  ) {
    switch outcome {
    case .stay:
      modal = .palette(palette)
      if let text = palette.folderText, text != before { effects.append(.findFolders(text)) }
    case .close: modal = nil
    case .run(let action, let line):
      modal = nil
      keyboard.rememberCommand(line)
      route(action, at: now)
    }
  }

  private mutating func route(_ action: PaletteAction, at now: Instant) {
    switch action {
    case .command(let command, let count):
      route(KeyReader.Reading(command: command, count: count), at: now)
    case .form(.filter, let text):
      guard let filter = gallery.filter(text) else { return }
      gallery.rememberPositionBeforeFilter(current ?? currentFolder)
      changeCollection(at: now) { $0.show(only: filter) }
    case .form(.find, let text):
      guard let filter = gallery.filter(text) else { return }
      gallery.find(filter, from: current ?? currentFolder, at: now)
      interpret(gallery.reportMatches(of: text), at: now)
    case .form(.goTo, let text):
      if let date = CalendarDate(parsing: text) { go(to: date, at: now) }
    case .form(.folder, let text): effects.append(.openFolder(text))
    case .form(.bookmark, _): break  // its items are folders
    case .form(.columns, let text):
      guard let columns = try? GridColumns(parsing: text) else { return }
      gallery.changeLayout(at: now) { grid, context in
        grid.restyle(in: context) { style in
          (style.columns, style.enlargedColumns, style.enlargement) = (columns, nil, 0)
          if style.kind != .rows { style.kind = .grid }
        }
      }
    case .form(.slideshow, let text): startSlideshow(PaletteForm.seconds(text), at: now)
    case .form(.speed, let text):
      if let speed = PlaybackSpeed(text) { setSpeed(speed, at: now) }
    case .form(.save, let name): interpret(gallery.saveFilter(as: name), at: now)
    case .form(.saved, let name): interpret(gallery.show(filterNamed: name), at: now)
    case .form(.stacks, let text):
      guard let seconds = PaletteForm.seconds(text) else { return }
      gallery.options.stackSeconds = seconds
      guard album.hasStacks else { return interpret(gallery.toggleStacks(), at: now) }
      changeCollection(at: now) { $0.stack(within: seconds) }
    }
  }

  // MARK: - The help

  mutating func route(_ key: Key, to help: Help) {
    var help = help
    let layout = helpLayout
    let outcome = help.press(key, in: layout)
    modal = outcome == .stay ? .help(help) : nil
  }

  // MARK: - The mouse on panels

  /// Routes a mouse event to the help, the palette, or the keys that can complete a sequence; a
  /// press answers a question with no, and does nothing on another panel.
  ///
  /// - Returns: Whether the screens receive nothing.
  mutating func routeToPanel(_ event: MouseEvent, at now: Instant) -> Bool {
    let place = event.isPress ? placeOnPanel(at: event.position, now) : nil
    switch modal {
    case .help(var help):
      let outcome = help.point(event.kind, at: place, in: helpLayout)
      modal = outcome == .stay ? .help(help) : nil
      return true
    case .palette(var palette):
      // The mouse does not type, so the folders of the path are known, or being looked for.
      let before = palette.folderText
      let outcome = palette.point(event.kind, at: place, in: viewport.pictureCells)
      follow(outcome, of: palette, after: before, at: now)
      return true
    case .confirmation(let confirmation):
      guard event.isPress else { break }
      modal = nil
      interpret(files.answer(confirmation, false, in: &gallery, at: now), at: now)
      return true
    case .prompt: break
    case nil:
      guard event.isPress, let hints = keyHints(at: now) else { break }
      if let key = place.flatMap(hints.key) {
        route(key, at: now)
      } else if place == nil {
        keyboard.reader.reset()
        keyboard.updateHint(at: now)
      }
      return true
    }
    return place != nil
  }

  /// Returns the line and the column at a position on the panel that is shown; nil beside it.
  private func placeOnPanel(at position: PixelPoint, _ now: Instant) -> CellPoint? {
    panel(at: now).flatMap { PanelLayout($0, in: viewport.pictureCells) }?
      .place(at: viewport.metrics.cell(at: position))
  }
}
