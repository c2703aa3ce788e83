import Geometry
import Glibc
import SceneModel
import Testing

@testable import TerminalIO

/// What the terminal is told besides frames: the pointer's shape, progress, and notifications.
extension TerminalSessionTests {
  private static let shapes = "\u{1B}]22;?default,pointer,zoom-out,grab,grabbing,text\u{1B}\\"

  /// A session whose terminal has responded to the first queries, and its late queries.
  private func responded(
    as name: String = "nova 1", to response: String
  ) throws -> (terminal: SessionTerminal, session: TerminalSession, late: String) {
    let terminal = try SessionTerminal()
    let session = try open(on: terminal)
    try showFrame(of: session, on: terminal)
    let now = TerminalDevice.now()
    session.sendQueries(TerminalQueries(policy: .full, isLocal: false), at: now)
    terminal.receive(until: "\u{1B}[c")
    terminal.send("\u{1B}P>|\(name)\u{1B}\\\u{1B}[?62c")
    _ = try readInput(of: session, at: now)
    let late = terminal.receive(until: "\u{1B}[c")
    #expect(session.awaitsResponses(at: now))
    terminal.send(response + "\u{1B}[?62c")
    _ = try readInput(of: session, at: now)
    #expect(!session.awaitsResponses(at: now))
    return (terminal, session, late)
  }

  @Test func `the pointer gets a shape only when it changes, and its own back at the end`() throws {
    let (terminal, session, late) = try responded(to: "\u{1B}]22;1,1,1,1,1,1\u{1B}\\")
    #expect(late.contains(Self.shapes))
    for shape in [PointerShape.grab, .grab, .grabbing, .grabbing, .zoomOut] {
      session.pointerShape = shape
    }
    // Not in frames, either.
    try showFrame(of: session, on: terminal)
    session.close()
    terminal.receive(until: "\u{1B}[?1049l")
    let sent = terminal.received.matches(of: /\u{1B}\]22;([^?\u{1B}]*)\u{1B}\\/).map {
      String($0.1)
    }
    #expect(sent == [">default", "grab", "grabbing", "zoom-out", "<"])
  }

  @Test(arguments: ["", "\u{1B}]22;0\u{1B}\\", "\u{1B}]22;1,1,1,1,1,0\u{1B}\\", "\u{1B}]22;\u{07}"])
  func `the pointer is left alone where not all shapes are known`(response: String) throws {
    let (terminal, session, _) = try responded(to: response)
    session.pointerShape = .grab
    session.close()
    terminal.receive(until: "\u{1B}[?1049l")
    #expect(terminal.received.matches(of: /\u{1B}\]22;/).count == 1, "the query")
  }

  @Test func `progress is shown and cleared only where it is known as such`() throws {
    for isKnown in [true, false] {
      let (terminal, session, _) = try responded(to: "")
      session.showsProgress = isKnown
      for percentage in [0, 40, 40, nil, 7] { session.progress = percentage }
      session.close()
      terminal.receive(until: "\u{1B}[?1049l")
      let sent = terminal.received.matches(of: /\u{1B}\]9;4;([0-9;]*)\u{1B}\\/).map { String($0.1) }
      #expect(sent == (isKnown ? ["1;0", "1;40", "0", "1;7", "0"] : []))
    }
  }

  @Test(arguments: [
    ("\u{1B}]99;i=photogrid:p=?;p=title,body\u{1B}\\", true),
    // Konsole's form.
    ("\u{1B}]99;i=photogrid;p=?;p=title,body\u{1B}\\", true),
    ("\u{1B}]99;i=other:p=?;p=title\u{1B}\\", false), ("\u{1B}]99;i=photogrid:e=1;\u{1B}\\", false),
  ])
  func `a notification is sent to a terminal that has confirmed them`(
    response: String, isSent: Bool
  ) throws {
    let (terminal, session, _) = try responded(to: response)
    session.notify("Copied 3 photos")
    session.close()
    terminal.receive(until: "\u{1B}[?1049l")
    #expect(terminal.received.contains(":p=body;Copied 3 photos\u{1B}\\") == isSent)
  }

  @Test(arguments: [
    ("kitty(0.26.5)", []), ("kitty(0.31.0)", ["22"]), ("kitty(0.48.2)", ["22", "99"]),
  ])
  func `kitty is not asked for what its version logs as an error`(
    name: String, codes: [String]
  ) throws {
    let queries = TerminalQueries(policy: .full)
    var responses = TerminalResponses()
    responses.expect([.version])
    let isHandled = responses.handle(TerminalReply(.device, ">|\(name)"))
    #expect(isHandled)
    let bytes = queries.bytes(for: queries.late(responses), nil).bytes
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.matches(of: /\u{1B}\]([0-9]+);/).map { String($0.1) } == codes)
    #expect(text.hasSuffix("\u{1B}[c") == !codes.isEmpty)
  }
}
