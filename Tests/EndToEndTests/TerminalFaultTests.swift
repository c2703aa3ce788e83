import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Terminals that are slow, silent, or send unexpected bytes.
@Suite(.waiting) struct TerminalFaultTests {
  @Test func `a terminal that stops reading costs no memory, and q still quits`() throws {
    let window = try PhotoFolder(count: 40).open(columns: 120, rows: 40)
    try window.wait(for: "tiles") { $0.isAt("1/40") && !$0.bar.contains("loading") }
    try window.waitUntilQuiet()
    let process = window.terminal.process
    let before = try #require(Processes.residentKilobytes(of: process))
    let chunks = window.terminal.chunks.count

    // Three seconds of held keys: enough for a hundred frames.
    for index in 0..<100 {
      window.type(index % 10 < 5 ? "j" : "k")
      if index % 20 == 19 { window.type("\r\u{1B}") }
      usleep(30_000)
    }
    let after = try #require(Processes.residentKilobytes(of: process))
    #expect(after - before < 8_000, "\(before) kB before, \(after) kB after")
    // Without further replies, so that all output from now on was written before.
    window.terminal.answers = false
    window.type("q")

    #expect(try window.waitForEnd() == 0)
    window.expectRestored()
    // The system's buffer for the terminal, and a frame: 120 by 40 cells of 40 bytes at most.
    let count = window.output(fromChunk: chunks).count
    #expect(count < 65_536 + 120 * 40 * 40, "\(count) bytes")
  }

  @Test func `on a slow link frames are skipped, and q quits at once`() throws {
    let window = try PhotoFolder(count: 40).open("--motion", "slow", columns: 120, rows: 40)
    try window.wait(for: "tiles") { $0.isAt("1/40") && !$0.bar.contains("loading") }
    try window.waitUntilQuiet()

    // Two seconds of zooms, of which a fiftieth of a frame's bytes arrive each time.
    for round in 0..<200 {
      if round % 40 == 0 { window.type(round % 80 == 0 ? "\r" : "\u{1B}") }
      window.terminal.take(atMost: 200)
      usleep(10_000)
    }
    let chunks = window.terminal.chunks.count
    window.type("q")

    #expect(try window.waitForEnd() == 0)
    window.expectRestored()
    // The system's buffer for the terminal, and a frame: 120 by 40 cells of 40 bytes at most.
    let count = window.output(fromChunk: chunks).count
    #expect(count < 65_536 + 120 * 40 * 40, "\(count) bytes")
  }

  @Test func `the program works in a terminal that does not respond`() throws {
    let window = try PhotoFolder(count: 6).open(answers: false)

    try window.waitForGrid(of: 6)
    window.type("\r")
    try window.wait(for: "the photo on the whole screen") {
      $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen
    }
    try window.quit()
  }

  @Test func `without motion the program is idle`() throws {
    let window = try PhotoFolder(count: 6).open()
    try window.waitForGrid(of: 6)
    for keys in ["", "\r", "l", "\u{1B}", "?"] {
      window.type(keys)
      try window.waitUntilQuiet(seconds: 1)
    }

    #expect(try window.isIdle(forSeconds: 2), "it is not idle\(window.picture)")
    window.type("\u{1B}")
    try window.quit()
  }

  @Test func `keys within replies are not taken as keys`() throws {
    let window = try PhotoFolder(count: 6).open("--motion", "none")
    try window.waitForGrid(of: 6)
    let before = window.screen

    let replies = [
      "\u{1B}]11;rgb:qqqq/0000/0000\u{1B}\\", "\u{1B}]52;c;qqqq\u{07}", "\u{1B}P1$rqlj\u{1B}\\",
      "\u{1B}_Gi=31;qlqjq\u{1B}\\", "\u{1B}^qqq\u{1B}\\", "\u{1B}[?62;22c",
      "\u{1B}[99999999999;-1R",
      "\u{1B}[4;0;0t", "\u{1B}[6;99999999999;0t", "\u{1B}[200~qlj\u{03}\u{1A}Q\u{1B}[201~",
      "\u{1B}[I\u{1B}[O\u{1B}[I", "\u{1B}[<0;99999;99999M\u{1B}[<0;99999;99999m", "\u{1B}[<q",
      "\u{1B}[M   ", "\u{1B}[0n\u{1B}[0n\u{1B}[0n", "\u{1B}[?2026;0$y", "\u{1B}]q\u{18}",
    ]
    for reply in replies {
      window.type(reply)
      try window.waitUntilQuiet(seconds: 0.05)
      #expect(window.terminal.status == nil, "\(reply.debugDescription)\(window.picture)")
    }
    try window.waitUntilQuiet()

    #expect(window.screen.looksLike(before), "\(window.screen.differences(from: before))")
    try window.quit()
  }

  @Test func `a reply of seventy thousand bytes is dropped`() throws {
    let window = try PhotoFolder(count: 6).open("--motion", "none")
    try window.waitForGrid(of: 6)
    let before = window.screen

    window.terminal.send(
      Array("\u{1B}]11;".utf8) + Array(repeating: UInt8(ascii: "q"), count: 70_000)
        + Array("\u{1B}\\".utf8))
    try window.waitUntilQuiet()

    #expect(window.terminal.status == nil, "\(window.picture)")
    #expect(window.screen.looksLike(before), "\(window.screen.differences(from: before))")
    try window.quit()
  }

  @Test func `an endless string times out`() throws {
    let window = try PhotoFolder(count: 6).open("--motion", "none")
    try window.waitForGrid(of: 6)

    window.type("\u{1B}_Gqqqqqqqq")
    try window.typeUntilObeyed("2G", number: "2/6")
    try window.quit()
  }

  @Test func `a paste does nothing`() throws {
    let window = try PhotoFolder(count: 6).open("--motion", "none")
    try window.waitForGrid(of: 6)

    window.type("\u{1B}[200~\(String(repeating: "jlq\r\u{1B}[A", count: 3_000))\u{1B}[201~l")

    try window.waitForNumber("2/6")
    try window.quit()
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `random bytes are harmless`(seed: UInt64) throws {
    // The bytes may lead to the folder above, and rename files of other tests there.
    let window = try PhotoFolder(count: 6).open("--motion", "none", "--read-only")
    try window.waitForGrid(of: 6)

    // All bytes except keys that quit, suspend or run commands.
    let leaving: Set<UInt8> = [
      UInt8(ascii: "q"), UInt8(ascii: "Q"), UInt8(ascii: "!"), 0x03, 0x1A, 0x1C,
    ]
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let bytes = (0..<2_000).map { _ in UInt8.random(in: 0...255, using: &random) }
      window.terminal.send(bytes.filter { !leaving.contains($0) })
      _ = window.watch(seconds: 0.01) { _ in false }
    }
    // Each key reaches the browser, which takes time on a busy core.
    let isSent = window.watch(seconds: 120) { _ in window.terminal.isInputSent }
    #expect(isSent, "not read to the end: seed \(seed)\(window.picture)")
    #expect(window.terminal.status == nil, "ended by random bytes of seed \(seed)\(window.picture)")

    // Leaves prompts and photos that are open now, once an endless sequence or paste has timed out.
    for _ in 0..<10 where window.terminal.status == nil {
      _ = window.watch(seconds: 2.5) { _ in window.terminal.status != nil }
      window.type("\u{1B}")
      _ = window.watch(seconds: 0.3) { _ in window.terminal.status != nil }
      window.type("q")
      _ = window.watch(seconds: 0.5) { _ in window.terminal.status != nil }
    }
    #expect(try window.waitForEnd() == 0, "\(window.picture)")
    window.expectRestored()
  }

  @Test func `a late reply changes nothing`() throws {
    let window = try PhotoFolder(count: 6).open("--motion", "none", answers: false)
    try window.waitForGrid(of: 6)

    for _ in 0..<10 {
      window.type("l")
      _ = window.watch(seconds: 0.1) { _ in false }
      window.terminal.send("\u{1B}[0n")
    }

    try window.waitForNumber("6/6")
    try window.quit()
  }
}
