import PseudoTerminal
import Testing

/// Zoomed photos: keys and mouse.
@Suite(.waiting) struct CloseLookTests {
  /// A photo of squares of 40 pixels, each in a different color than its neighbors.
  private static var squares: TestPhoto {
    TestPhoto(width: 1600, height: 1000) { x, y in color(x, y) }
  }

  private static func color(_ x: Int, _ y: Int) -> UInt32 {
    let (column, row) = (x / 40, y / 40)
    return UInt32(column * 37 % 200 + 30) << 16 | UInt32(row * 53 % 200 + 30) << 8
      | UInt32((column + row) % 5 * 40 + 40)
  }

  /// Whether the middles of all squares on the screen have their colors.
  ///
  /// - Parameters:
  ///   - screen: The content of the window.
  ///   - place: The photo's pixel at the upper left corner of a column and half row.
  /// - Returns: False too if no square is visible.
  private static func shows(_ screen: ScreenReader, at place: (Int, Int) -> (Int, Int)) -> Bool {
    var count = 0
    for y in 0..<2 * (screen.rows - 1) {
      for x in 0..<screen.columns {
        let (left, top) = place(x, y)
        // Scaling mixes colors at the squares' edges.
        guard (10...20).contains(left % 40), (10...20).contains(top % 40) else { continue }
        count += 1
        let (seen, expected) = (screen.color(x, y) ?? 0, color(left, top))
        for shift in [16, 8, 0] {
          let difference = Int(seen >> shift & 255) - Int(expected >> shift & 255)
          guard abs(difference) <= 12 else { return false }
        }
      }
    }
    return count > 0
  }

  /// Whether the photo is shown pixel for pixel, ten to a half cell, from a position in it.
  private static func shows(_ screen: ScreenReader, fromX left: Int, y top: Int) -> Bool {
    shows(screen) { (left + $0 * 10, top + $1 * 10) }
  }

  private func opened(_ options: String...) throws -> Window {
    let folder = try PhotoFolder()
    try folder.add(Self.squares, as: "squares.png")
    let window = try Window(
      [PhotoGrid.path, "--symbols", "half"] + options + [folder["squares.png"]], folder: folder)
    try window.wait(for: "the whole photo") { screen in
      screen.bar.contains("1600×1000") && !screen.bar.contains("loading")
    }
    return window
  }

  @Test func `at 100 % the screen shows the photo's pixels everywhere`() throws {
    let window = try opened()
    #expect(!Self.shows(window.screen, fromX: 400, y: 270))

    window.type("z")
    try window.wait(for: "the middle, pixel for pixel") {
      $0.bar.contains("100%") && Self.shows($0, fromX: 400, y: 270)
    }
    window.type("l")
    try window.wait(for: "a fifth of the screen further right") {
      Self.shows($0, fromX: 560, y: 270)
    }
    window.type("J")
    try window.wait(for: "the lower edge") { Self.shows($0, fromX: 560, y: 540) }
    window.type("HK")
    try window.wait(for: "the upper left corner") { Self.shows($0, fromX: 0, y: 0) }
    window.type("z")
    try window.wait(for: "the whole photo") { !$0.bar.contains("%") }
    try window.quit()
  }

  @Test func `the mouse moves a zoomed photo, zooms at the pointer, and fits by two clicks`() throws
  {
    let window = try opened()
    window.type("z")
    try window.wait(for: "the middle") { Self.shows($0, fromX: 400, y: 270) }
    try window.waitUntilQuiet()

    window.press(40, 10)
    window.drag(36, 12)
    window.drag(20, 12)
    _ = window.watch(seconds: 0.4) { _ in false }
    window.release(20, 12)
    try window.wait(for: "the photo moved by 20 columns and two rows") {
      Self.shows($0, fromX: 600, y: 230)
    }

    // Four notches double it. Under the pointer, at 605 and 210, is the photo's 1205 and 440, and
    // stays there.
    for _ in 0..<4 { window.mouse(64, 60, 10) }
    try window.wait(for: "200 %, sharp") { screen in
      screen.bar.contains("200%") && Self.shows(screen) { (902 + $0 * 5, 335 + $1 * 5) }
    }
    window.click(40, 12)
    window.click(40, 12)
    try window.wait(for: "the whole photo") { !$0.bar.contains("%") }
    try window.quit()
  }

  @Test func `a rotated photo is sharp too`() throws {
    let window = try opened()

    window.type("z>")
    // Rotated clockwise, the photo's columns are the screen's rows, and its rows run backwards.
    try window.wait(for: "the turned middle, pixel for pixel") { screen in
      Self.shows(screen) { (570 + $1 * 10, 890 - $0 * 10) }
    }
    window.type("<z")
    try window.wait(for: "the whole photo") { !$0.bar.contains("%") }
    try window.quit()
  }

  @Test func `Esc leaves the zoom first, and then closes the photo`() throws {
    let window = try PhotoFolder(count: 6).open()
    try window.waitForGrid(of: 6)
    try window.waitUntilQuiet()
    let before = window.screen
    window.type("\rf+")
    try window.wait(for: "red all over") {
      $0.isFilled(Box(x: 0, y: 0, width: 80, height: 46), with: TestPhoto.red)
    }

    window.type("\u{1B}")
    try window.wait(for: "the whole photo") {
      $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen
    }
    window.type("\u{1B}")
    try window.wait(for: "the grid as before") { $0.looksLike(before) }
    try window.quit()
  }

  @Test func `a resize of a zoomed photo keeps its middle`() throws {
    let window = try opened()
    window.type("z")
    try window.wait(for: "the middle") { Self.shows($0, fromX: 400, y: 270) }

    window.resize(columns: 60, rows: 17)
    try window.wait(for: "less of it around the same middle") {
      Self.shows($0, fromX: 500, y: 340)
    }
    try window.quit()
  }
}
