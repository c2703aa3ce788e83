import Foundation
import PseudoTerminal
import Testing

/// Pictures in a real tmux, whose terminal has kitty's protocol and counts the images that it gets.
@Suite(.waiting) struct TmuxPictureTests {
  @Test(arguments: ["auto", "kitty"]) func `pictures appear in tmux`(pictures: String) throws {
    let tmux = try TmuxClient(options: ["--protocol", pictures])
    try tmux.window.waitForPixels(of: 6)
    tmux.window.type("\r")
    try tmux.window.waitForPixels(of: 1)
  }

  @Test func `pictures are there after another window, a split, another size and a popup`() throws {
    let tmux = try TmuxClient()
    let window = tmux.window
    try window.waitForPixels(of: 6)

    // Nothing that the terminal responds to the program is typed into another pane.
    tmux.command("new-window", "cat")
    try window.wait(for: "another window") { _ in window.placeholderCount == 0 }
    tmux.command("last-window")
    try window.waitForPixels(of: 6)

    tmux.command("split-window", "-h", "-l", "30", "cat")
    try window.waitForPixels(of: 6)
    #expect(!window.screen.shows("Gi="), "\(window.picture)")
    tmux.command("kill-pane")
    try window.waitForPixels(of: 6)

    window.resize(columns: 100, rows: 30)
    try window.wait(for: "the status line of tmux in another size") {
      $0.cells.suffix(100).allSatisfy { $0.background != nil }
    }
    try window.waitForPixels(of: 6)

    // Before its command runs, a popup drops what is typed. A shell that is about to start a command
    // ignores Ctrl+C, so a line ends it.
    try tmux.startPopup("echo $((6 * 7)) lines; read line", width: 100, height: 29)
    try window.wait(for: "the popup") { window.placeholderCount == 0 && $0.shows("42 lines") }
    window.type("\r")
    try window.waitForPixels(of: 6)
  }

  @Test func `pictures are painted without a key after another window and a split`() throws {
    let tmux = try TmuxClient()
    let window = tmux.window
    try window.waitForPixels(of: 6)
    func waitUntilPainted(_ what: Comment) throws {
      try window.wait(for: what) { _ in
        window.placeholderCount > 500 && window.terminal.pane.isPainted
      }
    }
    try waitUntilPainted("the first images")

    tmux.command("new-window", "cat")
    try window.wait(for: "another window") { _ in window.placeholderCount == 0 }
    tmux.command("last-window")
    try waitUntilPainted("the window with images")

    tmux.command("split-window", "-h", "-l", "30", "cat")
    try window.wait(for: "a split") { $0.shows("│") }
    tmux.command("kill-pane")
    try window.wait(for: "the whole window") { !$0.shows("│") }
    try waitUntilPainted("images in the whole window")
  }

  @Test func `pictures are there after copy mode`() throws {
    let tmux = try TmuxClient()
    try tmux.window.waitForPixels(of: 6)

    tmux.command("copy-mode")
    try tmux.window.wait(for: "copy mode") { $0.shows("[0/0]") }
    tmux.command("send-keys", "-X", "cancel")
    try tmux.window.wait(for: "the pane") { !$0.shows("[0/0]") }
    tmux.command("send-keys", "Enter")
    try tmux.window.waitForPixels(of: 1)
  }

  @Test func `another terminal that is attached gets the pictures`() throws {
    let tmux = try TmuxClient()
    try tmux.window.waitForPixels(of: 6)

    tmux.command("detach-client")
    try tmux.window.waitForEnd()
    let other = try tmux.attached()
    try other.waitForPixels(of: 6)
  }

  @Test(arguments: ["off", "on"])
  func `the doctor and the bar say the same`(passThrough: String) throws {
    let tmux = try TmuxClient(passThrough: passThrough, showsDoctor: true)
    let isOn = passThrough == "on"
    try tmux.window.wait(for: "the doctor") {
      $0.shows(isOn ? "real pixels (kitty's protocol)" : "not pixels: tmux is not passing")
    }
    tmux.window.type("\r")
    if isOn {
      try tmux.window.waitForPixels(of: 6)
    } else {
      try tmux.window.wait(for: "cells") { $0.shows("1/6") && $0.box(of: TestPhoto.red) != nil }
      tmux.command("set", "-g", "allow-passthrough", "on")
      try tmux.window.waitForPixels(of: 6)
    }
  }
}

/// A server of tmux, and a terminal that is attached to it.
private final class TmuxClient {
  let window: Window
  private let socket: String
  private let folder: PhotoFolder

  /// Starts a server with the program in a window.
  ///
  /// - Parameters:
  ///   - options: The options of the program.
  ///   - passThrough: The value of `allow-passthrough`.
  ///   - showsDoctor: Whether `--doctor` comes first, and the program after a key.
  /// - Throws: If tmux does not start.
  init(options: [String] = [], passThrough: String = "on", showsDoctor: Bool = false) throws {
    folder = try PhotoFolder(count: 6)
    socket = "/tmp/photogrid-test-\(getpid())-\(UInt32.random(in: 0 ... .max)).tmux"
    let settings = """
      set -g allow-passthrough \(passThrough)
      set -g default-terminal tmux-256color
      set -as terminal-features ',*:RGB'
      set -g status-right ''
      """
    try folder.add(Array(settings.utf8), as: ".tmux.conf")
    let program = ([PhotoGrid.path, "--symbols", "half"] + options + [folder.path])
      .joined(separator: " ")
    let doctor = showsDoctor ? "\(PhotoGrid.path) --doctor | head -3; read -r line; " : ""
    window = try Window(
      ["tmux", "-u", "-S", socket, "-f", folder[".tmux.conf"], "new-session"]
        + ["env", "COLORTERM=truecolor", "sh", "-c", doctor + program + "; sleep 600"],
      model: .kittyWithPlaceholders)
    window.terminal.countsImages = true
  }

  deinit {
    command("kill-server")
    unlink(socket)
  }

  /// Attaches another terminal.
  func attached() throws -> Window {
    let window = try Window(
      ["tmux", "-u", "-S", socket, "attach-session"], columns: 80, rows: 24,
      model: .kittyWithPlaceholders)
    window.terminal.countsImages = true
    return window
  }

  /// Runs a command of tmux.
  func command(_ words: String...) {
    _ = ProgramRun.of(["tmux", "-S", socket] + words, environment: PhotoGrid.environment)
  }

  /// Opens a popup, whose command ends when the popup is closed.
  func startPopup(_ words: String, width: Int, height: Int) throws {
    // The command waits for the popup's end.
    window.type("\u{02}:")
    // tmux hands the pane what it reads together with the key that opens its prompt.
    try window.wait(for: "the prompt of tmux") { screen in
      screen.cells.suffix(100).first?.glyph == ":"
    }
    window.type("display-popup -E -w \(width) -h \(height) '\(words)'\r")
  }
}
