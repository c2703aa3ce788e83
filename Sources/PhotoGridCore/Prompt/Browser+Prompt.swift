extension Browser {
  mutating func ask(_ kind: Prompt.Kind, at now: Instant) {
    var origin = Prompt.Origin(
      photo: current ?? currentFolder, scroll: grid.scroll.target, filter: album.filter,
      search: collection.search)
    origin.today = options.dating.today
    // A filter starts with its previous text, to be edited.
    let text = kind == .filter ? album.filter?.text ?? "" : ""
    endDrag(at: now)
    let history = keyboard.promptHistory.lines(of: kind)
    var prompt = Prompt(kind: kind, line: LineEditor(text, history: history), origin: origin)
    if kind == .command { prompt.note = activeScreen.promptNote(or: nil, in: gallery) }
    present(.prompt(prompt))
    if kind == .filter, !album.isFiltered {
      gallery.grid.positionBeforeFilter = Grid.Position(
        selected: origin.photo.map { collection.item(of: $0) }, scroll: origin.scroll)
    }
  }

  mutating func press(_ key: Key, in prompt: Prompt, at now: Instant) {
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
    case .help(var help):
      help.paste(text)
      modal = .help(help)
    case .prompt(var prompt):
      let outcome = prompt.paste(text)
      follow(outcome, of: prompt, at: now)
    case .confirmation, nil: break
    }
  }

  private mutating func follow(_ outcome: Prompt.Outcome, of prompt: Prompt, at now: Instant) {
    modal = .prompt(prompt)
    switch outcome {
    case .none: break
    case .edited where prompt.kind.isFolder: effects.append(.findFolders(prompt.line.text))
    case .edited where prompt.kind == .pattern: modal?.follow(gallery.album)
    case .edited(nil): break
    case .edited(let filter?): apply(filter, of: prompt, at: now)
    case .cancelled:
      modal = nil
      restoreOrigin(of: prompt, at: now)
    case .accepted:
      modal = nil
      keyboard.promptHistory.add(prompt.line.text, of: prompt.kind)
      accept(prompt, at: now)
    }
  }

  private mutating func apply(_ filter: Filter, of prompt: Prompt, at now: Instant) {
    switch prompt.kind {
    case .find: find(filter, from: prompt.origin, at: now)
    case .filter:
      changeCollection(at: now) { $0.show(only: filter) }
      returnTo(prompt.origin.photo, at: now)
    case .command, .rename, .pattern, .date, .move, .copy, .keywords: break
    }
  }

  private mutating func accept(_ prompt: Prompt, at now: Instant) {
    let text = prompt.line.text
    switch prompt.kind {
    case .find:
      if collection.search?.matches.isEmpty == true {
        showNotice("No match for '\(text)'", for: 2, at: now)
      }
    case .filter: break
    case .command:
      guard let command = ShellCommand(typed: text, photos: chosenFiles) else { return }
      endRange()
      effects.append(.run(command))
    case .rename: rename(prompt.origin, to: text, at: now)
    case .pattern:
      if let plan = prompt.plan { rename(by: plan, at: now) }
    case .move, .copy: transfer(prompt, at: now)
    case .keywords: changeKeywords(prompt, at: now)
    case .date:
      if let date = CalendarDate(parsing: text) { go(to: date, at: now) }
    }
  }

  /// Restores the state from before the prompt opened.
  private mutating func restoreOrigin(of prompt: Prompt, at now: Instant) {
    switch prompt.kind {
    case .find: gallery.collection.resume(prompt.origin.search)
    case .filter: changeCollection(at: now) { $0.show(only: prompt.origin.filter) }
    case .command, .rename, .pattern, .date, .move, .copy, .keywords: return
    }
    guard let photo = prompt.origin.photo, collection.index(of: photo) != nil else { return }
    returnTo(photo, at: now)
    gallery.changeGrid(at: now) { grid, context in
      let offset = min(prompt.origin.scroll, grid.scrollLimit(in: context.viewport))
      grid.scroll(
        to: grid.scrollOffset(
          showing: grid.selection(in: context.items), from: offset, in: context.viewport),
        in: context)
    }
  }

  /// Selects a photo again if it has a tile.
  private mutating func returnTo(_ photo: Photo.ID?, at now: Instant) {
    guard let photo, let index = collection.index(of: photo), index != selection else { return }
    gallery.select(index, at: now)
  }
}
