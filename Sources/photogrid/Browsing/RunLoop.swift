import PhotoGridCore
import PhotoLibrary
import TerminalIO

/// The loop that carries values between the parts of the program: events to the browser, its
/// demands to the services, its scenes to the display.
struct RunLoop {
  /// How the session ended, and what is left to print.
  struct Ending {
    /// The exit status of the program.
    var status: ExitStatus
    /// The paths of photos, each to be printed on a line of its own.
    var printed: [[UInt8]] = []
    /// Messages for standard error.
    var messages: [String] = []
  }

  /// What the command line and the configuration file ask for.
  let configuration: Configuration
  /// What is on the screen; only `send(_:at:)` and `handle(_:at:)` change it.
  private(set) var browser: Browser
  /// The workers' clients.
  var services: Services
  /// The photos and folders.
  var library: LibraryController
  /// The terminal and the renderer.
  var display: Display
  /// The texts around the pictures.
  var chrome: Chrome
  /// What is left to be done at the start.
  var startup: StartupTasks
  /// Hints for new users.
  var hints: Hints
  /// Messages for standard error, which are printed when the terminal is the shell's again.
  var messages: [String] = []
  /// Set when the session is to end.
  var ending: Ending?

  /// A loop over an open terminal.
  init(
    _ configuration: Configuration, display: Display, store: PhotoStore, worker: WorkerExecutable,
    source: PhotoSource
  ) {
    self.configuration = configuration
    self.display = display
    services = Services(store, worker: worker)
    library = LibraryController(
      source, index: store.index, isRecursive: configuration.input.isRecursive)
    let variables = display.capabilities.environment.variables
    chrome = Chrome(
      inspector: PhotoInspector(
        store, metadata: services.metadata,
        isPlain: configuration.drawing.glyphs == .ascii || !CellText.isShown("█")),
      home: variables["HOME"])
    startup = StartupTasks(configuration)
    hints = Hints(configuration, environment: variables)
    browser = Browser(
      options: configuration.browserOptions(isOnePhoto: source.isOnePhoto),
      cells: display.terminal.viewport.cells, metrics: display.metrics)
  }

  /// Runs until the user or a signal ends the session.
  mutating func run() -> Ending {
    while ending == nil {
      let now = MonotonicClock.now
      draw(at: now)
      followFirstFrame(at: now)
      wait()
    }
    var ending = ending ?? Ending(status: .done)
    library.shutDown()
    if let message = services.shutDown() { messages.append(message) }
    display.shutDown()
    ending.messages += messages + services.store.notices
    return ending
  }

  /// Asks the terminal and starts the workers behind the first frame, so that nothing delays it.
  private mutating func followFirstFrame(at now: Instant) {
    let terminal = display.terminal
    guard terminal.frameCount > 0 else { return }
    if !terminal.isAsked { terminal.ask(display.capabilities.environment.questions, at: now) }
    guard !startup.hasDrawnFirstFrame, terminal.canTakeFrame(at: now) else { return }
    startup.hasDrawnFirstFrame = true
    services.store.prepare(at: now)
  }

  /// Waits for descriptors and deadlines, and handles what has happened.
  private mutating func wait() {
    let now = MonotonicClock.now
    let parts: [any PolledService] = [display, library] + services.all
    var deadlines = [browser.nextChange, hints.nextLook]
    deadlines += parts.map { $0.nextDeadline(after: now) }
    Poll.wait(parts.flatMap(\.pollRequests), until: deadlines.compactMap(\.self).min())
    service(at: MonotonicClock.now)
  }

  // MARK: - The browser

  /// Sends an event to the browser, performs its effects, and sets its new demands.
  mutating func send(_ event: Event, at now: Instant) {
    display.isFrameDue = true
    handle(event, at: now)
    services.setDemands(of: browser, at: now)
    if library.canRequestPreview {
      library.requestPreviews(of: browser.missingPreviews, at: now)
    }
  }

  /// Sends an event to the browser and performs its effects: the only call of `Browser.handle`.
  mutating func handle(_ event: Event, at now: Instant) {
    for effect in browser.handle(event, at: now) { perform(effect, at: now) }
  }

  /// Sends the size of the terminal to the browser.
  mutating func resize(at now: Instant) {
    send(.resized(display.terminal.viewport.cells, display.metrics), at: now)
  }
}

extension Configuration {
  /// The options of the browser, which opens a single photo that was named.
  fileprivate func browserOptions(isOnePhoto: Bool) -> Browser.Options {
    var options = Browser.Options()
    options.layout = view.layout
    options.crop = view.crop
    options.motion = session.motion
    options.showsBar = session.showsBar
    options.order = view.order
    options.filter = view.filter
    if let slideSeconds = session.slideSeconds { options.slideSeconds = slideSeconds }
    options.keys = keys
    options.isReadOnly = session.isReadOnly
    options.opensSinglePhoto = !view.alwaysGrid && isOnePhoto
    return options
  }
}
