extension Browser {
  mutating func showPalette(at now: Instant) {
    endDrag(at: now)
    present(.palette(Palette(paletteItems, history: keyboard.commandHistory)))
  }

  mutating func press(_ key: Key, in palette: Palette, at now: Instant) {
    var palette = palette
    switch palette.press(key, in: album) {
    case .stay: modal = .palette(palette)
    case .close: modal = nil
    case .run(let action, let line):
      modal = nil
      keyboard.rememberCommand(line)
      perform(action, at: now)
    }
  }

  private mutating func perform(_ action: PaletteAction, at now: Instant) {
    switch action {
    case .command(let command, let count):
      run(KeyReader.Reading(command: command, count: count), at: now)
    case .form(.filter, let text):
      guard let filter = try? Filter(parsing: text) else { return }
      if !album.isFiltered {
        gallery.grid.positionBeforeFilter = Grid.Position(
          selected: (current ?? currentFolder).map { collection.item(of: $0) },
          scroll: grid.scroll.target)
      }
      changeCollection(at: now) { $0.show(only: filter) }
    case .form(.find, let text):
      guard let filter = try? Filter(parsing: text) else { return }
      find(filter, from: Prompt.Origin(photo: current ?? currentFolder), at: now)
      if collection.search?.matches.isEmpty == true {
        showNotice("No match for '\(text)'", for: 2, at: now)
      }
    case .form(.goTo, let text):
      if let date = PaletteForm.date(text) { go(to: date, at: now) }
    case .form(.slideshow, let text): startSlideshow(PaletteForm.seconds(text), at: now)
    case .form(.save, let name): saveFilter(as: name, at: now)
    case .form(.saved, let name): show(filterNamed: name, at: now)
    case .form(.stacks, let text):
      guard let seconds = PaletteForm.seconds(text) else { return }
      gallery.options.stackSeconds = seconds
      if !album.hasStacks { return toggleStacks(at: now) }
      changeCollection(at: now) { $0.stack(within: seconds) }
    }
  }

  // MARK: - Items

  /// The words of all commands in each view; of a command that a view does not have, those of the
  /// first view that has it.
  private static let entries: [KeyMap.View: [(entry: CommandEntry, words: SearchWords)]] = {
    let all = HelpTopic.all.flatMap(\.sections).flatMap(\.lines).flatMap(\.entries)
      .filter { $0.command != .app(.showPalette) && $0.command != .app(.choose) }
      .map { ($0, SearchWords($0)) }
    return Dictionary(
      uniqueKeysWithValues: KeyMap.View.allCases.map { view in
        var seen: Set<Command> = []
        let own = Set(KeyMap.entries(of: view).map(\.title))
        // A command may have another title in another view.
        let preferred = all.filter { own.contains($0.0.title) }.map(\.0.command)
        let entries = all.filter { entry, _ in
          (own.contains(entry.title) || !preferred.contains(entry.command))
            && seen.insert(entry.command).inserted
        }
        return (view, entries.map { (entry: $0.0, words: $0.1) })
      })
  }()

  private var paletteItems: [PaletteItem] {
    let view = keyView
    let names = Dictionary(grouping: options.keys.boundKeys(in: view), by: \.command)
    let commands = (Self.entries[view] ?? []).map { entry, words in
      var item = PaletteItem(entry, words: words)
      let keys = names[entry.command]?.map(\.key) ?? []
      item.words.keys = keys
      item.keys = (entry.keys.first { keys.contains($0) } ?? keys.min()) ?? ""
      item.isOn = isOn(entry.command)
      item.obstacle = obstacle(to: entry.command)
      return item
    }
    let forms = PaletteForm.allCases.map { form in
      var item = PaletteItem(form)
      item.obstacle = obstacle(to: form.command)
      return item
    }
    let saved = options.namedFilters.map { filter in
      var item = PaletteItem(filter)
      item.obstacle = obstacle(to: PaletteForm.saved.command)
      return item
    }
    return commands + forms + saved
  }

  /// Whether what a command toggles or chooses is on; nil for other commands.
  private func isOn(_ command: Command) -> Bool? {
    switch command {
    case .app(.toggleBar): statusBar.isVisible
    case .app(.toggleInformation): statusBar.showsInformation
    case .app(.toggleSlowMotion): options.motion == .slow
    case .app(.fullMotion): options.motion == .full
    case .app(.reducedMotion): options.motion == .reduced
    case .app(.noMotion): options.motion == .none
    case .grid(.toggleLabels): grid.style.hasLabels
    case .grid(.toggleCrop): grid.contentMode == .fill
    case .grid(let command): command.layout.map { grid.style.kind == $0 }
    case .album(.showMarked): album.showsMarkedOnly
    case .album(.toggleStacks): album.hasStacks
    case .album(.sort(let order)): album.order == order
    case .album(.group(let grouping)): collection.grouping == grouping
    case .culling(.toggleMode): culling != nil
    case .comparison(.pin): comparison.map { $0.pinned != nil && $0.pinned == $0.focused }
    case .app, .navigation, .viewer, .album, .files, .culling, .comparison: nil
    }
  }

  /// Returns why a command would do nothing now, or could not do its work; nil if it can run.
  func obstacle(to command: Command) -> String? {
    if KeyMap.entry(of: command, in: keyView) == nil {
      if KeyMap.entry(of: command, in: .grid) != nil { return "only in the grid; Esc goes there" }
      return KeyMap.entry(of: command, in: .detail) != nil
        ? "only while a photo is open" : "only in a comparison"
    }
    if let obstacle = activeScreen.obstacle(to: command) { return obstacle }
    switch command {
    case .files(.copyPath), .files(.copyPicture): return photoObstacle
    case .files(.undo), .files(.redo): return readOnlyObstacle
    case .files(.turn):
      let isTurned = current.map { collection.orientation(of: $0) != .upright } ?? false
      return readOnlyObstacle ?? photoObstacle
        ?? (isTurned ? nil : "rotate with > or < first")
    case .files, .culling(.rate), .culling(.keywords): return readOnlyObstacle ?? photoObstacle
    case .culling(.toggleMode), .album(.shell): return readOnlyObstacle
    case .album(.findNext), .album(.findPrevious):
      return collection.search == nil ? "no search yet" : nil
    case .album(.showMarked): return album.marks.isEmpty ? "nothing is marked" : nil
    case .album(.foldStack), .album(.stackFace):
      let isStacked = current.map { album.stack(of: $0) != nil } ?? false
      return album.hasStacks && isStacked ? nil : "not in a stack"
    case .album(.markSection), .grid(.nextSection), .grid(.previousSection):
      return collection.grouping == .none ? "nothing is grouped" : nil
    case .grid(.toggleCrop): return grid.style.kind == .rows ? "rows always show whole photos" : nil
    case .comparison(.start):
      return album.shown.count > 1 ? nil : "no other photo to compare with"
    default: return nil
    }
  }

  private var readOnlyObstacle: String? { options.isReadOnly ? "turned off by --read-only" : nil }

  private var photoObstacle: String? {
    current == nil && album.marks.isEmpty ? "no photo is selected" : nil
  }
}
