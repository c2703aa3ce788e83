import Foundation
import PseudoTerminal
import Testing

/// Reloading, and folders that need it: removed, on disks that hang, or not watched any more.
extension LiveFolderTests {
  @Test func `a removed folder is reported, and its photos stay`() throws {
    let folder = try PhotoFolder(count: 6)
    let window = try folder.open("--motion", "none")
    try window.waitForGrid(of: 6)

    #expect(ProgramRun.of(["rm", "-rf", folder.path]).status == 0)
    try window.wait(for: "the bar to say so") { $0.bar.contains("the folder was removed") }
    #expect(window.screen.showsGrid(of: 6), "\(window.picture)")
    window.type("3G\r")
    try window.wait(for: "a photo that was decoded") {
      $0.box(of: TestPhoto.blue) == ZoomTests.wholeScreen
    }
    window.type("\u{1B}R")
    try window.wait(for: "an answer, and the grid as it was") {
      $0.bar.contains("no such file") && $0.showsGrid(of: 6)
    }

    mkdir(folder.path, 0o755)
    try folder.add(.flat(TestPhoto.yellow), as: "03.png")
    try folder.add(.flat(TestPhoto.cyan), as: "new.png")
    window.type("R")
    try window.wait(for: "the new folder") {
      $0.isAt("1/2") && $0.isFilled(.tile(0, of: 2), with: TestPhoto.yellow)
        && $0.isFilled(.tile(1, of: 2), with: TestPhoto.cyan) && !$0.bar.contains("gone")
    }
    try window.quit()
  }

  @Test func `a removed current folder is reported too`() throws {
    let folder = try PhotoFolder()
    try folder.addFolder("here")
    for index in 0..<3 {
      try folder.add(.flat(TestPhoto.palette[index]), as: "here/\(PhotoFolder.name(index))")
    }
    let command = "exec '\(PhotoGrid.path)' --symbols half --motion none"
    let window = try Window(["sh", "-c", "cd '\(folder["here"])' && \(command)"], folder: folder)
    try window.waitForGrid(of: 3)
    #expect(ProgramRun.of(["rm", "-rf", folder["here"]]).status == 0)
    try window.wait(for: "the bar to say so") { $0.bar.contains("the folder was removed") }
    #expect(window.screen.showsGrid(of: 3), "\(window.picture)")
    try window.quit()
  }

  @Test func `R on a list shows a message`() throws {
    let folder = try PhotoFolder(count: 2)
    let list = folder["list"]
    try folder.add(Array("\(folder["00.png"])\n".utf8), as: "list")
    let window = try folder.open("--motion", "none", paths: ["--files-from", list])
    try window.waitForGrid(of: 1)
    window.type("R")
    try window.wait(for: "words") { $0.bar.contains("Cannot reload a list") }
    try window.quit()
  }

  @Test func `while the disk hangs keys work, and the bar shows a message`() throws {
    let folder = try PhotoFolder(count: 6)
    let window = try folder.open("--motion", "none")
    try window.waitForGrid(of: 6)
    let lister = try #require(self.lister(of: window))

    kill(lister, SIGSTOP)
    window.type("R")
    try window.wait(for: "the bar to say so") { $0.bar.contains("the folder is not responding") }
    window.type("5G")
    try window.wait(for: "the fifth") { $0.isAt("5/6") }
    kill(lister, SIGCONT)
    try window.wait(for: "the answer") { !$0.bar.contains("not responding") }

    // One that never responds is replaced at the next R, and does not delay quitting.
    kill(lister, SIGSTOP)
    window.type("R")
    try window.wait(for: "the bar to say so") { $0.bar.contains("the folder is not responding") }
    try folder.add(.flat(TestPhoto.cyan), as: "new.png")
    window.type("R")
    try window.wait(for: "the new one") { $0.isAt("5/7") }
    #expect(Polling.until { !Processes.isRunning(lister) })
    let other = try #require(self.lister(of: window))
    #expect(other != lister)
    kill(other, SIGSTOP)
    try window.quit()
    #expect(Polling.until { !Processes.isRunning(other) })
  }

  @Test func `the program survives the end of its lister, and R starts another`() throws {
    let folder = try PhotoFolder(count: 2)
    let window = try folder.open("--motion", "none")
    try window.waitForGrid(of: 2)

    kill(try #require(lister(of: window)), SIGKILL)
    try window.wait(for: "the bar to say so") { $0.bar.contains("no longer watching for changes") }
    try folder.add(.flat(TestPhoto.cyan), as: "new.png")
    window.type("\u{1B}[15~")
    try window.wait(for: "the new one") {
      $0.isAt("1/3") && $0.isFilled(.tile(2, of: 3), with: TestPhoto.cyan)
        && !$0.bar.contains("watched")
    }
    try FileManager.default.removeItem(atPath: folder["new.png"])
    try window.wait(for: "that it is watched again") { $0.isAt("1/2") }
    try window.quit()
  }

  /// The process that lists and watches.
  private func lister(of window: Window) -> pid_t? {
    Processes.children(of: window.terminal.process).first {
      let name = try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)
      // A killed one exists until its end was noticed.
      return name == "photogrid-lib\n" && Processes.isRunning($0)
    }
  }
}
