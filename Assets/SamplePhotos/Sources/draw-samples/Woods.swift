import Glibc

/// A wood seen from afar: crowns standing on the ground, one to a cell of a jittered grid.
struct Woods {
  /// The outline of a crown.
  enum Crown {
    /// A conifer's cone.
    case pointed
    /// A broad-leaved tree's dome.
    case round
  }

  var noise: Noise
  var crown: Crown
  /// The distance from tree to tree in metres.
  var spacing: Float
  /// The radius of the largest crown as a part of the spacing; at most 0.75.
  var reach: Float = 0.62
  /// The height of the tallest tree in metres.
  var height: Float

  /// The canopy over a place.
  struct Canopy {
    /// In metres over the ground; 0 between the crowns.
    var height: Float = 0
    /// 0 to 1, the same over the whole crown.
    var tree: Float = 0
    /// 0 at the crown's rim to 1 in its middle.
    var middle: Float = 0
  }

  /// The canopy over a place.
  ///
  /// The wood is `density` thick, 0 to 1, where a tree has its trunk: crowns are never cut.
  @inline(__always)
  func canopy(at place: Ground, density: (Ground) -> Float) -> Canopy {
    let p = place / spacing
    let first = (p - 0.5).rounded(.down)
    var best = Canopy()
    for corner in 0..<4 {
      let cell = first + Ground(Float(corner & 1), Float(corner >> 1))
      let x = Int32(cell.x)
      let y = Int32(cell.y)
      let trunk = cell + 0.25 + 0.5 * Ground(noise.random(x, y), noise.random(x &+ 7001, y))
      let size = 0.55 + 0.45 * noise.random(x &+ 311, y &+ 977)
      let rim = length(p - trunk) / (reach * size)
      guard rim < 1 else { continue }
      let profile: Float =
        switch crown {
        case .pointed: 1 - rim
        case .round: (1 - rim * rim).squareRoot()
        }
      let tall = height * size * profile
      guard tall > best.height, noise.random(x, y &+ 5003) < density(trunk * spacing) else {
        continue
      }
      best = Canopy(height: tall, tree: noise.random(x &+ 17, y &+ 4001), middle: 1 - rim)
    }
    return best
  }

  /// Where to ask a noise of the plane for leaves, so that upright sides have them too.
  @inline(__always)
  static func foliage(_ point: Space) -> Ground {
    Ground(point.x + point.z * 0.7, point.y - point.z * 1.1)
  }

  /// The canopy over a place and the slope of its crowns, taken over a width of `width` metres.
  @inline(__always)
  func crowns(
    at place: Ground, width: Float, density: (Ground) -> Float
  ) -> (canopy: Canopy, slope: Ground) {
    let here = canopy(at: place, density: density)
    guard here.height > 0 else { return (here, .zero) }
    let right = canopy(at: place + Ground(width, 0), density: density).height
    let away = canopy(at: place + Ground(0, width), density: density).height
    return (here, Ground(here.height - right, here.height - away) / width)
  }
}
