import Geometry
import Photos
import SceneModel

/// The badges of tiles as pictures of their own, for terminals that show pixels.
///
/// In the scene to draw, each badge is a placement in front of its tile, with the tile's opacity, so
/// it moves, fades and is sent like a photo. Tiles with equal badges share their pictures.
struct BadgePictures {
  /// A part of the badges in a size in pixels.
  private struct Key: Hashable {
    var part: Part
    var width: Int
    var height: Int
    /// How far the part has faded in, in eighths.
    var opacity: Int
  }

  /// A picture in a corner of a tile, or over all of it.
  enum Part: Hashable {
    /// The background's color over a rejected photo.
    case shade(RGB)
    /// The stars or the cross at the lower edge, by the side of a star and the height below it, in
    /// pixels.
    case rating(stars: Int, isRejected: Bool, star: Int, below: Int)
    /// The label's dot in the upper left corner.
    case label(RGB)
    /// Text in the upper or lower right corner.
    case text(String)
  }

  private let appearance: Appearance
  private var ids: [Key: Photo.ID] = [:]
  private var pictures: [Photo.ID: Mipmap] = [:]
  /// The parts of badges and their frames in a tile, as last drawn at rest: while tiles change their
  /// size, these are scaled.
  private var still: [Badges: (tile: PixelSize, parts: [(part: Part, frame: PixelRect)])] = [:]

  /// The most pictures kept; a screen has fewer.
  private static let maxCount = 512
  /// The numbers of badges as photos are below this one.
  private static let lastNumber = -1_000_000
  /// The number of steps in which badges fade in.
  static let steps = 8

  init(_ appearance: Appearance) { self.appearance = appearance }

  static func isBadge(_ placement: Placement) -> Bool { placement.photo.index < lastNumber }

  func content(of placement: Placement) -> TileContent? {
    pictures[placement.photo].map { .picture($0) }
  }

  mutating func expand(_ scene: Scene, _ metrics: CellMetrics) -> Scene {
    guard scene.placements.contains(where: { $0.badges != nil }) else { return scene }
    if ids.count > Self.maxCount { (ids, pictures, still) = ([:], [:], [:]) }
    var result = scene
    result.placements = []
    for (index, placement) in scene.placements.enumerated() {
      draw(placement, isMoving: scene.isMoving, metrics, to: &result.placements)
      if index < scene.tileCount { result.tileCount = result.placements.count }
    }
    return result
  }

  private mutating func draw(
    _ tile: Placement, isMoving: Bool, _ metrics: CellMetrics, to placements: inout [Placement]
  ) {
    var plain = tile
    (plain.badges, plain.shade) = (nil, 0)
    placements.append(plain)
    func draw(_ part: Part, _ opacity: Double, in frame: PixelRect, _ size: PixelSize) {
      let steps = Int((opacity * Double(Self.steps)).rounded())
      guard steps > 0 else { return }
      placements.append(
        Placement(
          photo: id(of: part, size, opacity: steps), frame: frame, crop: .unit,
          opacity: tile.opacity))
    }
    guard let badges = tile.badges else { return }
    let (size, parts) = parts(of: badges, on: tile.frame, isMoving: isMoving, metrics)
    if tile.shade > 0 {
      draw(.shade(appearance.backdrop), tile.shade / Badges.rejectedShade, in: tile.frame, size)
    }
    let scale = (x: tile.frame.width / size.width, y: tile.frame.height / size.height)
    for (part, frame) in parts {
      let target = PixelRect(
        x: tile.frame.minX + frame.minX * scale.x, y: tile.frame.minY + frame.minY * scale.y,
        width: frame.width * scale.x, height: frame.height * scale.y)
      draw(part, tile.badgeOpacity, in: isMoving ? target : target.roundedToPixels, frame.size)
    }
  }

  /// Returns parts and their frames in a tile, and the size of that tile.
  private mutating func parts(
    of badges: Badges, on tile: PixelRect, isMoving: Bool, _ metrics: CellMetrics
  ) -> (tile: PixelSize, parts: [(part: Part, frame: PixelRect)]) {
    if isMoving, let still = still[badges] { return still }
    let whole = PixelRect(origin: .zero, size: tile.roundedToPixels.size)
    let known = (whole.size, Self.parts(of: badges, on: whole, line: metrics.cell.height))
    still[badges] = known
    return known
  }

  private mutating func id(of part: Part, _ size: PixelSize, opacity: Int) -> Photo.ID {
    let key = Key(
      part: part, width: Int(size.width), height: Int(size.height), opacity: opacity)
    if let known = ids[key] { return known }
    let id = Photo.ID(Self.lastNumber - 1 - ids.count)
    ids[key] = id
    let bitmap = BadgeDrawing.bitmap(
      of: part, width: key.width, height: key.height,
      opacity: Double(opacity) / Double(Self.steps))
    pictures[id] = Mipmap(bitmap)
    return id
  }

  // MARK: - Places

  /// The smallest side of a tile with badges, in pixels.
  private static let minTileSide = 24.0

  /// Returns the parts of badges and their frames, in whole pixels, inside of a tile; `line` is the
  /// height of a row of text.
  static func parts(
    of badges: Badges, on frame: PixelRect, line row: Double
  ) -> [(part: Part, frame: PixelRect)] {
    let tile = frame.roundedToPixels
    var parts: [(Part, PixelRect)] = []
    let side = min(tile.width, tile.height)
    guard side >= minTileSide else { return parts }
    // A name is in the last row of text that is wholly on the tile.
    let below = badges.isAboveName ? min((2 * row).rounded(.up), tile.height / 2).rounded() : 0
    let margin = max((side / 30).rounded(), 2)
    // Five stars are no wider than the tile.
    let star = min(
      (side / 10).clamped(to: 7...24), (tile.width - 2 * margin) / 5
    ).rounded(.down)
    // Room for a dot or a line of text.
    let line = (star * 1.4).rounded()
    if badges.stars > 0 || badges.isRejected {
      let height = min((star * 2.2).rounded() + below, tile.height)
      parts.append(
        (
          .rating(
            stars: badges.stars, isRejected: badges.isRejected, star: Int(max(star, 3)),
            below: Int(below)),
          PixelRect(x: tile.minX, y: tile.maxY - height, width: tile.width, height: height)
        ))
    }
    if let label = badges.label {
      parts.append(
        (
          .label(label),
          PixelRect(x: tile.minX + margin, y: tile.minY + margin, width: line, height: line)
        ))
    }
    func addText(_ text: String, y: Double, beside left: Double) {
      guard !text.isEmpty else { return }
      let width = BadgeDrawing.width(of: text, height: line)
      guard tile.width - 2 * margin - left >= width else { return }
      parts.append(
        (
          .text(text),
          PixelRect(x: tile.maxX - margin - width, y: y, width: width, height: line)
        ))
    }
    addText(
      badges.countText, y: tile.minY + margin, beside: badges.label == nil ? 0 : line + margin)
    let stars = Double(badges.isRejected ? 1 : badges.stars) * star
    addText(
      badges.note, y: tile.maxY - below - margin - line, beside: stars > 0 ? stars + margin : 0)
    return parts
  }
}
