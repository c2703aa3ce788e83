import CTerminalRestore
import Geometry
import Glibc
import SceneModel

/// A session of the program on a terminal, from `open` to `close`.
///
/// The run loop repeats:
///
/// 1. poll `pollRequests` until `nextDeadline`;
/// 2. call `readSignals`, `readInput` and `writeOutput`;
/// 3. if there is something new to show and `canSendFrame(at:)` returns true, call `present`.
///
/// `suspend` returns when the job is continued, `runInForeground` when the other program has ended.
/// `readInput` and `close` wait for a bounded time; no other call blocks.
package final class TerminalSession {
  package struct Options: Sendable {
    /// The path of the terminal to draw on; standard input and output may be pipes.
    package var path = "/dev/tty"
    /// Whether frames are drawn; otherwise only text is written, and a terminal of any type will do.
    package var drawsScreen = true
    /// Whether mouse reports are turned on; without them the terminal's own selection works.
    package var usesMouse = true
    /// Whether the window gets a title; terminals without titles would show it as text.
    package var usesTitle = false
    /// Whether the terminal has to draw its border again at the end, because blocks of its font reach
    /// a pixel into it; mlterm's do.
    package var repaintsBorder = false
    /// Whether standard error is captured, and printed when the session closes.
    package var capturesStandardError = true
    /// The characters of borders.
    package var lines = LineDrawing.rounded
    /// The size of a cell that is assumed until the terminal reports it, in pixels.
    package var assumedCell = CellMetrics.standard.cell

    package init() {}
  }

  package private(set) var viewport: Viewport
  /// The size of a cell in pixels, and its source.
  package private(set) var measurement: CellMeasurement
  /// The cells that the panel covers, in which pictures must not be drawn; nil without a panel.
  package var panelArea: CellRect? { drawnPanel?.area }
  /// Whether the bar or the panel has changed, so that a frame is due even if no picture has.
  package internal(set) var needsFrame = true
  /// Whether the window can be seen; true unless the terminal reports that it is hidden.
  package internal(set) var isVisible = true
  /// Whether the terminal has reported the visibility of its window, so that mode 2033 means that.
  var reportsVisibility = false
  /// The features of the terminal that must be turned off.
  var activeFeatures: ActiveFeatures = [] {
    didSet { terminal_restore_set_active(activeFeatures.rawValue) }
  }
  /// Whether the terminal was closed, so that nothing can be read or written any more.
  var isDisconnected = false

  package var bar = Bar(left: "", right: "") {
    didSet { if bar != oldValue { needsFrame = true } }
  }

  /// The colors of what is selected in panels and prompts; nil to exchange those of text and
  /// background.
  package var selection: SelectionColors? {
    didSet {
      guard selection != oldValue else { return }
      curses.setSelection(selection)
      needsFrame = true
    }
  }

  /// The cell at which the label of the selected tile begins; nil without one.
  package var selectedLabel: CellPoint? {
    didSet { if selectedLabel != oldValue { needsFrame = true } }
  }

  /// The window's title, in printable text; leaving the screen restores the previous one.
  package var title = "" {
    didSet { if title != oldValue, options.usesTitle { needsFrame = true } }
  }

  /// Whether the last row shows the bar instead of pictures.
  package var showsBar: Bool {
    get { viewport.hasBar }
    set {
      guard newValue != viewport.hasBar else { return }
      hasBar = newValue
      readSize()
    }
  }

  /// The shape of the pointer over the window.
  package var pointerShape = PointerShape.standard {
    didSet { if pointerShape != oldValue { pointerShapeChanged() } }
  }

  /// The percentage of long work that is done; nil without such work.
  package var progress: Int? {
    didSet { if progress != oldValue { progressChanged() } }
  }
  /// Whether the terminal is known to show the progress of work.
  package var showsProgress = false

  /// Sequences sent before the screen is left, to delete pictures from the terminal.
  package var cleanupBytes: [UInt8] = []

  /// Whether mouse reports are in pixels; set it only if the terminal supports mode 1016.
  package var usesPixelMouse = false {
    didSet {
      guard isEntered, usesPixelMouse, !oldValue else { return }
      send(ControlBytes.pixelMouseOn)
      pendingPixelMouseResponses += 1
    }
  }
  /// The number of queries about mode 1016 without a response.
  var pendingPixelMouseResponses = 0 {
    didSet {
      guard pendingPixelMouseResponses >= max(oldValue, 1) else { return }
      pixelMouseQueryTime = TerminalDevice.now()
    }
  }
  /// When the last query about mode 1016 was sent.
  private var pixelMouseQueryTime = Instant(nanoseconds: 0)

  /// Whether a response about mode 1016 may be arriving.
  func awaitsPixelMouseResponse(at now: Instant) -> Bool {
    pendingPixelMouseResponses > 0
      && now.seconds(since: pixelMouseQueryTime) < QueryState.escapeWindow
  }

  /// The name of this computer in drag and drop (`MachineID`); set it only if the terminal may support
  /// that, which it is then asked.
  package var machine: String? {
    didSet {
      guard machine != nil, oldValue == nil else { return }
      send(queryState.request([.dragAndDrop], at: TerminalDevice.now()))
    }
  }

  var queryState = QueryState()
  /// Whether responses of the terminal around tmux reach this pane.
  var paneFocus = PaneFocus()
  /// The size of the window, from the system or as the terminal reported it last.
  var window: WindowSize
  /// The size in the terminal's last report (mode 2048), and whether it was not taken yet; nil
  /// without one.
  var reportedWindow: (size: WindowSize, isNew: Bool)?
  private var hasBar = true
  let options: Options
  /// The title that the window has now; nil while it has the shell's.
  var shownTitle: String?
  let device: TerminalDevice
  /// The file that standard error is redirected to; nil if it is not captured.
  let capture: StandardErrorCapture?
  /// The ncurses screen, which draws bar and panel.
  let curses: CursesScreen
  var output: FrameOutput
  var keys: KeyMatcher
  var decoder: InputDecoder
  var panel: Panel?
  /// `panel`, laid out for the viewport; nil without a panel, or if it does not fit.
  var drawnPanel: DrawnPanel?
  /// The cells in which the screen shows a panel now.
  var shownPanelArea: CellRect?
  var isOpen = true
  /// Whether the terminal shows the program's screen rather than the shell's.
  var isEntered = false
  /// The bytes of the queries that the first frame begins with.
  var entryQueries: [UInt8] = []
  /// Whether the screen must be entered again, because another program used the terminal.
  var needsEntry = true
  /// Whether the next frame starts by clearing the screen.
  var needsClear = true
  /// Signals that arrived during `suspend` or `runInForeground`, for `readSignals` to return.
  var pendingSignals: [Int32] = []
  /// Whether a signal to terminate arrived while another program had the terminal.
  var isTerminating = false
  /// When `readInput` last stopped early, so that a flood of input does not delay frames; nil if it
  /// has read all.
  var unreadSince: Instant?
  /// When input last arrived; nil before.
  private(set) var lastInput: Instant?

  /// Opens the terminal; the first frame then enters the screen.
  ///
  /// - Parameter options: The terminal's path, and the features to use.
  /// - Returns: The session, which must be closed.
  /// - Throws: `TerminalError`; the terminal is unchanged in that case.
  package static func open(
    _ options: Options = Options()
  ) throws(TerminalError) -> TerminalSession {
    setlocale(LC_ALL, "")
    let device = try TerminalDevice(path: options.path)
    let capture = options.capturesStandardError ? StandardErrorCapture() : nil
    // Before ncurses starts, because ncurses leaves signals alone that have a handler.
    let code = terminal_restore_begin(
      device.output, capture?.original ?? STDERR_FILENO, capture?.file ?? -1)
    guard code == 0 else {
      capture?.end()
      device.close()
      throw code == EBUSY ? .alreadyOpen : .failed("settings", code: code)
    }
    do throws(TerminalError) {
      let window = device.window()
      let measurement = CellMeasurement(
        TerminalResponses(), window: window, assumed: options.assumedCell)
      let viewport = Viewport(window, cell: measurement.cell)
      let curses = try CursesScreen(
        terminal: device.control, viewport: viewport, type: options.drawsScreen ? nil : "ansi")
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

  /// Starts a process that restores the terminal if this one is killed; call it once, after the first
  /// frame, which it would delay.
  ///
  /// Without it, as where no process can be created, a kill leaves the terminal as it is.
  package func startGuard() { terminal_restore_start_guard() }

  deinit { close() }
}

// MARK: - Polling

extension TerminalSession {
  /// The descriptors to poll, with their events: signals, input, and output if any is pending.
  package var pollRequests: [pollfd] {
    guard isOpen else { return [] }
    var requests = [
      pollfd(fd: terminal_restore_signal_descriptor(), events: Int16(POLLIN), revents: 0)
    ]
    guard !isDisconnected else { return requests }
    requests.append(pollfd(fd: device.control, events: Int16(POLLIN), revents: 0))
    if !output.isDrained {
      requests.append(pollfd(fd: device.output, events: Int16(POLLOUT), revents: 0))
    }
    return requests
  }

  /// The latest time at which to read and write again, whatever the descriptors report; nil if
  /// there is none.
  ///
  /// It is in the past while there are signals or input left to read.
  package var nextDeadline: Instant? {
    pendingSignals.isEmpty
      ? unreadSince
        ?? [
          output.nextDeadline, queryState.nextDeadline, queryState.outer.gapDeadline,
          passesThrough ? queryState.outerDeadline : nil,
        ].compactMap { $0 }.min()
      : Instant(nanoseconds: 0)
  }

  /// Returns the signals that arrived since the last call; several resizes count as one.
  package func readSignals() -> [SignalEvent] {
    guard isOpen else { return [] }
    let signals = pendingSignals + drainSignalPipe()
    pendingSignals = []
    var events: [SignalEvent] = []
    for signal in signals {
      switch signal {
      case SIGTERM, SIGHUP, SIGINT, SIGQUIT: events.append(.terminate(signal))
      case SIGTSTP where !events.contains(.suspend): events.append(.suspend)
      default: break
      }
    }
    if signals.contains(SIGCONT) {
      // SIGSTOP stops the program without leaving the screen, and the shell has used the terminal.
      needsEntry = true
      terminal_restore_make_raw()
      readSize()
      queryCellSize()
      events.append(.continued)
    } else if signals.contains(SIGWINCH) {
      readSize()
      queryCellSize()
      events.append(.resized)
    }
    return events
  }

  /// Returns the numbers of the signals that arrived since the last call, in their order.
  func drainSignalPipe() -> [Int32] {
    var signals: [Int32] = []
    var buffer = [UInt8](repeating: 0, count: 256)
    while true {
      let count = read(terminal_restore_signal_descriptor(), &buffer, buffer.count)
      guard count > 0 else { return signals }
      signals += buffer.prefix(count).map(Int32.init)
    }
  }

  /// Updates the window's size, and clears the screen with the next frame.
  func readSize() {
    let before = CellMeasurement(TerminalResponses(), window: window)
    window = takeWindow()
    // The font has changed: responses about the size of its cells are out of date.
    if CellMeasurement(TerminalResponses(), window: window) != before {
      queryState.responses.dropCellSize()
    }
    measure()
    curses.resize(to: viewport)
    drawnPanel = panel?.drawn(in: viewport.pictureCells, lines: options.lines)
    needsClear = true
    needsFrame = true
    output.expectRedraw()
    // Perhaps another pane was split off, which has the input now.
    paneFocus.windowChanged()
  }

  /// The size of a cell according to the window and the responses so far.
  var currentMeasurement: CellMeasurement {
    CellMeasurement(queryState.responses, window: window, assumed: options.assumedCell)
  }

  /// Updates the viewport and the size of a cell from the window and the responses.
  func measure() {
    measurement = currentMeasurement
    viewport = Viewport(window, cell: measurement.cell)
    viewport.hasBar = hasBar
    decoder.viewport = viewport
  }
}

extension TerminalSession {
  /// Sends bytes to the clipboard (OSC 52), after the last frame.
  ///
  /// Terminals do not confirm the sequence, and many ignore it unless their settings allow it.
  package func copy(_ bytes: [UInt8]) {
    send(Array("\u{1B}]52;c;\(Base64.text(bytes))\u{1B}\\".utf8))
  }

  /// Sends a part of a transfer to the clipboard (OSC 5522), after the last frame.
  package func send(_ packet: ClipboardPacket) { send(packet.bytes) }

  /// Sends what belongs to a drag or a drop (OSC 72), after the last frame.
  package func send(_ packets: [DragPacket]) { send(packets.flatMap(\.bytes)) }

  package var hasSentAll: Bool { output.isDrained }

  /// Writes text where no frames are drawn.
  package func write(_ text: String) { send(Array(text.utf8)) }
}

package enum SignalEvent: Equatable, Sendable {
  /// The window has a new size; `viewport` is up to date, and the next frame clears the screen.
  case resized
  /// The signal with this number asked the program to terminate.
  case terminate(Int32)
  /// A signal asked the program to stop: call `suspend`.
  case suspend
  /// The program was stopped from outside and continued: paint the whole screen again.
  case continued
}

/// Reading keys, mouse reports and replies.
extension TerminalSession {
  private static let bytesPerTurn = 64 << 10
  /// The most bytes read by one system call: the size of Linux's buffer for a terminal's input.
  private static let bytesPerRead = 4096

  /// Returns the events that arrived since the last call.
  ///
  /// After an ESC, it waits up to 25 ms for the rest of a sequence, or 100 ms while the terminal
  /// may be responding; otherwise it does not wait.
  package func readInput(at now: Instant) -> [InputEvent] {
    guard isOpen, !isDisconnected else { return [] }
    // A reply may arrive in pieces, so an ESC may be its start rather than the Escape key.
    let awaitsResponses =
      queryState.awaitsResponses(at: now) || awaitsPixelMouseResponse(at: now)
    decoder.expectsReplies = awaitsResponses
    let isAllRead = feedDecoder(
      escapeDelay: output.awaitsReply || awaitsResponses ? 100 : 25, at: now)
    unreadSince = isAllRead ? nil : now
    var events = isAllRead ? decoder.flush() : decoder.drainEvents()
    let readyCount = events.count { $0 == .reply(.ready) }
    if readyCount > 0 {
      events.removeAll { $0 == .reply(.ready) }
      for _ in 0..<readyCount { output.replyArrived(at: now) }
    }
    let pixelMouseResponses = events.count {
      if case .reply(let reply) = $0 { reply.body.hasPrefix("?1016;") } else { false }
    }
    if pixelMouseResponses > 0 {
      pendingPixelMouseResponses = max(pendingPixelMouseResponses - pixelMouseResponses, 0)
    }
    events.removeAll {
      if case .reply(let reply) = $0 { handleResponse(reply, at: now) } else { false }
    }
    queryState.update(at: now)
    // Whoever types sees the window, whatever the terminal reported.
    if events.contains(where: \.comesFromUser) { isVisible = true }
    if queryState.isInTmux { followTmux(events, at: now) }
    if currentMeasurement != measurement { measure() }
    if output.isBroken || device.isHungUp() {
      isDisconnected = true
      output.discard()
      events.append(.disconnected)
    }
    return events
  }

  /// Feeds the decoder with available input, at most `bytesPerTurn` bytes.
  ///
  /// - Parameters:
  ///   - escapeDelay: The milliseconds to wait for the rest of a key.
  ///   - now: The current time.
  /// - Returns: Whether all input was read.
  private func feedDecoder(escapeDelay: Int32, at now: Instant) -> Bool {
    var left = Self.bytesPerTurn
    while left > 0 {
      let bytes = device.read(
        atMost: min(left, Self.bytesPerRead), milliseconds: keys.isWaiting ? escapeDelay : 0)
      if bytes.isEmpty {
        guard let unit = keys.next(isFlushing: true) else { return true }
        decoder.feed(unit, at: now)
      }
      if !bytes.isEmpty { lastInput = now }
      left -= bytes.count
      keys.feed(bytes)
      while let unit = keys.next() { decoder.feed(unit, at: now) }
    }
    return false
  }
}

extension InputEvent {
  /// Whether it is a key, a mouse button, or another sign of somebody at the window.
  fileprivate var comesFromUser: Bool {
    switch self {
    case .key, .mouse, .paste, .focusGained: true
    case .focusLost, .reply, .disconnected: false
    }
  }
}
