import PseudoTerminal
import Testing

/// The grid's columns as drawn, and the options for them.
@Suite(.waiting) struct ColumnTests {
  /// The colors of the first tiles, in order.
  static let palette = TestPhoto.palette

  /// Options, and the tiles on 80 columns: 800 pixels, 80 squares that half blocks show.
  ///
  /// One is free between columns and above the first row; the remainder goes to both sides.
  static let cases: [(options: [String], tiles: [Box])] = [
    (
      // 200 and 300 pixels; the smaller tiles are in the middle of their rows.
      ["--columns", "fixed(20) flexible(10,30)"],
      [
        Box(x: 14, y: 6, width: 20, height: 20), Box(x: 35, y: 1, width: 30, height: 30),
        Box(x: 14, y: 37, width: 20, height: 9), Box(x: 35, y: 32, width: 30, height: 14),
      ]
    ),
    (
      ["--columns", "flexible(10,20) adaptive(12) fixed(8)"],
      [
        Box(x: 0, y: 2, width: 20, height: 20), Box(x: 21, y: 4, width: 16, height: 16),
        Box(x: 38, y: 4, width: 16, height: 16), Box(x: 55, y: 4, width: 16, height: 16),
        Box(x: 72, y: 8, width: 8, height: 8), Box(x: 0, y: 23, width: 20, height: 20),
      ]
    ),
    (
      // Wider than the screen: in the middle, and cut at both sides.
      ["--columns", "fixed(60) fixed(60)"],
      [Box(x: 0, y: 1, width: 39, height: 45), Box(x: 40, y: 1, width: 40, height: 45)]
    ),
    (
      ["--cell", "10", "--spacing", "4"],
      (0..<6).map { Box(x: 3 + $0 * 13, y: 18, width: 9, height: 9) }
    ),
  ]

  @Test(arguments: cases)
  func `tiles are drawn where the columns put them`(options: [String], tiles: [Box]) throws {
    let folder = try PhotoFolder(count: 6)
    let window = try Window(
      [PhotoGrid.path, "--symbols", "half", "--motion", "none"] + options + [folder.path],
      folder: folder)

    try window.wait(for: "the first tiles") { screen in
      !screen.bar.contains("loading") && screen.isAt("1/6")
        && zip(tiles, Self.palette).allSatisfy { screen.box(of: $1) == $0 }
    }
    try window.quit()
  }

  @Test(arguments: [
    (["--columns", ""], "--columns: '' is not valid: no columns given"),
    (["--columns", "fixed(-3)"], "'-3' must be a width"),
    (["--columns", "adaptive(many)"], "'many' must be a width"),
    (["--columns", "adaptive(0)"], "the minimum width is less than 1 in 'adaptive(0)'"),
    (
      ["--columns", "flexible(9,3)"],
      "the minimum width is larger than the maximum in 'flexible(9,3)'"
    ),
    (["--columns", "fixed(3"], "a ')' is missing in 'fixed(3'"),
    (["--columns", "fixed(nan)"], "'nan' must be a width"),
    (["--columns", "fixed(1e9)"], "'1e9' must be a width from 0 to 10000"),
    (["--spacing", "-1"], "--spacing: '-1' is not a number from 0 to 100"),
    (["--spacing", "wide"], "--spacing: 'wide' is not a number from 0 to 100"),
    (["--cell", "0"], "--cell: '0' is not a number from 1 to 500"),
    (
      ["--layout", "pile"],
      "--layout: 'pile' is not one of grid, mosaic, bento, bento(PATTERN), rows"
    ),
    (["--layout", "bento()"], "--layout: 'bento()' at character"),
    (["--layout", "bento((1,)"], "--layout: 'bento((1,)' at character 10"),
    (
      ["--layout", "bento(" + Array(repeating: "1", count: 10_000).joined(separator: ",") + ")"],
      "more than 1000 tiles"
    ),
  ])
  func `an invalid layout gives one line of error and status 2`(
    options: [String], words: String
  ) throws {
    let run = try PhotoFolder(count: 1).run(options[0], options[1])

    #expect(run.status == 2 && run.output.isEmpty, "\(run)")
    #expect(run.errorText.hasPrefix("photogrid: ") && run.errorText.contains(words), "\(run)")
    #expect(run.errors.count { $0 == 0x0A } == 1, "\(run)")
  }
}
