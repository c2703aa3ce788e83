import Foundation
import PseudoTerminal
import Testing

/// What the program begins only in terminals that know it, such as kitty's keyboard protocol, ends
/// however the program ends.
@Suite(.waiting) struct ActiveFeatureTests {
  @Test func `the keyboard protocol and reports of the size are used where they are answered`()
    throws
  {
    let window = try PhotoFolder(count: 6).open("--protocol", "cells", model: .kittyOfToday)
    try window.wait(for: "reports of the size") { $0.modes.contains(2048) }
    try window.waitForGrid(of: 6)
    #expect(Self.active(in: window.output()) == ["keyboard", "pointer"])

    // Enter opens, and Esc as a report closes.
    window.type("l\r")
    try window.wait(for: "the second photo on the whole screen") {
      $0.isAt("2/6") && $0.box(of: TestPhoto.green) == ZoomTests.wholeScreen
    }
    window.type("\u{1B}[27u")
    try window.waitForGrid(of: 6)
    // Before the system tells of it.
    window.type("\u{1B}[48;30;100;600;1000t")
    try window.wait(for: "the frame of another size") { _ in
      String(decoding: window.output(), as: UTF8.self).contains("\u{1B}[30;")
    }
    window.type("\u{1B}[48;24;80;480;800t")
    // Ctrl-C twice.
    window.type("\u{1B}[99;5u\u{1B}[99;5u")

    #expect(try window.waitForEnd() == 130)
    window.expectRestored()
    #expect(Self.active(in: window.output()) == [])
  }

  @Test(arguments: [SIGTERM, SIGUSR1, SIGSEGV])
  func `a signal that ends the program ends them too`(signal: Int32) throws {
    let folder = try PhotoFolder(count: 1)
    let window = try Window(
      ["sh", "-c", "ulimit -c 0; exec \"$@\"", "sh", PhotoGrid.path, "-t", "--symbols", "half"]
        + [folder.path], model: .kittyOfToday, folder: folder)
    try waitUntilActive(window)

    window.terminal.signal(signal)

    _ = try window.waitForEnd()
    window.expectRestored()
    #expect(Self.active(in: window.output()) == [])
  }

  @Test func `a kill ends them too`() throws {
    let folder = try PhotoFolder(count: 6)
    let window = try Window(
      ["sh", "-c", "\"$@\"; read -r line", "sh", PhotoGrid.path, "--symbols", "half", folder.path],
      model: .kittyOfToday, folder: folder)
    try waitUntilActive(window)
    let program = try #require(Processes.children(of: window.terminal.process).first)
    try window.wait(for: "the guard") { _ in
      Processes.children(of: program).contains { Processes.name(of: $0) == "photogrid-guard" }
    }

    kill(program, SIGKILL)

    try window.wait(for: "the shell's screen") { $0.modes == [7, 25] }
    #expect(Self.active(in: window.output()) == [])
    window.type("\r")
    #expect(try window.waitForEnd() == 0)
  }

  @Test func `they end while the job is stopped, and begin again`() throws {
    let folder = try PhotoFolder(count: 6)
    let window = try Window(
      ["bash", "--norc", "--noediting", "-i"], model: .kittyOfToday, folder: folder)
    window.type("\(PhotoGrid.path) --symbols half \(folder.path)\r")
    try waitUntilActive(window)

    window.type("\u{1B}[122;5u")
    try window.wait(for: "the shell") { !$0.modes.contains(1049) && $0.shows("bash-") }
    #expect(Self.active(in: window.output()) == [])
    window.type("fg\r")
    try waitUntilActive(window)
    window.type("q")
    // Until then, what is typed may be taken for a late response.
    try window.wait(for: "the end of the program") { _ in
      Processes.children(of: window.terminal.process).isEmpty
    }
    #expect(Self.active(in: window.output()) == [])
    window.type("exit\r")
    #expect(try window.waitForEnd() == 0)
  }

  private func waitUntilActive(
    _ window: Window, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try window.wait(for: "all that the terminal knows", sourceLocation: sourceLocation) {
      $0.modes.isSuperset(of: [1049, 2048])
        && Self.active(in: window.output()).isSuperset(of: ["keyboard", "pointer"])
    }
  }

  /// What a program's output turns on and does not turn off.
  private static func active(in bytes: [UInt8]) -> Set<String> {
    var scanner = SequenceScanner()
    var depths: [String: Int] = [:]
    for sequence in scanner.sequences(in: bytes) {
      switch sequence {
      case "\u{1B}[>5u": depths["keyboard", default: 0] += 1
      case "\u{1B}[<u": depths["keyboard", default: 0] -= 1
      case let push where push.hasPrefix("\u{1B}]22;>"): depths["pointer", default: 0] += 1
      case "\u{1B}]22;<\u{1B}\\": depths["pointer", default: 0] -= 1
      case "\u{1B}]9;4;0\u{1B}\\": depths["progress"] = 0
      case let work where work.hasPrefix("\u{1B}]9;4;"): depths["progress"] = 1
      default: break
      }
    }
    return Set(depths.filter { $0.value != 0 }.keys)
  }
}
