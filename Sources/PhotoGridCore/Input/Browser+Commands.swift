/// Running commands.
extension Browser {
  /// Runs a command, in the part of the browser that it concerns.
  mutating func run(_ reading: KeyReader.Reading, at now: Instant, effects: inout [Effect]) {
    let count = reading.count
    guard mode.periods == nil else {
      return runInPeriods(reading, at: now, effects: &effects)
    }
    switch reading.command {
    case .app(let command): run(command, count, at: now, effects: &effects)
    case .navigation(let command):
      if isComparing {
        navigateInComparison(command, count, at: now)
      } else if isInDetail {
        navigateInViewer(command, count, at: now)
      } else {
        navigateInGrid(command, count, at: now, effects: &effects)
      }
    case .grid(let command): run(command, count ?? 1, at: now, effects: &effects)
    case .viewer(let command):
      if isComparing {
        runInComparison(command, count ?? 1, at: now)
      } else {
        run(command, count ?? 1, at: now)
      }
    case .album(let command): run(command, count, at: now)
    case .files(let command):
      run(command, count, at: now, effects: &effects)
    case .culling(let command): run(command, at: now, effects: &effects)
    case .comparison(let command): run(command, count ?? 1, at: now)
    }
  }

  /// Runs a command that has the same meaning in the grid and in the viewer.
  mutating func run(
    _ command: Command.AppCommand, _ count: Int?, at now: Instant, effects: inout [Effect]
  ) {
    switch command {
    case .quit: effects.append(.quit)
    case .interrupt: effects.append(.interrupt)
    case .quitAndPrint:
      effects.append((current ?? currentFolder).map { .quitPrinting($0) } ?? .quit)
    case .choose: choose(at: now, effects: &effects)
    case .suspend:
      endDrag(at: now)
      effects.append(.suspend)
    case .redraw: effects.append(.redraw)
    case .reload:
      showNotice("Reloading", for: 1, at: now)
      folders.expirePreviews()
      effects.append(.reload)
    case .toggleHelp:
      endDrag(at: now)
      showHelp()
    case .showPalette: showPalette(at: now)
    case .fullMotion: options.motion = .full
    case .reducedMotion: options.motion = .reduced
    case .noMotion: options.motion = .none
    case .toggleSlowMotion: toggleSlowMotion(at: now)
    case .toggleBar: toggleBar(at: now, effects: &effects)
    case .toggleInformation: statusBar.showsInformation.toggle()
    case .startSlideshow: startSlideshow(count.map(Double.init), at: now)
    case .togglePlaying: runPlayback(at: now) { $0.toggle() }
    case .stepFrame: runPlayback(at: now) { $0.step(by: count ?? 1) }
    }
  }

  /// Runs a command that concerns the tiles.
  private mutating func run(
    _ command: Command.GridCommand, _ count: Int, at now: Instant, effects: inout [Effect]
  ) {
    switch command {
    case .goUp: effects.append(.goUp)
    case .nextSection: goToSection(by: count, at: now)
    case .previousSection: goToSection(by: -count, at: now)
    case .toggleLabels: restyle(at: now) { $0.hasLabels.toggle() }
    case .nextLayout: changeLayout(by: count, at: now)
    case .previousLayout: changeLayout(by: -count, at: now)
    case .largerTiles: enlarge(by: count, at: now)
    case .smallerTiles: shrinkTiles(by: count, at: now)
    case .zoomOut: zoomOut(at: now)
    case .resetTiles: changeLayout(at: now) { $0.resetTiles(in: $1) }
    case .gridLayout, .mosaicLayout, .bentoLayout, .rowsLayout:
      if let kind = command.layout { restyle(at: now) { $0.kind = kind } }
    case .toggleCrop:
      guard grid.style.kind != .rows else {
        return showNotice("Rows show whole photos", for: 1, at: now)
      }
      changeGrid(at: now, options.motion.rearrangement) { $0.toggleContentMode(in: $1) }
    }
  }

  /// Shows or hides the status bar.
  mutating func toggleBar(at now: Instant, effects: inout [Effect]) {
    statusBar.isVisible.toggle()
    viewport.hasBar = statusBar.isVisible
    adapt(at: now)
    effects.append(.redraw)
  }

  private mutating func toggleSlowMotion(at now: Instant) {
    if options.motion == .slow {
      options.motion = options.motionBeforeSlow ?? .full
      showNotice(
        "Slow motion off", for: 1, at: now)
    } else {
      options.motionBeforeSlow = options.motion
      options.motion = .slow
      showNotice("Slow motion on", for: 1, at: now)
    }
  }
}
