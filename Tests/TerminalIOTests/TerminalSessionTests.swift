import Geometry
import Glibc
import Testing

@testable import TerminalIO

/// One session at a time: a process has one ncurses and one set of signal handlers.
@Suite(.serialized)
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

  @Test(arguments: [true, false])
  func `mlterm draws its border again after the program has left the screen`(
    repaintsBorder: Bool
  ) throws {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal, repaintsBorder: repaintsBorder)
    try showFrame(of: session, on: terminal)
    session.close()
    let reversal = "\u{1B}[?5h\u{1B}[?5l"
    let end = terminal.receive(until: repaintsBorder ? reversal : "\u{1B}[?1049l")

    let left = try #require(end.firstRange(of: "\u{1B}[?1049l"))
    #expect(end[left.upperBound...].contains(reversal) == repaintsBorder)
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

  func open(
    on terminal: SessionTerminal, repaintsBorder: Bool = false
  ) throws -> TerminalSession {
    var options = TerminalSession.Options()
    options.path = terminal.path
    options.repaintsBorder = repaintsBorder
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
