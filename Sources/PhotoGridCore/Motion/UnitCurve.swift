/// A timing curve from (0, 0) to (1, 1): a cubic Bézier curve with two inner control points.
package struct UnitCurve: Equatable, Sendable {
  private let x: Polynomial
  private let y: Polynomial

  /// Creates the curve with the given control points, whose x must be in 0 to 1.
  package init(x1: Double, y1: Double, x2: Double, y2: Double) {
    x = Polynomial(x1, x2)
    y = Polynomial(y1, y2)
  }

  /// Slow at both ends, with the control points of `ease-in-out` in CSS.
  package static let easeInOut = UnitCurve(x1: 0.42, y1: 0, x2: 0.58, y2: 1)

  /// Fast at the start and slow at the end, with the control points of `ease-out` in CSS.
  package static let easeOut = UnitCurve(x1: 0, y1: 0, x2: 0.58, y2: 1)

  /// Returns the curve's value at a fraction of its time, both from 0 to 1.
  package func value(at share: Double) -> Double {
    if share <= 0 { return 0 }
    if share >= 1 { return 1 }
    // x increases monotonically, so bisection always converges; 40 steps are more precise than
    // needed.
    var low = 0.0
    var high = 1.0
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if x.value(at: middle) < share { low = middle } else { high = middle }
    }
    return y.value(at: (low + high) / 2)
  }

  private struct Polynomial: Equatable, Sendable {
    var a: Double
    var b: Double
    var c: Double

    init(_ first: Double, _ second: Double) {
      c = 3 * first
      b = 3 * (second - first) - c
      a = 1 - c - b
    }

    func value(at t: Double) -> Double { ((a * t + b) * t + c) * t }
  }
}
