import Geometry
import Photos
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

struct ColorDepthTests {
  @Test(arguments: GlyphSet.blockSets)
  func `with 256 colours, dithering averages to the colour of a flat photo`(glyphs: GlyphSet) throws
  {
    let seed: UInt64 = 256
    var random = SeededGenerator(seed: seed)
    for _ in 0..<30 {
      let color = random.color()
      let screen = try drawn(
        .filled(columns: 12, rows: 4), glyphs: glyphs, depth: .palette256
      ) { _ in .picture(Mipmap(Bitmap(width: 4, height: 4) { _, _ in color })) }

      for channel in [\RGB.red, \RGB.green, \RGB.blue] {
        let mean = try Self.mean(of: screen, glyphs: glyphs) { shown in
          guard case .index(let index) = shown, index >= 16 else { return .nan }
          return Double(Self.xterm(index)[keyPath: channel])
        }
        // The nearest palette color would be off by up to 20, and by 47 for dark colors.
        #expect(abs(mean - Double(color[keyPath: channel])) < 10, "seed \(seed), \(color), \(mean)")
      }
    }
  }

  @Test(arguments: GlyphSet.blockSets)
  func `with 256 colours, dark foliage stays green`(glyphs: GlyphSet) throws {
    let seed: UInt64 = 95
    var random = SeededGenerator(seed: seed)
    // The palette has no dark green but (0, 95, 0); the nearest colors of these are grays.
    let foliage = Bitmap(width: 96, height: 64) { _, _ in
      let light = Int.random(in: 0...60, using: &random)
      return RGB(UInt8(25 + light), UInt8(45 + light), UInt8(15 + light))
    }

    let screen = try drawn(
      .filled(columns: 24, rows: 8), glyphs: glyphs, depth: .palette256
    ) { _ in .picture(Mipmap(foliage)) }

    func mean(_ channel: KeyPath<RGB, UInt8>) throws -> Double {
      try Self.mean(of: screen, glyphs: glyphs) { shown in
        guard case .index(let index) = shown, index >= 16 else { return .nan }
        return Double(Self.xterm(index)[keyPath: channel])
      }
    }
    let (red, green, blue) = (try mean(\.red), try mean(\.green), try mean(\.blue))
    // They are 20 and 30 in the picture, and 0 in the nearest colors.
    #expect(green - red > 6, "\(red), \(green), \(blue)")
    #expect(green - blue > 6, "\(red), \(green), \(blue)")
  }

  @Test(arguments: [ColorDepth.palette256, .palette16, .none])
  func `the dithering of a photo moves with it by whole cells`(depth: ColorDepth) throws {
    let seed: UInt64 = 8
    var random = SeededGenerator(seed: seed)
    let photo = Mipmap(Bitmap(width: 32, height: 32) { _, _ in random.color() })
    func screen(at column: Int, _ row: Int) throws -> TerminalScreen {
      var renderer = CellRenderer(glyphs: .quadrant, depth: depth)
      let cell = CellMetrics.standard.cell
      let size = PixelSize(width: 24 * cell.width, height: 16 * cell.height)
      let frame = PixelRect(
        x: Double(column) * cell.width, y: Double(row) * cell.height, width: 16 * cell.width,
        height: 8 * cell.height)
      let scene = Scene(
        size: size, placements: [Placement(photo: Photo.ID(0), frame: frame, crop: .unit)],
        isMoving: true)
      var bytes: [UInt8] = []
      renderer.frame(
        for: scene, metrics: .standard, content: { _ in .picture(photo) }, into: &bytes)
      var screen = TerminalScreen(columns: 24, rows: 16)
      try screen.apply(bytes)
      return screen
    }
    let first = try screen(at: 0, 0)

    for (columns, rows) in [(1, 0), (3, 2), (8, 7)] as [(Int, Int)] {
      let moved = try screen(at: columns, rows)
      for row in 0..<8 {
        for column in 0..<16 {
          #expect(moved[column + columns, row + rows].look == first[column, row].look)
        }
      }
    }
  }

  @Test func `with 16 colours, dithering averages to the brightness of a photo`() throws {
    var last = -1.0
    for gray in stride(from: UInt8(0), through: 255, by: 51) {
      let picture = Bitmap(width: 4, height: 4) { _, _ in RGB(gray, gray, gray) }

      let screen = try drawn(
        .filled(columns: 8, rows: 4), glyphs: .quadrant, depth: .palette16
      ) { _ in .picture(Mipmap(picture)) }

      let brightness = try Self.mean(of: screen, glyphs: .quadrant) { color in
        guard case .index(let index) = color, index < 16 else { return .nan }
        return RGB(packed: CellColor.sixteen[index]).luma
      }
      #expect(abs(brightness - Double(gray)) < 40, "gray \(gray)")
      #expect(brightness > last, "gray \(gray)")
      last = brightness
    }
  }

  @Test func `with 16 colours only basic SGR codes are used`() throws {
    let seed: UInt64 = 16
    var random = SeededGenerator(seed: seed)
    let picture = Mipmap(Bitmap(width: 9, height: 18) { _, _ in random.color() })
    var renderer = CellRenderer(glyphs: .half, depth: .palette16)
    var bytes: [UInt8] = []

    renderer.frame(
      for: .filled(columns: 9, rows: 9), metrics: .standard, content: { _ in .picture(picture) },
      into: &bytes)

    var screen = TerminalScreen(columns: 9, rows: 9)
    try screen.apply(bytes)
    let used = Set(screen.cells.flatMap { [$0.foreground, $0.background] })
    #expect(used.count > 8, "seed \(seed)")
    #expect(used.allSatisfy { (0..<16).map(TerminalScreen.Color.index).contains($0) })
    #expect(!String(decoding: bytes, as: UTF8.self).contains(/[34]8;/))
  }

  @Test(arguments: GlyphSet.blockSets, [false, true])
  func `without colours the share of foreground corresponds to the brightness`(
    glyphs: GlyphSet, isLight: Bool
  ) throws {
    for gray in [UInt8(0), 64, 128, 191, 255] {
      let background = isLight ? RGB(255, 255, 255) : .black
      let screen = try drawn(
        .filled(columns: 8, rows: 8), glyphs: glyphs, depth: .none,
        appearance: Appearance(background: background)
      ) { _ in .waiting(RGB(gray, gray, gray)) }

      var ink = 0.0
      for cell in screen.cells {
        let mask = (0...glyphs.fullMask).first {
          glyphs.scalar(for: $0).map { String(Character($0)) } == cell.text
        }
        // Samples differ in height.
        let covered = (0..<glyphs.sampleCount).filter { (mask ?? 0) & 1 << UInt8($0) != 0 }
          .map { glyphs.sampleHeights[$0 / glyphs.sampleColumns] }.reduce(0, +)
        let whole = glyphs.sampleHeights.reduce(0, +) * glyphs.sampleColumns
        ink += Double(covered) / Double(whole) / 64
      }
      let brightness = Double(gray) / 255
      #expect(abs(ink - (isLight ? 1 - brightness : brightness)) < 0.04, "gray \(gray)")
    }
  }

  @Test func `without colors the faint lines of a drawing are visible`() throws {
    // A line in the left half of every fourth cell.
    let drawing = Bitmap(width: 32, height: 8) { x, _ in
      x % 8 == 0 ? RGB(180, 180, 180) : RGB(200, 200, 200)
    }

    let screen = try drawn(.filled(columns: 16, rows: 4), glyphs: .quadrant, depth: .none) { _ in
      .picture(Mipmap(drawing))
    }

    for row in 0..<4 {
      for column in stride(from: 0, to: 16, by: 4) {
        #expect(screen[column, row].text == "▐", "column \(column), row \(row)")
      }
    }
  }

  @Test(arguments: GlyphSet.allCases)
  func `without colours no SGR codes are sent`(glyphs: GlyphSet) {
    var renderer = CellRenderer(glyphs: glyphs, depth: .none)
    var scene = Scene.filled(columns: 6, rows: 2, opacity: 0.6)
    scene.ring = Scene.Ring(tile: PixelRect(x: 20, y: 10, width: 20, height: 20), opacity: 1)
    scene.labels = [
      Scene.Label(text: "abc", frame: PixelRect(x: 0, y: 20, width: 40, height: 20), opacity: 1)
    ]
    var bytes: [UInt8] = []

    renderer.frame(
      for: scene, metrics: .standard, content: { _ in .failed("words") }, into: &bytes)
    bytes += renderer.text(of: scene, metrics: .standard) { _ in .waiting(nil) }

    #expect(!bytes.isEmpty)
    #expect(!String(decoding: bytes, as: UTF8.self).contains(/\e\[[0-9;]*m/))
  }

  @Test func `ASCII without colours uses a ramp of characters from empty to dense`() throws {
    let picture = Bitmap(width: 10, height: 1) { x, _ in
      RGB(UInt8(x * 255 / 9), UInt8(x * 255 / 9), UInt8(x * 255 / 9))
    }

    let screen = try drawn(.filled(columns: 10, rows: 1), glyphs: .ascii, depth: .none) { _ in
      .picture(Mipmap(picture))
    }

    #expect((0..<10).map { screen[$0, 0].text }.joined() == " .:-=+*#%@")
  }

  @Test func `ASCII with colours fills each cell with its mean colour`() throws {
    let picture = Bitmap(width: 1, height: 2) { _, y in RGB(UInt8(y * 100), 50, 0) }

    let screen = try drawn(.filled(columns: 1, rows: 1), glyphs: .ascii) { _ in
      .picture(Mipmap(picture))
    }

    #expect(screen[0, 0].look == TerminalScreen.Cell(text: " ", background: .rgb(RGB(50, 50, 0))))
  }

  private static func mean(
    of screen: TerminalScreen, glyphs: GlyphSet, _ value: (TerminalScreen.Color) -> Double
  ) throws -> Double {
    var sum = 0.0
    for row in 0..<screen.rows {
      for column in 0..<screen.columns {
        for color in try screen.samples(column, row, of: glyphs) { sum += value(color) }
      }
    }
    return sum / Double(screen.rows * screen.columns * glyphs.sampleCount)
  }

  private static func xterm(_ index: Int) -> RGB {
    if index >= 232 {
      let level = UInt8(8 + 10 * (index - 232))
      return RGB(level, level, level)
    }
    let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
    let cube = index - 16
    return RGB(levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6])
  }
}

extension RGB {
  fileprivate init(packed: UInt32) {
    self.init(UInt8(packed >> 16 & 255), UInt8(packed >> 8 & 255), UInt8(packed & 255))
  }
}
