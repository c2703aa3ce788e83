import PseudoTerminal
import Testing

/// The doctor, which explains the choices by the terminal's responses.
extension TerminalAnswerTests {
  @Test(arguments: [
    ("kitty", ["kitty 0.26.5", "kitty: the terminal supports", "shared memory", "in pixels"]),
    ("xterm", ["xterm 379", "sixel: the terminal reports", "1024 colors", "255, 255, 255"]),
    ("foot", ["foot 1.13.1", "sixel: the terminal reports", "shown all at once"]),
    ("mlterm", ["sixel: the terminal reports", "replaced with a palette color"]),
    ("Alacritty", ["cells: the terminal cannot show pictures", "10x20 pixels: the window's"]),
    (
      "tmux",
      [
        "tmux 3.3a", "cells: tmux is not passing anything through",
        "tmux set -g allow-passthrough on",
      ]
    ),
    ("tmux in kitty", ["kitty 0.26.5", "kitty 0.26.5 cannot show pictures through tmux"]),
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
      window.screen.shows("none: another program is using the terminal"), "\(window.picture)")
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

  /// The doctor's output after its queries.
  private func report(of window: Window) -> [UInt8] {
    let output = window.output()
    let start = output.firstRange(of: Array("version ".utf8))?.lowerBound ?? 0
    return output[start...].filter { $0 != 0x0D }
  }
}
