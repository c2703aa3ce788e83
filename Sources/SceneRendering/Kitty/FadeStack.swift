import PhotoGridCore

/// A scene as sheets of opaque pictures, for terminals that cannot make a picture translucent:
/// between them lie veils in the background's colour.
///
/// A sheet with nothing but background behind it fades exactly so. One that fades over another
/// cannot: there what lies behind fades out to the background first, then the front fades in.
struct FadeStack: Equatable {
  enum Layer: Equatable {
    /// Some of the scene's placements.
    case placements(Range<Int>)
    /// Background over all that is before; how much it covers, 1 to 255.
    case veil(UInt8)
  }

  /// Back to front.
  private(set) var layers: [Layer] = []
  /// Whether ring and labels, which are behind all placements, show.
  private(set) var showsGround = false

  /// Below this two opacities are the same.
  private static let step = 1.0 / 512

  /// The sheets of a scene.
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

  /// In steps that the eye takes for a smooth fade, so that few different veils are needed.
  private mutating func addVeil(_ share: Double) {
    let alpha = min((share * 64).rounded() * 4, 255)
    if alpha > 0 { layers.append(.veil(UInt8(alpha))) }
  }
}
