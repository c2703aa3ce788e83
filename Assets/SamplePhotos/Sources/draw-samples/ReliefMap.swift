import Glibc

/// Heights of a landscape on a grid: quick to ask, for shadows that need no detail.
struct ReliefMap {
  private let origin: Ground
  private let cell: Float
  private let columns: Int
  private let rows: Int
  private let heights: [Float]

  /// A map of nothing, over which the sun always shines.
  static let empty = ReliefMap()

  private init() {
    origin = .zero
    cell = 1
    columns = 0
    rows = 0
    heights = []
  }

  /// Surveys the ground from `low` to `high` at points `cell` metres apart.
  @inline(__always)
  init(from low: Ground, to high: Ground, cell: Float, height: (Ground) -> Float) {
    precondition(cell > 0 && high.x > low.x && high.y > low.y, "nothing from \(low) to \(high)")
    origin = low
    self.cell = cell
    columns = Int((high.x - low.x) / cell) + 2
    rows = Int((high.y - low.y) / cell) + 2
    var heights: [Float] = []
    heights.reserveCapacity(columns * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        heights.append(height(low + Ground(Float(column), Float(row)) * cell))
      }
    }
    self.heights = heights
  }

  /// The height at a place; bottomless beyond the map.
  @inline(__always)
  func height(at place: Ground) -> Float {
    let p = (place - origin) / cell
    guard p.x >= 0, p.y >= 0, p.x < Float(columns - 1), p.y < Float(rows - 1) else {
      return -.infinity
    }
    let x = Int(p.x)
    let y = Int(p.y)
    let start = y * columns + x
    let s = p.x - Float(x)
    let low = mix(heights[start], heights[start + 1], s)
    let high = mix(heights[start + columns], heights[start + columns + 1], s)
    return mix(low, high, p.y - Float(y))
  }

  /// How much of the sun reaches a point: 1 in the light, 0 in the shadow of the ground.
  ///
  /// What throws the shadow may be `reach` metres away; the larger `softness`, the wider the
  /// shadow's edge.
  @inline(__always)
  func sunlight(
    at point: Space, toward sun: Space, reach: Float, steps: Int, softness: Float = 0.02
  ) -> Float {
    var light: Float = 1
    // Nearer than a cell the map would shade the ground with itself.
    var way = max(reach * 0.004, cell * 1.2)
    let growth = powf(reach / way, 1 / Float(max(1, steps)))
    for _ in 0..<steps {
      let place = Ground(point.x + sun.x * way, point.y + sun.y * way)
      let clearance = point.z + sun.z * way - height(at: place)
      light = min(light, 0.5 + clearance / (way * softness * 2))
      if light <= 0 { return 0 }
      way *= growth
    }
    return smoothstep(0, 1, light)
  }
}
