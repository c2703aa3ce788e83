import Foundation
import PseudoTerminal
import Testing

/// Finding, filtering, sorting and marking photos, and the use of marked ones.
@Suite(.waiting) struct ChoosingTests {
  /// The color of the rings around marked tiles.
  private static let markColor: UInt32 = 0xFF9F0A

  /// Names that must be passed on byte by byte.
  static let oddNames: [[UInt8]] = {
    let texts = [
      "-n dash.png", "a space.png", "b\nnewline.png", "c'quote\".png", "d$(touch bad).png",
      "e\u{1B}[31m.png",
    ]
    let noText: [UInt8] = Array("z".utf8) + [0xFF, 0xFE] + Array(".png".utf8)
    return texts.map { Array($0.utf8) } + [noText, Array("é日本.png".utf8)]
  }()

  /// A folder of photos with these names.
  static func oddFolder() throws -> PhotoFolder {
    let folder = try PhotoFolder()
    for name in oddNames { try folder.add(TestPhoto.flat(TestPhoto.red).png, asBytes: name) }
    return folder
  }

  // MARK: - Marks

  @Test func `marked tiles are framed, and the bar counts them`() throws {
    let window = try PhotoFolder(count: 6).open("--motion", "none")
    try window.waitForGrid(of: 6)

    window.type(" l ")
    try window.wait(for: "two marks") { screen in
      screen.bar.contains("2 marked") && screen.isAt("4/6")
        && screen.isCornered(.ring(0), with: Self.markColor)
        && screen.color(39, 3) == Self.markColor && screen.color(39, 12) != Self.markColor
    }
    window.type("mgg")
    try window.wait(for: "the selection above a mark") { screen in
      screen.bar.contains("3 marked, this too") && screen.isAt("1/6")
        && screen.isCornered(.ring(0), with: Self.markColor)
        && [3, 22].allSatisfy { screen.color(10, $0) == ScreenReader.ringColor }
    }
    window.type("U")
    try window.wait(for: "no marks") {
      !$0.bar.contains("marked") && $0.box(of: Self.markColor) == nil
    }
    try window.quit()
  }

  @Test func `the mouse marks with Ctrl and Alt, and paints with its right button`() throws {
    let window = try PhotoFolder(count: 8).open("--motion", "none")
    try window.waitForGrid(of: 8)

    window.mouse(16, 25, 5)
    window.mouse(16, 25, 5, isRelease: true)
    try window.wait(for: "one mark") { $0.bar.contains("1 marked") && $0.isAt("2/8") }
    window.mouse(8, 65, 15)
    window.mouse(8, 65, 15, isRelease: true)
    try window.wait(for: "all up to there") { $0.bar.contains("7 marked") && $0.isAt("8/8") }
    window.type("U")
    try window.wait(for: "none") { !$0.bar.contains("marked") }
    window.mouse(2, 5, 5)
    window.mouse(34, 65, 5)
    window.mouse(2, 65, 5, isRelease: true)
    try window.wait(for: "a painted row") { $0.bar.contains("4 marked") }
    try window.quit()
  }

  @Test func `marked names are printed as bytes, in the grid's order`() throws {
    let folder = try Self.oddFolder()
    let window = try Window(
      [
        "sh", "-c",
        "\"$0\" --symbols half --motion none -o0 \"$1\" | xargs -0 sh -c"
          + " 'for name; do printf \"%s\\\\0\" \"$name\"; done' sh > \"$1/out\"",
        PhotoGrid.path, folder.path,
      ], folder: folder)
    try window.wait(for: "the folder") { $0.isAt("1/8") && !$0.bar.contains("loading") }

    window.type("\u{01},Nf-space\r")
    try window.wait(for: "seven of eight, the last first") { $0.bar.contains("/7 of 8") }
    window.type("q")
    #expect(try window.waitForEnd() == 0)

    let output = try Data(contentsOf: URL(fileURLWithPath: folder["out"]))
    let names = output.split(separator: 0).map { Array($0) }
    let prefix = Array(folder.path.utf8) + [UInt8(ascii: "/")]
    // Marked photos that the filter excludes count too.
    #expect(names == Self.oddNames.reversed().map { prefix + $0 })
  }

  @Test func `without -0 names are lines, and nothing is printed without marks or by Ctrl-C`()
    throws
  {
    let folder = try PhotoFolder(count: 3)
    func output(_ keys: String) throws -> String {
      let window = try Window(
        [
          "sh", "-c", "\"$0\" --symbols half -o \"$1\" > \"$1/out\"", PhotoGrid.path, folder.path,
        ], folder: folder)
      try window.waitForGrid(of: 3)
      window.type(keys)
      _ = try window.waitForEnd()
      return try String(contentsOfFile: folder["out"], encoding: .utf8)
    }
    #expect(try output("l  q") == "\(folder["01.png"])\n\(folder["02.png"])\n")
    #expect(try output("q") == "")
    #expect(try output(" \u{03}\u{03}") == "")
    #expect(try output(" lQ") == "\(folder["02.png"])\n", "the present one")
  }

  // MARK: - Finding, filtering, sorting

  @Test func `a filter applies at every key, and Esc removes it`() throws {
    let window = try PhotoFolder(count: 12).open()
    try window.waitForGrid(of: 12)

    window.type("f1")
    try window.wait(for: "the three with a 1") { screen in
      screen.bar.hasPrefix("filter: 1") && screen.bar.contains("3 of 12")
        && screen.isFilled(.tile(0, of: 3), with: TestPhoto.palette[1])
        && screen.isFilled(.tile(1, of: 3), with: TestPhoto.palette[4])
        && screen.isFilled(.tile(2, of: 3), with: TestPhoto.palette[5])
        && screen.box(of: TestPhoto.palette[5]) == .tile(2, of: 3)
    }
    window.type(" not 0")
    try window.wait(for: "the one without a 0") { $0.bar.contains("1 of 12") }
    window.type(" size:")
    try window.wait(for: "what is missing") { $0.bar.contains("a value is missing") }
    window.type("\u{1B}")
    try window.wait(for: "all of them") { $0.isAt("1/12") && $0.showsGrid(of: 12) }

    window.type("fsquare -type:jpeg\r")
    try window.wait(for: "that there is nothing") {
      $0.shows("None of the 12 photos match 'square -type:jpeg'.") && $0.bar.contains("0 of 12")
    }
    window.type("flandscape\u{15}landscape\r")
    try window.wait(for: "all again") { $0.isAt("1/12") }
    try window.quit()
  }

  @Test func `the search moves the selection while it is typed`() throws {
    let window = try PhotoFolder(count: 12).open("--motion", "none")
    try window.waitForGrid(of: 12)

    window.type("l/1")
    try window.wait(for: "the first match") { screen in
      screen.bar.hasPrefix("/1 ") && screen.isAt("1/3")
        && screen.box(of: ScreenReader.ringColor) == .ring(1, of: 12)
    }
    window.type("1")
    try window.wait(for: "the match of more") { $0.isAt("1/1") }
    window.type("\u{7F}\r")
    try window.wait(for: "the first again, and the count") {
      $0.isAt("2/12") && $0.bar.contains("match 1/3")
    }
    window.type("n")
    try window.wait(for: "the next") { $0.isAt("11/12") && $0.bar.contains("match 2/3") }
    window.type("/09\u{1B}")
    try window.wait(for: "where it was") { $0.isAt("11/12") && $0.bar.contains("match 2/3") }
    try window.quit()
  }

  @Test func `the caret is on a cell of the text, and wide characters stay whole`() throws {
    let window = try PhotoFolder(count: 2).open("--motion", "none")
    try window.waitForGrid(of: 2)

    window.type("/日e\u{301}本\u{1B}[D\u{1B}[Dx")
    try window.wait(for: "what was typed") { $0.bar.hasPrefix("/日x") && $0.bar.contains("本") }
    window.type("\u{1B}[H\u{0B}\r")
    try window.wait(for: "the bar") { $0.isAt("1/2") }
    try window.quit()
  }

  @Test func `sorting by size reads the files and moves all tiles`() throws {
    let folder = try PhotoFolder()
    for (index, height) in [40, 10, 30, 20].enumerated() {
      try folder.add(
        .flat(TestPhoto.palette[index], width: 80, height: height), as: PhotoFolder.name(index))
    }
    let window = try folder.open()
    try window.waitForGrid(of: 4)

    window.type(",s")
    try window.wait(for: "the smallest first, the selection with its photo") { screen in
      screen.isAt("4/4")
        && [1, 3, 2, 0].enumerated().allSatisfy {
          screen.isFilled(.tile($0, of: 4), with: TestPhoto.palette[$1])
        }
    }
    window.type(",S")
    try window.wait(for: "the largest first") { $0.isAt("1/4") }
    try window.quit()

    let sorted = try folder.open("--sort", "size", "--reverse", "-n", "2")
    try sorted.wait(for: "the second largest selected") { screen in
      screen.isAt("2/4") && screen.isFilled(.tile(1, of: 4), with: TestPhoto.palette[2])
    }
    try sorted.quit()
  }

  @Test func `printed photos are filtered and sorted too`() throws {
    let folder = try PhotoFolder()
    for (index, height) in [40, 10, 30, 120].enumerated() {
      try folder.add(
        .flat(TestPhoto.palette[index], width: 80, height: height), as: PhotoFolder.name(index))
    }
    func names(_ options: String...) -> [String] {
      let run = ProgramRun.of(
        [PhotoGrid.path, "--print", "--json"] + options + [folder.path],
        environment: PhotoGrid.environment)
      return run.outputText.split(separator: "\n").map { line in
        String(line.split(separator: "\"")[3].split(separator: "/").last?.prefix(2) ?? "")
      }
    }
    #expect(names("--sort", "size") == ["01", "02", "00", "03"])
    #expect(names("--sort=name", "--reverse") == ["03", "02", "01", "00"])
    #expect(names("--filter", "landscape -1", "--sort", "size") == ["02", "00"])
    #expect(names("--sort", "random").sorted() == ["00", "01", "02", "03"])

    let nothing = folder.run("--print", "--filter", "xyz", folder.path)
    #expect(nothing.status == 1 && nothing.errorText.contains("no photo matches the filter"))
    let fault = folder.run("--filter", "type:xyz", folder.path)
    #expect(
      fault.status == 2 && fault.errorText.contains("unknown type 'xyz'. Try: jpeg"),
      "\(fault)")
  }
}
