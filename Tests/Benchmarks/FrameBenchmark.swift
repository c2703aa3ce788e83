import Foundation
import Geometry
import Photos
import SceneModel
import SceneRendering

/// Measures the frames of animations: a photo zooms out of a grid of sixty tiles, which fade; and
/// all tiles of a screen fly from one layout to another.
enum FrameBenchmark {
  /// Prints the time and bytes of every animation with every glyph set that draws blocks.
  static func run(_ arguments: [String]) throws {
    let hasWedges = arguments.contains("--wedges")
    let (size, depth, isShort) = try options(from: arguments.filter { $0 != "--wedges" })
    print("\(size.columns)x\(size.rows), colors: \(depth), \(runs) runs of \(steps) frames")
    let zoom = OpenZoom(area: CellMetrics.standard.size(of: size)).frames
    let others =
      isShort ? [] : LayoutChange.all(size: size) + [LayoutChange.intoFolder(size: size)]
    for animation in [zoom] + others {
      print("\n\(animation.title)")
      print("glyphs     budget ms  median ms   p99 ms   settled ms   median bytes   max bytes")
      for (glyphs, budget) in budgets {
        let result = measure(glyphs, depth, hasWedges, animation)
        let columns = [
          glyphs.rawValue.padding(toLength: 10, withPad: " ", startingAt: 0),
          String(format: "%9.1f", budget),
          String(format: "%10.2f", result.milliseconds.median),
          String(format: "%8.2f", result.milliseconds.percentile(99)),
          String(format: "%12.2f", result.settledMilliseconds.median),
          String(format: "%14d", Int(result.bytes.median)),
          String(format: "%11d", Int(result.bytes.max() ?? 0)),
        ]
        print(columns.joined(separator: " "))
      }
    }
  }

  /// The processor time that a frame may take, in milliseconds.
  private static let budgets: [(GlyphSet, Double)] = [
    (.half, 1.5), (.quadrant, 3), (.sextant, 6), (.octant, 6),
  ]
  static let steps = 60
  private static let runs = 20

  private static func options(
    from arguments: [String]
  ) throws -> (size: CellSize, depth: ColorDepth, isShort: Bool) {
    var (size, depth) = (CellSize(columns: 200, rows: 60), ColorDepth.full)
    let isShort = arguments.contains("--short")
    var rest = arguments.filter { $0 != "--short" }[...]
    while let flag = rest.popFirst() {
      let value = rest.popFirst() ?? ""
      let sides = value.split(separator: "x").compactMap { Int($0) }
      if flag == "--size", sides.count == 2, sides.allSatisfy({ (1...1000).contains($0) }) {
        size = CellSize(columns: sides[0], rows: sides[1])
      } else if flag == "--colors", let colors = ColorDepth(rawValue: value) {
        depth = colors
      } else {
        let depths = ColorDepth.allCases.map(\.rawValue).joined(separator: "|")
        throw UsageError(
          message: "options: --short, --wedges, --size COLUMNSxROWS, --colors \(depths)")
      }
    }
    return (size, depth, isShort)
  }

  private static func measure(
    _ glyphs: GlyphSet, _ depth: ColorDepth, _ hasWedges: Bool, _ animation: AnimationFrames
  ) -> (milliseconds: [Double], settledMilliseconds: [Double], bytes: [Double]) {
    var milliseconds: [Double] = []
    var settled: [Double] = []
    var counts: [Double] = []
    var appearance = Appearance()
    appearance.hasWedges = hasWedges
    var renderer = CellRenderer(glyphs: glyphs, depth: depth, appearance: appearance)
    var bytes: [UInt8] = []
    func frame(_ scene: () -> Scene) -> Double {
      bytes.removeAll(keepingCapacity: true)
      let start = processorSeconds()
      renderer.frame(
        for: scene(), metrics: .standard, content: animation.content, into: &bytes)
      return (processorSeconds() - start) * 1000
    }
    for _ in 0..<runs {
      settled.append(frame(animation.before))
      for scene in animation.moving {
        milliseconds.append(frame(scene))
        counts.append(Double(bytes.count))
      }
      settled.append(frame(animation.after))
    }
    return (milliseconds, settled, counts)
  }
}

/// A scene in which a photo of 1600 by 1200 opens over sixty tiles.
struct OpenZoom {
  let area: PixelSize
  private let photo: Mipmap
  private let thumbnails: [Mipmap]

  /// Creates the zoom in a picture area of the given size, in pixels.
  init(area: PixelSize) {
    self.area = area
    photo = Mipmap(SyntheticPhoto.bitmap(width: 1600, height: 1200, seed: 1))
    thumbnails = (0..<12).map {
      Mipmap(SyntheticPhoto.bitmap(width: 320, height: 240, seed: UInt64($0) + 2))
    }
  }

  /// The zoom from the tile to the screen.
  var frames: AnimationFrames {
    AnimationFrames(
      title: "open zoom", before: { scene(at: 0, isMoving: false) },
      moving: (1...FrameBenchmark.steps).map { step in
        { scene(at: Double(step) / Double(FrameBenchmark.steps), isMoving: true) }
      },
      after: { scene(at: 1, isMoving: false) }, content: { content(of: $0) })
  }

  /// Returns the content of a placement.
  private func content(of placement: Placement) -> TileContent {
    placement.photo.index == Self.opened && placement.frame.width > tile(Self.opened).width
      ? .picture(photo) : .picture(thumbnails[placement.photo.index % thumbnails.count])
  }

  /// Returns the scene after a fraction of the time, with cubic ease in and out.
  private func scene(at share: Double, isMoving: Bool) -> Scene {
    let eased = share * share * (3 - 2 * share)
    var placements = (0..<Self.tiles).filter { $0 != Self.opened || share == 0 }.map {
      Placement(
        photo: Photo.ID($0), frame: tile($0),
        crop: .fillCrop(of: photo.full.size, in: tile($0).size), opacity: 1 - eased)
    }
    if share > 0 {
      let start = tile(Self.opened)
      let end = PixelRect(
        center: PixelPoint(x: area.width / 2, y: area.height / 2),
        size: photo.full.size.fitted(in: area))
      let frame = PixelRect(
        x: start.minX + (end.minX - start.minX) * eased,
        y: start.minY + (end.minY - start.minY) * eased,
        width: start.width + (end.width - start.width) * eased,
        height: start.height + (end.height - start.height) * eased)
      placements.append(
        Placement(
          photo: Photo.ID(Self.opened), frame: frame,
          crop: .fillCrop(of: photo.full.size, in: frame.size)))
    }
    return Scene(
      size: area, placements: placements,
      ring: Scene.Ring(tile: tile(Self.opened), opacity: 1 - eased), isMoving: isMoving)
  }

  private static let tiles = 60
  private static let columns = 10
  private static let opened = 23

  private func tile(_ index: Int) -> PixelRect {
    let (row, column) = index.quotientAndRemainder(dividingBy: Self.columns)
    let placementStep = CellMetrics.standard.placementStep
    let pitch = PixelSize(
      width: (area.width / Double(Self.columns) / placementStep.width).rounded(.down)
        * placementStep.width,
      height: (area.height / Double(Self.tiles / Self.columns) / placementStep.height).rounded(
        .down)
        * placementStep.height)
    return PixelRect(
      x: Double(column) * pitch.width + placementStep.width,
      y: Double(row) * pitch.height + placementStep.height,
      width: max(pitch.width - placementStep.width, placementStep.width),
      height: max(pitch.height - placementStep.height, placementStep.height))
  }
}

/// A synthetic picture with properties of photos: soft light, edges, texture and noise.
enum SyntheticPhoto {
  /// Returns an opaque picture; equal seeds give equal pictures.
  static func bitmap(width: Int, height: Int, seed: UInt64) -> Bitmap {
    var state = seed &* .mixingStep | 1
    func random() -> Double {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Double(state >> 11) / Double(1 << 53)
    }
    let discs = (0..<40).map { _ in
      (
        x: random(), y: random(), radius: 0.02 + 0.15 * random(),
        color: SIMD3<Double>(random(), random(), random()) * 255
      )
    }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 4)
    for y in 0..<height {
      for x in 0..<width {
        let (u, v) = (Double(x) / Double(width), Double(y) / Double(width))
        var color = SIMD3<Double>(180 * u + 40, 120 + 80 * sin(6 * v), 200 - 150 * v)
        for disc in discs {
          let (dx, dy) = (u - disc.x, v - disc.y)
          if dx * dx + dy * dy < disc.radius * disc.radius { color = disc.color }
        }
        let texture: Double = 25 * sin(90 * u + 60 * v) + 30 * (random() - 0.5)
        color += SIMD3(repeating: texture)
        for channel in 0..<3 { pixels.append(UInt8(max(0, min(255, color[channel])))) }
        pixels.append(255)
      }
    }
    return Bitmap(width: width, height: height, pixels: pixels, isOpaque: true)
  }
}
