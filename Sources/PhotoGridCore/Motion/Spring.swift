import Glibc

/// A damped spring in closed form, so that a place depends on the time elapsed alone and a late
/// frame never bends the path.
package struct Spring: Equatable, Sendable {
  /// The mass at its end.
  package var mass: Double
  /// The force for each unit of the way.
  package var stiffness: Double
  /// The force for each unit of speed, against the motion.
  package var damping: Double

  /// A spring of positive mass and stiffness.
  package init(mass: Double, stiffness: Double, damping: Double) {
    precondition(mass > 0 && stiffness > 0 && damping >= 0, "no such spring")
    self.mass = mass
    self.stiffness = stiffness
    self.damping = damping
  }

  /// How far along the way from 0 to 1 the spring is after `seconds`.
  ///
  /// - Parameters:
  ///   - seconds: Time since the release, not negative.
  ///   - initialVelocity: In shares of the way per second, positive towards the target.
  /// - Returns: 0 at the release, 1 at the target; beyond 1 where the spring swings over.
  package func value(at seconds: Double, initialVelocity: Double) -> Double {
    // x is what is still to go: x(0) = 1, x'(0) = -initialVelocity, m x'' + c x' + k x = 0.
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
      let slowShare = (velocity - fast) / (slow - fast)
      left = slowShare * exp(slow * seconds) + (1 - slowShare) * exp(fast * seconds)
    }
    return 1 - left
  }
}
