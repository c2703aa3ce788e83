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
  /// The height of a tree in metres.
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

  /// The canopy over a place where the wood is `density` thick, 0 to 1.
  @inline(__always)
  func canopy(at place: Ground, density: Float) -> Canopy {
    guard density > 0 else { return Canopy() }
    let p = place / spacing
    let first = (p - 0.5).rounded(.down)
    var best = Canopy()
    for corner in 0..<4 {
      let cell = first + Ground(Float(corner & 1), Float(corner >> 1))
      let x = Int32(cell.x)
      let y = Int32(cell.y)
      let throwOne = noise.random(x, y)
      let throwTwo = noise.random(x &+ 7001, y)
      let throwThree = noise.random(x, y &+ 5003)
      guard throwThree < density else { continue }
      let offset = p - cell - 0.25 - 0.5 * Ground(throwOne, throwTwo)
      let size = 0.55 + 0.45 * noise.random(x &+ 311, y &+ 977)
      let rim = length(offset) / (reach * size)
      guard rim < 1 else { continue }
      let profile: Float =
        switch crown {
        case .pointed: 1 - rim
        case .round: (1 - rim * rim).squareRoot()
        }
      let tall = height * size * profile
      if tall > best.height {
        best = Canopy(height: tall, tree: throwThree / density, middle: 1 - rim)
      }
    }
    return best
  }
}
