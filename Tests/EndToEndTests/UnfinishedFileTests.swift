import Foundation
import PseudoTerminal
import Testing

/// File operations that are interrupted by the program's end.
@Suite(.waiting) struct UnfinishedFileTests {
  private static func variables(_ folder: PhotoFolder) -> [String: String] {
    ["XDG_DATA_HOME": folder[".data"], "XDG_STATE_HOME": folder[".state"]]
  }

  private static func names(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  private static func photos(_ folder: PhotoFolder) -> [String] {
    names(folder.path).filter { $0.hasSuffix(".png") }
  }

  /// Checks that every file in the trash has its info file, and every info file its file.
  private static func expectWholeTrash(_ folder: PhotoFolder, _ comment: Comment) {
    let files = names(folder[".data/Trash/files"])
    let notes = names(folder[".data/Trash/info"])
    #expect(files.map { $0 + ".trashinfo" } == notes, comment)
  }

  private static func output(of window: Window) -> String {
    String(decoding: window.output(), as: UTF8.self)
  }

  private static func fileWorker(of window: Window) throws -> pid_t {
    try #require(
      Processes.children(of: window.terminal.process).first { process in
        let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        return name == "photogrid-files\n"
      })
  }

  @Test func `q right after trashing hundreds of marked photos waits for all of them`() throws {
    let folder = try PhotoFolder(count: 612)
    let window = try folder.open("--motion", "none", environment: Self.variables(folder))
    try window.wait(for: "the folder") { $0.isAt("1/612") }

    window.type("\u{01}ddq")

    #expect(try window.waitForEnd() == 0)
    window.expectRestored()
    #expect(Self.photos(folder) == [])
    #expect(Self.names(folder[".data/Trash/files"]).count == 612)
    Self.expectWholeTrash(folder, "all are in the trash")

    let next = try folder.open("--motion", "none", environment: Self.variables(folder))
    try next.wait(for: "an empty folder") { $0.shows("No photos here") }
    next.type("u")
    try next.wait(for: "the question") { $0.bar.contains("Restore the 612 photos you trashed") }
    next.type("y")
    try next.wait(for: "that they are back") { $0.bar.contains("612 photos are back") }
    try next.wait(for: "all") { $0.bar.contains("/612") }
    #expect(Self.photos(folder).count == 612)
    Self.expectWholeTrash(folder, "the trash is empty")
    next.type("u")
    try next.wait(for: "nothing more") { $0.bar.contains("Nothing to undo") }
    try next.quit()
  }

  /// `-q` hides only what could not be read.
  @Test(arguments: ["--no-bar", "-q"])
  func `a second q ends the wait, and reports what was done and what was not`(
    option: String
  ) throws {
    let folder = try PhotoFolder(count: 40)
    let window = try folder.open(
      "--motion", "none", "--no-bar", option, environment: Self.variables(folder))
    try window.wait(for: "the folder") { $0.box(of: TestPhoto.palette[0]) != nil }
    window.type("bd")
    try window.wait(for: "39 left") { $0.isAt("1/39") }
    let fileWorker = try Self.fileWorker(of: window)
    kill(fileWorker, SIGSTOP)
    window.type("\u{01}dd")
    try window.wait(for: "that it goes on") { $0.bar.contains("trashing 0") }
    window.type("bq")
    try window.wait(for: "what is waited for") {
      $0.bar.hasPrefix("Will quit when file operations finish; q quits now")
        && $0.bar.contains("trashing 0 of 39…")
    }
    window.type("q")
    #expect(try window.waitForEnd() == 0)

    window.expectRestored()
    for line in [
      "trashed 0 of 39 photos", "not trashed: 23 photos, starting at '17.png'",
      "may have been trashed; the disk is not responding: 16 photos, starting at '01.png'",
    ] {
      #expect(Self.output(of: window).contains(line), "\(line)\(window.picture)")
    }
    #expect(
      Polling.until { !Processes.isRunning(fileWorker) },
      "nothing is left that could still move a photo")
    #expect(Self.photos(folder).count == 39)
    Self.expectWholeTrash(folder, "only the first is in the trash")
  }

  @Test func `the doctor says which journals are ignored, and why`() throws {
    let folder = try PhotoFolder()
    try folder.addFolder(".state/photogrid/undo")
    let environment = PhotoGrid.environment.merging(Self.variables(folder)) { $1 }
    func history() -> String? {
      ProgramRun.of([PhotoGrid.path, "--doctor"], environment: environment).outputText
        .split(separator: "\n").first { $0.hasPrefix("undo history") }.map(String.init)
    }
    let undo = folder[".state/photogrid/undo"]
    for path in [folder[".state"], folder[".state/photogrid"], undo] { chmod(path, 0o755) }
    try folder.add([], as: ".state/photogrid/undo/1")
    chmod("\(undo)/1", 0o600)
    #expect(history() == "undo history  \(undo): 1 session")
    chmod(undo, 0o777)
    #expect(
      history() == "undo history  \(undo): 0 sessions; ignored: others may write to it (\(undo))")
  }

  @Test func `Ctrl-C right after trashing reports exactly what was done`() throws {
    let folder = try PhotoFolder(count: 300)
    let window = try folder.open("--motion", "none", environment: Self.variables(folder))
    try window.wait(for: "the folder") { $0.isAt("1/300") }

    window.type("\u{01}dd\u{03}\u{03}")

    #expect(try window.waitForEnd() == 130)
    window.expectRestored()
    let left = Self.photos(folder).count
    Self.expectWholeTrash(folder, "no info file is alone")
    #expect(Self.names(folder[".data/Trash/files"]).count == 300 - left)
    guard left > 0 else { return }
    let output = Self.output(of: window)
    #expect(output.contains("trashed \(300 - left) of 300 photos"), "\(window.picture)")
    #expect(output.contains("not trashed: \(left) photo"), "\(window.picture)")
  }

  @Test(arguments: Array(stride(from: 1, through: 331, by: 30)))
  func `if the program is killed at any moment, undo works after a restart`(call: Int) throws {
    let folder = try PhotoFolder(count: 3)
    let tool = URL(fileURLWithPath: PhotoGrid.path).deletingLastPathComponent()
      .appendingPathComponent("kill-at-call").path
    let window = try Window(
      [tool, folder["killed"], folder["start"], "\(call)", PhotoGrid.path]
        + ["--symbols", "half", "--motion", "none", folder.path],
      environment: Self.variables(folder), folder: folder)
    try window.waitForGrid(of: 3)
    // Counting begins with the key.
    try folder.add([], as: "start")
    window.type("\u{01}dd")
    let isKilled = Polling.until(seconds: 90) {
      window.type("lh")
      return window.watch(seconds: 0.05) { _ in
        FileManager.default.fileExists(atPath: folder["killed"])
      }
    }
    #expect(isKilled)

    let next = try folder.open("--motion", "none", environment: Self.variables(folder))
    try next.wait(for: "the folder") { $0.shows("no photos") || $0.bar.contains("1/") }
    // The file worker may still be at work, and its operations cannot be undone until it has ended.
    let areBack = Polling.until(seconds: 90) {
      next.type("u")
      _ = next.watch(seconds: 0.3) { $0.bar.contains("Restore ") }
      next.type("y")
      _ = next.watch(seconds: 0.3) { $0.bar.contains("back") }
      return Self.photos(folder).count == 3 && Self.names(folder[".data/Trash/info"]) == []
    }
    #expect(areBack, "killed at call \(call)\(next.picture)")
    Self.expectWholeTrash(folder, "killed at call \(call), and undone")
    // The last y may have come without a question, as the first key of a sequence.
    next.type("\u{1B}")
    try next.quit()
  }
}
