import Geometry
import Glibc
import SceneModel
import Testing

@testable import TerminalIO

/// Input and signals; in the suite of sessions, as a process can have only one at a time.
extension TerminalSessionTests {
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
    #expect(frame.contains("\u{1B}[35G") && frame.contains("right"))
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
}
