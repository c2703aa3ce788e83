import PhotoGridCore
import TestSupport
import Testing

@testable import SceneRendering

struct ColorDepthTests {
  @Test func `256 colours are the nearest of the cube and the grays`() throws {
    let seed: UInt64 = 256
    var random = SeededGenerator(seed: seed)
    let colors = (0..<60).map { _ in random.color() } + [.black, RGB(255, 255, 255), RGB(8, 8, 8)]
    let picture = Bitmap(width: colors.count, height: 1) { x, _ in colors[x] }

    let screen = try drawn(.filled(columns: colors.count, rows: 1), depth: .palette256) { _ in
      .picture(Mipmap(picture))
    }

    for (column, color) in colors.enumerated() {
      guard case .index(let index) = screen[column, 0].background else {
        Issue.record("not an index, seed \(seed)")
        continue
      }
      let least = (16...255).map { Self.distance(color, Self.xterm($0)) }.min()
      #expect(Self.distance(color, Self.xterm(index)) == least, "seed \(seed), \(color)")
    }
  }

  @Test func `16 colours mix to the brightness of a photo`() throws {
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

  @Test func `16 colours keep to the basic SGR codes`() throws {
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
  func `without colours the share of ink is the brightness`(
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
        ink += Double((mask ?? 0).nonzeroBitCount) / Double(glyphs.sampleCount) / 64
      }
      let brightness = Double(gray) / 255
      #expect(abs(ink - (isLight ? 1 - brightness : brightness)) < 0.04, "gray \(gray)")
    }
  }

  @Test(arguments: GlyphSet.allCases)
  func `without colours nothing is said about colours`(glyphs: GlyphSet) {
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

  @Test func `ascii without colours is a ramp from no ink to the most`() throws {
    let picture = Bitmap(width: 10, height: 1) { x, _ in
      RGB(UInt8(x * 255 / 9), UInt8(x * 255 / 9), UInt8(x * 255 / 9))
    }

    let screen = try drawn(.filled(columns: 10, rows: 1), glyphs: .ascii, depth: .none) { _ in
      .picture(Mipmap(picture))
    }

    #expect((0..<10).map { screen[$0, 0].text }.joined() == " .:-=+*#%@")
  }

  @Test func `ascii with colours fills cells with their mean`() throws {
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

  private static func distance(_ left: RGB, _ right: RGB) -> Int {
    let red = Int(left.red) - Int(right.red)
    let green = Int(left.green) - Int(right.green)
    let blue = Int(left.blue) - Int(right.blue)
    return red * red + green * green + blue * blue
  }
}

extension RGB {
  fileprivate init(packed: UInt32) {
    self.init(UInt8(packed >> 16 & 255), UInt8(packed >> 8 & 255), UInt8(packed & 255))
  }
}
