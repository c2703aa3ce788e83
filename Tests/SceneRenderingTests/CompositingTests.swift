import Geometry
import Photos
import SceneModel
import Testing

@testable import SceneRendering

struct CompositingTests {
  /// Cells of 10 by 20 pixels.
  let metrics = CellMetrics.standard
  /// The color of photos.
  let gold = RGB(200, 160, 20)

  @Test(arguments: GlyphSet.blockSets)
  func `a tile aligned to quanta covers them exactly, and the rest keeps the terminal's colour`(
    glyphs: GlyphSet
  ) throws {
    // Half a row below the top, one and a half rows high.
    let scene = Scene(
      size: metrics.size(of: CellSize(columns: 4, rows: 3)),
      placements: [
        Placement(
          photo: Photo.ID(0), frame: PixelRect(x: 10, y: 10, width: 20, height: 30), crop: .unit)
      ])

    let screen = try drawn(scene, glyphs: glyphs) { _ in .waiting(gold) }

    for column in 0..<4 {
      let isInside = column == 1 || column == 2
      let blank = TerminalScreen.Cell(text: " ")
      let top = TerminalScreen.Cell(text: "▄", foreground: .rgb(gold))
      let middle = TerminalScreen.Cell(text: " ", background: .rgb(gold))
      #expect(screen[column, 0].look == (isInside ? top : blank).look)
      #expect(screen[column, 1].look == (isInside ? middle : blank).look)
      #expect(screen[column, 2].look == blank.look)
    }
  }

  @Test(arguments: GlyphSet.blockSets)
  func `the ring is one placementStep wide and does not cover its tile`(glyphs: GlyphSet) throws {
    let tile = PixelRect(x: 20, y: 30, width: 30, height: 30)
    let accent = RGB(1, 250, 3)
    let scene = Scene(
      size: metrics.size(of: CellSize(columns: 8, rows: 5)),
      placements: [Placement(photo: Photo.ID(0), frame: tile, crop: .unit)],
      ring: Scene.Ring(tile: tile, opacity: 1))

    let screen = try drawn(
      scene, glyphs: glyphs, appearance: Appearance(accent: accent)
    ) { _ in .waiting(gold) }

    let ring = PixelRect(x: 10, y: 20, width: 50, height: 50)
    for row in 0..<5 {
      for column in 0..<8 {
        let samples = try screen.samples(column, row, of: glyphs)
        for (sample, color) in samples.enumerated() {
          let place = middle(of: sample, column: column, row: row, glyphs)
          let expected: TerminalScreen.Color =
            tile.contains(place) ? .rgb(gold) : ring.contains(place) ? .rgb(accent) : .standard
          #expect(color == expected, "sample \(sample) of cell \(column), \(row)")
        }
      }
    }
  }

  @Test func `the ring of a tile whose photo is open is empty inside`() throws {
    let scene = Scene(
      size: metrics.size(of: CellSize(columns: 5, rows: 3)),
      ring: Scene.Ring(tile: PixelRect(x: 20, y: 20, width: 10, height: 20), opacity: 1))

    let screen = try drawn(scene, appearance: Appearance(accent: gold)) { _ in .waiting(nil) }

    #expect(screen[1, 1].look.background == .rgb(gold))
    #expect(screen[2, 1].look == TerminalScreen.Cell(text: " "))
  }

  @Test func `a raised ring lies over a photo that crosses it, and not over its own`() throws {
    let tile = PixelRect(x: 20, y: 40, width: 20, height: 20)
    let accent = RGB(1, 250, 3)
    let scene = Scene(
      size: metrics.size(of: CellSize(columns: 6, rows: 5)),
      placements: [
        Placement(
          photo: Photo.ID(0), frame: PixelRect(x: 0, y: 0, width: 60, height: 100), crop: .unit),
        Placement(photo: Photo.ID(1), frame: tile, crop: .unit),
      ],
      ring: Scene.Ring(tile: tile, opacity: 1, isRaised: true))

    let screen = try drawn(scene, appearance: Appearance(accent: accent)) {
      .waiting($0.photo == Photo.ID(0) ? gold : RGB(9, 9, 200))
    }

    #expect(screen[1, 2].background == .rgb(accent) && screen[4, 2].background == .rgb(accent))
    #expect(screen[2, 2].background == .rgb(RGB(9, 9, 200)))
    #expect(screen[0, 2].background == .rgb(gold))
  }

  @Test func `a photo that crosses a ring covers it`() throws {
    let tile = PixelRect(x: 20, y: 40, width: 20, height: 20)
    let scene = Scene(
      size: metrics.size(of: CellSize(columns: 6, rows: 5)),
      placements: [
        Placement(
          photo: Photo.ID(0), frame: PixelRect(x: 0, y: 0, width: 60, height: 100), crop: .unit)
      ],
      ring: Scene.Ring(tile: tile, opacity: 1))

    let screen = try drawn(scene) { _ in .waiting(gold) }

    #expect(screen.cells.allSatisfy { $0.background == .rgb(gold) && $0.text == " " })
  }

  @Test func `placements in front cover those behind according to their opacity`() throws {
    var scene = Scene.filled(columns: 2, rows: 1)
    scene.placements.append(
      Placement(
        photo: Photo.ID(1), frame: PixelRect(x: 10, y: 0, width: 10, height: 20), crop: .unit,
        opacity: 0.25))

    let screen = try drawn(scene) { .waiting($0.photo.index == 0 ? RGB(100, 0, 200) : .black) }

    #expect(screen[0, 0].background == .rgb(RGB(100, 0, 200)))
    #expect(screen[1, 0].background == .rgb(RGB(75, 0, 150)))
  }

  @Test(arguments: [
    (nil, RGB(100, 200, 0)), (RGB(255, 255, 255), RGB(178, 228, 128)),
  ])
  func `fades blend with the terminal's background; over an unknown one colors stay as they are`(
    background: RGB?, expected: RGB
  ) throws {
    let screen = try drawn(
      .filled(columns: 1, rows: 1, opacity: 0.5), appearance: Appearance(background: background)
    ) { _ in .waiting(RGB(100, 200, 0)) }

    #expect(screen[0, 0].background == .rgb(expected))
  }

  @Test func `transparent parts of a photo show the terminal's own colour`() throws {
    // The upper half is transparent, the lower half half-opaque and premultiplied.
    let picture = Bitmap(
      width: 1, height: 2, pixels: [0, 0, 0, 0, 100, 50, 0, 128], isOpaque: false)

    let screen = try drawn(
      .filled(columns: 1, rows: 1), appearance: Appearance(background: RGB(0, 0, 255))
    ) { _ in .picture(Mipmap(picture)) }

    #expect(screen[0, 0].text == "▄")
    #expect(screen[0, 0].background == .standard)
    #expect(screen[0, 0].foreground == .rgb(RGB(100, 50, 127)))
  }

  @Test(arguments: [
    PixelRect(x: .nan, y: 0, width: 10, height: 10),
    PixelRect(x: 0, y: 0, width: .infinity, height: 10),
    PixelRect(x: -.infinity, y: -.infinity, width: .infinity, height: .infinity),
    PixelRect(x: 0, y: 0, width: -10, height: -10),
    PixelRect(x: 0, y: 0, width: 0, height: 0),
    PixelRect(x: 1e300, y: -1e300, width: 1e300, height: 1e300),
    PixelRect(x: 5, y: 5, width: 1e-300, height: 1e-300),
    PixelRect(x: -1e8, y: -1e8, width: 2e8, height: 2e8),
  ])
  func `invalid and extreme frames and crops are drawn without a fault`(odd: PixelRect) throws {
    let picture = Mipmap(Bitmap(width: 7, height: 3) { _, _ in gold })
    for content in [TileContent.picture(picture), .waiting(nil), .failed("no such file")] {
      var scene = Scene.filled(columns: 3, rows: 2)
      scene.placements[0].frame = odd
      scene.ring = Scene.Ring(tile: odd, opacity: .nan)
      scene.labels = [Scene.Label(text: "odd", frame: odd, opacity: 2)]
      let framed = try drawn(scene, glyphs: .octant) { _ in content }
      scene = .filled(columns: 3, rows: 2)
      scene.placements[0].crop = odd
      let cropped = try drawn(scene, glyphs: .sextant) { _ in content }

      #expect(framed.cells.allSatisfy { $0.text != "?" })
      #expect(cropped.cells.allSatisfy { $0.text != "?" })
    }
  }

  private func middle(
    of sample: Int, column: Int, row: Int, _ glyphs: GlyphSet
  ) -> PixelPoint {
    let units = glyphs.pixelRows.count
    let (part, side) = sample.quotientAndRemainder(dividingBy: glyphs.sampleColumns)
    let lines = glyphs.pixelRows.indices.filter { glyphs.pixelRows[$0] == part }
    let middle = Double(lines.reduce(0, +)) / Double(lines.count) + 0.5
    return PixelPoint(
      x: (Double(column) + (Double(side) + 0.5) / Double(glyphs.sampleColumns)) * 10,
      y: (Double(row) + middle / Double(units)) * 20)
  }
}
