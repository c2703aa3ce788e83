import PhotoGridCore

/// A scene as a stack of opaque placements and of veils, for terminals that cannot make an image
/// translucent.
///
/// A veil is a translucent sheet in the background's colour, over the whole picture area.
/// Placements with only background behind them fade exactly under a veil. Placements that fade over
/// others are approximated: first those behind fade out to the background, then those in front fade
/// in:
///
///     opacity of the front    layers, back to front
///     0.25                    behind, veil of one half
///     0.75                    front, veil of one half
struct FadeStack: Equatable {
  /// A layer of the stack.
  enum Layer: Equatable {
    /// A range of the scene's placements.
    case placements(Range<Int>)
    /// A veil over all layers behind it, by its alpha, 1 to 255.
    case veil(UInt8)
  }

  /// The layers, back to front.
  private(set) var layers: [Layer] = []
  /// Whether rings and labels, which are behind all placements, are visible.
  private(set) var showsGround = false

  /// The difference of opacities below which they count as equal.
  private static let step = 1.0 / 512

  /// Creates the layers of a scene.
  init(_ scene: Scene) {
    var opacity = scene.ring?.opacity ?? (scene.labels + scene.captions).first?.opacity
    showsGround = opacity.map { $0 >= Self.step } ?? false
    var start = 0
    for (index, placement) in scene.placements.enumerated() {
      if let opacity, abs(opacity - placement.opacity) < Self.step { continue }
      if let opacity { add(start..<index, opacity) }
      start = index
      opacity = placement.opacity
    }
    if let opacity { add(start..<scene.placements.count, opacity) }
  }

  private mutating func add(_ range: Range<Int>, _ opacity: Double) {
    guard opacity >= Self.step else { return }
    let isBehindAll = layers.isEmpty
    if opacity > 1 - Self.step {
      layers.append(.placements(range))
    } else if isBehindAll {
      layers.append(.placements(range))
      addVeil(1 - opacity)
    } else if opacity < 0.5 {
      addVeil(2 * opacity)
    } else {
      layers = [.placements(range)]
      showsGround = false
      addVeil(2 - 2 * opacity)
    }
  }

  /// Adds a veil, in 64 steps of alpha: the fade looks smooth, and few different veils are needed.
  private mutating func addVeil(_ share: Double) {
    let alpha = min((share * 64).rounded() * 4, 255)
    if alpha > 0 { layers.append(.veil(UInt8(alpha))) }
  }
}
