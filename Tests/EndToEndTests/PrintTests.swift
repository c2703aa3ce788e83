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

  @Test func `slanted edges are printed for a terminal that draws them`() throws {
    let folder = try PhotoFolder()
    let slope = TestPhoto(width: 90, height: 90) { x, y in
      x + 3 * y < 180 ? TestPhoto.red : TestPhoto.blue
    }
    try folder.add(slope, as: "slope.png")
    func wedges(_ environment: [String: String]) -> Int {
      let run = folder.run(
        "--print", "--symbols", "sextant", "--colors", "full", "-g", "40x20", folder["slope.png"],
        environment: environment)
      return run.outputText.unicodeScalars.count { (0x1FB3C...0x1FB67).contains($0.value) }
    }

    #expect(wedges(["VTE_VERSION": "7006"]) > 10)
    #expect(wedges(["VTE_VERSION": "6003"]) == 0)
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
    #expect(!run.outputText.contains("8;2;"), "24-bit colors")
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

  @Test(arguments: ["mosaic", "rows", "bento"])
  func `labels are printed over tiles of layouts without a row for them`(layout: String) throws {
    let folder = try PhotoFolder(count: 2)
    let run = folder.run(
      "--print", "--labels", "--layout", layout, "--colors", "none", folder.path)
    #expect(run.outputText.contains("00.png") && run.outputText.contains("01.png"), "\(run)")
  }

  @Test func `a long name in ASCII keeps its ending`() throws {
    let folder = try PhotoFolder()
    try folder.add(.flat(TestPhoto.red), as: "IMG-20190704-WA0003-A0000.jpg")
    let run = folder.run(
      "--print", "-t", "--labels", "--symbols", "ascii", "--colors", "none", "--cell", "18",
      folder.path)
    #expect(run.outputText.contains("...") && run.outputText.contains("A0000.jpg"), "\(run)")
  }

  @Test func `a number of columns is that many`() throws {
    let folder = try PhotoFolder(count: 6)
    let run = folder.run(
      "--print", "--columns", "3", "--symbols", "half", "--colors", "full", folder.path)
    let screen = printed(run)
    let boxes = TestPhoto.palette.prefix(4).compactMap { screen.box(of: $0) }
    #expect(run.status == 0 && boxes.count == 4, "\(run)")
    #expect(Set(boxes.prefix(3).map(\.y)).count == 1 && boxes[3].y > boxes[0].y, "\(run)")
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

  @Test(arguments: ["--print", "--json", "--help", "--version", "--doctor"])
  func `a closed standard output is an error`(option: String) throws {
    let folder = try PhotoFolder(count: 2)
    for streams in [">&-", "<&- >&-"] {
      let run = ProgramRun.of(
        ["sh", "-c", "\"$0\" \(option) \"$1\" \(streams)", PhotoGrid.path, folder.path],
        environment: PhotoGrid.environment)

      #expect(run.status == 1, "\(run)")
      #expect(run.errorText == "photogrid: standard output: Bad file descriptor\n", "\(run)")
    }
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
}
