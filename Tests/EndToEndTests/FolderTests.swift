import Foundation
import PseudoTerminal
import Testing

/// Folders among the tiles: entering, going up, and the state between.
@Suite(.waiting) struct FolderTests {
  /// The position of the photo of a folder with one photo, in the first of four tiles.
  private static let onlySample = (x: 3, y: 17, width: 16)

  /// Whether the second tile shows four photos, two beside and two below each other.
  private static func areTwoByTwo(_ screen: ScreenReader) -> Bool {
    let boxes = TestPhoto.palette[1...4].compactMap { screen.box(of: $0) }
    guard boxes.count == 4 else { return false }
    return boxes.map(\.x) == [22, 30, 22, 30] && boxes.map(\.width) == [7, 8, 7, 8]
      && boxes[0].y == 17 && boxes[1].y == 17 && boxes[2].y == boxes[3].y
      && boxes[2].y == boxes[0].y + boxes[0].height + 1
  }

  /// A folder of two photos, with a folder `in` of six and one `out` of none.
  private static func nested() throws -> PhotoFolder {
    let folder = try PhotoFolder()
    try folder.addFolder("top/in/deep")
    try folder.addFolder("top/out")
    for index in 0..<6 {
      try folder.add(.flat(TestPhoto.palette[index]), as: "top/in/\(PhotoFolder.name(index))")
    }
    try folder.add(.flat(TestPhoto.cyan), as: "top/in/deep/x.png")
    try folder.add(.flat(TestPhoto.yellow), as: "top/1.png")
    try folder.add(.flat(TestPhoto.magenta), as: "top/2.png")
    return folder
  }

  @Test func `a saved filter has a tile in its folder, also after a restart`() throws {
    let folder = try PhotoFolder(count: 3)
    for isFirst in [true, false] {
      let window = try Window(
        [PhotoGrid.path, "--motion", "none", folder.path],
        environment: ["XDG_CONFIG_HOME": folder.path + "/.config"], folder: folder)
      if isFirst {
        try window.waitForGrid(of: 3)
        window.type(",N:save turned\r")
      }
      try window.wait(for: "the tile") { $0.shows("@turned") }
      window.type("gg0h\r")
      try window.wait(for: "the photos in reverse") {
        $0.bar.contains("name (reverse)") || $0.bar.contains("name")
      }
      try window.quit()
    }
  }

  @Test func `a folder is opened by its path, and is offered after a restart like a bookmark`()
    throws
  {
    let folder = try Self.nested()
    let environment = ["XDG_STATE_HOME": folder[".state"]]
    func open() throws -> Window {
      let window = try Window(
        [PhotoGrid.path, "--motion", "none", folder["top"]], environment: environment,
        folder: folder)
      try window.wait(for: "the top") { $0.isAt("1/2") || $0.bar.contains("folder 1 of 2") }
      return window
    }
    let window = try open()
    window.type("gcin/de\t")
    try window.wait(for: "the completed path") { $0.bar.contains("cd in/deep/") }
    window.type("\r")
    try window.wait(for: "the only photo") { $0.isAt("1/1") }
    window.type("gB")
    try window.wait(for: "the bookmark") { $0.bar.contains("gb lists the bookmarks") }
    window.type("gcnone\r")
    try window.wait(for: "the refusal") { $0.bar.contains("no such folder") }
    window.type("\u{1B}")
    try window.wait(for: "no prompt") { !$0.bar.contains("cd none") }
    window.type(":cd ../..\r")
    try window.wait(for: "the top again") { $0.isAt("1/2") || $0.bar.contains("folder 1 of 2") }
    try window.quit()

    let next = try open()
    next.type("gb")
    try next.wait(for: "the bookmark in the list") { $0.shows("top/in/deep") }
    next.type("\r")
    try next.wait(for: "the only photo") { $0.isAt("1/1") }
    try next.quit()
  }

  /// The program in that folder, which writes the marks to the file `marked`.
  private static func openedForMarks(_ folder: PhotoFolder) throws -> Window {
    let window = try Window(
      [
        "sh", "-c",
        "cd \"$1/top\" && \"$0\" --symbols half --motion none -o > \"$1/marked\"",
        PhotoGrid.path, folder.path,
      ], folder: folder)
    try window.wait(for: "the first photo behind two folders") { $0.isAt("1/2") }
    return window
  }

  @Test func `a folder of folders shows a tile for each, of its first photos with its name`() throws
  {
    let folder = try PhotoFolder()
    for name in ["b", "a 10", "a 9", "empty", ".hidden"] { try folder.addFolder(name) }
    try folder.add(.flat(TestPhoto.red), as: "a 9/only.png")
    for index in 0..<5 {
      try folder.add(.flat(TestPhoto.palette[index + 1]), as: "a 10/\(PhotoFolder.name(index))")
    }
    try folder.add(.flat(TestPhoto.cyan), as: "b/below.jpg.png")
    let window = try folder.open()

    try window.wait(for: "four tiles") { screen in
      screen.bar.contains("folder 1 of 4") && screen.bar.hasPrefix("a 9/")
        && screen.box(of: TestPhoto.red).map { ($0.x, $0.y, $0.width) == Self.onlySample } ?? false
        && screen.text(ofRow: 15).split(separator: " ").joined(separator: " ")
          == "a 9/ a 10/ b/ empty/"
        && screen.words(in: .tile(3, of: 4)).contains("no photos")
        // Two rows of two, with a gap.
        && Self.areTwoByTwo(screen)
    }
    try window.quit()

    let all = try folder.open("-H")
    try all.wait(for: "the hidden one") { $0.bar.contains("folder 1 of 5") && $0.shows(".hidden/") }
    try all.quit()
  }

  @Test(arguments: ["full", "reduced", "none"])
  func `Enter opens a folder, BackSpace returns, also above the start`(
    motion: String
  ) throws {
    let folder = try Self.nested()
    let window = try folder.open("--motion", motion, paths: [folder["top"]])
    try window.wait(for: "the first photo behind two folders") { $0.isAt("1/2") }
    window.type("gg")
    try window.wait(for: "two folders") { $0.bar.contains("folder 1 of 2 · 2 photos") }

    window.type("\r")
    try window.wait(for: "the folder's grid") { screen in
      screen.isAt("1/6")
        && (0..<6).allSatisfy { screen.isFilled(.tile($0 + 1), with: TestPhoto.palette[$0]) }
    }
    window.type("gg\r")
    try window.wait(for: "what is deeper") { $0.box(of: TestPhoto.cyan) == .tile(0, of: 1) }
    window.type("\u{7F}")
    try window.wait(for: "the folder again") { $0.bar.hasPrefix("deep/") }
    window.type("\u{7F}")
    try window.wait(for: "the first folder, on the tile") { screen in
      screen.bar.hasPrefix("in/") && screen.isFilled(.tile(2, of: 4), with: TestPhoto.yellow)
    }
    window.type("l\r")
    try window.wait(for: "words") { $0.shows("No photos here") }
    window.type("\u{7F}")
    try window.wait(for: "the tile of the empty folder") { $0.bar.hasPrefix("out/") }
    window.type("\u{7F}")
    try window.wait(for: "the folder above the first") { screen in
      screen.bar.hasPrefix("top/") && screen.bar.contains("folder 1 of 1")
        && screen.text(ofRow: 15).contains("top/")
    }
    window.click(40, 10)
    try window.wait(for: "the first folder by a click") { $0.bar.contains("· 2 photos") }
    try window.quit()
  }

  @Test func `marks of all folders are printed, the last folder's first`() throws {
    let folder = try Self.nested()
    let window = try Self.openedForMarks(folder)
    window.type("2Gmgg\r")
    try window.wait(for: "the folder") { $0.isAt("1/6") && $0.bar.contains("1 marked") }
    window.type("3Gm5Gm\u{7F}")
    try window.wait(for: "the first again") { $0.bar.contains("2 photos · 3 marked") }
    // Above the start and back: the photos have the same names as before.
    window.type("\u{7F}")
    try window.wait(for: "the folder above") { $0.bar.hasPrefix("top/") }
    window.type("\r")
    try window.wait(for: "the first, with its mark") {
      $0.bar.contains("folder 1 of 2") && $0.bar.contains("3 marked")
    }
    window.type("1G")
    try window.wait(for: "the unmarked") { $0.isAt("1/2") && !$0.bar.contains("this too") }
    window.type("l")
    try window.wait(for: "the marked") {
      $0.isAt("2/2") && $0.bar.contains("3 marked, this too")
    }
    window.type("q")
    #expect(try window.waitForEnd() == 0)
    #expect(
      try String(contentsOfFile: folder["marked"], encoding: .utf8)
        == "2.png\nin/02.png\nin/04.png\n")
  }

  @Test func `with -o on a folder's tile q prints the marks, and Q the folder`() throws {
    for (key, expected) in [("q", "in/02.png\n"), ("Q", "in\n")] {
      let folder = try Self.nested()
      let window = try Self.openedForMarks(folder)
      window.type("gg\r")
      try window.wait(for: "the folder") { $0.isAt("1/6") }
      window.type("3Gm\u{7F}")
      try window.wait(for: "the tile of the folder") {
        $0.bar.hasPrefix("in/") && $0.bar.contains("1 marked")
      }
      window.type(key)
      #expect(try window.waitForEnd() == 0)
      #expect(try String(contentsOfFile: folder["marked"], encoding: .utf8) == expected)
    }
  }

  @Test func `folders are added, removed and renamed while they are shown`() throws {
    let folder = try PhotoFolder(count: 1)
    let window = try folder.open("--motion", "none")
    try window.waitForGrid(of: 1)
    try folder.addFolder("new")
    try folder.add(.flat(TestPhoto.blue), as: "new/a.png")
    try window.wait(for: "its tile before the photo, which stays selected") { screen in
      screen.isAt("1/1") && screen.shows("new/")
        && screen.isFilled(.tile(1, of: 2), with: TestPhoto.red)
    }
    try FileManager.default.moveItem(atPath: folder["new"], toPath: folder["old"])
    try window.wait(for: "its other name") { $0.shows("old/") && !$0.shows("new/") }
    window.type("gg\r")
    try window.wait(for: "what is in it") { $0.box(of: TestPhoto.blue) == .tile(0, of: 1) }
    #expect(ProgramRun.of(["rm", "-rf", folder["old"]]).status == 0)
    try window.wait(for: "that it is gone") { $0.bar.contains("the folder was removed") }
    window.type("\u{7F}")
    try window.wait(for: "the photo alone") {
      $0.showsGrid(of: 1) && !$0.shows("old/") && !$0.bar.contains("gone")
    }
    try window.quit()
  }

  @Test func `no folder's name controls the terminal, and each can be entered`() throws {
    let folder = try PhotoFolder()
    let png = TestPhoto.flat(TestPhoto.cyan).png
    for name in BadInputTests.hostileNames {
      let path = Array("\(folder.path)/".utf8) + name + [0]
      #expect(mkdir(path.map { CChar(bitPattern: $0) }, 0o755) == 0)
      try folder.add(png, asBytes: name + Array("/x.png".utf8))
    }
    let count = BadInputTests.hostileNames.count
    let window = try folder.open("--motion", "none", columns: 100, rows: 66)
    try window.wait(for: "all of them") {
      $0.bar.contains("folder 1 of \(count)") && !$0.bar.contains("loading")
        && $0.count(of: TestPhoto.cyan) >= count * 16 * 11
    }
    for number in 1...count {
      window.type("gg" + (number > 1 ? "\(number - 1)l" : "") + "\r")
      try window.wait(for: "the photo in it") { $0.isAt("1/1") }
      window.type("\u{7F}")
      try window.wait(for: "its tile") { $0.bar.contains("folder ") }
    }
    try window.quit()
    #expect(OutputInspection.faults(in: window.output(), allowing: .screen) == [])
  }

  @Test func `a link that forms a circle can be entered again and again`() throws {
    let folder = try PhotoFolder(count: 1)
    #expect(symlink(".", folder["loop"]) == 0)
    let window = try folder.open("--motion", "none")
    for depth in 0..<5 {
      try window.wait(for: "the photo, \(depth) folders in") {
        $0.isAt("1/1") && (depth == 0 || $0.bar.contains("/loop"))
      }
      window.type("h")
      try window.wait(for: "the folder") { $0.bar.contains("folder 1 of 1 · 1 photo") }
      window.type("\r")
    }
    try window.wait(for: "the folder in it") { $0.isAt("1/1") }
    for _ in 0..<5 { window.type("\u{7F}") }
    try window.wait(for: "the first") { $0.bar.contains("folder 1 of 1 · 1 photo") }
    try window.quit()
  }

  @Test func `with -r and --print folders have no tiles`() throws {
    let folder = try Self.nested()
    let window = try folder.open("-r", "--motion", "none", paths: [folder["top/in"]])
    try window.wait(for: "seven photos") { $0.isAt("1/7") }
    window.type("m\u{7F}")
    try window.wait(for: "those of the folder above, at those one came from") {
      $0.isAt("3/9") && $0.bar.contains("1 marked, this too")
    }
    try window.quit()

    let printed = ProgramRun.of([PhotoGrid.path, "--print", "--json", folder["top"]])
    #expect(printed.status == 0)
    let lines = String(decoding: printed.output, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { !$0.contains("/in/") })
  }

  @Test func `a list has no folder above`() throws {
    let folder = try PhotoFolder(count: 2)
    try folder.add(Array("\(folder["00.png"])\n".utf8), as: "list")
    let window = try folder.open("--motion", "none", paths: ["--files-from", folder["list"]])
    try window.waitForGrid(of: 1)
    window.type("\u{7F}")
    try window.wait(for: "words") { $0.bar.contains("A list of names has no parent folder") }
    try window.quit()
  }
}
