import CTerminalRestore
import Glibc
import PhotoGridCore

/// The one owner of the terminal, from `open` to `close`.
///
/// No call blocks, except for a bounded time in `suspend` and `close`. The program's loop polls
/// `pollRequests` until `nextDeadline`, then calls `readSignals`, `readInput` and `writeOutput`, and
/// `present` if there is something new to show and `canTakeFrame(at:)` allows it.
package final class TerminalSession {
  /// The options of a session.
  package struct Options: Sendable {
    /// The terminal to draw on; standard input and output may be pipes.
    package var path = "/dev/tty"
    /// Whether the mouse is reported; without reports the terminal's own selection works.
    package var usesMouse = true
    /// Whether the window gets a title; terminals without titles would show it as text.
    package var usesTitle = false
    /// Whether standard error is captured, and shown when the session closes.
    package var capturesStandardError = true

    /// The default options.
    package init() {}
  }

  /// The current size of the terminal.
  package private(set) var viewport: Viewport
  /// The size of a text cell, and how it was found.
  package private(set) var measurement: CellMeasurement
  /// The cells that the panel covers; pictures must leave them alone.
  package var panelArea: CellRect? { drawnPanel?.area }
  /// Whether the bar or the panel has changed, so that a frame is due even without a new picture.
  package internal(set) var needsFrame = true
  /// Whether the terminal was closed, so that nothing can be read or written.
  package internal(set) var isGone = false

  /// The text in the last row.
  package var bar = Bar(left: "", right: "") {
    didSet { if bar != oldValue { needsFrame = true } }
  }

  /// The title of the terminal's window, printable; leaving the screen restores the old one.
  package var title = "" {
    didSet { if title != oldValue, options.usesTitle { needsFrame = true } }
  }

  /// Whether the last row shows the bar rather than pictures.
  package var showsBar: Bool {
    get { viewport.hasBar }
    set {
      guard newValue != viewport.hasBar else { return }
      hasBar = newValue
      readSize()
    }
  }

  /// Bytes that are sent before the screen is left, to delete pictures from the terminal.
  package var farewell: [UInt8] = []

  /// Whether the mouse is reported in pixels; to be set only if the terminal supports it.
  package var usesPixelMouse = false {
    didSet {
      guard isEntered, usesPixelMouse, !oldValue else { return }
      send(ControlBytes.pixelMouseOn)
      missingPixelAnswers += 1
    }
  }
  /// How many questions about the mouse in pixels are not answered yet.
  var missingPixelAnswers = 0

  /// The questions to the terminal and its answers; see `TerminalSession+Asking`.
  var inquiry = Inquiry()
  var window: WindowSize
  private var hasBar = true
  let options: Options
  /// The title that the window has now; nil while it has the shell's title.
  var shownTitle: String?
  let device: TerminalDevice
  let capture: StandardErrorCapture?
  let curses: CursesScreen
  var output: FrameOutput
  var keys: KeyMatcher
  var decoder: InputDecoder
  var panel: Panel?
  var drawnPanel: DrawnPanel?
  /// The cells at which the screen shows a panel.
  var shownArea: CellRect?
  var isOpen = true
  /// Whether the terminal shows the program's screen rather than the shell's.
  var isEntered = false
  /// Whether the screen has to be entered again, because another program had the terminal.
  var needsEntry = true
  /// Whether the next frame begins with a blank screen.
  var needsGround = true
  /// Whether the next frame blanks the picture area.
  var needsBlankPictures = false
  var waitingSignals: [Int32] = []
  /// Whether the terminal is given up, because a signal to end arrived while another program had it.
  var isResigned = false
  /// Since when input is left unread, so that frames are not delayed by a flood of it.
  var unreadSince: Instant?

  /// Opens the terminal; its screen is entered with the first frame.
  ///
  /// - Throws: `TerminalError`; the terminal is unchanged then.
  package static func open(
    _ options: Options = Options()
  ) throws(TerminalError) -> TerminalSession {
    setlocale(LC_ALL, "")
    let device = try TerminalDevice(path: options.path)
    let capture = options.capturesStandardError ? StandardErrorCapture() : nil
    // Before ncurses, which changes no signal that has a handler.
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

// MARK: - Polling

extension TerminalSession {
  /// The descriptors to poll, with the events to poll for.
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

  /// The time by which the methods have to be called, whatever the descriptors report.
  ///
  /// It is in the past while there is input left to read.
  package var nextDeadline: Instant? {
    waitingSignals.isEmpty
      ? unreadSince ?? [output.nextDeadline, inquiry.nextDeadline].compactMap { $0 }.min()
      : Instant(nanoseconds: 0)
  }

  /// Returns the signals that arrived since the last call; several changes of size count once.
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
      // SIGSTOP stops without leaving the screen, and the shell has had the terminal since then.
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
    // Answers about the cells of another font are no longer valid.
    if CellMeasurement(TerminalAnswers(), window: window) != before { inquiry.answers.forgetCell() }
    measure()
    curses.resize(to: viewport)
    drawnPanel = panel?.drawn(in: viewport.pictureCells)
    needsGround = true
    needsFrame = true
  }

  /// Updates the size of the terminal and its cells from all that is known.
  func measure() {
    measurement = CellMeasurement(inquiry.answers, window: window)
    viewport = Viewport(window, cell: measurement.cell)
    viewport.hasBar = hasBar
    decoder.viewport = viewport
  }
}
