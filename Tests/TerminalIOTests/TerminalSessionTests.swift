import Glibc
import PhotoGridCore
import Testing

@testable import TerminalIO

/// One session at a time: a process has one ncurses and one set of signal handlers.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct TerminalSessionTests {
  init() {
    setenv("TERM", "xterm-256color", 1)
    setlocale(LC_ALL, "C.UTF-8")
  }

  @Test
  func `after the session the terminal is as before`() throws {
    let terminal = try SessionTerminal()
    let before = terminal.settings

    let session = try open(on: terminal)
    let during = terminal.settings
    try showFrame(of: session, on: terminal)
    let modesOn = terminal.modesLeftOn
    let cursorShown = terminal.showsCursor
    session.close()
    terminal.receive(until: "\u{1B}[?1049l")

    #expect(during.isRaw)
    #expect(modesOn.isSuperset(of: [1049, 1002, 1004, 1006, 2004]))
    #expect(!cursorShown)
    #expect(terminal.settings == before)
    #expect(terminal.modesLeftOn.subtracting([1]) == [])
    #expect(terminal.showsCursor)
  }

  @Test
  func `a session that is released without being closed restores the terminal`() throws {
    let terminal = try SessionTerminal()
    let before = terminal.settings

    var session: TerminalSession? = try open(on: terminal)
    session?.present(Array("picture".utf8), at: Instant(seconds: 0))
    terminal.receive()
    terminal.send("\u{1B}[0n")
    session = nil
    terminal.receive(until: "\u{1B}[?1049l")

    #expect(terminal.settings == before)
  }

  @Test
  func `a frame has the bar before the picture, within one update, and a fence at its end`()
    throws
  {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    defer { session.close() }

    session.bar = Bar(left: "holiday", right: "1/99")
    session.present(Array("PICTURE".utf8), uploads: Array("UPLOAD".utf8), at: Instant(seconds: 0))
    let frame = terminal.receive()

    let parts = [
      "\u{1B}[?1049h", "\u{1B}[2J", "UPLOAD", "\u{1B}[?2026h", "holiday", "1/9", "\u{1B}7",
      "PICTURE", "\u{1B}8", "\u{1B}[?2026l", "\u{1B}[5n",
    ]
    var rest = frame[...]
    for part in parts {
      let found = try #require(rest.firstRange(of: part), "\(part.debugDescription) in its place")
      rest = rest[found.upperBound...]
    }
    terminal.send("\u{1B}[0n")
  }

  @Test
  func `guard characters are never sent`() throws {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    defer { session.close() }

    let frame = try showFrame(of: session, on: terminal)
    session.setPanel(Panel(title: "", lines: ["text"]))
    let withPanel = try showFrame(of: session, on: terminal)
    session.setPanel(nil)
    let without = try showFrame(of: session, on: terminal)

    // Each is a few control sequences, not 1840 cells.
    #expect(frame.utf8.count < 300)
    #expect(withPanel.contains("│ text │"))
    #expect(withPanel.utf8.count < 200)
    #expect(without.contains("\u{1B}[11;37H        \u{1B}[12;37H        \u{1B}[13;37H        "))
    #expect(without.utf8.count < 150)
  }

  @Test
  func `a panel covers its area, and blanks it when it goes`() throws {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    defer { session.close() }
    let small = CellRect(
      origin: CellPoint(column: 36, row: 10), size: CellSize(columns: 8, rows: 3))

    #expect(session.setPanel(Panel(title: "", lines: ["text"])) == nil)
    #expect(session.panelArea == small)
    #expect(session.setPanel(Panel(title: "", lines: ["next"])) == nil)
    #expect(session.setPanel(Panel(title: "", lines: ["one", "two"])) == small)
    let large = session.panelArea
    #expect(session.setPanel(nil) == large)
    #expect(session.panelArea == nil)
  }

  @Test
  func `no second frame is sent before the reply to the first`() throws {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    defer { session.close() }
    let now = Instant(seconds: 1)

    let first = session.present(Array("one".utf8), at: now)
    let second = session.present(Array("two".utf8), at: now)
    terminal.receive()
    terminal.send("\u{1B}[0n")
    let events = try readInput(of: session, at: now)
    let third = session.present(Array("three".utf8), at: now)
    let frame = terminal.receive()
    terminal.send("\u{1B}[0n")

    #expect(first && !second && third)
    #expect(events.isEmpty)
    #expect(frame.contains("three") && !frame.contains("two"))
  }

  @Test(arguments: [
    ("\u{1B}OA", InputEvent.key(.up)), ("\u{1B}[A", .key(.up)), ("\u{1B}[1;5D", .key(.left)),
    ("\u{1B}[5~", .key(.pageUp)), ("\u{1B}OP", .key(.function(1))), ("\u{1B}[Z", .key(.backTab)),
    ("\u{7F}", .key(.backspace)), ("\r", .key(.enter)), ("\u{1A}", .key(.control("z"))),
    ("é", .key(.character("é"))), ("\u{1B}", .key(.escape)), ("\u{1B}[I", .focusGained),
    ("\u{1B}[O", .focusLost), ("\u{1B}[200~q\u{1B}OAq\u{1B}[201~", .paste(Array("qq".utf8))),
    (
      "\u{1B}[<64;80;24M",
      .mouse(MouseEvent(.wheel(.up), at: PixelPoint(x: 795, y: 470)))
    ),
    (
      "\u{1B}[M !!",
      .mouse(MouseEvent(.pressed(.left), at: PixelPoint(x: 5, y: 10)))
    ),
    ("\u{1B}_Gi=31;OK\u{1B}\\", .reply(TerminalReply(.application, "Gi=31;OK"))),
  ])
  func `input arrives as events`(typed: String, event: InputEvent) throws {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    defer { session.close() }

    terminal.send(typed)

    #expect(try readInput(of: session, at: Instant(seconds: 0)) == [event])
  }

  @Test
  func `a change of size is one event, and the next frame fits`() throws {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    defer { session.close() }
    session.bar = Bar(left: "left", right: "right")
    try showFrame(of: session, on: terminal)

    for size in [(1, 1), (200, 60), (2, 1), (40, 10)] {
      terminal.resize(columns: size.0, rows: size.1)
      kill(getpid(), SIGWINCH)
    }
    let events = try readSignals(of: session)
    let frame = try showFrame(of: session, on: terminal)

    #expect(events == [.resized])
    #expect(session.viewport.cells == CellSize(columns: 40, rows: 10))
    #expect(frame.contains("\u{1B}[2J"))
    // ncurses writes the last corner by itself.
    #expect(frame.contains("\u{1B}[36G") && frame.contains("righ"))
  }

  @Test(arguments: [(1, 1), (1, 200), (200, 1), (2, 2), (5, 3), (500, 200)])
  func `any size can be drawn`(columns: Int, rows: Int) throws {
    let terminal = try SessionTerminal(columns: columns, rows: rows)
    let session = try open(on: terminal)
    defer { session.close() }

    session.bar = Bar(left: "写真/ferie", right: "写")
    session.setPanel(Panel(title: "Help", lines: (0..<300).map { "line \($0) 写真" }))
    try showFrame(of: session, on: terminal)
    session.setPanel(nil)
    try showFrame(of: session, on: terminal)

    #expect(session.viewport.pictureCells == CellSize(columns: columns, rows: rows - 1))
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
  func `a signal to terminate is an event`(signal: Int32) throws {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    defer { session.close() }

    kill(getpid(), signal)

    #expect(try readSignals(of: session) == [.terminate(signal)])
  }

  @Test
  func `after a stop from outside everything is drawn again`() throws {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    defer { session.close() }
    session.bar.left = "holiday"
    try showFrame(of: session, on: terminal)

    kill(getpid(), SIGCONT)
    let events = try readSignals(of: session)
    let frame = try showFrame(of: session, on: terminal)

    #expect(events == [.continued])
    for part in ["\u{1B}[?1049h", "\u{1B}[?1002h", "\u{1B}[2J", "holiday"] {
      #expect(frame.contains(part))
    }
  }

  @Test
  func `a closed terminal is reported once and not used again`() throws {
    var terminal: SessionTerminal? = try SessionTerminal()
    let session = try open(on: try #require(terminal))
    defer { session.close() }

    terminal = nil
    let now = Instant(seconds: 0)
    // Until a process that another test starts at this moment has executed its program, it has the
    // terminal open too.
    #expect(try readInput(of: session, at: now) == [.disconnected])
    #expect(session.readInput(at: now).isEmpty)
    #expect(!session.present([], at: now))
    #expect(session.pollRequests.count == 1)
  }

  @Test
  func `a terminal that reads nothing is still left properly`() throws {
    let terminal = try SessionTerminal()
    let before = terminal.settings
    let session = try open(on: terminal)

    session.present([UInt8](repeating: UInt8(ascii: "x"), count: 500_000), at: Instant(seconds: 0))
    session.close()
    let rest = terminal.receive(until: "\u{1B}[?1049l")

    #expect(terminal.settings == before)
    #expect(rest.contains("\u{18}\u{1B}\\\u{1B}[?2026l"), "the update that was cut off ends")
  }

  @Test
  func `every end of an update has its start`() throws {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    try showFrame(of: session, on: terminal)
    session.close()
    terminal.receive(until: "\u{1B}[?1049l")

    let updates = terminal.received.matches(of: /\u{1B}\[\?2026([hl])/).map { String($0.1) }
    #expect(updates.joined() == String(repeating: "hl", count: updates.count / 2))
    #expect(!updates.isEmpty)
  }

  @Test
  func `a second session is refused`() throws {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    defer { session.close() }

    #expect(throws: TerminalError.alreadyOpen) { try open(on: terminal) }
  }

  @Test(arguments: [
    ("dumb", TerminalError.typeUnusable("dumb")), ("", .typeNotSet),
    ("no-such-terminal", .typeUnknown("no-such-terminal")),
  ])
  func `an unsuitable terminal type is refused, and the terminal stays as it was`(
    type: String, error: TerminalError
  ) throws {
    let terminal = try SessionTerminal()
    let before = terminal.settings
    setenv("TERM", type, 1)
    defer { setenv("TERM", "xterm-256color", 1) }

    #expect(throws: error) { try open(on: terminal) }

    #expect(terminal.settings == before)
  }

  @Test
  func `a path that is not a terminal is refused`() {
    var options = TerminalSession.Options()
    options.path = "/dev/null"

    #expect(throws: TerminalError.failed("settings", code: ENOTTY)) {
      try TerminalSession.open(options)
    }
  }

  // MARK: -

  func open(on terminal: SessionTerminal) throws -> TerminalSession {
    var options = TerminalSession.Options()
    options.path = terminal.path
    options.capturesStandardError = false
    return try TerminalSession.open(options)
  }

  /// Makes the session show its next frame, and replies to the fence.
  @discardableResult
  func showFrame(
    of session: TerminalSession, on terminal: SessionTerminal
  ) throws -> String {
    let now = Instant(seconds: 0)
    try #require(session.present([], at: now))
    let frame = terminal.receive { session.writeOutput(at: now) }
    terminal.send("\u{1B}[0n")
    #expect(try readInput(of: session, at: now).isEmpty)
    return frame
  }

  func readInput(
    of session: TerminalSession, at now: Instant
  ) throws -> [InputEvent] {
    try waitUntilReady(session.pollRequests[1])
    return session.readInput(at: now)
  }

  func readSignals(of session: TerminalSession) throws -> [SignalEvent] {
    try waitUntilReady(session.pollRequests[0])
    return session.readSignals()
  }

  private func waitUntilReady(_ request: pollfd) throws {
    var request = request
    var result: Int32
    repeat { result = poll(&request, 1, 5000) } while result < 0 && errno == EINTR
    try #require(result == 1)
  }
}
