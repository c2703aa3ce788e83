import Foundation
import Geometry
import PhotoGridCore
import Photos
import SceneModel
import SceneRendering

/// Measures the frames of a drag of the scrubber from end to end of 100,000 photos and back: browser,
/// scene and output.
enum ScrubBenchmark {
  private static let count = 100_000
  private static let runs = 3
  /// The frames of a drag in one direction, a 60th of a second each.
  private static let steps = 180

  /// Prints the processor time and the bytes of the frames by cells and by kitty's protocol, and how
  /// many of them had a tile with nothing in it.
  static func run(_ arguments: [String]) throws {
    guard arguments.isEmpty else { throw UsageError(message: "takes no arguments") }
    print("\(count) photos by month at 200x60, \(runs) runs of \(2 * steps) frames: CPU")
    print("output      budget ms  median ms   p99 ms   median bytes   frames with an empty tile")
    for glyphs in [GlyphSet.half, .quadrant, .sextant, .octant] {
      var renderer = CellRenderer(glyphs: glyphs, depth: .full)
      var metrics = CellMetrics.standard
      metrics.samplesPerPixel = renderer.samplesPerPixel(cell: metrics.cell)
      var bytes: [UInt8] = []
      report(glyphs.rawValue, budget: 4, metrics) { scene, metrics, content in
        bytes.removeAll(keepingCapacity: true)
        renderer.frame(for: scene, metrics: metrics, content: content, into: &bytes)
        return bytes.count
      }
    }
    reportKitty()
  }

  private static func reportKitty() {
    var metrics = CellMetrics(cell: PixelSize(width: 10, height: 20))
    metrics.placementUnit = .pixels
    let firstID: UInt32 = 1000
    var renderer = KittyRenderer(
      PictureTraits(kittyMedium: .sharedMemory, appearance: Appearance(background: .black)),
      firstID: firstID
    ) { _, _ in Array("/name".utf8) }
    renderer.handle(graphicsReply: "Gi=\(firstID + 1);OK")
    var bytes = FrameBytes()
    report("kitty", budget: 1, metrics) { scene, metrics, content in
      bytes.removeAll()
      renderer.frame(for: scene, metrics: metrics, content: content, into: &bytes)
      return bytes.uploads.count + bytes.picture.count
    }
  }

  /// Draws a scene, and returns the number of bytes.
  private typealias Draw = (Scene, CellMetrics, (Placement) -> TileContent) -> Int

  private static func report(
    _ name: String, budget: Double, _ metrics: CellMetrics, _ draw: Draw
  ) {
    var (milliseconds, counts) = ([Double](), [Double]())
    var emptyCount = 0
    for run in 0..<runs {
      var now = Instant(seconds: Double(run * 100 + 1))
      var browser = browser(metrics, at: &now)
      let height = browser.viewport.pictureArea.height
      for step in -steps...steps {
        now = now.advanced(bySeconds: 1.0 / 60)
        let share = 1 - abs(Double(step)) / Double(steps)
        let kind = step == -steps ? MouseEvent.Kind.pressed(.left) : .dragged(.left)
        // The first row is that of a heading.
        let top = metrics.cell.height
        let pointer = PixelPoint(
          x: browser.viewport.pictureArea.width - 1, y: top + share * (height - top - 1))
        let start = processorSeconds()
        _ = browser.handle(.mouse(MouseEvent(kind, at: pointer)), at: now)
        let scene = browser.scene(at: now)
        let byteCount = draw(scene, metrics, content)
        // The first frame draws the screen before anything moves.
        guard step > -steps else { continue }
        milliseconds.append((processorSeconds() - start) * 1000)
        counts.append(Double(byteCount))
        if hasEmptyTile(browser, scene, at: now) { emptyCount += 1 }
      }
    }
    print(
      name.padding(toLength: 10, withPad: " ", startingAt: 0),
      String(
        format: "%10.1f %10.2f %8.2f %14d %20d of %d", budget, milliseconds.median,
        milliseconds.percentile(99), Int(counts.median), emptyCount, counts.count))
  }

  /// Whether a tile in sight has no placement.
  private static func hasEmptyTile(_ browser: Browser, _ scene: Scene, at now: Instant) -> Bool {
    let drawn = Set(scene.placements.map(\.photo))
    return browser.visibleTiles(at: now).contains { !drawn.contains($0) }
  }

  private static let pictures = (0..<12).map {
    Mipmap(SyntheticPhoto.bitmap(width: 264, height: 198, seed: UInt64($0) + 2))
  }

  /// What is cached while somebody scrubs: the pictures of a third of the photos, the average
  /// colors of another, nothing of the rest.
  private static func content(of placement: Placement) -> TileContent {
    let number = placement.photo.index
    switch number % 3 {
    case 0: return .picture(pictures[number % pictures.count])
    case 1: return .waiting(RGB(UInt8(number & 255), 90, 60))
    default: return .waiting(nil)
    }
  }

  /// Returns a browser with all photos, in sections by month over ten years.
  private static func browser(_ metrics: CellMetrics, at now: inout Instant) -> Browser {
    var browser = Browser(
      options: Browser.Options(), grouping: .month, cells: CellSize(columns: 200, rows: 60),
      metrics: metrics)
    let photos = (0..<count).map { Photo.ID($0) }
    let facts = photos.map { photo in
      var facts = PackedInfo()
      facts.isKnown = true
      facts.hasMetadata = true
      let day = photo.index * 3600 / count
      facts.takenBits = Int64(2010 + day / 360) * 10_000_000_000
      facts.takenBits += Int64(day % 360 / 30 + 1) * 100_000_000
      facts.takenBits += Int64(day % 30 + 1) * 1_000_000 + 120_000
      (facts.width, facts.height, facts.format) = (4000, 3000, .jpeg)
      return facts
    }
    for event in [
      Event.filesRead(photos, InfoBlock(facts, TextPools()), isRecorded: true), .found(photos),
      .listed(ListingNotes()),
    ] { _ = browser.handle(event, at: now) }
    now = now.advanced(bySeconds: 10)
    _ = browser.handle(.tick, at: now)
    return browser
  }
}
