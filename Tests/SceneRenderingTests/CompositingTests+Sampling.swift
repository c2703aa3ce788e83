import Geometry
import Photos
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

/// Sampling: which part of a photo each sample of the screen shows.
extension CompositingTests {
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

  @Test(arguments: [3.9, 4, 7, 14])
  func `pixels of a complete picture are squares if it is enlarged four times or more`(
    scale: Double
  ) throws {
    let seed: UInt64 = 44
    var random = SeededGenerator(seed: seed)
    let bitmap = Bitmap(width: 16, height: 9) { _, _ in random.color() }
    let (width, height) = (Int((16 * scale).rounded()), Int((9 * scale).rounded()))
    for isComplete in [true, false] {
      var picture = Mipmap(bitmap)
      picture.isComplete = isComplete
      var scaling = try #require(
        PictureScaling(picture, region: .unit, width: width, height: height))
      scaling.advance(pixels: .max)
      var mixed = 0
      for y in 0..<height {
        for x in 0..<width {
          let column = Int((Double(x) + 0.5) * 16 / Double(width))
          let row = Int((Double(y) + 0.5) * 9 / Double(height))
          let source = (row * 16 + column) * 4
          let at = (y * width + x) * 4
          if scaling.raster.pixels[at..<at + 4] != bitmap.pixels[source..<source + 4] { mixed += 1 }
        }
      }
      #expect((mixed == 0) == (isComplete && scale >= 4), "\(mixed) of \(width * height)")
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
