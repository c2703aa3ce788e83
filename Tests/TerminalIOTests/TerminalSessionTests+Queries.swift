import Geometry
import Glibc
import Photos
import Testing

@testable import TerminalIO

/// Queries; in the suite of sessions, as a process can have only one at a time.
extension TerminalSessionTests {
  /// A session whose first frame was shown, and whose queries have been sent at a time.
  private func queried(
    at now: Instant = Instant(seconds: 0)
  ) throws -> (terminal: SessionTerminal, session: TerminalSession, now: Instant) {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    try showFrame(of: session, on: terminal)
    session.sendQueries(TerminalQueries(policy: .full, isLocal: false), at: now)
    terminal.receive(until: "\u{1B}[c")
    return (terminal, session, now)
  }

  @Test
  func `queries follow the first frame and its fence, and their responses are not keys`()
    throws
  {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    defer { session.close() }
    let now = Instant(seconds: 0)

    session.present(Array("PICTURE".utf8), at: now)
    session.sendQueries(TerminalQueries(policy: .full, isLocal: false), at: now)
    let frame = terminal.receive(until: "\u{1B}[c")
    terminal.send("\u{1B}[0n\u{1B}[6;22;11t\u{1B}]11;rgb:f/f/f\u{07}\u{1B}[?62;4cq")
    let events = try readInput(of: session, at: now)

    let rest = try #require(frame.firstRange(of: "\u{1B}[?2026l\u{1B}[5n"))
    #expect(frame[rest.upperBound...].hasPrefix("\u{1B}[>0q"))
    #expect(events == [.key(.character("q"))])
    #expect(session.responses.attributes == [62, 4])
    #expect(session.isReadyToDecide && session.canSendFrame(at: now))
    #expect(session.viewport.metrics.cell == PixelSize(width: 11, height: 22))
    #expect(session.measurement.source == .cellReport)
  }

  @Test func `queries on entry come before anything is drawn, and leave nothing on the screen`()
    throws
  {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    defer { session.close() }
    let now = Instant(seconds: 0)

    session.sendQueriesOnEntry(TerminalQueries(policy: .full, isLocal: false), at: now)
    session.present(Array("PICTURE".utf8), at: now)

    let frame = terminal.receive(until: "PICTURE")
    let queries = try #require(frame.firstRange(of: /\u{1B}7\u{1B}\[>0q.*\u{1B}\[c\u{1B}8/))
    #expect(frame[queries.upperBound...].hasPrefix("\u{1B}[0m\u{1B}[2J"))
    #expect(frame[..<queries.lowerBound].contains("\u{1B}[?1049h"))
    #expect(!frame[..<queries.lowerBound].contains("\u{1B}[?2026h"), "before the first update")
    terminal.send("\u{1B}[0n\u{1B}[?62;4c")
    _ = try readInput(of: session, at: now)
    session.present(Array("NEXT".utf8), at: now)
    #expect(!terminal.receive(until: "NEXT").contains("\u{1B}[>0q"), "only once")
  }

  @Test func `tmux is asked to pass queries on once it has redrawn its window`() throws {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    defer { session.close() }
    let now = Instant(seconds: 0)
    let wrapped = "\u{1B}Ptmux;"

    session.sendQueriesOnEntry(TerminalQueries(policy: .tmux, isLocal: false), at: now)
    session.present(Array("PICTURE".utf8), at: now)
    let frame = terminal.receive()
    #expect(frame.contains("\u{1B}[?1049h") && !frame.contains(wrapped))
    #expect(!session.passesThrough)
    terminal.send("\u{1B}[0n\u{1B}[?1;2c")
    _ = try readInput(of: session, at: now)
    #expect(session.passesThrough)
    let queries = terminal.receive(until: "\u{1B}\u{1B}[c\u{1B}\\")
    #expect(queries.hasPrefix(wrapped) && !queries.contains("PICTURE"))
    terminal.send("\u{1B}P>|kitty(0.40.1)\u{1B}\\\u{1B}[?62;c")
    _ = try readInput(of: session, at: now)

    #expect(session.outerResponseCount == 1)

    // After another size, responses may go to another pane.
    terminal.resize(columns: 70, rows: 24)
    kill(getpid(), SIGWINCH)
    _ = try readSignals(of: session)
    #expect(!session.passesThrough && session.needsFrame)
    session.present([], at: now)
    terminal.receive()
    terminal.send("\u{1B}[0n")
    _ = try readInput(of: session, at: now)
    #expect(session.passesThrough && !session.receivesResponses(at: now))

    // The focus comes back.
    let later = Instant(seconds: 5)
    terminal.send("\u{1B}[I")
    _ = try readInput(of: session, at: later)
    #expect(!session.passesThrough && session.needsFrame)
    session.present([], at: later)
    #expect(!terminal.receive().contains(wrapped))
    terminal.send("\u{1B}[0n")
    _ = try readInput(of: session, at: later)
    #expect(session.passesThrough && session.receivesResponses(at: later))
    #expect(terminal.receive(until: "\u{1B}\u{1B}[c\u{1B}\\").contains(wrapped))
  }

  @Test
  func `the cell's size is queried again when the window's size changes`() throws {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    defer { session.close() }
    session.sendQueries(
      TerminalQueries(policy: .full, isLocal: false), at: Instant(seconds: 0))
    terminal.receive(until: "\u{1B}[c")
    terminal.send("\u{1B}[6;22;11t\u{1B}[4;500;900t\u{1B}[?62c")
    _ = try readInput(of: session, at: Instant(seconds: 0))

    // The same font, then another one.
    terminal.resize(columns: 70, rows: 24)
    kill(getpid(), SIGWINCH)
    _ = try readSignals(of: session)
    terminal.receive(until: "\u{1B}[14t")
    let same = session.viewport.metrics.cell
    terminal.send("\u{1B}[6;22;11t")
    _ = try readInput(of: session, at: Instant(seconds: 1))
    terminal.resize(columns: 70, rows: 24, cell: (8, 16))
    kill(getpid(), SIGWINCH)
    _ = try readSignals(of: session)
    let other = session.viewport.metrics.cell
    terminal.receive(until: "\u{1B}[16t")
    terminal.send("\u{1B}[6;17;8t")
    _ = try readInput(of: session, at: Instant(seconds: 2))

    #expect(same == PixelSize(width: 11, height: 22))
    #expect(other == PixelSize(width: 8, height: 16))
    #expect(session.viewport.metrics.cell == PixelSize(width: 8, height: 17))
  }

  @Test
  func `mouse reports in pixels are turned on, on again after a stop, and off at the end`() throws {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    try showFrame(of: session, on: terminal)

    session.usesPixelMouse = true
    terminal.receive(until: "\u{1B}[?1016h\u{1B}[?1016$p")
    terminal.send("\u{1B}[<0;2;2M\u{1B}[?1016;1$y\u{1B}[<0;2;2m")
    let events = try readInput(of: session, at: Instant(seconds: 0))
    kill(getpid(), SIGCONT)
    _ = try readSignals(of: session)
    let again = try showFrame(of: session, on: terminal)
    session.close()
    terminal.receive(until: "\u{1B}[?1049l")

    let positions = events.compactMap { event in
      if case .mouse(let mouse) = event { mouse.position } else { nil }
    }
    #expect(positions == [PixelPoint(x: 15, y: 30), PixelPoint(x: 1.5, y: 1.5)])
    #expect(again.contains("\u{1B}[?1016h\u{1B}[?1016$p"))
    #expect(!terminal.modesLeftOn.contains(1016))
  }

  @Test
  func `a response about the mouse that is cut after its ESC is not read as keys`() throws {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    defer { session.close() }
    try showFrame(of: session, on: terminal)
    session.usesPixelMouse = true
    terminal.receive(until: "\u{1B}[?1016h\u{1B}[?1016$p")

    terminal.send("\u{1B}")
    let first = try readInput(of: session, at: TerminalDevice.now())
    terminal.send("[?1016;1$yq")
    let second = try readInput(of: session, at: TerminalDevice.now())

    // The key cannot be told from the beginning of a response in time.
    #expect(first == [.key(.escape)])
    #expect(second.filter { if case .key = $0 { true } else { false } } == [.key(.character("q"))])
    #expect(session.pendingPixelMouseResponses == 0)
  }

  @Test func `a response about the mouse that never comes is awaited for three seconds`() throws {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    defer { session.close() }
    try showFrame(of: session, on: terminal)
    session.usesPixelMouse = true
    let sent = TerminalDevice.now()
    usleep(100_000)
    _ = session.readInput(at: TerminalDevice.now())

    #expect(session.awaitsPixelMouseResponse(at: sent.advanced(bySeconds: 2.8)))
    #expect(!session.awaitsPixelMouseResponse(at: sent.advanced(bySeconds: 3.05)))
  }

  @Test
  func `reports of colour changes are turned on if supported, and the background is queried again`()
    throws
  {
    let (terminal, session, now) = try queried()

    terminal.send("\u{1B}[?2031;2$y\u{1B}]11;rgb:0/0/0\u{07}\u{1B}[?62c")
    _ = try readInput(of: session, at: now)
    terminal.receive(until: "\u{1B}[?2031h")
    terminal.send("\u{1B}[?997;2n\u{1B}[?997;1n\u{1B}[?997;2n")
    let events = try readInput(of: session, at: now)
    let query = terminal.receive(until: "\u{1B}]11;?\u{1B}\\")
    terminal.send("\u{1B}]11;rgb:f/f/f\u{07}")
    _ = try readInput(of: session, at: now)
    session.close()
    terminal.receive(until: "\u{1B}[?1049l")

    #expect(events.isEmpty)
    #expect(query == "\u{1B}]11;?\u{1B}\\")
    #expect(session.responses.background == RGB(255, 255, 255))
    #expect(!terminal.modesLeftOn.contains(2031))
  }

  @Test func `a size that the terminal reports is taken before the system tells of it`() throws {
    let (terminal, session, now) = try queried()
    terminal.send("\u{1B}[?2048;2$y\u{1B}[?62c")
    _ = try readInput(of: session, at: now)
    terminal.receive(until: "\u{1B}[?2048h")

    /// The viewport after a report of rows, columns, height, and width, and whether it is another.
    func report(_ text: String) throws -> (cells: CellSize, cell: PixelSize, isResize: Bool) {
      terminal.send("\u{1B}[48;\(text)t")
      _ = try readInput(of: session, at: now)
      let isResize = session.readSignals() == [.resized]
      return (session.viewport.cells, session.viewport.metrics.cell, isResize)
    }
    let same = try report("24;80;480;800")
    #expect(same.cells == CellSize(columns: 80, rows: 24) && !same.isResize)
    let other = try report("30;100;660:1;1100")
    #expect(other.cells == CellSize(columns: 100, rows: 30) && other.isResize)
    #expect(other.cell == PixelSize(width: 11, height: 22))
    let font = try report("30;100;540;900")
    #expect(font.cell == PixelSize(width: 9, height: 18) && font.isResize)
    for lie in ["0;0;0;0", "-1;80;480;800", "24;80;480", "24;80;480;800;1", "99999999;80;1;1"] {
      #expect(try !report(lie).isResize, "\(lie)")
      #expect(session.viewport.cells == CellSize(columns: 100, rows: 30), "\(lie)")
    }
    #expect(try report("9999999;9999999;1;1").cells == CellSize(columns: 1000, rows: 300))

    // The system tells of the last size after all.
    terminal.resize(columns: 70, rows: 20)
    kill(getpid(), SIGWINCH)
    _ = try readSignals(of: session)
    #expect(session.viewport.cells == CellSize(columns: 70, rows: 20))
    session.close()
    terminal.receive(until: "\u{1B}[?1049l")
    #expect(!terminal.modesLeftOn.contains(2048))
  }

  @Test func `a report of a size means nothing in a terminal without the mode`() throws {
    let (terminal, session, now) = try queried()
    terminal.send("\u{1B}[?2048;0$y\u{1B}[?62c\u{1B}[48;30;100;600;1000t")
    _ = try readInput(of: session, at: now)
    #expect(session.readSignals().isEmpty)
    #expect(session.viewport.cells == CellSize(columns: 80, rows: 24))
    session.close()
    #expect(!terminal.receive(until: "\u{1B}[?1049l").contains("\u{1B}[?2048h"))
  }

  @Test
  func `the keyboard protocol begins once the terminal reports it, and ends with the screen`()
    throws
  {
    let (terminal, session, now) = try queried()

    terminal.send("\u{1B}[?0u\u{1B}[?62c\u{1B}[?0u")
    // The second response is to a query that nobody sent.
    let events = try readInput(of: session, at: now)
    #expect(events == [.reply(TerminalReply(.control, "?0u"))])
    terminal.receive(until: "\u{1B}[>5u")
    // After a stop, whatever the shell has done, it is pushed once.
    kill(getpid(), SIGCONT)
    _ = try readSignals(of: session)
    let again = try showFrame(of: session, on: terminal)
    #expect(again.contains("\u{1B}[<u\u{1B}[>5u"))
    session.close()
    let end = terminal.receive(until: "\u{1B}[?1049l")

    // Before the screen is left, which has modes of its own.
    let pop = try #require(end.firstRange(of: "\u{1B}[<u"))
    #expect(!end[pop.upperBound...].contains("\u{1B}[<u"))
    #expect(session.activeFeatures == [])
  }

  @Test func `a terminal that does not report the keyboard protocol gets nothing of it`() throws {
    let (terminal, session, now) = try queried()
    terminal.send("\u{1B}[?62c")
    _ = try readInput(of: session, at: now)
    #expect(session.activeFeatures == .screen)
    session.close()
    terminal.receive(until: "\u{1B}[?1049l")
    #expect(terminal.received.matches(of: /\u{1B}\[[<>=][0-9]*u/).isEmpty)
  }

  @Test func `a window is hidden until it is reported as visible, or somebody types`() throws {
    let (terminal, session, now) = try queried()

    func isVisible(after bytes: String) throws -> Bool {
      terminal.send(bytes)
      let events = try readInput(of: session, at: now)
      #expect(!events.contains { if case .reply = $0 { true } else { false } })
      return session.isVisible
    }
    #expect(try isVisible(after: "\u{1B}[?2033;2$y\u{1B}[?62c"))
    #expect(!terminal.receive(until: "\u{1B}[?998n").contains("\u{1B}[?2033h"), "it is asked first")
    #expect(try isVisible(after: "\u{1B}[?999;1n"))
    terminal.receive(until: "\u{1B}[?2033h")
    for input in ["\u{1B}[?999;1n", "j", "\u{1B}[<0;2;2M", "\u{1B}[I"] {
      #expect(try !isVisible(after: "\u{1B}[?999;2n"))
      #expect(try isVisible(after: input), "\(input)")
    }
    session.close()
    terminal.receive(until: "\u{1B}[?1049l")
    #expect(!terminal.modesLeftOn.contains(2033))
  }

  @Test func `a report of visibility means nothing in a terminal without the mode`() throws {
    let (terminal, session, now) = try queried()
    terminal.send("\u{1B}[?2033;0$y\u{1B}[?62c\u{1B}[?999;2n")
    _ = try readInput(of: session, at: now)
    #expect(session.isVisible)
    session.close()
    #expect(!terminal.receive(until: "\u{1B}[?1049l").contains("\u{1B}[?2033h"))
  }

  @Test
  func `responses that arrive after the cleanup bytes are read before the shell gets the terminal`()
    throws
  {
    let (terminal, session, _) = try queried(at: TerminalDevice.now())

    terminal.send("\u{1B}]11;rgb:f/f/f\u{07}\u{1B}[?62;4c", afterMilliseconds: 300)
    session.close()

    #expect(session.responses.attributes == [62, 4])
    #expect(terminal.unreadByteCount == 0)
  }
}
