import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Responses of terminals: at once, late, in pieces, invalid, or never.
@Suite(.waiting) struct TerminalAnswerTests {
  static let models: [(name: String, model: TerminalModel?)] = [
    ("kitty", .kitty), ("xterm", .xterm), ("foot", .foot), ("mlterm", .mlterm),
    ("Alacritty", .alacritty), ("tmux", .tmux(in: nil)), ("tmux in kitty", .tmux(in: .kitty)),
    ("nobody", nil),
  ]

  @Test(arguments: models.indices)
  func `responses are not taken as keys, and none reaches the shell`(row: Int) throws {
    let (name, model) = Self.models[row]
    let window = try PhotoFolder(count: 6).open(
      environment: environment(inside: name), answers: model != nil, model: model ?? .modest)

    try window.wait(for: "the first photo") { $0.isAt("1/6") }
    try window.waitUntilQuiet()
    #expect(window.screen.isAt("1/6"), "\(window.picture)")
    window.type("l")
    try window.waitForNumber("2/6")
    try quit(window)
  }

  @Test(arguments: models.indices.dropLast())
  func `responses that arrive byte by byte are used, and not taken as keys`(row: Int) throws {
    let (name, model) = Self.models[row]
    var slow = try #require(model)
    slow.pieceSize = 1
    let window = try PhotoFolder(count: 6).open(
      "--protocol", "cells", environment: environment(inside: name), model: slow)

    try window.waitForGrid(of: 6)
    try window.waitUntilQuiet()
    #expect(window.screen.showsGrid(of: 6) && window.screen.isAt("1/6"), "\(window.picture)")
    let knowsPixels = ["kitty", "xterm", "foot"].contains(name)
    #expect(window.screen.modes.contains(1016) == knowsPixels, "\(window.screen.modes)")
    try quit(window)
  }

  @Test(arguments: [300_000_000, 2_000_000_000] as [Int64])
  func `late responses are used, and not taken as keys`(delay: Int64) throws {
    var model = TerminalModel.xterm
    model.delay = delay
    let window = try PhotoFolder(count: 6).open("--protocol", "cells", model: model)

    try window.wait(for: "the mouse in pixels") { $0.modes.contains(1016) }
    try window.waitForGrid(of: 6)
    try window.waitUntilQuiet()
    #expect(window.screen.isAt("1/6"), "\(window.picture)")
    window.type("l")
    try window.waitForNumber("2/6")
    try window.waitUntilQuiet()
    try quit(window)
  }

  @Test func `responses after a quick exit do not reach the shell`() throws {
    var model = TerminalModel.kitty
    model.delay = 1_200_000_000
    let window = try PhotoFolder(count: 6).open(model: model)
    try window.wait(for: "the first photo") { $0.isAt("1/6") }

    try quit(window)
  }

  /// Responses of terminals that are broken or malicious.
  static let faults: [[String: String]] = [
    ["\u{1B}[c": String(repeating: "\u{1B}[?62;4c", count: 20_000)],
    ["\u{1B}[c": "\u{1B}[?" + String(repeating: "4;", count: 500_000) + "c"],
    ["\u{1B}[16t": "\u{1B}[6;0;0t"], ["\u{1B}[16t": "\u{1B}[6;9999999;9999999t"],
    ["\u{1B}[16t": "\u{1B}[6;3;3t\u{1B}[6;60;60t"],
    ["\u{1B}[?1;1;0S": "\u{1B}[?1;0;60000S", "\u{1B}[?2;4;0S": "\u{1B}[?2;0;1;1S"],
    [
      "\u{1B}]11;?\u{1B}\\": "\u{1B}]11;" + String(repeating: "q", count: 1_000_000) + "\u{07}",
      "\u{1B}[>0q": "\u{1B}P>|" + String(repeating: "q", count: 100_000) + "\u{1B}\\",
    ],
    ["\u{1B}[>0q": "\u{1B}P>|q\u{9B}31mq\u{7}q\u{1B}\\".replacing("\u{7}q", with: "")],
    ["\u{1B}[?1016$p": "\u{1B}[?1016;9$y", "\u{1B}[?2026$p": "\u{1B}[?2026;-1$y"],
    ["\u{1B}[?1016$p": "\u{1B}[?1016;1$y\u{1B}[?1016;2$y"],
    ["\u{1B}[?2031$p": "\u{1B}[?2031;2$y" + String(repeating: "\u{1B}[?997;1n", count: 5_000)],
    ["\u{1B}P$qm\u{1B}\\": "\u{1B}P1$r38:2:1:2:3m"], ["\u{1B}[c": "\u{1B}[?62;4"],
  ]

  @Test(arguments: faults.indices)
  func `the program works in a terminal with invalid responses`(row: Int) throws {
    let window = try PhotoFolder(count: 6).open(
      "--protocol", "cells", model: .xterm.adding(Self.faults[row]))

    try window.waitForGrid(of: 6)
    // After all responses, so that the number shows their effect.
    if Self.unfinished.contains(row) {
      try window.typeUntilObeyed("l", number: "2/6")
    } else {
      window.type("l")
      try window.waitForNumber("2/6")
    }
    #expect(window.screen.showsGrid(of: 6), "\(window.picture)")
    let plain = try Self.plainMemory.get()
    let memory = try #require(Processes.residentKilobytes(of: window.terminal.process))
    #expect(memory < plain * 3 / 2, "\(memory) kB, with plain answers \(plain) kB")
    try quit(window)
  }

  /// The rows of `faults` that have no end.
  static let unfinished = [11, 12]

  /// The program's memory with valid responses, in kilobytes.
  static let plainMemory = Result {
    let window = try PhotoFolder(count: 6).open("--protocol", "cells", model: .xterm)
    try window.waitForGrid(of: 6)
    window.type("l")
    try window.waitForNumber("2/6")
    let memory = try #require(Processes.residentKilobytes(of: window.terminal.process))
    try window.quit()
    return memory
  }

  @Test func `waiting tiles follow the terminal's background`() throws {
    let folder = try PhotoFolder(count: 2)
    try folder.add(Array("no image".utf8), as: "zz.png")
    let light = try folder.open("--protocol", "cells", model: .xterm)
    let dark = try folder.open("--protocol", "cells", model: .kitty)

    // 8 % of black over white, 12 % of white over black.
    try light.wait(for: "a light tile") { $0.box(of: 0xEBEBEB)?.x == 50 }
    try dark.wait(for: "a dark tile") { $0.box(of: 0x1F1F1F)?.x == 50 }
    try quit(light)
    try quit(dark)
  }

  @Test func `waiting tiles follow a change of colours`() throws {
    let folder = try PhotoFolder(count: 1)
    try folder.add(Array("no image".utf8), as: "zz.png")
    let model = TerminalModel.kitty.adding(["\u{1B}[?2031$p": "\u{1B}[?2031;2$y"])
    let window = try folder.open("--protocol", "cells", model: model)
    // The first tile waits too, until its photo is decoded.
    func isTile(_ color: UInt32, on screen: ScreenReader) -> Bool {
      screen.box(of: color).map { $0.x + $0.width == 58 } ?? false
    }
    try window.wait(for: "a dark tile, and being told") {
      isTile(0x1F1F1F, on: $0) && $0.modes.contains(2031)
    }

    window.terminal.model = model.adding([
      "\u{1B}]11;?\u{1B}\\": "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\"
    ])
    window.type("\u{1B}[?997;2n")

    try window.wait(for: "a light tile") { isTile(0xEBEBEB, on: $0) }
    try quit(window)
  }

  // MARK: - Pictures

  @Test(arguments: [
    ("EPERM:no pictures here", "EPERM:no pictures here"), ("", "does not answer"),
  ])
  func `if pictures fail, cells are drawn, and the bar shows a message`(
    answer: String, words: String
  ) throws {
    var model = TerminalModel.kitty
    model.shownGraphics = answer
    // Of a terminal that has taken a picture as an answer, silence means that it is slow.
    if answer.isEmpty { model.graphics = [:] }
    let window = try PhotoFolder(count: 6).open("--protocol", "kitty", model: model)
    window.startFilm()
    // The message may cover the number.
    try window.wait(for: "the first photo") { screen in
      (screen.isAt("1/6") || screen.bar.hasPrefix("kitty")) && screen.box(of: TestPhoto.red) != nil
    }

    // A terminal that does not respond gets the time of a few frames.
    for key in (0..<50).map({ $0 % 2 == 0 ? "l" : "h" })
    where !window.hasShown(message: "kitty pictures: ") {
      window.type(key)
      try window.waitForNumber(key == "l" ? "2/6" : "1/6", or: "kitty")
      try window.waitUntilQuiet()
    }
    // A key may have ended it since.
    #expect(window.hasShown(message: "kitty pictures: "), "\(window.picture)")
    try window.waitForGrid(of: 6)
    window.type("0\r")
    try window.wait(for: "the photo on the whole screen") {
      TestPhoto.palette.contains($0.color(40, 20) ?? 0)
        && $0.box(of: $0.color(40, 20) ?? 0) == ZoomTests.wholeScreen
    }
    let end = window.terminal.chunks.count
    try quit(window)
    let text = String(decoding: window.output(fromChunk: end), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).filter { $0.contains("photogrid:") }
    #expect(lines.count == 1, "\(lines)")
    #expect(lines.first?.contains("photogrid: kitty pictures: ") == true, "\(lines)")
    #expect(lines.first?.contains(words) == true, "\(lines)")
  }

  // MARK: - The mouse in pixels

  @Test func `clicks and drags have the precision of pixels`() throws {
    let window = try PhotoFolder(count: 6).open("--protocol", "cells", model: .xterm)
    try window.waitForGrid(of: 6)
    try window.wait(for: "the mouse in pixels") { $0.modes.contains(1016) }
    try window.waitUntilQuiet()

    // Columns 59 to 76 are the fourth tile's; the gap before it is column 58.
    window.click(589, 60)
    try window.waitUntilQuiet()
    #expect(window.screen.isAt("1/6"), "\(window.picture)")
    // Not at the position of the previous click, which would make it a double click.
    window.click(590, 120)
    try window.wait(for: "the fourth photo on the whole screen") {
      $0.isAt("4/6") && $0.box(of: TestPhoto.yellow) == ZoomTests.wholeScreen
    }
    try window.waitUntilQuiet(seconds: 0.5)

    // 50 points down: scale 0.95, so from 10 to 390 pixels below its top, and 50 lower.
    window.press(400, 230)
    window.drag(400, 255)
    window.drag(400, 280)
    try window.wait(for: "the photo in the hand, at a half of a half row") { screen in
      guard let box = screen.box(of: TestPhoto.yellow) else { return false }
      return (8...9).contains(box.y) && (2...3).contains(box.x)
    }
    window.release(400, 280)
    try quit(window)
  }

  @Test func `mouse reports stay in pixels after a stop and a redraw`() throws {
    let window = try PhotoFolder(count: 6).open("--protocol", "cells", model: .xterm)
    try window.wait(for: "the mouse in pixels") { $0.modes.contains(1016) }
    try window.waitForGrid(of: 6)

    window.terminal.signal(SIGSTOP)
    window.terminal.signal(SIGCONT)
    try window.waitUntilQuiet()
    window.click(600, 60)

    try window.waitForNumber("4/6")
    try quit(window)
  }

  @Test func `without the mouse there are no reports in pixels`() throws {
    let window = try PhotoFolder(count: 6).open(
      "--protocol", "cells", "--mouse", "off", model: .xterm)

    try window.waitForGrid(of: 6)
    try window.waitUntilQuiet()
    #expect(window.screen.modes.isDisjoint(with: [1002, 1006, 1016]))
    try quit(window)
  }

  // MARK: - The doctor

  @Test(arguments: [
    ("kitty", ["kitty 0.26.5", "kitty: the terminal takes", "shared memory", "in pixels"]),
    ("xterm", ["xterm 379", "sixel: the terminal reports", "1024 colours", "255, 255, 255"]),
    ("foot", ["foot 1.13.1", "sixel: the terminal reports", "all at once"]),
    ("mlterm", ["sixel: the terminal reports", "replaced by a palette colour"]),
    ("Alacritty", ["cells: the terminal supports no pictures", "10x20 pixels: the window's"]),
    ("tmux", ["tmux 3.3a", "cells: tmux passes nothing on", "tmux set -g allow-passthrough on"]),
    ("tmux in kitty", ["kitty 0.26.5", "kitty 0.26.5 around tmux cannot"]),
    ("nobody", ["did not respond", "cells: the terminal has not responded"]),
  ])
  func `the doctor queries the terminal and explains the choices`(name: String, words: [String])
    throws
  {
    let model = try #require(Self.models.first { $0.name == name }).model
    let window = try Window(
      [PhotoGrid.path, "--doctor"], columns: 110, rows: 40, environment: environment(inside: name),
      answers: model != nil, model: model ?? .modest)

    #expect(try window.waitForEnd() == 0)
    for word in words { #expect(window.screen.shows(word), "\(word)\(window.picture)") }
    #expect(OutputInspection.faults(in: report(of: window), allowing: .colors) == [])
    #expect(window.terminal.unreadInput.isEmpty)
    window.expectRestored()
  }

  @Test(arguments: faults.indices)
  func `the doctor prints no control characters`(row: Int) throws {
    let model = TerminalModel.xterm.adding(Self.faults[row])
    let window = try Window(
      [PhotoGrid.path, "--doctor"], columns: 110, rows: 40, model: model)

    #expect(try window.waitForEnd() == 0)
    #expect(OutputInspection.faults(in: report(of: window), allowing: .colors) == [])
    window.expectRestored()
  }

  @Test func `the doctor in the background sends no queries`() throws {
    let window = try Window(
      ["bash", "-mc", "\"$0\" --doctor & wait", PhotoGrid.path], columns: 110, rows: 40)

    try window.waitForEnd()
    #expect(
      window.screen.shows("no queries: another program has the terminal"), "\(window.picture)")
    #expect(window.screen.shows("110x40"), "\(window.picture)")
  }

  @Test func `the doctor works in tmux`() throws {
    let tmux = try Tmux(
      ["sh", "-c", "\(PhotoGrid.path) --doctor; sleep 60"], columns: 110, rows: 90)

    try tmux.wait(for: "the report's end") { $0.shows("libjpeg-turbo") }
    try tmux.wait(for: "what to set") {
      $0.shows("tmux 3.") && $0.shows("tmux set -g allow-passthrough on")
    }
  }

  // MARK: -

  private func environment(inside name: String) -> [String: String] {
    name.hasPrefix("tmux") ? ["TMUX": "/tmp/tmux-0/default,1,0"] : [:]
  }

  private func quit(
    _ window: Window, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try window.quit(sourceLocation: sourceLocation)
    #expect(window.terminal.unreadInput.isEmpty, sourceLocation: sourceLocation)
  }

  /// The doctor's output after its queries.
  private func report(of window: Window) -> [UInt8] {
    let output = window.output()
    let start = output.firstRange(of: Array("version ".utf8))?.lowerBound ?? 0
    return output[start...].filter { $0 != 0x0D }
  }
}
