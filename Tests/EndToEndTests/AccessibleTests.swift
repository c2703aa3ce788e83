import Foundation
import PseudoTerminal
import Testing

/// The program in words, for screen readers and braille displays.
@Suite(.waiting) struct AccessibleTests {
  /// A terminal that only takes lines.
  private final class Lines {
    let window: Window
    private var heardCount = 0

    init(_ folder: PhotoFolder, _ options: [String], environment: [String: String]) throws {
      window = try Window(
        [PhotoGrid.path] + options + [folder.path], environment: environment, answers: false,
        folder: folder)
    }

    /// What was written since the last call that returned.
    private var text: String {
      String(decoding: window.output().dropFirst(heardCount), as: UTF8.self)
    }

    /// Types keys, and waits until something is said about them.
    @discardableResult
    func type(_ keys: String, until said: String) throws -> String {
      window.type(keys)
      let isSaid = window.watch { _ in text.contains(said) }
      try #require(isSaid, "'\(said)' was not said, but: \(text.debugDescription)")
      try window.waitUntilQuiet()
      let heard = text
      heardCount = window.output().count
      return heard
    }
  }

  private let folder: PhotoFolder

  init() throws {
    folder = try PhotoFolder(count: 6)
    try folder.addFolder("Best")
  }

  @Test(arguments: [["--accessible"], []])
  func `ten tasks are done by words alone`(options: [String]) throws {
    let environment = options.isEmpty ? ["TERM": "dumb"] : [:]
    let lines = try Lines(folder, options, environment: environment)
    try lines.type("", until: "1 of 6, 00.png")
    let move = try lines.type("j", until: "2 of 6, 01.png")
    #expect(move.utf8.count <= 200)
    try lines.type("/04\r", until: "5 of 6, 04.png")
    try lines.type("\r", until: "open")
    try lines.type("\u{1B}", until: "5 of 6, 04.png")
    // Ends the search.
    lines.window.type("\u{1B}")
    try lines.window.waitUntilQuiet()
    try lines.type(";4", until: "4 stars")
    try lines.type("gk", until: "keywords:")
    try lines.type("harbor\r", until: "harbor")
    try lines.type("gC", until: "caption:")
    try lines.type("The old harbor\r", until: "caption changed")
    try lines.type("M", until: "move to:")
    try lines.type("Best/\r", until: "is in 'Best/'")
    try lines.type("u", until: "is back")
    try lines.type("f02\r", until: "1 of 1, 02.png")
    try lines.type("\u{1B}", until: "6, 02.png")
    try lines.type(" ", until: "1 marked\r\n4 of 6, 03.png")
    try lines.type(" ", until: "2 marked\r\n5 of 6, 04.png")
    try lines.type("=", until: "comparing")
    try lines.type("\u{1B}", until: "of 6")
    try lines.type("d", until: "Trash 2 marked photos?")
    try lines.type("\u{1B}", until: "Nothing was trashed")

    lines.window.type("q")
    #expect(try lines.window.waitForEnd() == 0)
    let output = lines.window.output()
    #expect(!output.contains(0x1B))
    let controls = output.filter { $0 < 0x20 && ![0x0D, 0x0A, 0x08].contains($0) }
    #expect(controls.isEmpty)
    #expect(lines.window.terminal.settings == lines.window.terminal.settingsBefore)
  }

  @Test func `photos are chosen for another program`() throws {
    let lines = try Lines(folder, ["--choose"], environment: ["ACCESSIBLE": "1"])
    try lines.type("", until: "1 of 6, 00.png")
    try lines.type("jj", until: "3 of 6, 02.png")
    lines.window.type("\r")
    #expect(try lines.window.waitForEnd() == 0)
    #expect(String(decoding: lines.window.output(), as: UTF8.self).hasSuffix("/02.png\r\n"))
  }
}
