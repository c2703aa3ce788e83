import Geometry
import PhotoGridCore
import PhotoLibrary
import SceneModel
import TerminalIO

/// Connects the parts of the program: sends events to the browser, its demands to the services, and
/// its scenes to the display.
struct RunLoop: ~Copyable {
  struct Ending {
    var status: ExitStatus
    var printed: [[UInt8]] = []
    var messages: [String] = []
  }

  let configuration: Configuration
  /// The browser's state; only `send(_:at:)` and `handle(_:at:)` change it.
  private(set) var browser: Browser
  /// The browser's clock, which stands while the window is hidden, so that nothing plays unseen.
  var clock = PausableClock()
  var services: Services
  var library: LibraryController
  var display: Display
  var chrome: Chrome
  /// The tasks of the command line that are still to be done.
  var startup: StartupTasks
  var hints: Hints
  var longWork = LongWork()
  /// What was written with `--accessible`.
  var narrator = Narrator()
  /// The folders that photos were moved or copied into; nil if storing is disabled.
  var recentFolders: RecentFolders?
  /// Where folders were left; nil if that is not recorded.
  let resumeFile: ResumeFile?
  /// The folders to which the user may want to go back.
  var places: PlacesFile
  var savedFilters: SavedFilters
  var messages: [String] = []
  /// The end of the session, once it is decided.
  var ending: Ending?
  private var heap = HeapTrimmer()
  /// Whether the library was not serviced in this turn, because input had arrived.
  var hasPostponedLibrary = false
  /// Whether a film could not be shown without ffmpeg, which is said once.
  var hasMissedFFmpeg = false
  /// The effect that ends the session, postponed until the requested file operations are done.
  var leaving: Effect?

  init(
    _ configuration: Configuration, display: Display, store: PhotoStore, worker: WorkerExecutable,
    source: PhotoSource
  ) {
    self.configuration = configuration
    self.display = display
    services = Services(store, worker: worker, configuration, display.capabilities.environment)
    library = LibraryController(
      source, index: store.index, isRecursive: configuration.input.isRecursive)
    let variables = display.capabilities.environment.variables
    let folderName = FolderName(
      current: FolderLocation.currentFolder, home: variables["HOME"].map { Array($0.utf8) })
    chrome = Chrome(
      inspector: PhotoInspector(
        store, side: services.side, folderName: folderName,
        isPlain: configuration.drawing.glyphs == .ascii || !CellText.isShown("█")),
      folderName: folderName)
    startup = StartupTasks(configuration)
    hints = Hints(
      isFirstSession: configuration.keepsThumbnails && configuration.session.showsBar
        && configuration.drawing.pictures == nil && display.memory.isNew)
    let resumes = configuration.keepsThumbnails && configuration.session.resumes
    resumeFile = resumes ? ResumeFile(variables) : nil
    recentFolders = configuration.keepsThumbnails ? RecentFolders(variables) : nil
    var options = configuration.browserOptions
    options.folder = library.location.base
    options.recentFolders = recentFolders?.folders ?? []
    places = PlacesFile(configuration.keepsThumbnails ? variables : nil)
    options.places = places.places
    // A broken file is reported when a filter is saved or given by its name.
    savedFilters = SavedFilters((try? FilterFile()?.filters()) ?? [])
    options.namedFilters = savedFilters.filters
    browser = Browser(
      options: options,
      order: configuration.view.order, filter: configuration.view.filter,
      grouping: configuration.view.grouping, joinsPairs: configuration.view.joinsPairs,
      stackSeconds: configuration.view.stackSeconds,
      cells: display.terminal.viewport.cells,
      metrics: display.metrics)
  }

  private var session: Configuration.Session { configuration.session }

  /// Runs until the user or a signal ends the session.
  mutating func run() -> Ending {
    if !session.isAccessible {
      display.terminal.sendQueriesOnEntry(
        display.capabilities.environment.queries, at: MonotonicClock.now)
    }
    while ending == nil {
      let now = MonotonicClock.now
      if session.isAccessible { narrate(at: now) } else { draw(at: now) }
      followFirstFrame(at: now)
      wait()
      if let leaving, !browser.files.isChanging { perform(leaving, at: now) }
    }
    var ending = ending ?? Ending(status: .done)
    recordResumption()
    library.shutDown()
    messages += giveUpFiles()
    if let message = services.shutDown() { messages.append(message) }
    display.shutDown()
    ending.messages += messages + services.store.notices
    return ending
  }

  /// Starts the other processes after the first frame, so that nothing delays it.
  private mutating func followFirstFrame(at now: Instant) {
    let terminal = display.terminal
    let hasFrame = terminal.frameCount > 0 && terminal.canSendFrame(at: now)
    guard hasFrame || session.isAccessible, !startup.hasDrawnFirstFrame else { return }
    startup.hasDrawnFirstFrame = true
    if hasFrame { terminal.startGuard() }
    services.store.prepare(at: now)
  }

  /// Waits for descriptors and deadlines, and handles what has arrived.
  private mutating func wait() {
    let now = MonotonicClock.now
    let parts: [any PolledService] = [display, library] + services.all
    var deadlines = [nextChange, hints.nextCheck, narrator.due]
    deadlines += parts.map { $0.nextDeadline(after: now) }
    let deadline = deadlines.compactMap(\.self).min()
    heap.trim(at: now, before: deadline, pictures: services.store.heldByteCount)
    Poll.wait(parts.flatMap(\.pollRequests), until: deadline)
    service(at: MonotonicClock.now)
  }

  // MARK: - The browser

  /// Sends an event to the browser, performs its effects, and sets its new demands.
  mutating func send(_ event: Event, at now: Instant) {
    display.isFrameDue = true
    handle(event, at: now)
    setDemands(at: now)
  }

  /// When the browser changes by itself; nil if it does not, or the window is hidden.
  var nextChange: Instant? { browser.nextChange.flatMap { clock.moment(of: $0) } }

  /// Sets the browser's new demands; while the window is hidden, no pictures are decoded.
  mutating func setDemands(at now: Instant) {
    setPictureDemands(at: now)
    services.setDemands(of: browser, readsFacts: !library.source.isLookingUp, at: now)
    if library.canRequestPreview {
      library.requestPreviews(of: browser.missingPreviews, at: now)
    }
  }

  mutating func setPictureDemands(at now: Instant) {
    var demands = clock.isPaused ? [] : browser.demands(at: clock.time(at: now))
    // Without pictures, those of the selected photo are decoded for its facts.
    if session.isAccessible { demands.removeAll { $0.photo != browser.current } }
    services.setPictureDemands(demands, of: browser, at: now)
  }

  /// Hides the browser, or shows it again, as the terminal reports of its window.
  mutating func followVisibility(at now: Instant) {
    let isVisible = display.terminal.isVisible
    guard isVisible == clock.isPaused else { return }
    if isVisible { clock.resume(at: now) } else { clock.pause(at: now) }
    send(.tick, at: now)
  }

  /// Sends an event to the browser and performs its effects; nothing else calls `Browser.handle`.
  mutating func handle(_ event: Event, at now: Instant) {
    for effect in browser.handle(event, at: clock.time(at: now)) { perform(effect, at: now) }
  }

  mutating func resize(at now: Instant) {
    send(.resized(display.terminal.viewport.cells, display.metrics), at: now)
  }
}

extension Configuration {
  fileprivate var browserOptions: Browser.Options {
    var options = Browser.Options()
    options.layout = session.isAccessible ? view.layout.inOneColumn : view.layout
    options.crop = view.crop
    options.motion = session.isAccessible ? .none : session.motion
    options.showsBar = session.showsBar
    if let slideSeconds = session.slideSeconds { options.slideSeconds = slideSeconds }
    options.dates = .ofLocale
    options.keys = keys
    options.isReadOnly = session.isReadOnly
    options.showsHints = session.showsHints && !session.isAccessible
    options.dating = view.dating
    options.pictureMemory = memoryBudget
    options.opensSinglePhoto = !view.alwaysGrid
    return options
  }
}

/// Drawing frames, and falling back to cells if a protocol fails.
extension RunLoop {
  /// Draws the frame that is due, if the terminal and the frame clock allow it.
  mutating func draw(at now: Instant) {
    guard let time = display.nextFrame(after: now), time <= now else { return }
    prepareFrame(at: now)
    let store = services.store
    if !browser.awaitedPictures.isEmpty {
      // When a slide has appeared, the slideshow needs the next one, which may be decoded already.
      setPictureDemands(at: now)
      sendPreparedPictures(at: now)
    }
    store.play(browser.frameDemand, at: now)
    heap.keepBlocks(store.playsFilm)
    drawChrome(at: now)
    let index = library.index
    let scene = browser.scene(
      at: clock.time(at: now), name: { PhotoName.printable(index[$0]) },
      closeUp: { store.closeUp(of: $0) })
    let encodings = display.draw(scene, metrics: browser.viewport.metrics, at: now)
    services.side.add(encodings, at: now)
    handle(.drawn(isWhole: !display.renderer.isUnfinished), at: now)
    display.isFrameDue =
      browser.isAnimating(at: clock.time(at: now)) || display.renderer.isUnfinished
    fallBackToCells(at: now)
  }

  /// Brings the browser up to date before it is drawn or told in words.
  mutating func prepareFrame(at now: Instant) {
    handle(.tick, at: now)
    showSavedFilters(at: now)
    rememberShownFolder(at: now)
  }

  /// The library's facts for the bar, with the hint for new users.
  var barFacts: Bar.Facts {
    var facts = chrome.facts(for: browser, of: library, in: services.store)
    facts.hint = hints.showsKeys ? browser.options.keys.summary(in: browser.keyView) : nil
    return facts
  }

  private func drawChrome(at now: Instant) {
    let terminal = display.terminal
    terminal.showsBar = browser.statusBar.isVisible
    let facts = barFacts
    let time = clock.time(at: now)
    terminal.bar = browser.bar(facts, at: time)
    terminal.title = browser.title(facts)
    terminal.pointerShape = browser.pointerShape
    terminal.setPanel(browser.panel(at: time) ?? chrome.inspector.panel(for: browser))
  }

  /// Draws cells from now on if the renderer's protocol has failed.
  mutating func fallBackToCells(at now: Instant) {
    let cell = browser.viewport.metrics.cell
    guard let message = display.fallBackToCells(lastCell: cell) else { return }
    messages.append(message)
    adaptToRenderer(at: now)
    send(.notice(message), at: now)
  }

  /// Computes a new layout if the renderer's resolution differs from the previous one's.
  mutating func adaptToRenderer(at now: Instant) {
    if display.metrics != browser.viewport.metrics { resize(at: now) }
  }

  /// Updates the hint about keys, and shows the hint about the terminal once it has sent all
  /// responses.
  mutating func showHints(at now: Instant) {
    hints.update(isPhotoOpen: browser.openPhoto != nil, isHelpOpen: browser.isHelpOpen)
    hints.scheduleCheck(from: now)
    guard display.isRendererSelected, !display.terminal.awaitsResponses(at: now),
      hints.nextCheck != nil
    else { return }
    if let hint = hints.takeTerminalHint(display.traits, display.capabilities) {
      send(.notice(hint), at: now)
    }
  }
}
