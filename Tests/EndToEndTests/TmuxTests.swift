import Foundation
import PseudoTerminal
import Testing

/// The program in a real terminal, and under a real shell.
@Suite(.waiting) struct TmuxTests {
  @Test func `opening and closing a photo works in tmux and restores the grid`() throws {
    let tmux = try openedTmux()
    let before = try tmux.settled()

    tmux.press("Enter")
    try tmux.wait(for: "the photo on the whole screen") {
      $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen
    }
    tmux.press("Right")
    try tmux.wait(for: "the second photo") {
      $0.box(of: TestPhoto.green) == ZoomTests.wholeScreen && $0.isAt("2/6")
    }
    tmux.press("Left")
    tmux.press("Escape")
    try tmux.wait(for: "the grid as before") { $0.looksLike(before) }
  }

  @Test func `clicks and drags work in tmux`() throws {
    let tmux = try openedTmux()

    tmux.type("\u{1B}[<0;66;6M\u{1B}[<0;66;6m")
    try tmux.wait(for: "the fourth photo on the whole screen") {
      $0.box(of: TestPhoto.yellow) == ZoomTests.wholeScreen
    }
    _ = try tmux.settled()
    tmux.type("\u{1B}[<0;40;9M")
    tmux.type("\u{1B}[<32;40;15M")
    try tmux.wait(for: "the photo in the hand") {
      guard let box = $0.box(of: TestPhoto.yellow) else { return false }
      return box.width < 80 && box.y > 9
    }
    tmux.type("\u{1B}[<32;40;18M\u{1B}[<0;40;19m")
    try tmux.wait(for: "the grid") { $0.showsGrid(of: 6) }
  }

  @Test func `a resize works in tmux`() throws {
    let tmux = try openedTmux()
    tmux.press("Enter")
    try tmux.wait(for: "the photo on the whole screen") {
      $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen
    }

    tmux.resize(columns: 40, rows: 21)
    // The picture is still that of 80 by 24, and the rest is empty.
    try tmux.wait(for: "the photo in the smaller window") {
      $0.box(of: TestPhoto.red) == Box(x: 0, y: 10, width: 40, height: 20)
    }
  }

  @Test func `Ctrl-Z leaves a usable shell, and fg paints everything again`() throws {
    let tmux = try openedShell()
    let before = try tmux.settled()

    tmux.press("C-z")
    try tmux.wait(for: "the shell's word and prompt") { $0.shows("Stopped") && $0.shows("ready$") }
    // Keypad keys (DECKPAM) and all other modes as in a shell: a cursor, and no mouse.
    #expect(tmux.modes == "0 1 0 0")
    tmux.type("echo usable-$((40+2))\r")
    try tmux.wait(for: "the command's output") { $0.shows("usable-42") }
    tmux.type("stty -a | tr ';' '\\n' | grep -wc -e '-echo' -e '-icanon' -e '-isig' -e '-opost'\r")
    try tmux.wait(for: "no setting that is off") { screen in
      screen.lines.contains { $0.hasPrefix("0 ") }
    }

    tmux.type("fg\r")
    try tmux.wait(for: "the grid as before") { $0.looksLike(before) }
    tmux.type("l")
    try tmux.wait(for: "the second photo selected") { $0.isAt("2/6") }
    tmux.type("q")
    try tmux.wait(for: "the prompt") { $0.shows("usable-42") && $0.shows("ready$") }
    #expect(tmux.modes == "0 1 0 0")
  }

  @Test func `a stop signal leaves a usable shell too`() throws {
    let tmux = try openedShell()
    let before = try tmux.settled()
    let shell = try #require(tmux.process)
    let program = try #require(Processes.children(of: shell).first)

    kill(program, SIGTSTP)
    try tmux.wait(for: "the shell's word and prompt") { $0.shows("Stopped") && $0.shows("ready$") }
    #expect(tmux.modes == "0 1 0 0")
    tmux.type("echo usable-$((40+2))\r")
    try tmux.wait(for: "the command's output") { $0.shows("usable-42") }

    tmux.type("fg\r")
    try tmux.wait(for: "the grid as before") { $0.looksLike(before) }
    tmux.type("q")
    try tmux.wait(for: "the prompt") { $0.shows("usable-42") }
  }

  @Test func `a resize while the program is stopped takes effect when it continues`() throws {
    let tmux = try openedShell()
    tmux.press("C-z")
    try tmux.wait(for: "the shell") { $0.shows("Stopped") }

    tmux.resize(columns: 62, rows: 24)
    tmux.type("fg\r")

    // Three columns of tiles: 62 minus 2 and 2 for the gaps, divided by 3.
    try tmux.wait(for: "three tiles in a row") {
      $0.isFilled(Box(x: 1, y: 3, width: 19, height: 19), with: TestPhoto.red)
        && $0.isFilled(Box(x: 41, y: 3, width: 19, height: 19), with: TestPhoto.blue)
        && $0.isFilled(Box(x: 1, y: 23, width: 19, height: 19), with: TestPhoto.yellow)
    }
  }

  @Test func `a pipeline stops and continues as one job`() throws {
    let folder = try PhotoFolder(count: 6)
    let tmux = try Tmux(["env", "PS1=ready$ ", "bash", "--norc", "--noprofile"], folder: folder)
    try tmux.wait(for: "the prompt") { $0.shows("ready$") }
    tmux.type("find \(folder.path) -name '*.png' | sort | \(PhotoGrid.path) --symbols half -i\r")
    try tmux.wait(for: "the grid") { $0.showsGrid(of: 6) }
    let before = try tmux.settled()

    tmux.press("C-z")
    try tmux.wait(for: "the shell") { $0.shows("Stopped") }
    tmux.type("fg\r")
    try tmux.wait(for: "the grid as before") { $0.looksLike(before) }
    tmux.type("q")
    try tmux.wait(for: "the prompt") { $0.shows("ready$") }
  }

  @Test func `a shell reports a crash, and its prompt works`() throws {
    let tmux = try openedShell(before: "ulimit -c 0; ")
    let shell = try #require(tmux.process)
    let program = try #require(Processes.children(of: shell).first)

    kill(program, SIGSEGV)

    try tmux.wait(for: "both words") {
      $0.shows("photogrid: crashed (SIGSEGV)") && $0.shows("Segmentation fault")
    }
    tmux.type("echo usable-$((40+2))\r")
    try tmux.wait(for: "the command's output") { $0.shows("usable-42") }
    #expect(tmux.modes == "0 1 0 0")
  }

  @Test func `closing the terminal ends the program and its workers`() throws {
    let tmux = try openedShell()
    let shell = try #require(tmux.process)
    let program = try #require(Processes.children(of: shell).first)
    let workers = Processes.children(of: program)
    #expect(!workers.isEmpty)

    tmux.kill()

    #expect(Polling.until { ([program] + workers).allSatisfy { !Processes.isRunning($0) } })
  }

  private func openedTmux() throws -> Tmux {
    let folder = try PhotoFolder(count: 6)
    let tmux = try Tmux([PhotoGrid.path, "--symbols", "half", folder.path], folder: folder)
    try tmux.wait(for: "the grid") { $0.showsGrid(of: 6) }
    return tmux
  }

  /// A shell in which the program was started.
  private func openedShell(before prefix: String = "") throws -> Tmux {
    let folder = try PhotoFolder(count: 6)
    let tmux = try Tmux(["env", "PS1=ready$ ", "bash", "--norc", "--noprofile"], folder: folder)
    try tmux.wait(for: "the prompt") { $0.shows("ready$") }
    tmux.type("\(prefix)\(PhotoGrid.path) --symbols half \(folder.path)\r")
    try tmux.wait(for: "the grid") { $0.showsGrid(of: 6) }
    return tmux
  }
}
