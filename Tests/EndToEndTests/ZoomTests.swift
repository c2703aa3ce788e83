import PseudoTerminal
import Testing

/// The zoom from a tile to the whole screen, and back.
@Suite(.waiting) struct ZoomTests {
  /// A photo of 2 by 1 on the whole of 80 by 24, without the bar: three half rows stay free.
  static let wholeScreen = Box(x: 0, y: 3, width: 80, height: 40)

  @Test func `a photo grows out of its tile until it fits the screen`() throws {
    let window = try PhotoFolder(count: 6).open("--motion", "slow", "-n", "2")
    try window.waitForGrid(of: 6)

    window.startFilm()
    window.type("\r")
    try window.wait(for: "the photo on the whole screen") {
      $0.box(of: TestPhoto.green) == Self.wholeScreen
    }

    let boxes = window.film.compactMap { $0.box(of: TestPhoto.green) }
    #expect(boxes.count == window.film.count, "it is in every frame")
    #expect(boxes.contains { $0.width > 18 && $0.width < 80 }, "\(boxes)")
    // Edges are rounded to half cells independently, so a side may be one shorter for a while.
    for (box, next) in zip(boxes, boxes.dropFirst()) {
      #expect(next.width >= box.width - 1 && next.height >= box.height - 1, "\(box), \(next)")
    }
    try window.quit()
  }

  @Test func `while a photo opens, its tile is empty and the grid fades`() throws {
    let window = try PhotoFolder(count: 12).open(
      "--motion", "slow", "-n", "2", environment: PhotoGrid.blackBackground)
    try window.waitForGrid(of: 12)

    window.startFilm()
    window.type("\r")
    try window.wait(for: "the photo on the whole screen") {
      $0.box(of: TestPhoto.green) == ZoomTests.wholeScreen
    }

    // The photo moves down, which uncovers the tile's first rows, and what is above the end of the
    // path of the last tile in the row.
    var emptyRows = 0
    var shades: [UInt32] = []
    for frame in window.film.dropLast() {
      let tile = Box.tile(1, of: 12)
      let photo = try #require(frame.box(of: TestPhoto.green))
      for y in tile.y..<max(photo.y, tile.y) {
        emptyRows += 1
        #expect(
          frame.isFilled(Box(x: tile.x, y: y, width: 18, height: 1), with: nil), "\(frame.picture)")
      }
      shades.append((frame.color(70, 2) ?? 0) >> 16)
    }
    #expect(emptyRows > 0, "the tile was never uncovered")
    #expect(shades == shades.sorted(by: >), "red of a yellow tile: \(shades)")
    #expect(shades.contains { (0x20...0xC0).contains($0) }, "red of a yellow tile: \(shades)")
    #expect(window.screen.color(70, 2) == nil, "\(window.picture)")
    try window.quit()
  }

  @Test func `the visible part grows from the square in the middle to the whole photo`() throws {
    let folder = try PhotoFolder()
    // Red at the sides, outside the square that a tile shows.
    let striped = TestPhoto(width: 120, height: 40) { x, _ in
      (40..<80).contains(x) ? TestPhoto.blue : TestPhoto.red
    }
    try folder.add(striped, as: "striped.png")
    let window = try folder.open("-t", "--motion", "slow")
    try window.wait(for: "the middle in the tile") { $0.box(of: TestPhoto.blue) == .tile(0, of: 1) }
    #expect(window.screen.box(of: TestPhoto.red) == nil, "\(window.picture)")

    window.startFilm()
    window.type("\r")
    // 800 by 266.7 pixels, and so 80 by 27 half cells.
    try window.wait(for: "all of it") {
      $0.box(of: TestPhoto.red) == Box(x: 0, y: 9, width: 80, height: 27)
    }

    let widths = window.film.compactMap { frame -> (blue: Double, all: Double)? in
      guard let blue = frame.box(of: TestPhoto.blue) else { return nil }
      let all = max(frame.box(of: TestPhoto.red)?.width ?? 0, blue.width)
      return (Double(blue.width), Double(all))
    }
    #expect(widths.contains { (0.4...0.9).contains($0.blue / $0.all) }, "\(widths)")
    for (before, after) in zip(widths, widths.dropFirst()) {
      // On a busy machine moving pictures are drawn in blocks of two cells.
      let slack = 2 / before.all + 2 / after.all
      #expect(after.blue / after.all <= before.blue / before.all + slack, "\(widths)")
    }
    try window.quit()
  }

  @Test(arguments: [
    (width: 80, height: 40, box: Box(x: 0, y: 3, width: 80, height: 40)),
    (width: 40, height: 80, box: Box(x: 28, y: 0, width: 23, height: 46)),
    (width: 4, height: 4, box: Box(x: 17, y: 0, width: 46, height: 46)),
    (width: 400, height: 40, box: Box(x: 0, y: 19, width: 80, height: 8)),
  ])
  func `an open photo has its four corners at the expected pixels`(
    width: Int, height: Int, box: Box
  ) throws {
    let folder = try PhotoFolder()
    try folder.add(.quadrants(width: width, height: height), as: "quarters.png")
    let window = try folder.open("-t")
    try window.wait(for: "the tile") { $0.isQuartered(.tile(0, of: 1)) }

    window.type("\r")

    try window.wait(for: "the four quarters at their corners") { screen in
      screen.isQuartered(box)
        && screen.box(of: TestPhoto.red).map { $0.x == box.x && $0.y == box.y } ?? false
    }
    try window.waitUntilQuiet()
    let colors = [TestPhoto.red, TestPhoto.green, TestPhoto.blue, TestPhoto.yellow]
    let boxes = try colors.map { try #require(window.screen.box(of: $0), "\(window.picture)") }
    #expect(boxes.allSatisfy { box.contains($0) }, "\(boxes)\(window.picture)")
    try window.quit()
  }

  @Test(arguments: ["full", "reduced", "none"])
  func `Esc restores the screen`(motion: String) throws {
    let window = try PhotoFolder(count: 6).open("--motion", motion, "-n", "3")
    try window.waitForGrid(of: 6)
    try window.waitUntilQuiet()
    let before = window.screen

    window.type("\r")
    try window.wait(for: "the photo on the whole screen") {
      $0.box(of: TestPhoto.blue) == Self.wholeScreen
    }
    window.type("\u{1B}")
    try window.wait(for: "the grid as before") { $0.looksLike(before) }
    try window.quit()
  }

  @Test func `a closing photo shrinks to its tile, which is empty until then`() throws {
    let window = try PhotoFolder(count: 6).open("--motion", "slow")
    try window.waitForGrid(of: 6)
    let before = window.screen
    window.type("\r")
    try window.wait(for: "the photo on the whole screen") {
      $0.box(of: TestPhoto.red) == Self.wholeScreen
    }

    window.startFilm()
    window.type("\u{1B}")
    // The end of the last frame may arrive after its pictures.
    try window.wait(for: "the grid as before") { _ in window.film.last?.looksLike(before) == true }

    let boxes = window.film.compactMap { $0.box(of: TestPhoto.red) }
    #expect(boxes.count == window.film.count, "it is in every frame")
    #expect(boxes.contains { $0.width > 18 && $0.width < 80 }, "\(boxes)")
    #expect(boxes.last == .tile(0), "\(boxes)")
    for (box, next) in zip(boxes, boxes.dropFirst()) {
      #expect(next.width <= box.width + 1 && next.height <= box.height + 1, "\(box), \(next)")
    }
    try window.quit()
  }

  @Test func `a key during the zoom reverses it`() throws {
    let window = try PhotoFolder(count: 6).open("--motion", "slow")
    try window.waitForGrid(of: 6)
    let before = window.screen
    window.startFilm()
    window.type("\r")
    try window.waitForFlight(widerThan: 40)

    window.type("\u{1B}")
    try window.wait(for: "the grid as before") { $0.looksLike(before) }

    let widths = window.film.compactMap { $0.box(of: TestPhoto.red)?.width }
    let widest = try #require(widths.max())
    #expect(widest < 80, "it never arrived: \(widths)")
    // It turns once. How far a step leads depends on the time between two frames.
    let turn = try #require(widths.firstIndex(of: widest))
    for (index, (width, next)) in zip(widths, widths.dropFirst()).enumerated() {
      #expect(index < turn ? next >= width - 1 : next <= width + 1, "\(widths)")
    }
    try window.quit()
  }

  @Test func `with reduced motion photos fade without moving`() throws {
    let window = try PhotoFolder(count: 6).open(
      "--motion", "reduced", environment: PhotoGrid.blackBackground)
    try window.waitForGrid(of: 6)

    // A busy machine may draw no frame between the first and the last.
    var isFading = false
    for _ in 0..<20 where !isFading {
      window.startFilm()
      window.type("\r")
      try window.wait(for: "the photo on the whole screen") {
        $0.box(of: TestPhoto.red) == Self.wholeScreen
      }
      // The photo's outermost corners, where no tile is: they brighten together and at once.
      let shades = window.film.map { frame in
        [(0, 3), (79, 3), (0, 42), (79, 42)].map { (frame.color($0.0, $0.1) ?? 0) >> 16 }
      }
      #expect(shades.allSatisfy { Set($0).count == 1 }, "\(shades)")
      #expect(shades.map { $0[0] } == shades.map { $0[0] }.sorted(), "\(shades)")
      isFading = shades.contains { (0x20...0xC0).contains($0[0]) }
      window.type("\u{1B}")
      try window.waitForGrid(of: 6)
    }
    #expect(isFading)
    try window.quit()
  }

  @Test func `next and previous photos appear without motion`() throws {
    let window = try PhotoFolder(count: 6).open("--motion", "slow")
    try window.waitForGrid(of: 6)
    window.type("\r")
    try window.wait(for: "the photo on the whole screen") {
      $0.box(of: TestPhoto.red) == Self.wholeScreen
    }

    let walk = [
      ("l", 2), ("n", 3), (" ", 4), ("\u{1B}[C", 5), ("h", 4), ("p", 3), ("\u{7F}", 2), ("3l", 5),
      ("G", 6), ("l", 6), ("gg", 1), ("h", 1), ("4G", 4),
    ]
    for (keys, number) in walk {
      window.type(keys)
      try window.wait(for: "\(keys.debugDescription) leads to \(number)") {
        $0.isAt("\(number)/6")
          && $0.box(of: TestPhoto.palette[number - 1]) == Self.wholeScreen
      }
    }
    try window.quit()
  }

  @Test func `the photo closes into its own tile, which is scrolled into view`() throws {
    let folder = try PhotoFolder(count: 40)
    let window = try folder.open("--motion", "slow")
    try window.waitForGrid(of: 40)
    window.type("\r30G")
    try window.wait(for: "the thirtieth photo on the whole screen") {
      $0.isAt("30/40") && $0.box(of: TestPhoto.palette[29 % 6]) == Self.wholeScreen
    }

    window.type("\u{1B}")
    try window.wait(for: "its tile in the ring") { screen in
      guard let ring = screen.box(of: ScreenReader.ringColor) else { return false }
      let tile = Box(x: 21, y: ring.y + 1, width: 18, height: 18)
      return ring == Box(x: 20, y: ring.y, width: 20, height: 20)
        && screen.isFilled(tile, with: TestPhoto.palette[29 % 6])
    }
    try window.waitUntilQuiet()
    let landed = window.screen
    try window.quit()

    // The same position as by keys from the top.
    let walked = try folder.open("--motion", "none")
    try walked.waitForGrid(of: 40)
    walked.type("30G")
    try walked.wait(for: "the same screen\(landed.picture)") { $0.looksLike(landed) }
    try walked.quit()
  }

  @Test func `a single photo's siblings are a key away, and behind it`() throws {
    let folder = try PhotoFolder(count: 4)
    let window = try Window(
      [PhotoGrid.path, "--symbols", "half", folder["01.png"]], folder: folder)
    try window.wait(for: "the photo, in its folder") {
      $0.box(of: TestPhoto.palette[1]) == Self.wholeScreen && $0.isAt("2/4")
    }
    window.type("n")
    try window.wait(for: "the next") {
      $0.box(of: TestPhoto.palette[2]) == Self.wholeScreen && $0.isAt("3/4")
    }
    window.type("pp")
    try window.wait(for: "the one before") {
      $0.box(of: TestPhoto.palette[0]) == Self.wholeScreen && $0.isAt("1/4")
    }
    window.type("\u{1B}")
    try window.wait(for: "the folder") { $0.isAt("1/4") && $0.showsGrid(of: 4) }
    try folder.add(.flat(TestPhoto.cyan), as: "new.png")
    try window.wait(for: "a new one") { $0.isAt("1/5") }
    try window.quit()
  }

  @Test func `two named photos stay a list, and a hidden one has no siblings`() throws {
    let folder = try PhotoFolder(count: 4)
    let window = try Window(
      [PhotoGrid.path, "--symbols", "half", folder["01.png"], folder["03.png"]], folder: folder)
    try window.wait(for: "two") { $0.isAt("1/2") }
    try window.quit()
    try folder.add(.flat(TestPhoto.cyan), as: ".hidden.png")
    let hidden = try Window(
      [PhotoGrid.path, "--symbols", "half", folder[".hidden.png"]], folder: folder)
    try hidden.wait(for: "the photo") {
      $0.box(of: TestPhoto.cyan) == Self.wholeScreen && $0.isAt("1/1")
    }
    try hidden.quit()
  }

  @Test func `a video says what it is`() throws {
    let folder = try PhotoFolder()
    try folder.add([0, 0, 1, 0xba] + Array(repeating: 0, count: 100), as: "a.mpg")
    let window = try Window([PhotoGrid.path, folder["a.mpg"]], folder: folder)
    try window.wait(for: "the words") { $0.bar.contains("a video: press o to open it") }
    try window.quit()
  }

  @Test func `a single photo opens on the whole screen`() throws {
    let folder = try PhotoFolder()
    try folder.add(.flat(TestPhoto.cyan), as: "only.png")
    let window = try Window(
      [PhotoGrid.path, "--symbols", "half", folder["only.png"]], folder: folder)

    try window.wait(for: "the photo on the whole screen") {
      $0.box(of: TestPhoto.cyan) == Self.wholeScreen
    }
    window.type("\u{1B}")
    try window.wait(for: "the photo in its tile") { $0.box(of: TestPhoto.cyan) == .tile(0, of: 1) }
    try window.quit()
  }
}
