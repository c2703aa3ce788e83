import Geometry
import SceneModel
import Testing

@testable import TerminalIO

/// Frames; in the suite of sessions, as a process can have only one at a time.
extension TerminalSessionTests {
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
    #expect(withPanel.contains("text"))
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
}
