import Foundation
import PseudoTerminal
import Testing

/// Pictures and facts as text, for scripts.
@Suite(.waiting) struct PrintTests {
  /// The tile at an index of a printed grid of 80 columns, which begins at the top.
  private static func printedTile(_ index: Int) -> Box {
    Box(x: 2 + index % 4 * 19, y: 1 + index / 4 * 19, width: 18, height: 18)
  }

  @Test func `the grid is printed as on the screen, with all rows`() throws {
    let folder = try PhotoFolder(count: 6)

    let run = folder.run(
      "--print", "--symbols", "half", "--colors", "full", "-g", "80x10", folder.path)

    #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
    let screen = printed(run)
    for (index, color) in TestPhoto.palette.enumerated() {
      #expect(screen.box(of: color) == Self.printedTile(index), "\(screen.picture)")
    }
  }

  @Test func `a photo is printed whole, in the cells nearest to its aspect ratio`() throws {
    let folder = try PhotoFolder()
    try folder.add(.quadrants(width: 80, height: 40), as: "wide.png")
    try folder.add(.quadrants(width: 30, height: 90), as: "high.png")

    for (name, box) in [
      ("wide.png", Box(x: 0, y: 0, width: 40, height: 20)),
      ("high.png", Box(x: 0, y: 0, width: 8, height: 24)),
    ] {
      let run = folder.run(
        "--print", "--symbols", "half", "--colors", "full", "-g", "40x12", folder[name])
      #expect(run.status == 0, "\(run)")
      let screen = printed(run)
      #expect(screen.isQuartered(box), "\(screen.picture)")
      #expect(screen.box(of: TestPhoto.yellow).map { box.contains($0) } == true)
      #expect(run.output.count { $0 == 0x0A } == box.height / 2, "\(run)")
    }
  }

  @Test func `-t prints the grid even for one photo`() throws {
    let folder = try PhotoFolder()
    try folder.add(.flat(TestPhoto.red), as: "one.png")

    let run = folder.run(
      "--print", "-t", "--symbols", "half", "--colors", "full", folder["one.png"])

    #expect(printed(run).box(of: TestPhoto.red) == Self.printedTile(0), "\(run)")
  }

  @Test func `if standard output is not a terminal, pictures are printed`() throws {
    let folder = try PhotoFolder(count: 6)

    let bare = folder.run(folder.path)
    let printed = folder.run("--print", folder.path)

    #expect(bare.status == 0 && !bare.output.isEmpty, "\(bare)")
    #expect(bare.output == printed.output && bare.errors == printed.errors)
  }

  @Test(arguments: [
    (["--cell", "10"], 7, 10.0 / 7), (["--columns", "adaptive(30)"], 2, 2),
    (["--cell", "500"], 1, 1), (["--cell", "18"], 4, 4),
  ])
  func `columns have the given widths`(
    options: [String], columns: Int, unused: Double
  ) throws {
    let folder = try PhotoFolder(count: 12)

    let frames = try facts(of: folder, options).map {
      try #require($0["frame"] as? [String: Double])
    }

    #expect(Set(frames.compactMap { $0["x"] }).count == columns, "\(frames)")
  }

  @Test func `facts contain the layout's exact frames`() throws {
    let folder = try PhotoFolder(count: 6)

    let facts = try facts(of: folder, [])

    // 800 pixels, four columns, 10 between them: 192.5 each.
    let places = [(0.0, 0.0), (202.5, 0), (405, 0), (607.5, 0), (0, 202.5), (202.5, 202.5)]
    for (index, (x, y)) in places.enumerated() {
      #expect(facts[index]["path"] as? String == folder[PhotoFolder.name(index)])
      #expect(facts[index]["width"] as? Double == 80 && facts[index]["height"] as? Double == 40)
      #expect(facts[index]["format"] as? String == "png")
      #expect(facts[index]["orientation"] as? Double == 1)
      #expect(facts[index]["taken"] is NSNull)
      let frame = ["x": x, "y": y, "width": 192.5, "height": 192.5]
      #expect(facts[index]["frame"] as? [String: Double] == frame)
    }
  }

  @Test func `facts follow the given width`() throws {
    let folder = try PhotoFolder(count: 3)

    let frames = try facts(of: folder, ["-g", "40x10", "--cell", "15"])
      .compactMap { $0["frame"] as? [String: Double] }

    #expect(frames.map { $0["width"] } == [195, 195, 195])
    #expect(frames.map { $0["x"] } == [0, 205, 0])
    #expect(frames.map { $0["y"] } == [0, 0, 205])
  }

  @Test func `the facts of a bad file are an error`() throws {
    let folder = try PhotoFolder(count: 1)
    try folder.add(Array("hello".utf8), as: "bad.png")

    let facts = try facts(of: folder, [])

    #expect(facts.map { $0["error"] as? String } == [nil, "not an image"])
    #expect(facts[1]["frame"] != nil && facts[1]["width"] == nil)
  }

  @Test func `if nothing can be shown the status is 1`() throws {
    let folder = try PhotoFolder()
    let empty = folder.run("--print", folder.path)
    #expect(empty.status == 1 && empty.output.isEmpty, "\(empty)")
    #expect(empty.errorText.hasSuffix(": no photos here\n"), "\(empty)")

    try folder.add(Array("hello".utf8), as: "bad.png")
    #expect(folder.run("--print", folder.path).status == 1)
    #expect(folder.run("--print", "--json", folder.path).status == 1)

    try folder.add(.flat(TestPhoto.red), as: "good.png")
    #expect(folder.run("--print", folder.path).status == 0)
  }

  @Test(arguments: [
    ("half", "▀▄█"), ("quadrant", "▀▄█▌▐▖▗▘▝▞▚▛▜▙▟"), ("sextant", ""), ("octant", ""),
    ("ascii", ""),
  ])
  func `only glyphs of the chosen set are printed`(symbols: String, glyphs: String) throws {
    let folder = try PhotoFolder()
    // Fine diagonal stripes.
    let photo = TestPhoto(width: 97, height: 89) { x, y in
      (x * 3 + y * 5) % 17 < 7 ? TestPhoto.palette[(x / 9 + y / 7) % 6] : 0x101010
    }
    try folder.add(photo, as: "stripes.png")

    for colors in ["full", "256", "16", "none"] {
      let run = folder.run(
        "--print", "--symbols", symbols, "--colors", colors, "-g", "60x30", folder.path)
      #expect(run.status == 0, "\(run)")
      let used = Set(withoutColors(run.outputText).unicodeScalars).subtracting(["\n", " "])
      let isAllowed: (Unicode.Scalar) -> Bool =
        switch symbols {
        case "sextant":
          // Sextants, and halves and quarters.
          {
            (0x1FB00...0x1FB3B).contains($0.value) || "▀▄█▌▐▘▝▖▗▚▞▛▜▙▟".contains(Character($0))
          }
        case "octant":
          // Octants, blocks, quarters (U+1FBE6 and 7 among them), and eighths of older sets.
          {
            (0x1CD00...0x1CDE5).contains($0.value) || (0x2580...0x259F).contains($0.value)
              || [0x1CEA0, 0x1CEA3, 0x1CEA8, 0x1CEAB, 0x1FBE6, 0x1FBE7].contains($0.value)
              || [0x1FB82, 0x1FB85].contains($0.value)
          }
        case "ascii": { (0x21..<0x7F).contains($0.value) }
        default: { glyphs.contains(Character($0)) }
        }
      let others = used.filter { !isAllowed($0) }
      #expect(others.isEmpty, "\(others)")
      if symbols != "ascii" || colors == "none" { #expect(!used.isEmpty) }
    }
  }

  @Test(arguments: [
    ([], ["NO_COLOR": "1"]), (["--colors", "none"], [:]), (["--colors", "16"], [:]),
    (["--colors", "256"], [:]), ([], ["COLORTERM": ""]),
    ([], ["COLORTERM": "", "TERM": "vt100"]),
  ])
  func `no more colours are printed than configured`(
    options: [String], environment: [String: String]
  ) throws {
    let folder = try PhotoFolder(count: 6)
    let run = ProgramRun.of(
      [PhotoGrid.path, "--print"] + options + [folder.path],
      environment: PhotoGrid.environment.merging(environment) { $1 })

    #expect(run.status == 0, "\(run)")
    #expect(!run.outputText.contains("8;2;"), "24-bit colours")
    let isPlain =
      environment["NO_COLOR"] != nil || environment["TERM"] == "vt100" || options.last == "none"
    let has256 = run.outputText.contains("8;5;")
    #expect(has256 == (options.last == "256" || environment == ["COLORTERM": ""]), "\(run)")
    #expect(run.output.contains(0x1B) == !isPlain)
  }

  @Test func `labels are printed under their tiles`() throws {
    let folder = try PhotoFolder(count: 2)

    let run = folder.run("--print", "--labels", "--colors", "none", folder.path)

    #expect(
      run.outputText.split(separator: "\n").last == "  00.png             01.png", "\(run)")
  }

  @Test func `depth and hidden files are as configured`() throws {
    let folder = try PhotoFolder(count: 1)
    try folder.addFolder("a/b/c")
    for name in ["a/1.png", "a/b/2.png", "a/b/c/3.png", "a/.hidden.png"] {
      try folder.add(.flat(TestPhoto.red), as: name)
    }
    func names(_ options: String...) throws -> [String] {
      try facts(of: folder, options).compactMap { $0["path"] as? String }
        .map { String($0.dropFirst(folder.path.count + 1)) }.sorted()
    }

    #expect(try names() == ["00.png"])
    #expect(try names("-r") == ["00.png", "a/1.png", "a/b/2.png", "a/b/c/3.png"])
    #expect(try names("-r", "--max-depth", "2") == ["00.png", "a/1.png"])
    #expect(try names("-rH") == ["00.png", "a/.hidden.png", "a/1.png", "a/b/2.png", "a/b/c/3.png"])
  }

  @Test func `a name that is not UTF-8 is printed as bytes`() throws {
    let folder = try PhotoFolder(count: 2)
    let name = Array("\(folder.path)/caf".utf8) + [0xE9, 0xFF] + Array(".png".utf8)
    #expect(rename(folder["01.png"], name.map { CChar(bitPattern: $0) } + [0]) == 0)

    let facts = try facts(of: folder, [])

    let bytes = facts.compactMap { $0["path_bytes"] as? String }
    #expect(bytes.map { Data(base64Encoded: $0) } == [Data(name)], "\(facts)")
    #expect(facts.count == 2, "\(facts)")
  }

  @Test func `links that form a circle are followed once`() throws {
    let folder = try PhotoFolder(count: 1)
    try folder.addFolder("inner")
    #expect(symlink("..", folder["inner/up"]) == 0)
    #expect(symlink("self", folder["self"]) == 0)
    #expect(symlink(".", folder["here"]) == 0)

    let run = folder.run("-r", "--print", "--json", folder.path)

    #expect(run.status == 0, "\(run)")
    #expect(run.output.count { $0 == 0x0A } == 1, "\(run)")
  }

  @Test func `a reader that closes the pipe ends it silently`() throws {
    let folder = try PhotoFolder(count: 40)
    let run = ProgramRun.of(
      [
        "bash", "-c",
        "\"$0\" --print -g 200x60 \"$1\" | head -c 10 >/dev/null; echo ${PIPESTATUS[0]}",
      ]
        + [PhotoGrid.path, folder.path], environment: PhotoGrid.environment)

    #expect(["0\n", "141\n"].contains(run.outputText) && run.errors.isEmpty, "\(run)")
  }

  @Test(arguments: ["--print", "--json", "--help", "--version", "--doctor"])
  func `an output that cannot be written is an error`(option: String) throws {
    let folder = try PhotoFolder(count: 2)
    let run = ProgramRun.of(
      ["sh", "-c", "\"$0\" \(option) \"$1\" > /dev/full", PhotoGrid.path, folder.path],
      environment: PhotoGrid.environment)

    #expect(run.status == 1, "\(run)")
    #expect(run.errorText == "photogrid: standard output: No space left on device\n", "\(run)")
  }

  @Test func `the terminal is asked for the size of its cells, if the system does not know it`()
    throws
  {
    let folder = try PhotoFolder(count: 2)
    func lines(cell: String) throws -> String {
      let window = try Window(
        [PhotoGrid.path, "--print", "--json", "-g", "80x24", folder.path],
        cell: (0, 0), model: .modest.adding(["\u{1B}[16t": cell]), folder: folder)
      #expect(try window.waitForEnd() == 0)
      return String(decoding: window.output(), as: UTF8.self)
    }

    let wide = try lines(cell: "\u{1B}[6;20;16t")
    let usual = try lines(cell: "\u{1B}[6;20;10t")

    // A tile of 80 columns is as much wider as their cells are.
    let width = try #require(wide.firstMatch(of: /"frame":\{[^}]*\}/)?.output)
    let usualWidth = try #require(usual.firstMatch(of: /"frame":\{[^}]*\}/)?.output)
    #expect(width != usualWidth, "\(wide)\n\(usual)")
  }

  /// The screen on which the output was printed.
  private func printed(_ run: ProgramRun) -> ScreenReader {
    var screen = ScreenReader(columns: 80, rows: 30)
    screen.feed(run.output.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
    return screen
  }

  private func withoutColors(_ text: String) -> String {
    text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
  }

  private func facts(of folder: PhotoFolder, _ options: [String]) throws -> [[String: Any]] {
    let run = ProgramRun.of(
      [PhotoGrid.path, "--print", "--json"] + options + [folder.path],
      environment: PhotoGrid.environment)
    #expect(run.errors.isEmpty, "\(run)")
    return try run.outputText.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }
}
