import Foundation
import PseudoTerminal
import Testing

/// However the program ends, the terminal is restored and no worker is left.
@Suite(.waiting) struct LeavingTests {
  @Test func `q restores the terminal`() throws {
    let window = try PhotoFolder(count: 6).open()
    try window.waitForGrid(of: 6)
    let workers = Processes.children(of: window.terminal.process)
    #expect(!workers.isEmpty)
    #expect(window.screen.modes.isSuperset(of: [1002, 1004, 1006, 1049, 2004]))
    #expect(!window.screen.modes.contains(25), "the cursor is shown")

    try window.quit()

    expectGone(workers)
  }

  @Test func `Q prints the name of the photo`() throws {
    let folder = try PhotoFolder(count: 6)
    let window = try folder.open()
    try window.waitForGrid(of: 6)

    window.type("llQ")

    #expect(try window.waitForEnd() == 0)
    #expect(window.screen.shows(folder["02.png"]), "\(window.picture)")
    // What is printed is a link.
    let output = String(decoding: window.output(), as: UTF8.self)
    let link = try #require(
      output.firstMatch(
        of: /\u{1B}\]8;;file:\/\/[^\/\u{1B}]*(\/[^\u{1B}]*)\u{1B}\\([^\u{1B}]*)\u{1B}\]8;;\u{1B}\\/)
    )
    #expect(link.1 == folder["02.png"] && link.2 == folder["02.png"])
    window.expectRestored()
  }

  @Test func `Q prints the open photo`() throws {
    let folder = try PhotoFolder(count: 6)
    let window = try folder.open()
    try window.waitForGrid(of: 6)

    window.type("\r4G")
    try window.waitForNumber("4/6")
    window.type("Q")

    #expect(try window.waitForEnd() == 0)
    #expect(window.screen.shows(folder["03.png"]), "\(window.picture)")
  }

  @Test func `Q prints no control characters`() throws {
    let folder = try PhotoFolder()
    try folder.add(.flat(TestPhoto.red), as: "x\u{1B}]52;c;TkVFRExF\u{07}.png")
    let window = try folder.open("-t")
    try window.wait(for: "the tile") { $0.box(of: TestPhoto.red) == .tile(0, of: 1) }

    window.type("Q")

    #expect(try window.waitForEnd() == 0)
    #expect(window.screen.shows("x?]52;c;TkVFRExF?.png"), "\(window.picture)")
    #expect(OutputInspection.faults(in: window.output(), allowing: .screen) == [])
  }

  @Test func `Ctrl-C twice ends with the status of an interrupt`() throws {
    let window = try PhotoFolder(count: 6).open()
    try window.waitForGrid(of: 6)
    let workers = Processes.children(of: window.terminal.process)

    window.type("\u{03}")
    try window.wait(for: "the message") { $0.bar.contains("Copied /") }
    window.type("\u{03}")

    #expect(try window.waitForEnd() == 130)
    window.expectRestored()
    expectGone(workers)
  }

  /// Keys that rate photos come faster than the ratings can be written.
  @Test(arguments: ["hl", "12"])
  func `a flood of keys delays neither frames nor Ctrl-C`(keys: String) throws {
    let window = try PhotoFolder(count: 6).open()
    try window.waitForGrid(of: 6)

    window.type("l" + String(repeating: keys, count: 60_000))
    try window.wait(for: "the second photo") { $0.isAt("2/6") }
    window.type("\u{03}")
    try window.wait(for: "the message") { $0.bar.contains("Copied /") }
    window.type("\u{03}")

    #expect(try window.waitForEnd() == 130)
    window.expectRestored()
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
  func `a signal to terminate ends the program`(signal: Int32) throws {
    let window = try PhotoFolder(count: 6).open()
    try window.waitForGrid(of: 6)
    let workers = Processes.children(of: window.terminal.process)

    window.terminal.signal(signal)

    #expect(try window.waitForEnd() == 128 + signal)
    window.expectRestored()
    expectGone(workers)
  }

  @Test(arguments: Array(1...34) + [64])
  func `any signal that ends the program restores the terminal`(signal: Int32) throws {
    // Except signals that do not end a process, that cannot be handled, or that the C library uses.
    let others = [
      SIGKILL, SIGSTOP, SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH, SIGPIPE, 32,
      33,
    ]
    guard !others.contains(signal) else { return }
    let folder = try PhotoFolder(count: 1)
    // Without a core file.
    let window = try Window(
      ["sh", "-c", "ulimit -c 0; exec \"$@\"", "sh", PhotoGrid.path, "-t", "--symbols", "half"]
        + [folder.path], folder: folder)
    try window.wait(for: "the screen") { $0.modes.contains(1049) && $0.isAt("1/1") }

    window.terminal.signal(signal)

    let isAsked = [SIGTERM, SIGHUP, SIGINT, SIGQUIT].contains(signal)
    #expect(try window.waitForEnd() == (isAsked ? 128 : 1000) + signal, "\(window.picture)")
    window.expectRestored()
  }

  @Test func `Ctrl-backslash ends with the status of SIGQUIT`() throws {
    let window = try PhotoFolder(count: 6).open()
    try window.waitForGrid(of: 6)

    window.type("\u{1C}")

    #expect(try window.waitForEnd() == 128 + SIGQUIT)
    window.expectRestored()
  }

  @Test(arguments: [SIGSEGV, SIGABRT, SIGILL, SIGFPE, SIGBUS, SIGTRAP])
  func `a crash restores the terminal, prints a message, and the shell sees it`(signal: Int32)
    throws
  {
    let folder = try PhotoFolder(count: 6)
    // Without a core file.
    let window = try Window(
      ["sh", "-c", "ulimit -c 0; exec \"$@\"", "sh", PhotoGrid.path, "--symbols", "half"]
        + [folder.path], folder: folder)
    try window.waitForGrid(of: 6)
    let workers = Processes.children(of: window.terminal.process)

    window.terminal.signal(signal)

    #expect(try window.waitForEnd() == 1000 + signal, "\(window.picture)")
    #expect(window.screen.shows("photogrid: crashed (SIG"), "\(window.picture)")
    window.expectRestored()
    expectGone(workers)
  }

  @Test func `a crash during a zoom restores the terminal too`() throws {
    let window = try PhotoFolder(count: 6).open("--motion", "slow")
    try window.waitForGrid(of: 6)
    window.type("\r")
    try window.waitForFlight(widerThan: 30)

    window.terminal.signal(SIGABRT)

    #expect(try window.waitForEnd() == 1000 + SIGABRT)
    window.expectRestored()
  }

  @Test func `a signal while fifty photos are decoded ends all processes`() throws {
    let folder = try PhotoFolder()
    let photo = TestPhoto.black(width: 2000, height: 2000)
    for index in 0..<50 { try folder.add(photo, as: PhotoFolder.name(index)) }
    let window = try folder.open("--cell", "8")
    var workers: [pid_t] = []
    try window.wait(for: "workers") { _ in
      workers = Processes.children(of: window.terminal.process)
      return workers.count >= 2 && window.screen.modes.contains(1049)
    }

    window.terminal.signal(SIGTERM)

    #expect(try window.waitForEnd() == 128 + SIGTERM)
    window.expectRestored()
    expectGone(workers)
  }

  @Test func `a kill restores the terminal and ends all processes`() throws {
    let folder = try PhotoFolder(count: 6)
    // A shell, which reads a line once the program has ended.
    let window = try Window(
      ["sh", "-c", "\"$@\"; read -r line", "sh", PhotoGrid.path, "--symbols", "half", folder.path],
      folder: folder)
    try window.waitForGrid(of: 6)
    let program = try #require(Processes.children(of: window.terminal.process).first)
    var processes: [pid_t] = []
    try window.wait(for: "the guard and a worker") { _ in
      processes = Processes.children(of: program)
      let names = processes.map { Processes.name(of: $0) }
      return names.contains("photogrid-guard") && names.contains { $0 != "photogrid-guard" }
    }

    kill(program, SIGKILL)

    try window.wait(for: "the shell's screen") { $0.modes == [7, 25] }
    #expect(window.terminal.settings == window.terminal.settingsBefore)
    expectGone(processes)
    window.type("\r")
    #expect(try window.waitForEnd() == 0)
  }

  @Test func `a stopped program that continues paints everything again`() throws {
    let window = try PhotoFolder(count: 6).open()
    try window.waitForGrid(of: 6)
    try window.waitUntilQuiet()
    let before = window.screen

    window.terminal.signal(SIGSTOP)
    window.spoil()
    window.terminal.signal(SIGCONT)

    try window.wait(for: "the grid as before") { $0.looksLike(before) }
    try window.quit()
  }

  @Test func `no input is left for the shell`() throws {
    let window = try PhotoFolder(count: 6).open("--motion", "slow")
    try window.waitForGrid(of: 6)

    // In the middle of frames, each of which ends with a query.
    window.type("\r")
    try window.waitForFlight(widerThan: 30)
    window.type("q")

    #expect(try window.waitForEnd() == 0)
    #expect(window.terminal.unreadInput == [])
    window.expectRestored()
  }

  private func expectGone(
    _ processes: [pid_t], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let areGone = Polling.until { processes.allSatisfy { !Processes.isRunning($0) } }
    #expect(areGone, "workers are left: \(processes)", sourceLocation: sourceLocation)
  }
}
