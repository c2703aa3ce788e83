import Foundation
import PseudoTerminal
import Testing

/// Other programs: the clipboard, and programs that open photos.
extension FileTests {
  @Test func `yy sends the path to the clipboard, with a message`() throws {
    let folder = try PhotoFolder(count: 2)
    let window = try Window(
      ["env", "-C", folder.path, PhotoGrid.path, "--symbols", "half", "."], folder: folder)
    try window.waitForGrid(of: 2)
    window.type("lyy")
    try window.wait(for: "words") { $0.bar.contains("Path copied: ") }
    let path = Data(folder["01.png"].utf8).base64EncodedString()
    #expect(window.output().containsSequence("\u{1B}]52;c;\(path)\u{1B}\\"))
    try window.quit()
  }

  @Test func `yy in tmux puts the path into its buffer`() throws {
    let folder = try PhotoFolder(count: 2)
    let tmux = try Tmux([PhotoGrid.path, "--symbols", "half", folder.path], folder: folder)
    try tmux.wait(for: "the folder") { $0.showsGrid(of: 2) }
    tmux.command("set-option", "-s", "set-clipboard", "on")
    tmux.type("yy")
    try tmux.wait(for: "words") { $0.bar.contains("tmux: set-clipboard on") }
    #expect(Polling.until(seconds: 10) { tmux.command("show-buffer") == folder["00.png"] })
  }

  @Test func `o opens with the chosen program, which outlives the terminal`() throws {
    let folder = try PhotoFolder(count: 2)
    let window = try folder.open(
      "--open-with",
      "echo noise; sleep 1; ps -o tty= -p $$ > '\(folder["tty"])'; printf %s \"$1\" > '\(folder["opened"])'"
    )
    try window.waitForGrid(of: 2)
    window.type("lo")
    try window.wait(for: "words") { $0.bar.contains("opening 01.png with ") }
    try window.quit()
    #expect(
      Polling.until(seconds: 10) {
        Self.contents(folder["opened"]) == Array(folder["01.png"].utf8)
      })
    let tty = Self.contents(folder["tty"]).map { String(decoding: $0, as: UTF8.self) }
    #expect(tty?.contains("?") == true)
  }

  @Test func `a missing or failing program is reported`() throws {
    let folder = try PhotoFolder(count: 2)
    let missing = try folder.open(environment: ["PHOTOGRID_OPEN_WITH": "no-such-program"])
    try missing.waitForGrid(of: 2)
    missing.type("o")
    try missing.wait(for: "that") { $0.bar.contains("no-such-program: no such command") }
    try missing.quit()

    let failing = try folder.open("--open-with=exit 5 #")
    try failing.waitForGrid(of: 2)
    failing.type("o")
    try failing.wait(for: "its status") { $0.bar.contains("ended with status 5") }
    try failing.quit()

    let bare = try folder.open(environment: ["DISPLAY": "", "WAYLAND_DISPLAY": ""])
    try bare.waitForGrid(of: 2)
    bare.type("o")
    try bare.wait(for: "that there is no desktop") { $0.bar.contains("No program to open it with") }
    try bare.quit()

    let desktop = try folder.open(environment: ["DISPLAY": ":0", "PATH": "/nowhere"])
    try desktop.waitForGrid(of: 2)
    desktop.type("o")
    try desktop.wait(for: "what is missing") { $0.bar.contains("xdg-open is not installed") }
    try desktop.quit()
  }
}

extension [UInt8] {
  /// Whether these bytes contain a text.
  fileprivate func containsSequence(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard count >= wanted.count else { return false }
    return (0...(count - wanted.count)).contains { self[$0..<($0 + wanted.count)] == wanted[...] }
  }
}
