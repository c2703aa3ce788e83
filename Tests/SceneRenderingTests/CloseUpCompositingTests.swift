import Geometry
import PhotoGridCore
import Photos
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

/// A zoomed photo drawn from the picture of the whole and a region.
struct CloseUpCompositingTests {
  private static let photo: Bitmap = {
    var random = SeededGenerator(seed: 8)
    return Bitmap(width: 420, height: 310) { x, y in
      RGB(
        UInt8((x * 7 + .random(in: 0..<60, using: &random)) % 256), UInt8((y * 5) % 256),
        UInt8((x + y * 3 + .random(in: 0..<60, using: &random)) % 256))
    }
  }()

  @Test(arguments: GlyphSet.blockSets)
  func `a full-resolution region gives the samples of a full-resolution picture, without a seam`(
    glyphs: GlyphSet
  ) throws {
    let whole = Mipmap(Self.photo)
    for seed in 1...12 {
      var random = SeededGenerator(seed: UInt64(seed))
      let (browser, now) = Self.zoomed(&random)
      let width = Int.random(in: 20...300, using: &random)
      let height = Int.random(in: 20...250, using: &random)
      let region = PhotoRegion(
        x: .random(in: 0...(420 - width), using: &random),
        y: .random(in: 0...(310 - height), using: &random), width: width, height: height)
      let part = Mipmap(Self.photo.cut(region))

      let expected = Self.samples(of: browser.scene(at: now), glyphs) { _ in .picture(whole) }
      let scene = browser.scene(at: now, closeUp: { _ in CloseUp(region: region, isOpaque: true) })
      let drawn = Self.samples(of: scene, glyphs) {
        .picture($0.region == nil ? whole : part)
      }

      // Every sample of the photo is covered by the same color, except near the region's edges,
      // which cut the box under a sample.
      #expect(drawn.count == expected.count)
      let edges = scene.placements.last?.frame ?? .unit
      let grid = SampleGrid(.glyphs(glyphs), metrics: .standard, area: scene.size)
      for (index, (one, other)) in zip(drawn, expected).enumerated() {
        let (row, column) = index.quotientAndRemainder(dividingBy: grid.width)
        let x = (Double(column) + 0.5) * grid.sampleWidth
        let y = (grid.extent(ofRow: row).lowerBound + grid.extent(ofRow: row).upperBound) / 2
        let distance = [
          x - edges.minX, x - edges.maxX, y - edges.minY, y - edges.maxY,
        ].map(abs).min()
        let difference = one - other
        let largest = [difference.x, difference.y, difference.z].map(abs).max() ?? 0
        #expect(abs(difference.w) < 0.01, "seed \(seed)")
        #expect(largest < 1 || distance ?? 0 < 12, "seed \(seed) at \(x), \(y): \(difference)")
      }
    }
  }

  @Test(arguments: GlyphSet.blockSets)
  func `a region changes nothing outside of it`(glyphs: GlyphSet) throws {
    let coarse = Mipmap(Bitmap(width: 42, height: 31) { _, _ in RGB(9, 9, 9) })
    let sharp = Mipmap(Bitmap(width: 100, height: 80) { _, _ in RGB(200, 100, 50) })
    for seed in 1...12 {
      var random = SeededGenerator(seed: UInt64(seed))
      let (browser, now) = Self.zoomed(&random)
      let region = PhotoRegion(
        x: .random(in: 0...320, using: &random), y: .random(in: 0...230, using: &random),
        width: 100, height: 80)

      let scene = browser.scene(at: now, closeUp: { _ in CloseUp(region: region, isOpaque: true) })
      let drawn = Self.samples(of: scene, glyphs) { .picture($0.region == nil ? coarse : sharp) }

      // No mixture of the two, and nothing of the background.
      for sample in drawn where sample.w > 0 {
        let isWhole = (sample - SIMD4<Float>(9, 9, 9, 255)).isSmall
        let isPart = (sample - SIMD4<Float>(200, 100, 50, 255)).isSmall
        #expect(isWhole || isPart, "seed \(seed): \(sample)")
      }
    }
  }

  /// A browser of 16 by 8 cells in which the photo is zoomed to a random position.
  private static func zoomed(_ random: inout SeededGenerator) -> (Browser, Instant) {
    var now = Instant(seconds: 1)
    var browser = Browser(
      options: Browser.Options(), cells: CellSize(columns: 16, rows: 8), metrics: .standard)
    for event in [
      Event.found([Photo.ID(0)]), .filesRead([Photo.ID(0)], .measured(photo.size)),
      .listed(ListingNotes()),
      .key(.enter), .key(.character("=")),
    ] { _ = browser.handle(event, at: now) }
    now = now.advanced(bySeconds: 5)
    _ = browser.handle(.tick, at: now)
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let point = PixelPoint(
        x: .random(in: 0...160, using: &random), y: .random(in: 0...140, using: &random))
      _ = browser.handle(.mouse(MouseEvent(.wheel(.up), at: point)), at: now)
      now = now.advanced(bySeconds: 5)
      _ = browser.handle(.tick, at: now)
    }
    return (browser, now)
  }

  private static func samples(
    of scene: Scene, _ glyphs: GlyphSet, content: (Placement) -> TileContent
  ) -> [SIMD4<Float>] {
    var compositor = Compositor(.glyphs(glyphs), appearance: Appearance())
    compositor.prepare(scene, metrics: .standard, content: content)
    return (0..<compositor.grid.cells.rows).flatMap { row in
      compositor.paint(row: row)
      return compositor.band
    }
  }
}

extension SIMD4<Float> {
  fileprivate var isSmall: Bool { [x, y, z, w].allSatisfy { abs($0) < 0.01 } }
}

extension Bitmap {
  /// A part of the picture.
  fileprivate func cut(_ region: PhotoRegion) -> Bitmap {
    let rows = (region.y..<region.y + region.height).flatMap { y in
      let start = (y * width + region.x) * 4
      return pixels[start..<start + region.width * 4]
    }
    return Bitmap(width: region.width, height: region.height, pixels: rows, isOpaque: isOpaque)
  }
}
