import Glibc
import PseudoTerminal
import TestSupport
import Testing

/// Terminals of all sizes, and resizes.
@Suite(.waiting) struct SizeTests {
  @Test(arguments: [
    (1, 1), (2, 2), (3, 1), (1, 200), (200, 1), (5, 3), (19, 6), (0, 0), (500, 200),
  ])
  func `the program can be used and quit in a terminal of any size`(columns: Int, rows: Int) throws
  {
    let window = try PhotoFolder(count: 6).open("--motion", "none", columns: columns, rows: rows)
    try window.wait(for: "the screen") { $0.modes.contains(1049) }
    try window.waitUntilQuiet()

    for keys in ["j", "G", "\r", "n", "?", "\u{1B}", "\u{1B}", "t", "b", "gg"] {
      window.type(keys)
      try window.waitUntilQuiet(seconds: 0.05)
    }
    window.click(0, 0)
    try window.waitUntilQuiet(seconds: 0.05)

    try window.quit()
  }

  @Test func `a terminal without a size counts as 80 by 24`() throws {
    let window = try PhotoFolder(count: 6).open(columns: 0, rows: 0)

    try window.waitForGrid(of: 6)
    try window.quit()
  }

  @Test(arguments: [(60, 30), (200, 50), (30, 60), (81, 24)])
  func `after a resize the screen equals that of a start in the new size`(
    columns: Int, rows: Int
  ) throws {
    // The bar names the folder.
    let folder = try PhotoFolder(count: 6)
    let fresh = try settledWindow(on: folder, columns: columns, rows: rows)
    let window = try folder.open()
    try window.waitForGrid(of: 6)

    window.resize(columns: columns, rows: rows)

    try window.wait(for: "the screen of a fresh window\(fresh.picture)") {
      $0.looksLike(fresh.screen)
    }
    try window.quit()
    try fresh.quit()
  }

  @Test func `a resize that is undone at once leaves the screen unchanged`() throws {
    let window = try PhotoFolder(count: 6).open()
    try window.waitForGrid(of: 6)
    try window.waitUntilQuiet()
    let before = window.screen

    window.spoil()
    window.terminal.resize(columns: 60, rows: 30)
    window.terminal.resize(columns: 80, rows: 24)
    window.terminal.signal(SIGWINCH)

    try window.wait(for: "the grid as before") { $0.looksLike(before) }
    try window.waitUntilQuiet()
    #expect(window.screen.looksLike(before), "\(window.screen.differences(from: before))")
    try window.quit()
  }

  @Test func `a photo on the whole screen fits the new size`() throws {
    let window = try PhotoFolder(count: 6).open()
    try window.waitForGrid(of: 6)
    window.type("\r")
    try window.wait(for: "the photo on the whole screen") {
      $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen
    }

    window.resize(columns: 40, rows: 21)
    // 400 by 400 pixels: 400 by 200 for the photo.
    try window.wait(for: "the photo in the smaller window") {
      $0.box(of: TestPhoto.red) == Box(x: 0, y: 10, width: 40, height: 20)
    }
    window.resize(columns: 160, rows: 31)
    try window.wait(for: "the photo in the larger window") {
      $0.box(of: TestPhoto.red) == Box(x: 20, y: 0, width: 120, height: 60)
    }
    try window.quit()
  }

  @Test func `a window made tiny and large again during a zoom keeps the zoom`() throws {
    let window = try PhotoFolder(count: 6).open("--motion", "slow")
    try window.waitForGrid(of: 6)
    window.type("\r")
    try window.waitForFlight(widerThan: 24)

    window.resize(columns: 1, rows: 1)
    try window.waitUntilQuiet(seconds: 0.1)
    window.resize(columns: 80, rows: 24)

    try window.wait(for: "the photo on the whole screen") {
      $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen
    }
    window.type("\u{1B}")
    try window.waitForGrid(of: 6)
    try window.quit()
  }

  @Test func `many resizes end in the last size`() throws {
    let folder = try PhotoFolder(count: 6)
    let fresh = try settledWindow(on: folder, columns: 100, rows: 30)
    let window = try folder.open()
    try window.waitForGrid(of: 6)

    var random = SeededGenerator(seed: 20_240_607)
    for _ in 0..<200 {
      window.resize(
        columns: .random(in: 1...200, using: &random), rows: .random(in: 1...60, using: &random))
      if Int.random(in: 0..<4, using: &random) == 0 { window.type("j") }
      _ = window.watch(seconds: 0.002) { _ in false }
    }
    window.type("gg")
    window.resize(columns: 100, rows: 30)

    try window.wait(for: "the screen of a fresh window\(fresh.picture)") {
      $0.looksLike(fresh.screen)
    }
    try window.quit()
    try fresh.quit()
  }

  /// A window of six photos without motion.
  private func settledWindow(on folder: PhotoFolder, columns: Int, rows: Int) throws -> Window {
    let window = try folder.open(columns: columns, rows: rows)
    try window.wait(for: "the first tile and the bar") { screen in
      screen.isAt("1/6") && !screen.bar.contains("loading")
        && screen.box(of: TestPhoto.red) != nil
    }
    try window.waitUntilQuiet()
    return window
  }
}
