import PseudoTerminal
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
      try window.typeUntilObeyed("2G", number: "2/6")
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
    ("EPERM:no pictures here", "EPERM:no pictures here"), ("", "no response"),
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
    #expect(
      window.hasShown(message: "kitty pictures: "),
      "\(Set(window.film.map(\.bar))), \(window.film.count) frames\(window.picture)")
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

  // MARK: -

  /// The variables that a terminal of this name sets.
  func environment(inside name: String) -> [String: String] {
    name.hasPrefix("tmux") ? ["TMUX": "/tmp/tmux-0/default,1,0"] : [:]
  }

  /// Quits and checks that no response is left for the shell.
  func quit(
    _ window: Window, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try window.quit(sourceLocation: sourceLocation)
    #expect(window.terminal.unreadInput.isEmpty, sourceLocation: sourceLocation)
  }
}
