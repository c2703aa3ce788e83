import Geometry
import Glibc
import Photos
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

/// The badges in the corners of tiles, as pixels and by cells.
struct BadgeTests {
  init() { UTF8Locale.use() }

  private static func badges(
    _ stars: Int, _ label: Rating.Label? = nil, count: Int = 1, note: String = ""
  ) -> Badges? {
    Badges(Rating(stars: stars, label: label), count: count, note: note)
  }

  private static func placement(_ badges: Badges?, _ frame: PixelRect) -> Placement {
    var placement = Placement(photo: Photo.ID(0), frame: frame, crop: .unit)
    placement.badges = badges
    if badges?.isRejected == true { placement.shade = Badges.rejectedShade }
    return placement
  }

  // MARK: - Pixels

  /// A badge as text: ink, half of it, dark shade, light shade.
  private func drawing(of part: BadgePictures.Part, _ width: Int, _ height: Int) -> String {
    let bitmap = BadgeDrawing.bitmap(of: part, width: width, height: height)
    return (0..<height).map { y in
      String(
        (0..<width).map { x -> Character in
          let place = (y * width + x) * 4
          let (red, alpha) = (bitmap.pixels[place], bitmap.pixels[place + 3])
          return red > 127 ? "#" : red > 50 ? "+" : alpha > 100 ? ":" : alpha > 30 ? "." : " "
        })
    }.joined(separator: "\n")
  }

  @Test func `stars lie on a shade that grows toward the lower edge`() {
    #expect(
      drawing(of: .rating(stars: 3, isRejected: false, star: 12, below: 0), 48, 26).split(
        separator: "\n"
      )
      .dropFirst(3).joined(separator: "\n") == """
        ................................................
        ................................................
        ................................................
        ................................................
        ................................................
        ................................................
        ................................................
        :::::::::++::::::::::++::::::::::++:::::::::::::
        :::::::::##::::::::::##::::::::::##:::::::::::::
        :::::::::##::::::::::##::::::::::##:::::::::::::
        ::::::::+##+::::::::+##+::::::::+##+::::::::::::
        ::::+##########++##########++##########+::::::::
        ::::::########::::########::::########::::::::::
        :::::::######::::::######::::::######:::::::::::
        :::::::######::::::######::::::######:::::::::::
        :::::::######::::::######::::::######:::::::::::
        :::::::##::##::::::##::##::::::##::##:::::::::::
        ::::::++::::++::::++::::++::::++::::++::::::::::
        ::::::::::::::::::::::::::::::::::::::::::::::::
        ::::::::::::::::::::::::::::::::::::::::::::::::
        ::::::::::::::::::::::::::::::::::::::::::::::::
        ::::::::::::::::::::::::::::::::::::::::::::::::
        ::::::::::::::::::::::::::::::::::::::::::::::::
        """)
  }

  @Test func `a label is a dot, and a count lies on a plate`() {
    let dot = drawing(of: .label(RGB(232, 90, 90)), 18, 18).split(separator: "\n")
    #expect(
      dot[1..<10].map { $0.replacing(" ", with: "_") } == [
        "_____.::::::._____", "___.:::++++:::.___", "__.::+######+::.__",
        "__::##########::__", "_.:+##########+:._", "_::############::_",
        ".:+############+:.", ".:+############+:.", ".:+############+:.",
      ])
    #expect(BadgeDrawing.width(of: "×12", height: 18) == 39)
    #expect(
      drawing(of: .text("×12"), 39, 18).split(separator: "\n")[5..<13].joined(separator: "\n")
        == """
        .::::::::::::::::###::::###::###::::::.
        .::::::+:::::+:::###::::##::::##::::::.
        ::::::##+:::##+:::##::::::::::##:::::::
        :::::::##+:###::::##:::::::::###:::::::
        ::::::::#####:::::##::::::::##+::::::::
        :::::::::###::::::##:::::::##+:::::::::
        .:::::::####+:::::##::::::##+:::::::::.
        .::::::###:##+::::##+:::+###::::::::::.
        """)
  }

  @Test func `every badge stays inside of its tile, whatever its size, and free of the others`() {
    var random = SeededGenerator(seed: 7)
    let labels: [Rating.Label?] = [nil, .red, .other]
    for _ in 0..<300 {
      let frame = PixelRect(
        x: .random(in: -50...50, using: &random), y: .random(in: -50...50, using: &random),
        width: .random(in: 1...400, using: &random), height: .random(in: 1...400, using: &random))
      let badges = Self.badges(
        .random(in: -1...5, using: &random),
        labels[.random(in: 0..<3, using: &random)],
        count: [1, 2, 999, 10_000, 1_000_000].randomElement(using: &random) ?? 1,
        note: ["", "RAW", "LIVE"].randomElement(using: &random) ?? "")
      guard var badges else { continue }
      badges.isAboveName = .random(using: &random)
      let tile = frame.roundedToPixels
      let parts = BadgePictures.parts(of: badges, on: frame, line: 20)
      for (part, rect) in parts {
        #expect(
          rect.minX >= tile.minX && rect.maxX <= tile.maxX && rect.minY >= tile.minY
            && rect.maxY <= tile.maxY, "\(part) of \(badges) in \(frame)")
      }
      for (line, other) in BadgeLine.lines(of: Self.placement(badges, frame), .standard).pairs {
        #expect(line.cells.without(other.cells) == [line.cells])
      }
    }
  }

  @Test func `counts of large stacks are short`() {
    let texts = [1, 2, 9999, 10_000, 123_456, 5_000_000].map {
      Self.badges(1, count: $0)?.countText
    }
    #expect(texts == ["", "×2", "×9999", "×10k", "×123k", "×999k"])
  }

  @Test func `in kitty a rejected photo fades toward the background, and its ring does not`()
    throws
  {
    var story = KittyStory(columns: 20, rows: 8, photos: [SmoothPhoto(0)])
    let frame = PixelRect(x: 20, y: 20, width: 120, height: 120)
    let ring = Scene.Ring(tile: frame, opacity: 1)
    let plain = story.scene([Placement.clipped(0, frame)], ring: ring)
    var rejected = plain
    rejected.placements[0].badges = Self.badges(-1, .red, count: 3)
    rejected.placements[0].shade = Badges.rejectedShade
    try story.settle(plain)
    let before = story.screen.rendered(over: KittyStory.background)
    try story.settle(rejected)
    let after = story.screen.rendered(over: KittyStory.background)

    let (bright, dim) = (before[80, 80], after[80, 80])
    let ground = KittyStory.background
    let faded = Pixel.mix(
      bright, 1 / 3, Pixel(Float(ground.red), Float(ground.green), Float(ground.blue)), 2 / 3)
    #expect(abs(dim.red - faded.red) < 4 && abs(dim.blue - faded.blue) < 4)
    for y in 0..<160 {
      for x in 0..<200 where !frame.contains(PixelPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)) {
        #expect(before.difference(after, x: x, y: y) < 4, "at \(x), \(y)")
      }
    }
    try story.settle(plain)
    #expect(story.difference(from: plain) == nil)
  }

  @Test func `sixels show gold stars over the photo's own colors`() {
    let traits = PictureTraits(appearance: Appearance(background: .black), glyphs: .half)
    var terminal = PixelTerminal(SixelRenderer(traits), columns: 24, rows: 12)
    var scene = terminal.scene([PixelTerminal.tile(0, 5, 5, 100, 100)])
    scene.placements[0].badges = Self.badges(3)
    let photo = SmoothPhoto(0)
    terminal.show(scene) { _ in .picture(photo.mipmap) }

    let middle = photo.color(0.5, 0.5)
    let color = pixel(RGB(UInt8(middle.red), UInt8(middle.green), UInt8(middle.blue)))
    #expect(areClose(terminal.canvas[55, 55], color, within: 20))
    // The middle of the first star.
    #expect(areClose(terminal.canvas[13, 97], pixel(BadgeDrawing.gold), within: 24))
  }

  // MARK: - Cells

  @Test(arguments: [RGB(255, 255, 255), .black])
  func `by cells badges are glyphs on the photo's own colors, and legible`(photo: RGB) throws {
    let size = CellMetrics.standard.size(of: CellSize(columns: 14, rows: 6))
    var scene = Scene(
      size: size,
      placements: [
        Self.placement(
          Self.badges(3, .red, count: 12, note: "RAW"),
          PixelRect(x: 10, y: 20, width: 120, height: 80))
      ])
    scene.tileCount = 1
    let screen = try drawn(scene, appearance: Appearance(background: .black)) { _ in
      .waiting(photo)
    }

    let text = (0..<6).map { row in
      (0..<14).map { screen[$0, row].text }
        .map { "★●×RAW12".contains($0) ? $0 : "." }.joined()
    }
    #expect(
      text == [
        "..............", ".●........×12.", "..............", "..............",
        ".★★★......RAW.", "..............",
      ])
    for (column, row) in [(1, 4), (3, 4), (10, 1), (12, 4)] {
      let cell = screen[column, row]
      guard case .rgb(let ink) = cell.foreground, case .rgb(let ground) = cell.background else {
        Issue.record("\(cell) has no colors")
        continue
      }
      #expect(contrast(ink, ground) > 3.5, "\(cell)")
      // A shade of the photo, not a black block.
      #expect(abs(Double(ground.red) - Double(photo.red) * (1 - BadgeLine.shade)) <= 1)
    }
  }

  @Test(arguments: [
    (RGB.black, RGB(80, 40, 20)), (RGB(255, 255, 255), RGB(250, 210, 190)),
  ])
  func `by cells a rejected photo fades toward the background, under a cross`(
    background: RGB, faded: RGB
  ) throws {
    let size = CellMetrics.standard.size(of: CellSize(columns: 8, rows: 4))
    let scene = Scene(
      size: size,
      placements: [Self.placement(Self.badges(-1), PixelRect(origin: .zero, size: size))])
    let screen = try drawn(scene, appearance: Appearance(background: background)) { _ in
      .waiting(RGB(240, 120, 60))
    }
    #expect(screen[0, 3].text == "✕")
    #expect(screen[5, 1].background == .rgb(faded))
  }

  /// The contrast of two colors as WCAG 2 defines it, 1 to 21.
  private func contrast(_ left: RGB, _ right: RGB) -> Double {
    func light(_ color: RGB) -> Double {
      func linear(_ channel: UInt8) -> Double {
        let share = Double(channel) / 255
        return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * linear(color.red) + 0.7152 * linear(color.green)
        + 0.0722 * linear(color.blue)
    }
    let (high, low) = (max(light(left), light(right)), min(light(left), light(right)))
    return (high + 0.05) / (low + 0.05)
  }
}

extension Array {
  /// All pairs of different elements.
  fileprivate var pairs: [(Element, Element)] {
    indices.flatMap { first in indices.filter { $0 > first }.map { (self[first], self[$0]) } }
  }
}
