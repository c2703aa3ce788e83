import Foundation
import PseudoTerminal
import Testing

/// Arguments, folders, messages and terminals in daily use.
struct UsageTests {
  @Test func `one missing argument gets a tile with a message, beside good ones`() throws {
    let folder = try PhotoFolder()
    try folder.add(.flat(TestPhoto.red), as: "good.png")
    let window = try folder.open(
      "--motion", "none", paths: [folder["nofile.png"], folder["good.png"]])

    try window.wait(for: "words and the photo") { screen in
      screen.isAt("1/2") && screen.words(in: .tile(0, of: 2)).contains("no such file")
        && screen.isFilled(.tile(1, of: 2), with: TestPhoto.red)
    }
    try window.quit()
    #expect(folder.run("--print", folder["nofile.png"], folder["good.png"]).status == 0)
  }

  @Test func `a single broken link has a tile, and a single missing file ends with 1`()
    throws
  {
    let folder = try PhotoFolder()
    #expect(symlink("nowhere", folder["link.png"]) == 0)
    let window = try folder.open("--motion", "none", paths: [folder["link.png"]])
    try window.wait(for: "words") { screen in
      screen.isAt("1/1") && screen.lines.dropLast().contains { $0.contains("no such file") }
    }
    try window.quit()

    #expect(folder.run("--print", folder["link.png"]).status == 1)
    let missing = folder.run("--print", folder["one.png"], folder["two.png"])
    #expect(missing.status == 1 && missing.output.isEmpty, "\(missing)")
    #expect(missing.errorText.contains("one.png: No such file"), "\(missing)")
    #expect(missing.errorText.contains("two.png: No such file"), "\(missing)")
  }

  @Test func `an unreadable folder says "no permission", and counts once`() throws {
    let folder = try PhotoFolder()
    try folder.addFolder("secret")
    chmod(folder["secret"], 0)
    defer { chmod(folder["secret"], 0o755) }
    let window = try Window(
      PhotoGrid.heldToPermissions + ["--symbols", "half", folder["secret"]], folder: folder)

    try window.wait(for: "why") {
      $0.shows("no permission") && $0.bar.contains("1 unreadable") && !$0.shows("Looked for")
    }
    window.type("q")
    _ = try window.waitForEnd()

    let run = ProgramRun.of(
      PhotoGrid.heldToPermissions + ["--print", folder["secret"]],
      environment: PhotoGrid.environment)
    #expect(run.status == 1, "\(run)")
    #expect(run.errorText == "photogrid: \(folder["secret"]): no permission\n", "\(run)")
  }

  @Test func `a folder that is removed and created again is watched again`() throws {
    let folder = try PhotoFolder()
    try folder.addFolder("in")
    try folder.add(.flat(TestPhoto.red), as: "in/a.png")
    let window = try folder.open("--motion", "none", "-t", paths: [folder["in"]])
    try window.wait(for: "the photo") { $0.isFilled(.tile(0, of: 1), with: TestPhoto.red) }

    try FileManager.default.removeItem(atPath: folder["in"])
    try window.wait(for: "that it is gone") { $0.bar.contains("the folder was removed") }
    try folder.addFolder("in")
    try folder.add(.flat(TestPhoto.blue), as: "in/b.png")
    try window.wait(for: "the new photo") {
      $0.isAt("1/1") && $0.bar.hasPrefix("b.png") && !$0.bar.contains("was removed")
        && $0.isFilled(.tile(0, of: 1), with: TestPhoto.blue)
    }
    // Not only listed once, but watched.
    try folder.add(.flat(TestPhoto.green), as: "in/c.png")
    try window.wait(for: "another") { $0.isAt("1/2") }
    try window.quit()
  }

  @Test(arguments: [
    ("99", "--start-at 99: out of range for 6 photos"),
    ("0", "--start-at 0: out of range for 6 photos"),
    ("none.png", "--start-at none.png: not among the 6 photos shown"),
  ])
  func `-n with an unknown name or number shows a message`(start: String, words: String) throws {
    let folder = try PhotoFolder(count: 6)
    let window = try folder.open("-n", start, columns: 120)
    try window.wait(for: "words") { $0.bar.contains(words) }
    try window.quit()
  }

  @Test func `with LC_ALL=C ASCII replaces all other characters`() throws {
    let folder = try PhotoFolder(count: 6)
    try folder.add(.flat(TestPhoto.red), as: String(repeating: "long ", count: 20) + ".png")
    let window = try Window(
      [PhotoGrid.path, "--labels", "--sort", "name", folder.path],
      environment: ["LC_ALL": "C"], folder: folder)
    try window.wait(for: "the size") { $0.bar.contains("80x40") && $0.bar.contains(" | ") }
    #expect(!window.screen.bar.contains("?"), "\(window.picture)")
    #expect(window.screen.lines.contains { $0.contains("...") }, "\(window.picture)")
    try window.quit()
  }

  @Test(arguments: ["linux", "vt100", "ansi"])
  func `a terminal without an alternate screen gets its prompt on a clean line`(type: String) throws
  {
    let folder = try PhotoFolder(count: 6)
    let window = try Window(
      ["sh", "-c", "\"$@\"; printf '$ '", "sh", PhotoGrid.path, folder.path],
      environment: ["TERM": type], folder: folder)
    try window.wait(for: "the grid") { $0.bar.contains("1/6") }
    window.type("q")

    #expect(try window.waitForEnd() == 0)
    #expect(
      window.screen.text(ofRow: window.screen.rows - 1).trimmingCharacters(in: .whitespaces) == "$",
      "\(window.picture)")
    let output = String(decoding: window.output(), as: UTF8.self)
    #expect(!output.contains("\u{1B}]2;"))
  }

  @Test func `the bar and the title contain folder, photo and modes`() throws {
    let folder = try PhotoFolder()
    try folder.addFolder("home/Pictures/2024/Rome")
    try folder.add(.flat(TestPhoto.red), as: "home/Pictures/2024/Rome/Forum.png")
    let window = try Window(
      [
        PhotoGrid.path, "--symbols", "half", "--motion", "none", "--sort", "name", "--read-only",
        folder["home/Pictures/2024"],
      ],
      columns: 140, environment: ["HOME": folder["home"]], folder: folder)
    try window.wait(for: "the folder above") {
      $0.bar.hasPrefix("Rome/  ~/Pictures/2024 ") && $0.bar.contains("read-only · name")
    }
    window.type("\r")
    try window.wait(for: "the folder") { $0.bar.hasPrefix("Forum.png  ~/Pictures/2024/Rome ") }
    try window.quit()

    let output = String(decoding: window.output(), as: UTF8.self)
    let title = "photogrid: ~/Pictures/2024/Rome/Forum.png · read-only · name"
    #expect(output.contains("\u{1B}[22;0t") && output.contains("\u{1B}]2;\(title)\u{1B}\\"))
    #expect(output.hasSuffix("\u{1B}[23;0t") || output.contains("\u{1B}[23;0t"))
  }

  @Test func `a name cannot end the title's sequence`() throws {
    let folder = try PhotoFolder()
    try folder.add(.flat(TestPhoto.red), as: "x\u{1B}\\\u{07}\u{9C}y.png")
    let window = try folder.open("-t")
    try window.wait(for: "the tile") { $0.isAt("1/1") }
    try window.quit()

    #expect(String(decoding: window.output(), as: UTF8.self).contains("x?\\??y.png"))
    #expect(OutputInspection.faults(in: window.output(), allowing: .screen) == [])
  }

  @Test func `--json --labels leaves room for labels in the frames`() throws {
    let folder = try PhotoFolder(count: 6)
    func tops(_ options: String...) throws -> [Double] {
      let run = ProgramRun.of(
        [PhotoGrid.path, "--print", "--json", "-g", "60x24", "--cell", "20", folder.path]
          + options, environment: PhotoGrid.environment)
      return try run.outputText.split(separator: "\n").compactMap { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return (object?["frame"] as? [String: Any])?["y"] as? Double
      }
    }
    let (plain, labelled) = (try tops(), try tops("--labels"))
    #expect(plain.count == 6 && plain.last.map { $0 + 40 } == labelled.last, "\(plain) \(labelled)")
  }

  @Test func `the messages of --update-cache -r name the folder`() throws {
    let folder = try PhotoFolder()
    try folder.addFolder("deep/er")
    try folder.add(Array("hello".utf8), as: "deep/er/bad.png")
    // A file that changed a moment ago is skipped.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)],
      ofItemAtPath: folder["deep/er/bad.png"])
    let run = folder.run(
      "--update-cache", "-r", folder.path, environment: ["XDG_CACHE_HOME": folder["cache"]])

    #expect(run.errorText.contains("\(folder["deep/er/bad.png"]): not an image\n"), "\(run)")
  }
}
