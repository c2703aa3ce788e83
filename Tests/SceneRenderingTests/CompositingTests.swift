import PhotoGridCore
import TestSupport
import Testing

@testable import SceneRendering

struct CompositingTests {
  private let metrics = CellMetrics.standard
  private let gold = RGB(200, 160, 20)

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
  func `the ring is one quantum wide and does not cover its tile`(glyphs: GlyphSet) throws {
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
    (nil, RGB(50, 100, 0)), (RGB(255, 255, 255), RGB(178, 228, 128)),
  ])
  func `fades blend with the terminal's background, or with black if it is unknown`(
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

  @Test func `a sample at rest is the mean of the photo under it`() throws {
    let seed: UInt64 = 99
    var random = SeededGenerator(seed: seed)
    let picture = Bitmap(width: 37, height: 53) { _, _ in random.color() }
    let (columns, rows) = (5, 3)

    let screen = try drawn(.filled(columns: columns, rows: rows)) { _ in .picture(Mipmap(picture)) }

    for row in 0..<rows * 2 {
      for column in 0..<columns {
        let color = try screen.samples(column, row / 2, of: .half)[row % 2]
        let mean = Self.mean(
          of: picture, x: Double(column) * 37 / 5...Double(column + 1) * 37 / 5,
          y: Double(row) * 53 / 6...Double(row + 1) * 53 / 6)
        guard case .rgb(let rgb) = color else {
          Issue.record("a covered sample has no colour, seed \(seed)")
          continue
        }
        #expect(abs(Double(rgb.red) - mean.x) < 0.52, "seed \(seed)")
        #expect(abs(Double(rgb.green) - mean.y) < 0.52, "seed \(seed)")
        #expect(abs(Double(rgb.blue) - mean.z) < 0.52, "seed \(seed)")
      }
    }
  }

  @Test func `a crop shows only its part of the photo`() throws {
    let picture = Bitmap(width: 40, height: 40) { x, y in
      x >= 20 && y >= 20 ? RGB(9, 90, 190) : RGB(255, 255, 255)
    }
    var scene = Scene.filled(columns: 3, rows: 2)
    scene.placements[0].crop = PixelRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5)

    let screen = try drawn(scene, glyphs: .quadrant) { _ in .picture(Mipmap(picture)) }

    #expect(screen.cells.allSatisfy { $0.text == " " && $0.background == .rgb(RGB(9, 90, 190)) })
  }

  @Test(arguments: [0.3, 1, 4])
  func `the colours of a moving photo follow its position without a jump`(zoom: Double) throws {
    // A gradient with a step of 2 per pixel, enlarged and reduced.
    let picture = Mipmap(
      Bitmap(width: 120, height: 120) { x, y in RGB(UInt8(2 * x), UInt8(2 * y), 128) })
    var last: [TerminalScreen.Color]?
    for step in 0..<40 {
      let shift = Double(step) * 0.25
      let frame = PixelRect(
        x: -60 + shift, y: -60 + shift, width: 120 / zoom + 100, height: 120 / zoom + 100)
      let scene = Scene(
        size: metrics.size(of: CellSize(columns: 2, rows: 1)),
        placements: [Placement(photo: Photo.ID(0), frame: frame, crop: .unit)], isMoving: true)

      let screen = try drawn(scene) { _ in .picture(picture) }
      let colors = try (0..<2).flatMap { try screen.samples($0, 0, of: .half) }

      for (before, now) in zip(last ?? [], colors) {
        guard case .rgb(let before) = before, case .rgb(let now) = now else {
          Issue.record("a covered sample has no colour")
          continue
        }
        // The gradient's step times the distance in the picture's pixels, plus rounding.
        let limit = 2 * 0.25 * 120 / (120 / zoom + 100) + 1.01
        #expect(abs(Double(before.red) - Double(now.red)) <= limit)
        #expect(abs(Double(before.green) - Double(now.green)) <= limit)
      }
      last = colors
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `colours are interpolated linearly between the pixels of a small photo`(
    isMoving: Bool, isUpright: Bool
  ) throws {
    let picture = Bitmap(width: isUpright ? 1 : 2, height: isUpright ? 2 : 1) { x, y in
      RGB(UInt8((x + y) * 160), 0, 0)
    }
    var scene = Scene.filled(columns: isUpright ? 1 : 8, rows: isUpright ? 4 : 1)
    scene.isMoving = isMoving

    let screen = try drawn(scene) { _ in .picture(Mipmap(picture)) }

    let colors = try (0..<8).map { index in
      isUpright
        ? try screen.samples(0, index / 2, of: .half)[index % 2]
        : try screen.samples(index, 0, of: .half)[0]
    }
    // A pixel is four samples long, its middle between the second and the third.
    let reds: [UInt8] = [0, 0, 20, 60, 100, 140, 160, 160]
    #expect(colors == reds.map { .rgb(RGB($0, 0, 0)) })
  }

  @Test func `a photo that reaches far beyond the screen shows the part that is inside`() throws {
    let picture = Bitmap(width: 1000, height: 500) { x, _ in x < 500 ? gold : .black }
    let scene = Scene(
      size: metrics.size(of: CellSize(columns: 4, rows: 2)),
      placements: [
        Placement(
          photo: Photo.ID(0), frame: PixelRect(x: -9980, y: -3000, width: 20_000, height: 10_000),
          crop: .unit)
      ])

    let screen = try drawn(scene) { _ in .picture(Mipmap(picture)) }

    // One pixel of the photo is two cells wide; its middle boundary is at 20 pixels.
    #expect(screen[0, 0].background == .rgb(gold))
    #expect(screen[3, 0].background == .rgb(.black))
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

  private static func mean(
    of picture: Bitmap, x: ClosedRange<Double>, y: ClosedRange<Double>
  ) -> SIMD3<Double> {
    var (sum, area) = (SIMD3<Double>.zero, 0.0)
    for row in 0..<picture.height {
      let height = min(y.upperBound, Double(row + 1)) - max(y.lowerBound, Double(row))
      for column in 0..<picture.width where height > 0 {
        let width = min(x.upperBound, Double(column + 1)) - max(x.lowerBound, Double(column))
        guard width > 0 else { continue }
        let at = (row * picture.width + column) * 4
        let color = SIMD3(
          Double(picture.pixels[at]), Double(picture.pixels[at + 1]),
          Double(picture.pixels[at + 2]))
        sum += color * width * height
        area += width * height
      }
    }
    return sum / area
  }
}
