import CTerminalRestore
import Glibc
import PhotoGridCore

/// The one owner of the terminal, from `open` to `close`.
///
/// Nothing here blocks (but for the bounded farewell in `suspend` and `close`) and nothing runs by
/// itself: the program's loop polls `pollRequests` until `nextDeadline`, then calls `readSignals`,
/// `readInput` and `writeOutput`, which do nothing where there is nothing to do, and `present`
/// where there is something new to show and `canTakeFrame` allows it.
package final class TerminalSession {
  /// How to use the terminal.
  package struct Options: Sendable {
    /// The terminal to draw on: the controlling one, as standard input and output may be pipes.
    package var path = "/dev/tty"
    /// Whether the mouse is asked for; without it the terminal's own selection works.
    package var usesMouse = true
    /// Whether the window is given a title, which a terminal without any would show as text.
    package var usesTitle = false
    /// Whether standard error is kept from the screen and shown at the end.
    package var capturesStandardError = true

    /// The usual ones.
    package init() {}
  }

  /// The terminal's size at present.
  package private(set) var viewport: Viewport
  /// What is known of the size of a text cell.
  package private(set) var measurement: CellMeasurement
  /// The cells that the panel covers; pictures must leave them alone.
  package var panelArea: CellRect? { drawnPanel?.area }
  /// Whether bar or panel have changed, so that a frame is due even if no picture has.
  package private(set) var needsFrame = true
  /// Whether the terminal has gone away; nothing is read or written any more.
  package internal(set) var isGone = false

  /// What is written in the last row.
  package var bar = Bar(left: "", right: "") {
    didSet { if bar != oldValue { needsFrame = true } }
  }

  /// What the terminal's window is called, printable; what it was called before comes back.
  package var title = "" {
    didSet { if title != oldValue, options.usesTitle { needsFrame = true } }
  }

  /// Whether the last row is the bar's; else it is the pictures' too.
  package var showsBar: Bool {
    get { viewport.hasBar }
    set {
      guard newValue != viewport.hasBar else { return }
      hasBar = newValue
      readSize()
    }
  }

  /// What is sent before the screen is left: what takes pictures from the terminal again.
  package var farewell: [UInt8] = []

  /// Whether the mouse is to be reported in pixels; only where the terminal said that it can.
  package var usesPixelMouse = false {
    didSet {
      guard isEntered, usesPixelMouse, !oldValue else { return }
      send(ControlBytes.pixelMouseOn)
      missingPixelAnswers += 1
    }
  }
  /// How often the terminal was asked whether pixels are on and has not answered yet.
  var missingPixelAnswers = 0

  /// What the terminal was asked and answered; see `TerminalSession+Asking`.
  var inquiry = Inquiry()
  var window: WindowSize
  private var hasBar = true
  let options: Options
  /// What the window is called at present; nil while it is the shell's.
  private var shownTitle: String?
  let device: TerminalDevice
  let capture: StandardErrorCapture?
  let curses: CursesScreen
  var output: FrameOutput
  var keys: KeyMatcher
  var decoder: InputDecoder
  private var panel: Panel?
  private var drawnPanel: DrawnPanel?
  /// Where the screen shows a panel.
  private var shownArea: CellRect?
  var isOpen = true
  /// Whether the terminal shows our screen rather than the shell's.
  var isEntered = false
  /// Whether the shell has had the terminal meanwhile, so that nothing about it is certain.
  var needsEntry = true
  /// Whether the next frame begins with a blank screen.
  private var needsGround = true
  /// Whether the picture area is blanked within the next frame.
  private var needsBlankPictures = false
  var waitingSignals: [Int32] = []
  /// Whether the shell has the terminal for good: a signal to end came while we were stopped.
  var isResigned = false
  /// Since when input is left that was not read for the sake of everything else.
  var unreadSince: Instant?

  /// Takes possession of the terminal; its screen is entered with the first frame.
  ///
  /// - Throws: Why there is no usable terminal; everything is as it was then.
  package static func open(
    _ options: Options = Options()
  ) throws(TerminalError) -> TerminalSession {
    setlocale(LC_ALL, "")
    let device = try TerminalDevice(path: options.path)
    let capture = options.capturesStandardError ? StandardErrorCapture() : nil
    // Before ncurses, which leaves signals alone that are handled already.
    let code = terminal_restore_begin(
      device.output, capture?.original ?? STDERR_FILENO, capture?.file ?? -1)
    guard code == 0 else {
      capture?.end()
      device.close()
      throw code == EBUSY ? .alreadyOpen : .failed("settings", code: code)
    }
    do throws(TerminalError) {
      let window = device.window()
      let measurement = CellMeasurement(TerminalAnswers(), window: window)
      let viewport = Viewport(window, cell: measurement.cell)
      let curses = try CursesScreen(terminal: device.control, viewport: viewport)
      return TerminalSession(options, device, capture, curses, viewport, window, measurement)
    } catch {
      terminal_restore_end()
      capture?.end()
      device.close()
      throw error
    }
  }

  private init(
    _ options: Options, _ device: TerminalDevice, _ capture: StandardErrorCapture?,
    _ curses: CursesScreen, _ viewport: Viewport, _ window: WindowSize,
    _ measurement: CellMeasurement
  ) {
    self.options = options
    self.device = device
    self.capture = capture
    self.curses = curses
    self.viewport = viewport
    self.window = window
    self.measurement = measurement
    output = FrameOutput(descriptor: device.output)
    keys = curses.keys
    decoder = InputDecoder(viewport: viewport)
    terminal_restore_make_raw()
  }

  deinit { close() }
}

// MARK: - What the loop waits for

extension TerminalSession {
  /// Descriptors to poll and what for.
  package var pollRequests: [pollfd] {
    guard isOpen else { return [] }
    var requests = [
      pollfd(fd: terminal_restore_signal_descriptor(), events: Int16(POLLIN), revents: 0)
    ]
    guard !isGone else { return requests }
    requests.append(pollfd(fd: device.control, events: Int16(POLLIN), revents: 0))
    if !output.isDrained {
      requests.append(pollfd(fd: device.output, events: Int16(POLLOUT), revents: 0))
    }
    return requests
  }

  /// When to call even though no descriptor is ready; in the past where there is more to read.
  package var nextDeadline: Instant? {
    waitingSignals.isEmpty
      ? unreadSince ?? [output.nextDeadline, inquiry.nextDeadline].compactMap { $0 }.min()
      : Instant(nanoseconds: 0)
  }

  /// Signals that arrived since the last call; several changes of size are one.
  package func readSignals() -> [SignalEvent] {
    guard isOpen else { return [] }
    let signals = waitingSignals + drainSignalPipe()
    waitingSignals = []
    var events: [SignalEvent] = []
    for signal in signals {
      switch signal {
      case SIGTERM, SIGHUP, SIGINT, SIGQUIT: events.append(.terminate(signal))
      case SIGTSTP where !events.contains(.suspend): events.append(.suspend)
      default: break
      }
    }
    if signals.contains(SIGCONT) {
      // Stopped by SIGSTOP, so without a farewell: the shell has had the terminal meanwhile.
      needsEntry = true
      terminal_restore_make_raw()
      readSize()
      askForCell()
      events.append(.continued)
    } else if signals.contains(SIGWINCH) {
      readSize()
      askForCell()
      events.append(.resized)
    }
    return events
  }

  func drainSignalPipe() -> [Int32] {
    var signals: [Int32] = []
    var buffer = [UInt8](repeating: 0, count: 256)
    while true {
      let count = read(terminal_restore_signal_descriptor(), &buffer, buffer.count)
      guard count > 0 else { return signals }
      signals += buffer.prefix(count).map(Int32.init)
    }
  }

  func readSize() {
    let before = CellMeasurement(TerminalAnswers(), window: window)
    window = device.window()
    // With another font, what the terminal told of the one before is no longer true.
    if CellMeasurement(TerminalAnswers(), window: window) != before { inquiry.answers.forgetCell() }
    measure()
    curses.resize(to: viewport)
    drawnPanel = panel?.drawn(in: viewport.pictureCells)
    needsGround = true
    needsFrame = true
  }

  /// Judges anew how large the terminal and its cells are.
  func measure() {
    measurement = CellMeasurement(inquiry.answers, window: window)
    viewport = Viewport(window, cell: measurement.cell)
    viewport.hasBar = hasBar
    decoder.viewport = viewport
  }
}

// MARK: - Output

extension TerminalSession {
  /// Whether the terminal has worked through the last frame, so that the next may be made.
  package func canTakeFrame(at now: Instant) -> Bool {
    isOpen && !isGone && !isResigned && output.canTakeFrame(at: now)
  }

  /// Writes on, as far as the terminal takes it.
  package func writeOutput(at now: Instant) {
    guard isOpen, !isGone else { return }
    output.write(at: now)
  }

  /// Shows a panel over the pictures, or none.
  ///
  /// - Returns: The cells that the panel before gives back, if it was elsewhere: they are blank
  ///   from the next frame on, and its picture has to be painted there again.
  @discardableResult
  package func setPanel(_ panel: Panel?) -> CellRect? {
    guard panel != self.panel else { return nil }
    let before = panelArea
    self.panel = panel
    drawnPanel = panel?.drawn(in: viewport.pictureCells)
    needsFrame = true
    return before == panelArea ? nil : before
  }

  /// Begins a frame: what has changed of bar and panel, then the picture; all of it in one
  /// synchronized update (mode 2026) and followed by a fence.
  ///
  /// - Parameters:
  ///   - picture: Sequences that draw in the picture area; they begin with default colours and
  ///     leave scroll region and character sets alone. Cursor and colours are restored behind them.
  ///   - uploads: Sequences that draw nothing and may be long, or ask the terminal something; sent
  ///     before the update, which terminals limit in time and size.
  ///   - now: The time.
  /// - Returns: Whether it was begun: not where `canTakeFrame` says no.
  @discardableResult
  package func present(_ picture: [UInt8], uploads: [UInt8] = [], at now: Instant) -> Bool {
    guard canTakeFrame(at: now) else { return false }
    capture?.limitSize()
    var frame: [UInt8] = []
    // Entering another screen, and clearing one, may drop the images that were sent to it.
    if needsGround || needsEntry { frame += openScreen() }
    if options.usesTitle, title != shownTitle {
      frame += ControlBytes.title(title)
      shownTitle = title
    }
    frame += uploads
    frame += ControlBytes.beginUpdate
    if needsBlankPictures {
      frame += ControlBytes.erase(viewport.pictureCells, except: shownArea)
      needsBlankPictures = false
    }
    if needsFrame { frame += drawChrome() }
    if !picture.isEmpty {
      frame += ControlBytes.saveCursor
      frame += picture
      frame += ControlBytes.restoreCursor
    }
    frame += ControlBytes.endUpdate
    output.begin(frame, at: now)
    return true
  }

  /// Has the next frame begin with blank picture cells, within its update, so that whoever draws
  /// them next finds nothing of what was drawn before.
  package func clearPictures() { needsBlankPictures = true }

  /// Writes what draws nothing, behind the last frame.
  func send(_ bytes: [UInt8]) {
    guard isOpen, !isGone, !isResigned else { return }
    output.append(bytes, at: TerminalDevice.now())
  }

  /// Bytes that the terminal took so far.
  package var writtenByteCount: Int { output.writtenByteCount }
  /// Frames that were begun so far.
  package var frameCount: Int { output.frameCount }
  /// Bytes that the next frame may have so that keys are answered soon.
  package var byteBudget: Int { output.pace.byteBudget }
  /// Seconds that the terminal needed for the last frame it answered in time, after its last byte.
  package var roundTrip: Double? { output.roundTrip }

  /// Has the next frame begin with a blank screen, whatever is thought to be on it.
  package func redraw() {
    needsGround = true
    needsFrame = true
  }

  private func openScreen() -> [UInt8] {
    // Only what left the screen enters it again.
    if needsEntry { _ = curses.leave() }
    var bytes = curses.ground()
    if needsEntry {
      bytes += ControlBytes.modesOn(mouse: options.usesMouse)
      missingPixelAnswers = usesPixelMouse ? 1 : 0
      if options.usesTitle { bytes += ControlBytes.pushTitle }
      shownTitle = nil
      if usesPixelMouse { bytes += ControlBytes.pixelMouseOn }
      if inquiry.answers.knowsMode(.colorScheme) == true { bytes += ControlBytes.colorSchemeOn }
      needsEntry = false
      isEntered = true
      terminal_restore_set_screen_taken(1)
    }
    needsGround = false
    needsBlankPictures = false
    needsFrame = true
    shownArea = nil
    return bytes
  }

  private func drawChrome() -> [UInt8] {
    var bytes: [UInt8] = []
    if let shownArea, shownArea != panelArea { bytes += curses.release(shownArea) }
    bytes += curses.draw(bar: bar.runs(width: viewport.cells.columns), panel: drawnPanel)
    shownArea = panelArea
    needsFrame = false
    return bytes
  }
}
