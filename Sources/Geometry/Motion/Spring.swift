import Glibc

/// A damped spring in closed form: its position depends only on the elapsed time, so a late frame
/// never bends the path.
package struct Spring: Equatable, Sendable {
  /// The mass at the end of the spring.
  package var mass: Double
  /// The force per unit of distance.
  package var stiffness: Double
  /// The force per unit of speed, against the motion.
  package var damping: Double

  package init(mass: Double, stiffness: Double, damping: Double) {
    precondition(
      mass > 0 && stiffness > 0 && damping >= 0,
      "a spring needs mass and stiffness above 0, and damping of 0 or more")
    self.mass = mass
    self.stiffness = stiffness
    self.damping = damping
  }

  /// The spring of a released photo, with the published constants.
  package static let release = Spring(mass: 5, stiffness: 200, damping: 100)

  /// The highest initial velocity with which the spring does not swing beyond its target, in
  /// fractions of the distance per second; infinite for a spring that swings anyway.
  package var maxVelocityWithoutOvershoot: Double {
    let rate = damping / (2 * mass)
    let square = rate * rate - stiffness / mass
    return square < 0 ? .infinity : rate + square.squareRoot()
  }

  /// Returns the position of the spring between 0 and 1 after a time.
  ///
  /// - Returns: 0 at the release, 1 at the target; more than 1 if the spring overshoots.
  package func value(at seconds: Double, initialVelocity: Double) -> Double {
    // x is the remaining distance: x(0) = 1, x'(0) = -initialVelocity, m x'' + c x' + k x = 0.
    let frequency = (stiffness / mass).squareRoot()
    let ratio = damping / (2 * (stiffness * mass).squareRoot())
    let decay = ratio * frequency
    let velocity = -initialVelocity
    let left: Double
    if abs(ratio - 1) < 1e-6 {
      left = exp(-frequency * seconds) * (1 + (velocity + frequency) * seconds)
    } else if ratio < 1 {
      let swing = frequency * (1 - ratio * ratio).squareRoot()
      left =
        exp(-decay * seconds)
        * (cos(swing * seconds) + (velocity + decay) / swing * sin(swing * seconds))
    } else {
      let spread = frequency * (ratio * ratio - 1).squareRoot()
      let slow = -decay + spread
      let fast = -decay - spread
      let slowFraction = (velocity - fast) / (slow - fast)
      left = slowFraction * exp(slow * seconds) + (1 - slowFraction) * exp(fast * seconds)
    }
    return 1 - left
  }
}

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
