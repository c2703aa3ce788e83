import Geometry
import Photos
import PseudoTerminal
import SceneModel
import SceneRendering
import TestSupport
import Testing

struct ITermRendererTests {
  init() { UTF8Locale.use() }

  /// A terminal, and an encoder whose files are just the pixels.
  private struct Desk {
    var terminal: PixelTerminal
    /// The pending encodings.
    var orders: [PictureEncoding] = []

    init(columns: Int = 24, rows: Int = 10, background: RGB? = nil) {
      let traits = PictureTraits(
        appearance: Appearance(background: background), glyphs: .half)
      terminal = PixelTerminal(ITermRenderer(traits), columns: columns, rows: rows)
    }

    /// Draws one frame of a scene, and collects the encodings that it requests.
    mutating func draw(_ scene: Scene, content: (Placement) -> TileContent) {
      terminal.drawImageFrame(scene, content: content)
      orders += terminal.renderer.takeEncodings()
    }

    /// Completes the oldest pending encoding.
    mutating func answer(with file: [UInt8]?) {
      terminal.renderer.receive(file: file, of: orders.removeFirst().id)
    }

    /// Draws frames of a scene until it is complete.
    mutating func show(
      _ scene: Scene, sourceLocation: SourceLocation = #_sourceLocation,
      content: (Placement) -> TileContent
    ) {
      for _ in 0..<200 {
        draw(scene, content: content)
        if orders.isEmpty, !terminal.renderer.isUnfinished { break }
        while let order = orders.first { answer(with: Self.file(of: order.bitmap)) }
      }
      #expect(terminal.screen.canvas?.faults == [], sourceLocation: sourceLocation)
    }

    /// A file in a format for these tests: the width and the pixels.
    static func file(of bitmap: Bitmap) -> [UInt8] {
      [UInt8(bitmap.width & 255), UInt8(bitmap.width >> 8)] + bitmap.pixels
    }
  }

  private static func color(_ index: Int) -> RGB {
    RGB(UInt8(index * 50), UInt8(255 - index * 50), UInt8(index * 31 & 255))
  }

  private static func flat(_ placement: Placement) -> TileContent {
    .waiting(color(placement.photo.index))
  }

  @Test func `every pixel has the colour that the scene has there`() {
    var desk = Desk()
    let scene = desk.terminal.scene([
      PixelTerminal.tile(0, 3, 3, 31, 31), PixelTerminal.tile(1, 37, 3, 31, 61),
      PixelTerminal.tile(2, 71, 13, 40, 31),
    ])

    desk.show(scene, content: Self.flat)

    let canvas = desk.terminal.canvas
    for y in 0..<100 {
      for x in 0..<120 {
        let point = PixelPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)
        let tile = scene.placements.first { $0.frame.contains(point) }
        #expect(canvas[x, y] == tile.map { pixel(Self.color($0.photo.index)) } ?? 0)
      }
    }
  }

  @Test(arguments: [(40, 30), (41, 30), (40, 31), (53, 30), (90, 30)])
  func `a picture that was decoded for its tile is shown unscaled`(width: Int, height: Int) {
    let seed: UInt64 = 12
    var random = SeededGenerator(seed: seed)
    var desk = Desk()
    let photo = Bitmap(width: width, height: height) { _, _ in random.color() }
    var tile = PixelTerminal.tile(0, 10, 20, 40, 30)
    tile.crop = .fillCrop(of: photo.size, in: tile.frame.size)

    desk.show(desk.terminal.scene([tile])) { _ in .picture(Mipmap(photo)) }

    // What the tile shows is found pixel by pixel somewhere in the photo.
    let canvas = desk.terminal.canvas
    let isThere = (0...height - 30).contains { top in
      (0...width - 40).contains { left in
        (0..<30 * 40).allSatisfy { place in
          let (x, y) = (place % 40, place / 40)
          let at = ((top + y) * width + left + x) * 4
          return canvas[10 + x, 20 + y]
            == pixel(RGB(photo.pixels[at], photo.pixels[at + 1], photo.pixels[at + 2]))
        }
      }
    }
    #expect(isThere, "seed \(seed)")
  }

  @Test func `only changed areas are encoded, and are shown when their files are ready`() {
    var desk = Desk()
    let scene = desk.terminal.scene([
      PixelTerminal.tile(0, 5, 10, 30, 30), PixelTerminal.tile(1, 50, 10, 30, 30),
    ])
    desk.show(scene, content: Self.flat)
    let before = desk.terminal.canvas
    func content(_ placement: Placement) -> TileContent {
      placement.photo.index == 1 ? .waiting(RGB(1, 2, 3)) : Self.flat(placement)
    }

    desk.draw(scene, content: content)

    #expect(desk.orders.count == 1)
    #expect(desk.orders.first?.bitmap.width == 30 && desk.orders.first?.bitmap.height == 30)
    #expect(desk.terminal.canvas.pixels == before.pixels)
    #expect(!desk.terminal.renderer.isUnfinished)
    desk.answer(with: Desk.file(of: desk.orders[0].bitmap))
    desk.draw(scene, content: content)
    #expect(desk.terminal.canvas[60, 20] == pixel(RGB(1, 2, 3)))
    #expect(desk.orders.isEmpty)
  }

  @Test func `a file that arrives too late is not shown`() {
    var desk = Desk()
    let scene = desk.terminal.scene([PixelTerminal.tile(0, 5, 10, 30, 30)])
    desk.draw(scene) { _ in .waiting(RGB(255, 0, 0)) }
    desk.draw(scene) { _ in .waiting(RGB(255, 0, 0)) }
    let late = desk.orders
    desk.orders = []

    desk.draw(scene) { _ in .waiting(RGB(0, 255, 0)) }
    for order in late {
      desk.terminal.renderer.receive(file: Desk.file(of: order.bitmap), of: order.id)
    }
    desk.draw(scene) { _ in .waiting(RGB(0, 255, 0)) }

    #expect(!late.isEmpty)
    #expect(desk.terminal.canvas.pixels.allSatisfy { $0 == 0 })
    desk.show(scene) { _ in .waiting(RGB(0, 255, 0)) }
    #expect(desk.terminal.canvas[20, 20] == pixel(RGB(0, 255, 0)))
  }

  @Test func `moving scenes are drawn with cells, and pending files are discarded`() {
    var desk = Desk()
    var scene = desk.terminal.scene([PixelTerminal.tile(0, 5, 10, 30, 30)])
    desk.show(scene, content: Self.flat)
    desk.draw(scene) { _ in .waiting(RGB(9, 9, 9)) }
    let late = desk.orders
    desk.orders = []

    scene.isMoving = true
    desk.draw(scene) { _ in .waiting(RGB(9, 9, 9)) }
    for order in late {
      desk.terminal.renderer.receive(file: Desk.file(of: order.bitmap), of: order.id)
    }
    desk.draw(scene) { _ in .waiting(RGB(9, 9, 9)) }

    #expect(desk.orders.isEmpty)
    #expect(desk.terminal.canvas.pixels.allSatisfy { $0 == 0 })
    scene.isMoving = false
    desk.show(scene) { _ in .waiting(RGB(9, 9, 9)) }
    #expect(desk.terminal.canvas[20, 20] == pixel(RGB(9, 9, 9)))
  }

  @Test func `photos become JPEGs, and small pieces or pieces with open edges become PNGs`() {
    func formats(of tile: Placement, background: RGB?) -> Set<PictureEncoding.Format> {
      var desk = Desk(columns: 80, rows: 40, background: background)
      for _ in 0..<3 { desk.draw(desk.terminal.scene([tile]), content: Self.flat) }
      return Set(desk.orders.map(\.format))
    }

    // Aligned to cells, or not.
    #expect(formats(of: PixelTerminal.tile(0, 5, 10, 300, 300), background: nil) == [.jpeg])
    #expect(formats(of: PixelTerminal.tile(0, 6, 11, 300, 300), background: nil) == [.png])
    #expect(formats(of: PixelTerminal.tile(0, 6, 11, 300, 300), background: .black) == [.jpeg])
    #expect(formats(of: PixelTerminal.tile(0, 5, 10, 20, 20), background: nil) == [.png])
  }

  @Test func `at most four pieces are pending, and none exceeds the length of a sequence`() {
    let seed: UInt64 = 6
    var random = SeededGenerator(seed: seed)
    var desk = Desk(columns: 240, rows: 100)
    let noise = Bitmap(width: 1200, height: 1000) { _, _ in random.color() }
    let scene = desk.terminal.scene([PixelTerminal.tile(0, 1, 1, 1198, 998)])
    let content = TileContent.picture(Mipmap(noise))
    var most = 0
    for _ in 0..<100 {
      desk.draw(scene) { _ in content }
      most = max(most, desk.orders.count)
      guard let order = desk.orders.first else { continue }
      desk.answer(with: Desk.file(of: order.bitmap))
    }

    #expect(most == 4)
    #expect(desk.orders.isEmpty && desk.terminal.screen.canvas?.faults == [], "seed \(seed)")
    #expect(desk.terminal.canvas[600, 500] != 0 && desk.terminal.canvas[1198, 998] != 0)
  }

  @Test func `if no files can be encoded, cells are drawn instead`() {
    var desk = Desk()
    let scene = desk.terminal.scene([PixelTerminal.tile(1, 5, 10, 30, 30)])
    for _ in 0..<10 {
      desk.draw(scene, content: Self.flat)
      while !desk.orders.isEmpty { desk.answer(with: nil) }
    }

    #expect(desk.terminal.renderer.failure == "cannot write temporary files")
    #expect(desk.orders.isEmpty && !desk.terminal.renderer.isUnfinished)
    #expect(desk.terminal.screen[3, 2].background == 0x32CD1F)
  }

  @Test func `a single failure is retried`() {
    var desk = Desk()
    let scene = desk.terminal.scene([PixelTerminal.tile(1, 5, 10, 30, 30)])
    for _ in 0..<3 { desk.draw(scene, content: Self.flat) }
    desk.answer(with: nil)

    desk.show(scene, content: Self.flat)

    #expect(desk.terminal.renderer.failure == nil)
    #expect(desk.terminal.canvas[20, 20] == pixel(Self.color(1)))
  }
}

extension PixelTerminal {
  /// Draws one frame, and then the inline images in it, whose files are a width and pixels.
  mutating func drawImageFrame(_ scene: Scene, content: (Placement) -> TileContent) {
    drawFrame(scene, content: content)
    for image in takeInlineImages() {
      let width = Int(image.file[0]) | Int(image.file[1]) << 8
      let pixels = stride(from: 2, to: image.file.count, by: 4).map { place -> UInt32 in
        image.file[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
      }
      #expect(width == image.columns * 5 && pixels.count == width * image.rows * 10)
      draw(pixels, width: width, column: image.column, row: image.row)
    }
  }
}
