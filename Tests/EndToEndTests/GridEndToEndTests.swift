import PseudoTerminal
import Testing

/// The grid: tiles, bar, selection, scrolling.
@Suite(.waiting) struct GridEndToEndTests {
  @Test func `every photo has its square tile, at its index and in its colour`() throws {
    let window = try PhotoFolder(count: 6).open()

    try window.waitForGrid(of: 6)

    for (index, color) in TestPhoto.palette.enumerated() {
      #expect(window.screen.box(of: color) == .tile(index), "\(window.picture)")
    }
    try window.quit()
  }

  @Test func `tiles show the middle of photos of every shape`() throws {
    let folder = try PhotoFolder()
    try folder.add(.quadrants(width: 90, height: 30), as: "a wide one.png")
    try folder.add(.quadrants(width: 30, height: 90), as: "b high one.png")
    try folder.add(.quadrants(width: 2, height: 2), as: "c tiny one.png")
    let window = try folder.open()

    try window.wait(for: "three photos") { screen in
      screen.isAt("1/3") && (0..<3).allSatisfy { screen.isQuartered(.tile($0, of: 3)) }
    }
    try window.quit()
  }

  @Test func `a few photos fill the window`() throws {
    let folder = try PhotoFolder(count: 3)
    let window = try folder.open(environment: ["PHOTOGRID_CELL": ""])
    try window.wait(for: "three tiles, each nearly a third of 80 columns") { screen in
      (0..<3).allSatisfy {
        screen.box(of: TestPhoto.palette[$0])?.width == 25
      }
    }
    // A size that the user chooses is not enlarged again.
    window.type("-")
    try window.wait(for: "smaller tiles") { screen in
      screen.box(of: TestPhoto.palette[0]).map { $0.width < 24 } ?? false
    }
    try window.quit()
  }

  @Test func `rows show whole photos`() throws {
    let folder = try PhotoFolder()
    try folder.add(.quadrants(width: 60, height: 30), as: "a wide one.png")
    try folder.add(.quadrants(width: 30, height: 60), as: "b high one.png")
    let window = try folder.open("--layout", "rows")
    try window.wait(for: "two photos of one height") { screen in
      screen.isQuartered(Box(x: 15, y: 13, width: 38, height: 19))
        && screen.isQuartered(Box(x: 54, y: 13, width: 10, height: 19))
    }
    try window.quit()
  }

  @Test func `the bar contains name, size and number`() throws {
    let folder = try PhotoFolder()
    try folder.add(.flat(TestPhoto.red, width: 300, height: 200), as: "holiday.png")
    try folder.add(.flat(TestPhoto.blue, width: 20, height: 10), as: "zebra.png")
    let window = try folder.open()

    try window.wait(for: "the first photo's facts") {
      $0.bar.hasPrefix("holiday.png ") && $0.bar.contains("300×200")
        && $0.bar.contains("180 kB") && $0.isAt("1/2")
    }
    window.type("l")
    try window.wait(for: "the second photo's facts") {
      $0.bar.hasPrefix("zebra.png ") && $0.bar.contains("20×10") && $0.bar.contains("678 B")
        && $0.isAt("2/2")
    }
    try window.quit()
  }

  /// Keys, and the number of the photo that they lead to, each from the previous one.
  private static let walk: [(keys: String, number: Int)] = [
    ("l", 2), ("\u{1B}[C", 3), ("\u{1B}OC", 4), ("h", 3), ("\u{1B}[D", 2), ("j", 6), ("k", 2),
    ("\u{1B}[B", 6), ("\u{1B}OA", 2), ("3l", 5), ("4h", 1), ("h", 1), ("k", 1), ("7G", 7),
    ("gg", 1), ("G", 8), ("l", 8), ("j", 8), ("3gg", 3), ("\u{1B}[H", 1), ("\u{1B}[F", 8),
    ("]", 8), ("[", 1), ("2\u{1B}l", 2), ("5x2l", 4), ("99999999999999999999l", 8), ("0h", 7),
  ]

  @Test func `keys move the selection, whose ring is in the gap`() throws {
    let window = try PhotoFolder(count: 8).open("--motion", "none")
    try window.waitForGrid(of: 8)

    for (keys, number) in Self.walk {
      window.type(keys)
      try window.wait(for: "\(keys.debugDescription) leads to \(number)") {
        $0.isAt("\(number)/8")
          && $0.box(of: ScreenReader.ringColor) == .ring(number - 1)
      }
      #expect(window.screen.showsGrid(of: 8), "the ring covers a tile\(window.picture)")
    }
    try window.quit()
  }

  @Test func `pages and halves of them scroll, and the selection is always in sight`() throws {
    let window = try PhotoFolder(count: 40).open("--motion", "none")
    try window.waitForGrid(of: 40)
    let top = window.screen

    // Two rows of four tiles fit the height, so a page is eight photos.
    let walk = [
      ("\u{06}", 9), ("\u{04}", 13), ("\u{1B}[6~", 21), ("\u{1B}[5~", 13), ("\u{15}", 9),
      ("2\u{06}", 25), ("G", 40), ("\u{02}", 32), ("gg", 1),
    ]
    for (keys, number) in walk {
      window.type(keys)
      try window.wait(for: "\(keys.debugDescription) leads to \(number)") { screen in
        let ring = screen.box(of: ScreenReader.ringColor)
        return screen.isAt("\(number)/40") && ring?.width == 20 && ring?.height == 20
      }
    }
    try window.wait(for: "the top again") { $0.looksLike(top) }
    try window.quit()
  }

  @Test func `the wheel scrolls rows of tiles and takes the selection along`() throws {
    let window = try PhotoFolder(count: 40).open("--motion", "none")
    try window.waitForGrid(of: 40)

    window.mouse(65, 40, 10)
    try window.wait(for: "the second row on top") { screen in
      // Scrolled by whole text rows: 200 pixels, of which 190 are a row of tiles.
      (4..<8).allSatisfy {
        let color = TestPhoto.palette[$0 % 6]
        return screen.isFilled(Box(x: Box.tile($0).x, y: 0, width: 18, height: 18), with: color)
      } && screen.isAt("5/40")
    }
    window.mouse(64, 40, 10)
    try window.wait(for: "the first row again") { $0.showsGrid(of: 40) }
    #expect(window.screen.isAt("5/40"), "\(window.picture)")
    try window.quit()
  }

  @Test func `scrolling is eased, with frames between the rows`() throws {
    let window = try PhotoFolder(count: 40).open("--motion", "slow")
    try window.waitForGrid(of: 40)

    window.startFilm()
    window.mouse(65, 40, 10)
    // Yellow is the fourth tile of the first row, and no other tile in its column at first.
    try window.wait(for: "the second row on top") {
      $0.isFilled(Box(x: 2, y: 0, width: 18, height: 18), with: TestPhoto.magenta)
    }

    let tops = window.film.compactMap { $0.box(of: TestPhoto.magenta)?.y }
    #expect(tops == tops.sorted(by: >), "\(tops)")
    #expect(tops.contains { (1..<20).contains($0) }, "\(tops)")
    try window.quit()
  }

  @Test func `labels are names, cut in the middle, under their tiles`() throws {
    let folder = try PhotoFolder()
    try folder.add(.flat(TestPhoto.red), as: "short.png")
    try folder.add(.flat(TestPhoto.blue), as: "a very long name of a photo 0815.png")
    let window = try folder.open("--labels")

    // In the middle of 23 rows: one half row around the tiles for the ring, then the text row.
    try window.wait(for: "labels") {
      $0.text(ofRow: 15).hasPrefix(
        String(repeating: " ", count: 21) + "a very l… 0815.png short.png ")
    }
    window.type("t")
    try window.wait(for: "no labels") { screen in
      screen.lines.dropLast().allSatisfy { !$0.contains(".png") }
    }
    try window.quit()
  }

  @Test func `without the bar the last row belongs to the pictures`() throws {
    let window = try PhotoFolder(count: 12).open("--no-bar", "--motion", "none")

    // 24 rows are 48 half rows; the third row of tiles begins at the 40th.
    try window.wait(for: "tiles down to the last row") {
      $0.isFilled(Box(x: 2, y: 39, width: 18, height: 9), with: TestPhoto.palette[8 % 6])
    }
    window.type("b")
    try window.wait(for: "the bar") { $0.isAt("1/12") }
    try window.quit()
  }

  @Test func `help covers the pictures, which return when it closes`() throws {
    let window = try PhotoFolder(count: 6).open()
    try window.waitForGrid(of: 6)
    let before = window.screen

    window.type("?")
    try window.wait(for: "the keys of the grid, on 80 by 24") { screen in
      ["h j k l", "Move the selection", "Arrange", "/: search"].allSatisfy { screen.shows($0) }
    }
    window.type("/burst")
    try window.wait(for: "the keys for bursts") { $0.shows("zs") && $0.shows("Fold bursts") }
    window.type("\r\u{1B}")
    try window.wait(for: "all keys") { $0.shows("Move the selection") }
    window.type("?")
    try window.wait(for: "the grid as before") { $0.looksLike(before) }
    window.type("?\u{1B}")
    try window.wait(for: "the grid as before") { $0.looksLike(before) }
    try window.quit()
  }

  @Test func `a command is found by its words and run, and the list leaves no trace`() throws {
    let window = try PhotoFolder(count: 6).open()
    try window.waitForGrid(of: 6)
    let before = window.screen

    window.type(":delet")
    try window.wait(for: "the command, with its key") { screen in
      screen.shows("Move to trash") && screen.bar.hasPrefix(":delet")
    }
    window.type("\u{1B}")
    try window.wait(for: "the grid as before") { $0.looksLike(before) }
    window.type("\u{10}months\r")
    try window.wait(for: "its effect") { !$0.shows("Commands") && !$0.bar.hasPrefix(":") }
    try window.quit()
  }

  @Test func `keys that may follow are listed after a moment`() throws {
    let folder = try PhotoFolder(count: 6)
    let window = try folder.open()
    try window.waitForGrid(of: 6)
    window.type("g")
    try window.wait(for: "the keys after g") { $0.shows("gm  Group by month") }
    window.type("\u{1B}")
    try window.wait(for: "no list") { !$0.shows("Group by month") }
    try window.quit()
  }

  @Test func `a redraw paints everything again`() throws {
    let window = try PhotoFolder(count: 6).open()
    try window.waitForGrid(of: 6)
    let before = window.screen

    window.spoil()
    window.type("\u{0C}")
    try window.wait(for: "the grid as before") { $0.looksLike(before) }
    try window.quit()
  }

  @Test func `the selection starts at --start-at`() throws {
    let folder = try PhotoFolder(count: 40)
    for (option, number) in [("17", 17), ("30.png", 31), (folder["05.png"], 6)] {
      let window = try folder.open("--motion", "none", "-n", option)
      try window.wait(for: "\(option) is selected") { screen in
        screen.isAt("\(number)/40")
          && screen.box(of: ScreenReader.ringColor).map { $0.height == 20 } ?? false
      }
      try window.quit()
    }
  }
}

extension ScreenReader {
  /// Whether the corners of a box have the four colors of a quartered photo.
  func isQuartered(_ box: Box) -> Bool {
    let (right, bottom) = (box.x + box.width - 2, box.y + box.height - 2)
    let corners = [
      (box.x, box.y, TestPhoto.red), (right, box.y, TestPhoto.green),
      (box.x, bottom, TestPhoto.blue), (right, bottom, TestPhoto.yellow),
    ]
    return corners.allSatisfy { x, y, color in
      isFilled(Box(x: x, y: y, width: 2, height: 2), with: color)
    }
  }
}
