import PseudoTerminal
import TestSupport
import Testing

/// Paths from other programs.
@Suite(.waiting) struct ListInputTests {
  @Test func `names from standard input are shown, while keys come from the terminal`() throws {
    let folder = try PhotoFolder(count: 6)
    let window = try Window(
      ["sh", "-c", "find \"$1\" -name '*.png' | sort | \"$0\" --symbols half -i"]
        + [PhotoGrid.path, folder.path], folder: folder)

    try window.waitForGrid(of: 6)
    window.type("l\r")
    try window.wait(for: "the second photo on the whole screen") {
      $0.box(of: TestPhoto.green) == ZoomTests.wholeScreen
    }
    try window.quit()
  }

  @Test func `photos are shown while the list continues`() throws {
    let folder = try PhotoFolder(count: 6)
    let window = try Window(
      [
        "sh", "-c",
        "(printf '%s\\n' \"$1/00.png\" \"$1/01.png\"; sleep 60) | exec \"$0\" --symbols half -",
      ]
        + [PhotoGrid.path, folder.path], folder: folder)

    try window.wait(for: "two photos, and more to come") {
      $0.bar.contains("1/2…") && $0.isFilled(.tile(1, of: 2), with: TestPhoto.green)
    }
    window.type("\u{03}\u{03}")
    // The shell waits for `sleep`, so the test does not wait for the shell but closes the window.
    _ = window.watch(seconds: 1) { !$0.modes.contains(1049) }
    #expect(!window.screen.modes.contains(1049), "\(window.picture)")
  }

  @Test func `lists are separated by newlines or NULs, and come from pipes or files`() throws {
    let folder = try PhotoFolder(count: 3)
    try folder.add(.flat(TestPhoto.red), as: "with\nnewline.png")
    let names = (0..<3).map { folder[PhotoFolder.name($0)] } + [folder["with\nnewline.png"]]
    let lines = Array(names.prefix(3).map { $0 + "\n" }.joined().utf8)
    let records = Array(names.map { $0 + "\0" }.joined().utf8)
    try folder.add(lines, as: "lines")
    try folder.add(records, as: "records")

    func count(_ arguments: String..., input: [UInt8] = []) -> Int {
      let run = ProgramRun.of(
        [PhotoGrid.path, "--print", "--json"] + arguments, input: input,
        environment: PhotoGrid.environment)
      return run.outputText.split(separator: "\n").count { !$0.contains("error") }
    }
    #expect(count("-i", input: lines) == 3)
    #expect(count("-", input: lines) == 3)
    #expect(count("-i", input: Array(lines.dropLast())) == 3, "without the last newline")
    #expect(count("-0i", input: records) == 4)
    #expect(count("--files-from", folder["lines"]) == 3)
    #expect(count("-0", "--files-from", folder["records"]) == 4)
  }

  @Test func `a missing file is a tile with a message`() throws {
    let folder = try PhotoFolder(count: 1)
    let run = folder.run(
      "-i", "--print", "--json", input: Array("\(folder["00.png"])\n/no/such.png\n\n".utf8))

    #expect(run.status == 0, "\(run)")
    let lines = run.outputText.split(separator: "\n")
    #expect(lines.count == 2 && lines[1].contains("\"error\":\"no such file\""), "\(run)")
  }

  @Test func `an empty list and a missing one are errors`() throws {
    let folder = try PhotoFolder()

    let empty = folder.run("-i", "--print")
    #expect(empty.status == 1, "\(empty)")
    #expect(empty.errorText == "photogrid: standard input: no photos here\n", "\(empty)")

    let missing = folder.run("--files-from", "/no/such/list")
    #expect(missing.status == 1, "\(missing)")
    #expect(missing.errorText.contains("/no/such/list: No such file or directory"), "\(missing)")

    let both = folder.run("-i", folder.path)
    #expect(both.status == 2, "\(both)")
  }

  @Test func `a list of random bytes is harmless`() throws {
    let folder = try PhotoFolder()
    var random = SeededGenerator(seed: 7)
    let garbage = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }

    let run = folder.run("-i", "--print", "--json", "-g", "80x4", input: garbage)

    #expect(run.status == 1, "\(run.status)")
    #expect(run.output.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x0A })
  }

  @Test func `photos and folders can be given together`() throws {
    let folder = try PhotoFolder(count: 2)
    try folder.addFolder("more")
    try folder.add(.flat(TestPhoto.blue), as: "more/x.png")
    let window = try Window(
      [PhotoGrid.path, "--symbols", "half", folder["01.png"], folder["more"], folder["00.png"]],
      folder: folder)

    try window.wait(for: "three photos in the order of their naming") {
      $0.isFilled(.tile(0, of: 3), with: TestPhoto.green)
        && $0.isFilled(.tile(1, of: 3), with: TestPhoto.blue)
        && $0.isFilled(.tile(2, of: 3), with: TestPhoto.red) && $0.isAt("1/3")
    }
    try window.quit()
  }
}
