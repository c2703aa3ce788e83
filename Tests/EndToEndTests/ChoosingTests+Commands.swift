import Foundation
import PseudoTerminal
import Testing

/// Commands that get the names of photos, and have the terminal while they run.
extension ChoosingTests {
  /// The program in tmux with a folder, ready for keys.
  private func tmux(_ folder: PhotoFolder, count: Int, in current: String? = nil) throws -> Tmux {
    let command = [PhotoGrid.path, "--symbols", "half", "--motion", "none"]
    let tmux = try Tmux(
      current.map { ["env", "-C", $0] + command } ?? command + [folder.path], folder: folder)
    try tmux.wait(for: "the folder") { $0.isAt("1/\(count)") && !$0.bar.contains("loading") }
    return tmux
  }

  @Test func `a command gets any names as arguments`() throws {
    let folder = try Self.oddFolder()
    let tmux = try tmux(folder, count: 8)

    tmux.press("C-a")
    tmux.type("!printf '%s\\0' \"$@\" > '\(folder.path)/out'; echo $# names\r")
    try tmux.wait(for: "its words") {
      $0.shows("8 names") && $0.shows("done; press any key to continue")
    }
    #expect(tmux.modes == "0 1 0 0", "it has the terminal as a shell has")
    tmux.type("x")
    try tmux.wait(for: "the grid") { $0.isAt("1/8") }

    let output = try Data(contentsOf: URL(fileURLWithPath: folder["out"]))
    let prefix = Array(folder.path.utf8) + [UInt8(ascii: "/")]
    #expect(output.split(separator: 0).map { Array($0) } == Self.oddNames.map { prefix + $0 })

    tmux.type("U!echo one:\r")
    try tmux.wait(for: "the present one's name at the end") {
      $0.shows("one: \(folder.path)/-n dash.png")
    }
    tmux.type("\r!| wc -l\r")
    try tmux.wait(for: "a line of input") { screen in
      screen.lines.contains { $0.trimmingCharacters(in: .whitespaces) == "1" }
    }
    tmux.type(" ")
    try tmux.wait(for: "the grid") { $0.isAt("1/8") && !$0.bar.contains("marked") }
  }

  @Test func `names that begin with a dash are not options`() throws {
    let folder = try Self.oddFolder()
    let tmux = try tmux(folder, count: 8, in: folder.path)
    tmux.type("!ls -1\r")
    try tmux.wait(for: "its name") { $0.shows("./-n dash.png") && $0.shows("any key") }
    tmux.type("x")
    try tmux.wait(for: "the grid") { $0.isAt("1/8") }
  }

  @Test func `a missing or failing command is reported`() throws {
    let tmux = try tmux(PhotoFolder(count: 2), count: 2)
    tmux.type("!no-such-command\r")
    try tmux.wait(for: "the shell's word") {
      $0.shows("not found") && $0.shows("exit status 127; press any key to continue")
    }
    tmux.type("\r!exit 3 #\r")
    try tmux.wait(for: "its status") { $0.shows("exit status 3; press any key to continue") }
    tmux.type("\r")
    try tmux.wait(for: "the grid") { $0.isAt("1/2") }
  }

  @Test func `Ctrl-C ends an endless command, and not photogrid`() throws {
    let folder = try PhotoFolder(count: 6)
    let tmux = try tmux(folder, count: 6)
    let before = try tmux.settled()

    tmux.type("!|echo here; sleep 1000")
    tmux.press("Enter")
    try tmux.wait(for: "the command") { $0.lines.contains { $0.hasPrefix("here") } }
    tmux.press("C-c")
    try tmux.wait(for: "its end") { $0.shows("press any key to continue") }
    tmux.press("x")
    try tmux.wait(for: "the grid as before") { $0.looksLike(before) }
    tmux.press("l")
    try tmux.wait(for: "the second photo selected") { $0.isAt("2/6") }
  }

  @Test func `Ctrl-Z stops a command and photogrid, and fg continues both`() throws {
    let folder = try PhotoFolder(count: 6)
    let tmux = try Tmux(
      ["env", "PS1=ready$ ", "bash", "--norc", "--noprofile"], folder: folder)
    tmux.type("\(PhotoGrid.path) --symbols half --motion none \(folder.path)\r")
    try tmux.wait(for: "the grid") { $0.showsGrid(of: 6) }

    // The alternate screen is left a moment before the command reads keys.
    tmux.type("!|echo here; read line </dev/tty; echo got $line\r")
    try tmux.wait(for: "the command") { $0.lines.contains { $0.hasPrefix("here") } }
    tmux.press("C-z")
    try tmux.wait(for: "the shell") { $0.shows("Stopped") }
    tmux.type("fg\r")
    try tmux.wait(for: "the command again") { screen in screen.shows("fg") }
    tmux.type("words\r")
    try tmux.wait(for: "what it read") {
      $0.shows("got words") && $0.shows("press any key to continue")
    }
    tmux.press("x")
    try tmux.wait(for: "the grid") { $0.showsGrid(of: 6) }
  }

  @Test func `a signal to terminate ends the program while a command has the terminal`() throws {
    let window = try PhotoFolder(count: 2).open("--motion", "none")
    try window.waitForGrid(of: 2)
    window.type("!|sleep 5\r")
    try window.wait(for: "the terminal given away") { !$0.modes.contains(1049) }
    window.terminal.signal(SIGTERM)
    #expect(try window.waitForEnd() == 128 + SIGTERM)
    window.expectRestored()
  }
}
