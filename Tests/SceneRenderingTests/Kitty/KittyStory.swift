import Geometry
import Photos
import SceneModel

@testable import SceneRendering

/// Pictures that are passed to the terminal by name, until it takes them.
final class NamedPictures {
  private var held: [String: (medium: KittyMedium, bytes: [UInt8])] = [:]
  private(set) var count = 0
  /// The media without room.
  var full: Set<KittyMedium> = []

  func give(_ bytes: [UInt8], _ medium: KittyMedium) -> [UInt8]? {
    guard !full.contains(medium) else { return nil }
    count += 1
    let name = medium == .sharedMemory ? "/test-\(count)" : "/tmp/tty-graphics-protocol-\(count)"
    held[name] = (medium, bytes)
    return Array(name.utf8)
  }

  func take(_ letter: String, _ name: [UInt8]) -> [UInt8]? {
    let medium = letter == "s" ? KittyMedium.sharedMemory : .temporaryFile
    guard let entry = held.removeValue(forKey: String(decoding: name, as: UTF8.self)),
      entry.medium == medium
    else { return nil }
    return entry.bytes
  }

  var isEmpty: Bool { held.isEmpty }
}

/// A photo with a known color at every point.
struct SmoothPhoto {
  let size: (width: Int, height: Int)
  private let corner: Pixel
  private let across: Pixel
  private let down: Pixel

  /// Creates the photo of a number; no two have the same colors.
  init(_ number: Int, width: Int = 160, height: Int = 120) {
    size = (width, height)
    let seed = Float(number)
    func wave(_ factor: Float, _ phase: Float) -> Float {
      let value = seed * factor + phase
      return value - value.rounded(.down)
    }
    corner = Pixel(
      60 + 100 * wave(0.37, 0.1), 60 + 100 * wave(0.61, 0.5), 60 + 100 * wave(0.83, 0.2))
    across = Pixel(40 - 80 * wave(0.29, 0), 60 * wave(0.5, 0.25) - 30, 60)
    down = Pixel(30, 40 - 80 * wave(0.43, 0.6), -40)
  }

  /// The color at a point in fractions of the width and height.
  func color(_ u: Double, _ v: Double) -> Pixel {
    Pixel(
      corner.red + across.red * Float(u) + down.red * Float(v),
      corner.green + across.green * Float(u) + down.green * Float(v),
      corner.blue + across.blue * Float(u) + down.blue * Float(v))
  }

  var mipmap: Mipmap {
    Mipmap(
      Bitmap(width: size.width, height: size.height) { x, y in
        let color = color(
          (Double(x) + 0.5) / Double(size.width), (Double(y) + 0.5) / Double(size.height))
        return RGB(
          UInt8(color.red.rounded()), UInt8(color.green.rounded()), UInt8(color.blue.rounded()))
      })
  }
}

/// A renderer and its terminal.
struct KittyStory {
  var renderer: KittyRenderer
  var screen: KittyScreen
  let pictures = NamedPictures()
  let metrics: CellMetrics
  let photos: [SmoothPhoto]
  var contents: [TileContent]
  /// The last frame.
  private(set) var frame = FrameBytes()

  static let background = RGB(16, 20, 24)
  static let firstID: UInt32 = 0xFFFFF0

  init(
    columns: Int, rows: Int, medium: KittyMedium = .sharedMemory, photos: [SmoothPhoto] = [],
    cell: (width: Int, height: Int) = (10, 20), hasAnswered: Bool = false,
    knowsTransientImages: Bool = false
  ) {
    var traits = PictureTraits(
      kittyMedium: medium, appearance: Appearance(background: Self.background), glyphs: .half)
    traits.hasKittyAnswered = hasAnswered
    traits.knowsTransientImages = knowsTransientImages
    renderer = KittyRenderer(traits, firstID: Self.firstID, handover: pictures.give)
    screen = KittyScreen(columns: columns, rows: rows, cell: cell)
    screen.storage = pictures.take
    var metrics = CellMetrics(
      cell: PixelSize(width: Double(cell.width), height: Double(cell.height)))
    metrics.placementUnit = .pixels
    self.metrics = metrics
    self.photos = photos
    contents = photos.map { .picture($0.mipmap) }
  }

  var area: PixelSize {
    metrics.size(of: CellSize(columns: screen.columns, rows: screen.rows))
  }

  /// A scene of the size of the area.
  func scene(
    _ placements: [Placement], ring: Scene.Ring? = nil, labels: [Scene.Label] = [],
    isMoving: Bool = false
  ) -> Scene {
    Scene(size: area, placements: placements, ring: ring, labels: labels, isMoving: isMoving)
  }

  /// Draws one frame, and passes the terminal's responses to the renderer.
  @discardableResult
  mutating func show(_ scene: Scene) throws -> FrameBytes {
    frame.removeAll()
    renderer.frame(
      for: scene, metrics: metrics,
      content: { [contents] in
        contents.indices.contains($0.photo.index) ? contents[$0.photo.index] : .waiting(nil)
      }, into: &frame)
    try screen.apply(frame)
    for reply in screen.takeReplies() { renderer.handle(graphicsReply: reply) }
    return frame
  }

  /// Draws frames until the renderer sends nothing more for a scene.
  mutating func settle(_ scene: Scene) throws {
    for _ in 0..<200 {
      try show(scene)
      if !renderer.isUnfinished, frame.isEmpty { return }
    }
    throw KittyScreen.Wrong(what: "it never settles")
  }

  /// The pixels of a scene without cells, computed from the scene at the center of each pixel.
  func expected(_ scene: Scene) -> PixelMap {
    var map = PixelMap(
      width: Int(scene.size.width), height: Int(scene.size.height),
      filledWith: Self.background.pixel)
    let appearance = Appearance(background: Self.background)
    for ring in scene.outlines + scene.marks + (scene.ring.map { [$0] } ?? []) {
      let ink = appearance.ink(of: ring.meaning)
      let outer = ring.tile.insetBy(-(ring.breadth?.width ?? 3))
      for (x, y, place) in map.places(in: outer) where !ring.tile.contains(place) {
        let isBeside = place.y >= ring.tile.minY && place.y < ring.tile.maxY
        let color =
          isBeside
          ? ink.color(at: y - Int(outer.minY.rounded()), of: Int(outer.height.rounded()))
          : ink.color(at: x - Int(outer.minX.rounded()), of: Int(outer.width.rounded()))
        guard let color else { continue }
        map.blend(color.pixel, share: Float(ring.opacity), x: x, y: y)
      }
    }
    for placement in scene.placements {
      let (frame, crop, number) = (placement.frame, placement.crop, placement.photo.index)
      let content = contents.indices.contains(number) ? contents[number] : .waiting(nil)
      for (x, y, place) in map.places(in: frame) {
        let color: Pixel
        switch content {
        case .picture:
          color = photos[number].color(
            crop.minX + (place.x - frame.minX) / frame.width * crop.width,
            crop.minY + (place.y - frame.minY) / frame.height * crop.height)
        case .waiting(let tone): color = (tone ?? appearance.quietTone).pixel
        case .failed: color = appearance.quietTone.pixel
        }
        map.blend(color, share: Float(placement.opacity), x: x, y: y)
      }
    }
    return map
  }

  /// Describes how the screen differs from a scene; nil if it does not.
  ///
  /// Edges may be off by `slack`.
  func difference(
    from scene: Scene, tolerance: Float = 4, slack: PixelSize = .zero
  ) -> String? {
    let edges =
      slack == .zero
      ? []
      : scene.placements.map(\.frame)
        + (scene.marks + (scene.ring.map { [$0] } ?? [])).map(\.tile)
    let (count, first) = screen.rendered(over: Self.background).differences(
      from: expected(scene), tolerance: tolerance, besides: edges, by: slack)
    return count == 0 ? nil : "\(count) pixels, the first \(first)"
  }
}

extension PixelMap {
  /// The pixels whose centers lie in a frame, with the centers.
  func places(in frame: PixelRect) -> [(x: Int, y: Int, place: PixelPoint)] {
    func pixels(_ from: Double, _ to: Double, _ count: Int) -> Range<Int> {
      let lower = min(max(Int((from - 0.5).rounded(.up)), 0), count)
      return lower..<min(max(Int((to - 0.5).rounded(.up)), lower), count)
    }
    let columns = pixels(frame.minX, frame.maxX, width)
    return pixels(frame.minY, frame.maxY, height).flatMap { y in
      columns.map { x in (x, y, PixelPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)) }
    }
  }
}

extension PixelRect {
  /// This rectangle with every edge moved inwards.
  func insetBy(_ distance: Double) -> PixelRect {
    PixelRect(
      x: minX + distance, y: minY + distance, width: width - 2 * distance,
      height: height - 2 * distance)
  }
}

extension Placement {
  /// A placement of a photo of 4 by 3, clipped to a tile.
  static func clipped(_ photo: Int, _ frame: PixelRect, opacity: Double = 1) -> Placement {
    Placement(
      photo: Photo.ID(photo), frame: frame,
      crop: .fillCrop(of: PixelSize(width: 4, height: 3), in: frame.size), opacity: opacity)
  }
}
