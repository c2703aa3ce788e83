import Foundation
import PseudoTerminal
import Testing

/// Hints for new users.
struct HintTests {
  private static let keys = "Enter opens · : finds commands · ? lists all keys"

  @Test func `the most important keys are shown until they were used, and never again`() throws {
    let folder = try PhotoFolder(count: 2)
    let state = ["XDG_STATE_HOME": folder[".new/state"]]
    let first = try folder.open("--motion", "none", environment: state)
    try first.wait(for: "the keys") { $0.bar.hasPrefix(Self.keys) }
    try first.quit()

    let second = try folder.open("--motion", "none", environment: state)
    try second.wait(for: "the keys again, for none was used") { $0.bar.hasPrefix(Self.keys) }
    try second.waitForGrid(of: 2)
    second.type("\r")
    try second.wait(for: "the photo, and its keys") {
      $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen
        && $0.bar.hasPrefix("Esc closes · + zooms in · : finds commands · ? lists all keys")
    }
    second.type("\u{1B}")
    try second.wait(for: "the name in the bar") { $0.bar.hasPrefix("00.png") }
    try second.quit()

    let third = try folder.open(environment: state)
    try third.wait(for: "the name at once") { $0.bar.hasPrefix("00.png") }
    try third.quit()
    #expect(
      try String(contentsOfFile: folder[".new/state/photogrid/hints"], encoding: .utf8)
        .contains("keys\n"))
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

    let chooser = try folder.open("--choose", environment: state)
    try chooser.wait(for: "the keys") { $0.bar.hasPrefix("Enter chooses · e opens") }
    try chooser.waitForGrid(of: 2)
    chooser.type("e")
    try chooser.wait(for: "the photo's keys") { $0.bar.hasPrefix("Enter chooses · Esc closes") }
    chooser.type("q")
    #expect(try chooser.waitForEnd() == 1)
  }

  @Test func `if its record cannot be stored, there are no hints and no error`() throws {
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
    #expect(!second.film.contains { $0.bar.contains("finer") })
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
