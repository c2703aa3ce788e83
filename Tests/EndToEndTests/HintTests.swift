import Foundation
import PseudoTerminal
import Testing

/// Hints for new users.
struct HintTests {
  private static let keys = "Enter opens · : finds commands · ? lists all keys"

  @Test func `in the first session the most important keys are shown until they were used`() throws
  {
    let folder = try PhotoFolder(count: 2)
    let state = ["XDG_STATE_HOME": folder[".new/state"]]
    let first = try folder.open("--motion", "none", environment: state)
    try first.wait(for: "the keys") { $0.bar.hasPrefix(Self.keys) }
    try first.waitForGrid(of: 2)
    first.type("\r")
    try first.wait(for: "the photo, and its keys") {
      $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen
        && $0.bar.hasPrefix("Esc closes · + zooms in · : finds commands · ? lists all keys")
    }
    first.type("\u{1B}")
    try first.wait(for: "the name in the bar") { $0.bar.hasPrefix("00.png") }
    try first.quit()

    let second = try folder.open(environment: state)
    second.startFilm()
    try second.wait(for: "the name at once") { $0.bar.hasPrefix("00.png") }
    #expect(!second.film.contains { $0.bar.hasPrefix(Self.keys) })
    try second.quit()
  }

  @Test(arguments: [("full", 0x5FAFFF, true), ("16", 0x5C5CFF, true), ("none", 0, false)])
  func `the selected command has the color of the ring`(
    colors: String, color: UInt32, isColored: Bool
  ) throws {
    let window = try PhotoFolder(count: 2).open("--motion", "none", "--colors", colors)
    window.type(":")
    try window.wait(for: "the list of commands") { screen in
      guard
        let row = (0..<screen.rows).first(where: {
          screen.text(ofRow: $0).contains("╭ Commands ─")
        })
      else { return false }
      return screen.cells[(row + 1) * screen.columns + 2].background == (isColored ? color : nil)
    }
    window.type("\u{1B}")
    try window.wait(for: "the grid") { !$0.shows("Commands") }
    try window.quit()
  }

  @Test func `hints show the keys as they are bound`() throws {
    let folder = try PhotoFolder(count: 2)
    try folder.add(Array("key Enter = none\nkey x = open\nmouse = off\n".utf8), as: ".config")
    let state = ["XDG_STATE_HOME": folder[".state"]]
    let bound = try folder.open("--config", folder[".config"], environment: state)
    try bound.wait(for: "the keys") {
      $0.bar.hasPrefix("x opens · : finds commands · ? lists all keys")
    }
    try bound.quit()

    let chooser = try folder.open("--choose", environment: ["XDG_STATE_HOME": folder[".other"]])
    try chooser.wait(for: "the keys") {
      $0.bar.hasPrefix("Enter chooses · Space marks several · q cancels")
    }
    try chooser.waitForGrid(of: 2)
    chooser.type("e")
    try chooser.wait(for: "the photo's keys") {
      $0.bar.hasPrefix("Enter chooses · m marks several · q cancels")
    }
    chooser.type("q")
    #expect(try chooser.waitForEnd() == 1)
  }

  @Test func `if the terminal cannot be recorded, there are no hints and no error`() throws {
    let folder = try PhotoFolder(count: 2)
    try folder.add([], as: ".file")
    for (options, variables) in [
      (["--private"], ["XDG_STATE_HOME": folder[".none"]]),
      ([], ["XDG_STATE_HOME": folder[".file"]]),
      ([], ["XDG_STATE_HOME": "", "HOME": ""]),
      ([], ["XDG_STATE_HOME": "relative", "HOME": "/dev/null"]),
    ] {
      let window = try Window(
        [PhotoGrid.path, "--symbols", "half"] + options + [folder.path], environment: variables,
        folder: folder)
      try window.wait(for: "the name") { $0.bar.hasPrefix("00.png") }
      try window.quit()
    }
    #expect(!FileManager.default.fileExists(atPath: folder[".none"]))
  }

  @Test func `the most useful terminal setting is shown once`() throws {
    let folder = try PhotoFolder(count: 2)
    let plain = ["XDG_STATE_HOME": folder[".state"], "LC_ALL": "C"]
    let first = try folder.open("--symbols", "ascii", environment: plain)
    try first.wait(for: "the setting") {
      $0.bar.hasPrefix("For sharper pictures, set LC_ALL=C.UTF-8")
    }
    try first.quit()

    let second = try folder.open("--symbols", "ascii", environment: plain)
    second.startFilm()
    try second.wait(for: "the grid") { $0.isAt("1/2") && !$0.bar.contains("loading") }
    try second.waitUntilQuiet()
    #expect(!second.film.contains { $0.bar.contains("sharper") })
    try second.quit()
  }

  @Test func `without passthrough the setting of tmux is shown`() throws {
    let folder = try PhotoFolder(count: 2)
    let tmux = try Tmux(
      [
        "env", "XDG_STATE_HOME=\(folder[".state"])", PhotoGrid.path, "--symbols", "half",
        folder.path,
      ], folder: folder)
    try tmux.wait(for: "the setting") {
      $0.bar.hasPrefix("For real pixels, run tmux set -g allow-passthrough on")
    }
  }
}
