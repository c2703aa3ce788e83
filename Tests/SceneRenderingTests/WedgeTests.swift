import Photos
import SceneModel
import Testing

@testable import SceneRendering

struct WedgeTests {
  private static let (red, blue) = (RGB(220, 30, 20), RGB(10, 40, 200))

  @Test(arguments: [
    (0, "\u{1FB3C}", "\u{1FB52}", 1), (4, "\u{1FB40}", "\u{1FB56}", 3),
    (5, "\u{1FB41}", "\u{1FB57}", 11), (10, "\u{1FB46}", "\u{1FB5C}", 6),
    (15, "\u{1FB4B}", "\u{1FB61}", 3), (19, "\u{1FB4F}", "\u{1FB65}", 8),
    (21, "\u{1FB51}", "\u{1FB67}", 6),
  ])
  func `wedges have the characters and the areas that Unicode shows`(
    index: Int, below: String, above: String, twelfths: Int
  ) {
    let wedge = Wedge.all[index]
    let share = wedge.share(ofColumns: 0...1, rows: 0...1)

    #expect(Wedge.scalar(index).map { String(Character($0)) } == below)
    #expect(Wedge.scalar(Wedge.inverse(of: index)).map { String(Character($0)) } == above)
    #expect(Wedge.inverse(of: Wedge.inverse(of: index)) == index)
    #expect(abs(Double(share) * 12 - Double(twelfths)) < 0.1)
  }

  @Test func `a picture of a wedge is drawn by that wedge or the one above its line`() throws {
    var missed: [Int] = []
    for wedge in Wedge.all {
      let cell = try Self.cell(.sextant) { x, y in Self.color(of: wedge, x, y) }
      let own = [wedge.index, Wedge.inverse(of: wedge.index)].compactMap { Wedge.scalar($0) }
      if !own.contains(where: { cell.text == String(Character($0)) }) { missed.append(wedge.index) }
    }
    #expect(missed.isEmpty)
  }

  @Test(arguments: [GlyphSet.sextant, .octant], [true, false])
  func `level and upright edges stay straight at every place`(glyphs: GlyphSet, isLevel: Bool)
    throws
  {
    for place in 0...24 {
      let cell = try Self.cell(glyphs) { x, y in
        (isLevel ? y / 2 : x) < place ? Self.red : Self.blue
      }
      #expect(!Self.isWedge(cell.text), "\(place) of 24")
    }
  }

  @Test(arguments: [GlyphSet.sextant, .octant], [0, 2, 5])
  func `a level horizon has no wedges, and one nearly so only where it leaves the row`(
    glyphs: GlyphSet, tilt: Int
  ) throws {
    for place in stride(from: 10, to: 58, by: 3) {
      // It rises by some hundredths of its length.
      let texts = try Self.row(glyphs) { x, y in
        let noise = (x &* 7919 &+ y &* 104_729) % 13
        let isSky = y * 100 < place * 100 - x * tilt
        return isSky
          ? RGB(UInt8(120 + noise), 160, 220) : RGB(30, UInt8(60 + noise), UInt8(20 + noise))
      }
      #expect(texts.count(where: Self.isWedge) <= (tilt == 0 ? 0 : 3), "\(place): \(texts)")
    }
  }

  @Test(arguments: [GlyphSet.sextant, .octant])
  func `a steady slope is drawn by wedges`(glyphs: GlyphSet) throws {
    let texts = try Self.row(glyphs) { x, y in x % 72 < y ? Self.red : Self.blue }
    #expect(texts.count(where: Self.isWedge) >= 15)
  }

  @Test func `wedges come when the picture stands still, and are the same as those drawn at once`()
    throws
  {
    var appearance = Appearance()
    appearance.hasWedges = true
    let picture = Mipmap(Bitmap(width: 24, height: 48) { x, y in x < y ? Self.red : Self.blue })
    var renderer = CellRenderer(glyphs: .sextant, depth: .full, appearance: appearance)
    var screen = TerminalScreen(columns: 1, rows: 1)
    func draw(isMoving: Bool) throws -> String {
      var scene = Scene.filled(columns: 1, rows: 1)
      scene.isMoving = isMoving
      var bytes: [UInt8] = []
      renderer.frame(
        for: scene, metrics: .standard, content: { _ in .picture(picture) }, into: &bytes)
      try screen.apply(bytes)
      return screen.cells[0].text
    }
    let first = try draw(isMoving: false)
    let isWedge = Self.isWedge(first)
    #expect(isWedge)
    renderer.invalidate()
    #expect(try !Self.isWedge(draw(isMoving: true)))
    #expect(try draw(isMoving: false) == first)
    #expect(try draw(isMoving: true) == first, "what stands still while others move stays")
  }

  @Test(arguments: [
    (GlyphSet.sextant, ColorDepth.full, false), (.octant, .full, false),
    (.half, .full, true), (.quadrant, .full, true),
    (.sextant, .palette256, true), (.octant, .palette16, true), (.octant, .none, true),
  ])
  func `there are no wedges in other terminals, other sets, and with few colours`(
    glyphs: GlyphSet, depth: ColorDepth, hasWedges: Bool
  ) throws {
    for wedge in Wedge.all {
      let cell = try Self.cell(glyphs, depth, hasWedges: hasWedges) { x, y in
        Self.color(of: wedge, x, y)
      }
      #expect(!Self.isWedge(cell.text))
    }
  }

  /// Returns the color of a pixel of a picture of a wedge.
  private static func color(of wedge: Wedge, _ x: Int, _ y: Int) -> RGB {
    let columns = Double(x) / 24...Double(x + 1) / 24
    let rows = Double(y) / 48...Double(y + 1) / 48
    return red.blended(over: blue, share: Double(wedge.share(ofColumns: columns, rows: rows)))
  }

  /// Returns the cell that shows a picture of 24 by 48 pixels.
  private static func cell(
    _ glyphs: GlyphSet, _ depth: ColorDepth = .full, hasWedges: Bool = true,
    color: @escaping (Int, Int) -> RGB
  ) throws -> TerminalScreen.Cell {
    var appearance = Appearance()
    appearance.hasWedges = hasWedges
    let picture = Mipmap(Bitmap(width: 24, height: 48, color: color))
    let screen = try drawn(
      .filled(columns: 1, rows: 1), glyphs: glyphs, depth: depth, appearance: appearance
    ) { _ in .picture(picture) }
    return screen.cells[0]
  }

  /// Returns the cells that show a picture of thirty cells of 24 by 48 pixels, in a row.
  private static func row(
    _ glyphs: GlyphSet, color: @escaping (Int, Int) -> RGB
  ) throws -> [String] {
    var appearance = Appearance()
    appearance.hasWedges = true
    let picture = Mipmap(Bitmap(width: 24 * 30, height: 48, color: color))
    let screen = try drawn(
      .filled(columns: 30, rows: 1), glyphs: glyphs, depth: .full, appearance: appearance
    ) { _ in .picture(picture) }
    return screen.cells.map(\.text)
  }

  private static func isWedge(_ text: String) -> Bool {
    text.unicodeScalars.contains { (0x1FB3C...0x1FB67).contains($0.value) }
  }
}
