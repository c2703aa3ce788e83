import Geometry
import Photos
import SceneModel

/// Keys, the mouse, and the commands that are the same on all screens.
extension Browser {
  // MARK: - Keys

  /// Routes a key to the prompt, the help or the screen that currently receives input.
  mutating func route(_ key: Key, at now: Instant) {
    gallery.grid.hasUserInteracted = true
    goToNextToCull(at: now)
    if key != .control("c") { keyboard.copyTime = nil }
    if let modal {
      route(key, to: modal, at: now)
    } else {
      statusBar.dismissNotice(at: now)
      routeToScreen(key, at: now)
    }
    keyboard.updateHint(at: now)
  }

  private mutating func routeToScreen(_ key: Key, at now: Instant) {
    if askActiveScreen(as: Slideshow.self, at: now, { $0.press(key, in: &$1, at: now) }) { return }
    if filterByStars(key, at: now) || cull(by: key, at: now) { return }
    let hadInput = keyboard.reader.isPending
    if !hadInput, let command = (activeScreen as? Viewer)?.command(of: key, in: gallery) {
      return route(KeyReader.Reading(command: command, count: nil), at: now)
    }
    guard let reading = read(key, at: now) else { return }
    if key == .character(" "), reading.command == .navigation(.next) { explainSpace(at: now) }
    // Esc cancels pending input, and does nothing else.
    if hadInput, key == .escape, reading.command == .navigation(.stepOut) { return }
    route(reading, at: now)
  }

  private mutating func route(_ key: Key, to modal: Modal, at now: Instant) {
    if let effect = modal.effect(of: key) { return effects.append(effect) }
    switch modal {
    case .confirmation(let confirmation): route(key, to: confirmation, at: now)
    case .prompt(let prompt): route(key, to: prompt, at: now)
    case .help(let help): route(key, to: help)
    case .palette(let palette): route(key, to: palette, at: now)
    }
  }

  /// Adds a key to the pending command, and returns the command with its count when it is complete.
  private mutating func read(_ key: Key, at now: Instant) -> KeyReader.Reading? {
    guard key != .control("c") else {
      copyOrInterrupt(at: now)
      return nil
    }
    let reading = keyboard.reader.read(key, in: keyView, by: options.keys)
    if reading == nil, let unknown = keyboard.reader.unknown {
      let typed = PrintableText.from(unknown.utf8)
      let words = options.keys.place(of: unknown, besides: keyView)
      statusBar.show(
        words.map { "\(typed): \($0)" } ?? "\(typed) does nothing here. ? shows the keys.",
        for: words == nil ? 1 : 2, at: now)
    }
    return reading
  }

  /// The time within which a second Ctrl-C ends the program, in seconds; the bar says so for as
  /// long.
  private static let interruptTime = 5.0

  /// Handles Ctrl-C: in the grid it copies the path of the selected photo or folder, like `yy`.
  ///
  /// It ends the program if it is pressed twice, if nothing is selected, and on all other screens,
  /// whatever was typed before it.
  private mutating func copyOrInterrupt(at now: Instant) {
    let isRepeated = keyboard.copyTime.map { now.seconds(since: $0) < Self.interruptTime } ?? false
    guard !isRepeated, let item = activeScreen.copiedItem(in: gallery) else {
      effects.append(.interrupt)
      return
    }
    keyboard.reader.reset()
    keyboard.copyTime = now
    effects.append(.copyPath(item, quitsNext: true))
  }

  /// Handles the key after `;;`: a digit or `*` shows only photos with that rating, or all again.
  ///
  /// - Returns: Whether it was one of these keys.
  private mutating func filterByStars(_ key: Key, at now: Instant) -> Bool {
    guard keyboard.awaitsStars else { return false }
    keyboard.awaitsStars = false
    let outcomes = gallery.show(stars: key)
    interpret(outcomes ?? [], at: now)
    return outcomes != nil
  }

  /// Handles a key of culling mode.
  ///
  /// - Returns: Whether the mode uses the key.
  private mutating func cull(by key: Key, at now: Instant) -> Bool {
    guard let action = keyboard.culling?.action(of: key), !keyboard.reader.isPending,
      !(activeScreen is PeriodGrid)
    else { return false }
    switch action {
    case .end: interpret([keyboard.endCulling()], at: now)
    case .pass: advance(after: nil, at: now)
    case .rate where current == nil:
      statusBar.show("Only photos can be rated", for: 1, at: now)
    case .rate(let edit): advance(after: edit, at: now)
    }
    return true
  }

  /// Rates the current photo, or passes it if `edit` is nil, by which photos may move or disappear,
  /// and goes on to the photo that was next.
  private mutating func advance(after edit: AnnotationEdit?, at now: Instant) {
    let index = currentIndex ?? selection
    let next = items.indices.contains(index + 1) ? items[index + 1] : nil
    if let edit {
      let photos = activeScreen.currentFiles(in: gallery)
      interpret(files.rate(photos, edit, in: &gallery, at: now), at: now)
    }
    let advances = askActiveScreen(as: Comparison.self, at: now) {
      $0.advance(after: edit, in: &$1, at: now)
    }
    guard !advances else { return }
    guard let next else { return statusBar.show("That was the last photo", for: 2, at: now) }
    if edit != nil, activeScreen is Viewer, options.motion != .none {
      let due = now.advanced(bySeconds: Self.ratingTime)
      keyboard.nextToCull = Keyboard.Next(photo: next, due: due)
    } else {
      goOn(to: next, at: now)
    }
  }

  /// The time for which an open photo shows the rating that it was given, in seconds, unless another
  /// key is pressed.
  private static let ratingTime = 0.3

  /// Goes to the photo after the one that was rated, if that has not happened yet.
  mutating func goToNextToCull(at now: Instant) {
    guard let next = keyboard.nextToCull else { return }
    keyboard.nextToCull = nil
    if activeScreen is Viewer { goOn(to: next.photo, at: now) }
  }

  private mutating func goOn(to photo: Photo.ID, at now: Instant) {
    guard let index = collection.index(of: photo), index != currentIndex else { return }
    go(to: index, at: now)
  }

  /// Says once that Space does not mark an open photo, as it does in the grid, if others are marked.
  private mutating func explainSpace(at now: Instant) {
    guard activeScreen is Viewer, !keyboard.hasExplainedSpace, !album.marks.isEmpty,
      let key = options.keys.key(of: .album(.mark), in: .viewer)
    else { return }
    keyboard.hasExplainedSpace = true
    statusBar.show("Space goes to the next photo; \(key) marks one", for: 3, at: now)
  }

  // MARK: - The mouse

  mutating func route(_ event: MouseEvent, at now: Instant) {
    gallery.grid.hasUserInteracted = true
    if event.kind != .moved {
      keyboard.copyTime = nil
      goToNextToCull(at: now)
    }
    // The bar is not a place of the picture area, though it follows on it.
    if event.isPress, !viewport.pictureArea.contains(event.position), viewport.hasBar { return }
    guard routeToPanel(event, at: now) else { return point(event, at: now) }
    gallery.pointer.lostDragEnd = nil
    // So that the second click of a double click does not reach what the panel hid.
    if event.isPress { _ = gallery.isDoubleClick(at: event.position, now) }
  }

  // MARK: - Commands

  /// Routes a command to the current screen, unless it is the same on all screens.
  mutating func route(_ reading: KeyReader.Reading, at now: Instant) {
    let (command, count) = (reading.command, reading.count)
    if askActiveScreen(at: now, { $0.perform(command, count, in: &$1, at: now) }) { return }
    switch command {
    case .app(let command): perform(command, count, at: now)
    case .album(let command):
      let screen = activeScreen
      interpret(gallery.perform(command, count, on: screen, at: now), at: now)
    case .files(let command):
      let screen = activeScreen
      interpret(files.run(command, count, on: screen, in: &gallery), at: now)
    case .culling(let command): perform(command, at: now)
    case .comparison(.start): compare(at: now)
    case .navigation, .grid, .viewer, .comparison: break  // commands of other screens
    }
  }

  private mutating func perform(_ command: Command.AppCommand, _ count: Int?, at now: Instant) {
    switch command {
    case .quit: effects.append(.quit)
    case .interrupt: effects.append(.interrupt)
    case .quitAndPrint:
      effects.append((current ?? currentFolder).map { .quitPrinting($0) } ?? .quit)
    case .choose: choose(at: now)
    case .suspend:
      endDrag(at: now)
      effects.append(.suspend)
    case .redraw: effects.append(.redraw)
    case .reload:
      statusBar.show("Reloading", for: 1, at: now)
      gallery.folders.expirePreviews()
      effects.append(.reload)
    case .toggleHelp:
      endDrag(at: now)
      present(.help(Help(of: helpLayout, isCulling: isCulling)))
    case .showPalette: showPalette(at: now)
    case .openFolder: showPalette(PaletteForm.folder.rawValue + " ", at: now)
    case .showBookmarks: showPalette(PaletteForm.bookmark.rawValue + " ", at: now)
    case .toggleBookmark: toggleBookmark(at: now)
    case .fullMotion: gallery.options.motion = .full
    case .reducedMotion: gallery.options.motion = .reduced
    case .noMotion: gallery.options.motion = .none
    case .toggleSlowMotion: toggleSlowMotion(at: now)
    case .changeSpeed:
      guard screens.hasOpenFilm(in: gallery) else { return toggleSlowMotion(at: now) }
      setSpeed((gallery.playback?.speed ?? .normal).next, at: now)
    case .toggleBar: toggleBar(at: now)
    case .toggleInformation:
      endDrag(at: now)
      statusBar.showsInformation.toggle()
    case .startSlideshow: startSlideshow(count.map(Double.init), at: now)
    case .togglePlaying: changePlayback(at: now) { $0.toggle(at: now) }
    case .stepFrame: changePlayback(at: now) { $0.step(by: count ?? 1) }
    case .stepFrameBack: changePlayback(at: now) { $0.step(by: -(count ?? 1)) }
    }
  }

  private mutating func perform(_ command: Command.CullingCommand, at now: Instant) {
    let what = command.noun
    if let refusal = options.refusal(of: what) { return interpret([refusal], at: now) }
    guard command != .toggleMode else { return interpret([keyboard.toggleCulling()], at: now) }
    let photos = activeScreen.chosenFiles(in: gallery)
    guard !photos.isEmpty else {
      guard activeScreen.currentTile(in: gallery) != nil else { return }
      let isRating = if case .rate = command { true } else { false }
      let words = isRating ? "Only photos can be rated" : "Only photos have \(what)"
      return statusBar.show(words, for: 2, at: now)
    }
    let edit: AnnotationEdit
    switch command {
    case .rate(let rating): edit = rating
    case .keywords: return ask(.keywords, at: now)
    case .text(let field): return ask(.text(field), at: now)
    case .toggleMode: return
    }
    endRange()
    interpret(files.rate(photos, edit, in: &gallery, at: now), at: now)
    let kept = activeScreen.keptMarksNote(in: gallery).map { "; " + $0 } ?? ""
    statusBar.show(album.photoLabel(of: photos) + edit.words + kept, for: 1, at: now)
  }

  private var isCulling: Bool { keyboard.culling != nil }

  private mutating func changePlayback(at now: Instant, _ change: (inout Playback) -> Void) {
    interpret(screens.changePlayback(in: &gallery, at: now, change), at: now)
  }

  /// Opens the palette with a line from which the user starts.
  private mutating func showPalette(_ line: String = "", at now: Instant) {
    endDrag(at: now)
    let state = CommandState(
      gallery: gallery, screens: screens, statusBar: statusBar, isCulling: isCulling)
    let palette = Palette(
      state.paletteItems, main: state.mainCommands, line: line, history: keyboard.commandHistory,
      today: options.dating.today)
    present(.palette(palette))
    if let text = palette.folderText { effects.append(.findFolders(text)) }
  }

  private mutating func toggleBookmark(at now: Instant) {
    let folder = options.places.current
    guard !folder.isEmpty else {
      return statusBar.show("Only a folder can be bookmarked", for: 2, at: now)
    }
    let isOn = !options.places.isBookmarked
    gallery.options.places.setBookmark(folder, isOn)
    effects.append(.bookmark(folder, isOn))
    statusBar.show(
      isOn ? "Bookmarked · gb lists the bookmarks" : "No longer bookmarked", for: 2, at: now)
  }

  mutating func toggleBar(at now: Instant) {
    statusBar.isVisible.toggle()
    gallery.viewport.hasBar = statusBar.isVisible
    adapt(at: now)
    effects.append(.redraw)
  }

  mutating func setSpeed(_ speed: PlaybackSpeed, at now: Instant) {
    changePlayback(at: now) { $0.speed = speed }
    guard gallery.playback?.speed == speed else { return }
    statusBar.show("Speed \(speed.label)", for: 1, at: now)
  }

  private mutating func toggleSlowMotion(at now: Instant) {
    if options.motion == .slow {
      gallery.options.motion = options.motionBeforeSlow ?? .full
      statusBar.show("Slow motion off", for: 1, at: now)
    } else {
      gallery.options.motionBeforeSlow = options.motion
      gallery.options.motion = .slow
      statusBar.show("Slow motion on", for: 1, at: now)
    }
  }

  /// Quits with the photos of a range, else with the marked photos, else with the current one; if a
  /// folder is selected without a range, opens it instead.
  private mutating func choose(at now: Instant) {
    if keyView == .grid, let range = gallery.rangePhotos, !range.isEmpty {
      return effects.append(.choose(range))
    }
    guard activeScreen.currentTile(in: gallery) == nil else { return open(selection, at: now) }
    let chosen = album.marks.isEmpty ? current.map { [$0] } ?? [] : album.markedInOrder
    if !chosen.isEmpty { effects.append(.choose(chosen)) }
  }
}
