import SceneModel

/// A scene as a stack of opaque placements and of veils, for terminals that cannot make an image
/// translucent.
///
/// A veil is a translucent sheet in the background's color, over the whole picture area, and dims
/// all that is behind it. Tiles fade over the background alone, so they are stacked by their
/// opacity, and each veil dims what is behind it to the opacity of the next tiles:
///
///     opacities          layers, back to front
///     0.25, 0.5          tiles of 0.25, veil of one half, tiles of 0.5, veil of one half
///     0.5, 1             tiles of 0.5, veil of one half, tiles of 1
///
/// Where tiles of different opacities overlap, the more opaque ones are in front.
///
/// Other placements that fade over what is behind them are approximated: first that fades out to
/// the background, then they fade in:
///
///     opacity of the front    layers, back to front
///     0.25                    behind, veil of one half
///     0.75                    front, veil of one half
struct FadeStack: Equatable {
  /// A layer of the stack.
  enum Layer: Equatable {
    /// The rings around tiles, which are behind the tiles of the same opacity.
    case rings
    /// Some of the scene's placements, by their indices in ascending order.
    case placements([Int])
    /// A veil over all layers behind it, by its alpha, 1 to 255.
    case veil(UInt8)
  }

  /// The layers, back to front.
  private(set) var layers: [Layer] = []
  /// Whether rings and labels are visible.
  private(set) var showsGround = false
  /// Whether the veils dim labels, which are behind all layers, as they should be.
  private(set) var dimsLabels = false

  /// Opacities are told apart in so many steps: a fade looks smooth, and few different veils are
  /// needed.
  private static let steps = 64

  /// Whether there are veils; over an unknown background, pictures keep their own colors instead.
  private let hasVeils: Bool

  /// Creates the layers of a scene, with veils or without.
  init(_ scene: Scene, hasVeils: Bool = true) {
    self.hasVeils = hasVeils
    let levels = scene.placements.map { Self.level(of: $0.opacity) }
    // A scene without tiles may begin with placements that fade over the background, too.
    let first = levels.first
    var tileCount = min(scene.tileCount, levels.count)
    if tileCount == 0 { tileCount = levels.firstIndex { $0 != first } ?? levels.count }
    addTiles(levels[..<tileCount], ground: Self.groundLevel(of: scene))
    var start = tileCount
    while start < levels.count {
      let end = levels[start...].firstIndex { $0 != levels[start] } ?? levels.count
      addFront(start..<end, levels[start])
      start = end
    }
  }

  private static func level(of opacity: Double) -> Int {
    Int((min(max(opacity, 0), 1) * Double(steps)).rounded())
  }

  /// The level of rings and labels; 0 if they are not visible.
  private static func groundLevel(of scene: Scene) -> Int {
    let opacity = scene.ring?.opacity ?? (scene.labels + scene.captions).first?.opacity
    return opacity.map(level(of:)) ?? 0
  }

  private mutating func addTiles(_ levels: ArraySlice<Int>, ground: Int) {
    var tiles: [[Int]] = Array(repeating: [], count: Self.steps + 1)
    for (index, level) in zip(levels.indices, levels) where level > 0 { tiles[level].append(index) }
    showsGround = ground > 0
    let visible = (1...Self.steps).filter { !tiles[$0].isEmpty || $0 == ground }
    dimsLabels = visible.first == ground
    for (level, next) in zip(visible, visible.dropFirst() + [Self.steps]) {
      if level == ground { layers.append(.rings) }
      if !tiles[level].isEmpty { layers.append(.placements(tiles[level])) }
      addVeil(1 - Double(level) / Double(next))
    }
  }

  private mutating func addFront(_ range: Range<Int>, _ level: Int) {
    guard level > 0 else { return }
    let opacity = Double(level) / Double(Self.steps)
    if level == Self.steps {
      layers.append(.placements(Array(range)))
    } else if layers.isEmpty {
      layers.append(.placements(Array(range)))
      addVeil(1 - opacity)
    } else if opacity < 0.5 {
      addVeil(2 * opacity)
    } else {
      layers = [.placements(Array(range))]
      showsGround = false
      addVeil(2 - 2 * opacity)
    }
  }

  private mutating func addVeil(_ share: Double) {
    guard hasVeils else { return }
    let alpha = min((share * Double(Self.steps)).rounded() * 256 / Double(Self.steps), 255)
    if alpha > 0 { layers.append(.veil(UInt8(alpha))) }
  }
}
