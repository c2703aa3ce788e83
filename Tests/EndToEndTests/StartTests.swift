import Foundation
import PseudoTerminal
import Testing

/// Starts with errors, or with nothing to show.
@Suite(.waiting) struct StartTests {
  @Test(arguments: [
    ("", "TERM is not set"), ("nonsense", "terminfo"),
  ])
  func `without a usable terminal type it prints an error and draws nothing`(
    type: String, words: String
  ) throws {
    let window = try PhotoFolder(count: 1).open(environment: ["TERM": type])

    #expect(try window.waitForEnd() == 3)
    try expectOneLine(of: window, containing: words)
  }

  @Test func `without a controlling terminal it prints an error`() throws {
    let folder = try PhotoFolder(count: 1)
    let window = try Window(["setsid", "-w", PhotoGrid.path, folder.path], folder: folder)

    #expect(try window.waitForEnd() == 3)
    try expectOneLine(of: window, containing: "no controlling terminal")
  }

  @Test func `a missing folder is an error before the screen changes`() throws {
    let window = try Window([PhotoGrid.path, "/no/such/folder"])

    #expect(try window.waitForEnd() == 1)
    try expectOneLine(of: window, containing: "/no/such/folder: No such file or directory")
  }

  /// The keys that end the program.
  @Test(arguments: [("q", 0), ("\u{3}", 130)])
  func `a folder on a disk that does not respond delays neither the first frame nor the end`(
    key: String, status: Int32
  ) throws {
    let folder = try PhotoFolder(count: 1)
    try folder.addFolder("hanging")
    let window = try Window(
      PhotoGrid.hanging(folder["hanging"]) + [PhotoGrid.path, folder["hanging"]], folder: folder)

    try window.wait(for: "the first frame") { $0.bar.contains("listing") }
    try window.wait(for: "a message") { $0.bar.contains("the folder is not responding") }
    window.type(key)
    #expect(try window.waitForEnd() == status)
    window.expectRestored()
  }

  @Test func `a photo on a disk that does not respond delays neither the first frame nor the end`()
    throws
  {
    let folder = try PhotoFolder(count: 1)
    try folder.addFolder("hanging")
    let window = try Window(
      PhotoGrid.hanging(folder["hanging"]) + [PhotoGrid.path, folder["hanging/a.jpg"]],
      folder: folder)

    try window.wait(for: "the first frame") { $0.bar.contains("listing") }
    try window.quit()
  }

  @Test(arguments: [
    (["--nonsense"], "--nonsense: unknown option"), (["-Z"], "-Z: unknown option"),
    (["--cell", "none"], "--cell: 'none' is not a number"),
    (["--cell"], "--cell: needs a value"), (["--symbols", "round"], "'round' is not one of half"),
    (["-g", "0x0"], "'0x0' is not a size"),
    (["--m"], "ambiguous: --max-depth, --mark-color, --motion, --mouse, --memory, --man"),
    (["-i"], "standard input is a terminal"), (["--print=maybe"], "is not one of on, off"),
  ])
  func `an invalid option gives one line of error`(options: [String], words: String) throws {
    let window = try Window([PhotoGrid.path] + options)

    #expect(try window.waitForEnd() == 2)
    try expectOneLine(of: window, containing: words)
  }

  @Test func `an empty folder opens with a message`() throws {
    let window = try PhotoFolder().open()

    try window.wait(for: "words") { $0.shows("No photos here") && $0.shows("Looked for JPEG") }
    for keys in ["j", "G", "\r", "\u{1B}", "l"] { window.type(keys) }
    window.click(20, 5)
    try window.quit()
  }

  @Test func `other files are counted, hidden ones are not`() throws {
    let folder = try PhotoFolder(count: 2)
    try folder.add(Array("hello".utf8), as: "notes.txt")
    try folder.add(.flat(TestPhoto.blue), as: ".hidden.png")
    try folder.addFolder("folder.png")

    let window = try folder.open()
    try window.wait(for: "two photos") {
      $0.isAt("1/2") && $0.bar.contains("1 other file") && $0.shows("folder.png/")
    }
    try window.quit()

    let all = try folder.open("--hidden")
    try all.wait(for: "three photos") { $0.isAt("1/3") }
    try all.quit()
  }

  @Test func `with closed standard streams the program ends and restores the terminal`() throws {
    let folder = try PhotoFolder(count: 2)
    for streams in ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", "< /dev/null"] {
      let window = try Window(
        ["sh", "-c", "\"$0\" \"$1\" \(streams)", PhotoGrid.path, folder.path], folder: folder)
      window.terminal.run(forSeconds: 0.5) { window.terminal.status != nil }
      window.type("q")
      try window.waitForEnd()
      window.expectRestored()
    }
  }

  @Test func `a link to the program finds its worker`() throws {
    let folder = try PhotoFolder(count: 2)
    try FileManager.default.createSymbolicLink(
      atPath: folder["pg"], withDestinationPath: PhotoGrid.path)
    let window = try Window([folder["pg"], "--symbols", "half", folder.path], folder: folder)

    try window.waitForGrid(of: 2)
    try window.quit()
  }

  @Test func `options can be set in the environment`() throws {
    let window = try PhotoFolder(count: 2).open(environment: ["PHOTOGRID_LABELS": "1"])

    try window.wait(for: "labels") { $0.text(ofRow: 15).contains("00.png") }
    try window.quit()
  }

  @Test func `help and version are plain text`() throws {
    let folder = try PhotoFolder()

    let help = folder.run("--help")
    #expect(help.status == 0 && help.errors.isEmpty, "\(help)")
    #expect(help.outputText.contains("--recursive") && help.outputText.contains("usage:"))
    #expect(help.outputText.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(help)")

    let version = folder.run("-V")
    #expect(version.status == 0 && version.errors.isEmpty, "\(version)")
    #expect(version.outputText.wholeMatch(of: /photogrid \d+\.\d+\.\d+\n/) != nil, "\(version)")
  }

  @Test func `the doctor reports what was found, with a terminal and without`() throws {
    let folder = try PhotoFolder()

    let report = folder.run("--doctor", environment: ["TERM": "xterm-kitty"])
    #expect(report.status == 0 && report.errors.isEmpty, "\(report)")
    for fact in ["xterm-kitty", "no terminal", "sextant", "full", "UTF-8", "photogrid-worker"] {
      #expect(report.outputText.contains(fact), "\(fact) in \(report)")
    }

    let window = try Window([PhotoGrid.path, "--doctor"], columns: 100, rows: 40)
    #expect(try window.waitForEnd() == 0)
    #expect(window.screen.shows("100x40"), "\(window.picture)")
    #expect(window.screen.shows("10x20 pixels"), "\(window.picture)")
  }

  /// Checks that the program wrote one line of text and no control sequence.
  private func expectOneLine(
    of window: Window, containing words: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let text = String(decoding: window.output(), as: UTF8.self)
    #expect(
      text.hasPrefix("photogrid: "), "\(text.debugDescription)", sourceLocation: sourceLocation)
    #expect(text.contains(words), "\(text.debugDescription)", sourceLocation: sourceLocation)
    #expect(
      text.filter { $0.isNewline }.count == 1 && text.last?.isNewline == true,
      "\(text.debugDescription)", sourceLocation: sourceLocation)
    #expect(!text.contains("\u{1B}"), "\(text.debugDescription)", sourceLocation: sourceLocation)
    window.expectRestored(sourceLocation: sourceLocation)
  }
}
