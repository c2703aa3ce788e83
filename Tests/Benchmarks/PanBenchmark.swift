import Foundation
import Geometry
import PhotoGridCore
import Photos
import SceneModel
import SceneRendering

/// Measures frames while a zoomed photo is panned: browser, scene and cells.
enum PanBenchmark {
  private static let runs = 20
  private static let steps = 60

  /// Prints the time and bytes for every glyph set that draws blocks, with all of the visible part
  /// decoded, and with the edge of the decoded part crossing the screen.
  static func run(_ arguments: [String]) throws {
    guard arguments.isEmpty else { throw UsageError(message: "takes no arguments") }
    print("moving about at 100 % at 200x60, 24-bit color, \(runs) runs of \(steps) frames: CPU")
    print("glyphs      sharp: median ms   p99 ms    half sharp: median ms   p99 ms   bytes")
    for glyphs in GlyphSet.allCases where glyphs != .ascii {
      let whole = measure(glyphs, isHalfSharp: false)
      let half = measure(glyphs, isHalfSharp: true)
      print(
        glyphs.rawValue.padding(toLength: 10, withPad: " ", startingAt: 0),
        String(
          format: "%17.2f %8.2f %23.2f %8.2f %8d", whole.milliseconds.median,
          whole.milliseconds.percentile(99), half.milliseconds.median,
          half.milliseconds.percentile(99), Int(whole.bytes.median)))
    }
  }

  private static func measure(
    _ glyphs: GlyphSet, isHalfSharp: Bool
  ) -> (milliseconds: [Double], bytes: [Double]) {
    var renderer = CellRenderer(glyphs: glyphs, depth: .full)
    var metrics = CellMetrics.standard
    metrics.samplesPerPixel = renderer.samplesPerPixel(cell: metrics.cell)
    let photo = Mipmap(SyntheticPhoto.bitmap(width: 800, height: 560, seed: 3))
    var part: (region: PhotoRegion, picture: Mipmap)?
    var milliseconds: [Double] = []
    var counts: [Double] = []
    var bytes: [UInt8] = []
    for _ in 0..<runs {
      var now = Instant(seconds: 1)
      var browser = zoomed(metrics, at: &now)
      guard let wanted = browser.demands.first?.region?.wanted else { continue }
      part = part ?? held(of: wanted, isHalfSharp: isHalfSharp)
      for step in 0...steps {
        now = now.advanced(bySeconds: 1.0 / 60)
        bytes.removeAll(keepingCapacity: true)
        let start = processorSeconds()
        let pointer = PixelPoint(x: 1300 - Double(step) * 13, y: 600 - Double(step) * 3)
        let kind = step == 0 ? MouseEvent.Kind.pressed(.left) : .dragged(.left)
        _ = browser.handle(.mouse(MouseEvent(kind, at: pointer)), at: now)
        let scene = browser.scene(
          at: now, closeUp: { _ in part.map { CloseUp(region: $0.region, isOpaque: true) } })
        renderer.frame(
          for: scene, metrics: metrics,
          content: { .picture($0.region == nil ? photo : part?.picture ?? photo) }, into: &bytes)
        // The first frame draws the screen before anything moves.
        guard step > 0 else { continue }
        milliseconds.append((processorSeconds() - start) * 1000)
        counts.append(Double(bytes.count))
      }
    }
    return (milliseconds, counts)
  }

  /// Returns the decoded picture: of the whole demanded region, or of its left half.
  private static func held(
    of wanted: PhotoRegion, isHalfSharp: Bool
  ) -> (region: PhotoRegion, picture: Mipmap) {
    var region = wanted
    if isHalfSharp { region.width /= 2 }
    let size = region.sampleSize
    let picture = SyntheticPhoto.bitmap(width: size.width, height: size.height, seed: 4)
    return (region, Mipmap(picture))
  }

  /// Returns a browser that shows the middle of a photo of 100 megapixels at 100 %.
  private static func zoomed(_ metrics: CellMetrics, at now: inout Instant) -> Browser {
    var browser = Browser(
      options: Browser.Options(), cells: CellSize(columns: 200, rows: 60), metrics: metrics)
    let photo = Photo.ID(0)
    for event in [
      Event.found([photo]), .measured(photo, PixelSize(width: 12_000, height: 8400)),
      .listed(ListingNotes()), .key(.enter), .key(.character("z")),
    ] { _ = browser.handle(event, at: now) }
    now = now.advanced(bySeconds: 1)
    _ = browser.handle(.tick, at: now)
    return browser
  }
}
