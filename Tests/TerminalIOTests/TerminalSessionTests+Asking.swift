import Glibc
import PhotoGridCore
import Testing

@testable import TerminalIO

/// Asking the terminal about itself; in the suite of the session, of which there is one at a time.
extension TerminalSessionTests {
  @Test
  func `questions follow the first frame and its fence, and their answers are nobody's keys`()
    throws
  {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    defer { session.close() }
    let now = Instant(seconds: 0)

    session.present(Array("PICTURE".utf8), at: now)
    session.ask(TerminalQuestions(manner: .versed, isLocal: false), at: now)
    let frame = terminal.receive(until: "\u{1B}[c")
    terminal.send("\u{1B}[0n\u{1B}[6;22;11t\u{1B}]11;rgb:f/f/f\u{07}\u{1B}[?62;4cq")
    let events = try readInput(of: session, at: now)

    let rest = try #require(frame.firstRange(of: "\u{1B}[?2026l\u{1B}[5n"))
    #expect(frame[rest.upperBound...].hasPrefix("\u{1B}[>0q"))
    #expect(events == [.key(.character("q"))])
    #expect(session.answers.attributes == [62, 4])
    #expect(session.isJudgementDue && session.canTakeFrame(at: now))
    #expect(session.viewport.metrics.cell == PixelSize(width: 11, height: 22))
    #expect(session.measurement.source == .cellReport)
  }

  @Test
  func `the cell's size is asked for again when the size changes`() throws {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    defer { session.close() }
    session.ask(
      TerminalQuestions(manner: .versed, isLocal: false), at: Instant(seconds: 0))
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
  func `the mouse in pixels is switched on, back on after a stop, and off in the end`() throws {
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
  func `where colours can change, news of it is asked for and leads to the question again`() throws
  {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    let now = Instant(seconds: 0)
    try showFrame(of: session, on: terminal)
    session.ask(TerminalQuestions(manner: .versed, isLocal: false), at: now)
    terminal.receive(until: "\u{1B}[c")

    terminal.send("\u{1B}[?2031;2$y\u{1B}]11;rgb:0/0/0\u{07}\u{1B}[?62c")
    _ = try readInput(of: session, at: now)
    terminal.receive(until: "\u{1B}[?2031h")
    terminal.send("\u{1B}[?997;2n\u{1B}[?997;1n\u{1B}[?997;2n")
    let events = try readInput(of: session, at: now)
    let question = terminal.receive(until: "\u{1B}]11;?\u{1B}\\")
    terminal.send("\u{1B}]11;rgb:f/f/f\u{07}")
    _ = try readInput(of: session, at: now)
    session.close()
    terminal.receive(until: "\u{1B}[?1049l")

    #expect(events.isEmpty)
    #expect(question == "\u{1B}]11;?\u{1B}\\")
    #expect(session.answers.background == RGB(255, 255, 255))
    #expect(!terminal.modesLeftOn.contains(2031))
  }

  @Test
  func `answers that come after the farewell are taken before the shell gets the terminal`() throws
  {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    try showFrame(of: session, on: terminal)
    session.ask(TerminalQuestions(manner: .versed, isLocal: false), at: TerminalDevice.now())
    terminal.receive(until: "\u{1B}[c")

    terminal.send("\u{1B}]11;rgb:f/f/f\u{07}\u{1B}[?62;4c", afterMilliseconds: 300)
    session.close()

    #expect(session.answers.attributes == [62, 4])
    #expect(terminal.unreadByteCount == 0)
  }

  @Test
  func `pictures are blanked within the update, and a panel over them is not`() throws {
    let terminal = try SessionTerminal(columns: 20, rows: 6)
    let session = try open(on: terminal)
    defer { session.close() }
    session.setPanel(Panel(title: "", lines: ["text"]))
    try showFrame(of: session, on: terminal)

    session.clearPictures()
    let frame = try showFrame(of: session, on: terminal)
    let next = try showFrame(of: session, on: terminal)

    #expect(
      frame.contains(
        "\u{1B}[?2026h\u{1B}7\u{1B}[1;1H\u{1B}[K\u{1B}[2;1H\u{1B}[6X\u{1B}[2;15H\u{1B}[K"
          + "\u{1B}[3;1H\u{1B}[6X\u{1B}[3;15H\u{1B}[K\u{1B}[4;1H\u{1B}[6X\u{1B}[4;15H\u{1B}[K"
          + "\u{1B}[5;1H\u{1B}[K\u{1B}8"), "\(frame.debugDescription)")
    #expect(!next.contains("\u{1B}[K"))
  }
}
