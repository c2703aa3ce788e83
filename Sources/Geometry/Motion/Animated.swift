import Glibc

/// A value that can be animated, because it can be added, subtracted and scaled.
package protocol VectorValue: Equatable, Sendable {
  static func + (left: Self, right: Self) -> Self
  static func - (left: Self, right: Self) -> Self
  static func * (value: Self, factor: Double) -> Self
}

extension Double: VectorValue {}

/// The course of a change over time.
package struct Timing: Equatable, Sendable {
  private enum Course: Equatable, Sendable {
    case curve(UnitCurve, duration: Double)
    case spring(Spring, initialVelocity: Double, duration: Double)
    case glide(reach: Double)
  }

  private let course: Course
  /// The speed relative to real time; 0.2 is a fifth.
  private let speed: Double
  /// The factor by which the animated object grows; 1 if its size is irrelevant.
  private var enlargement = 1.0

  private init(_ course: Course, speed: Double) {
    self.course = course
    self.speed = speed
  }

  /// Returns the timing of a curve with a duration in seconds.
  package static func curve(_ curve: UnitCurve, seconds: Double, speed: Double = 1) -> Timing {
    Timing(.curve(curve, duration: seconds), speed: speed)
  }

  /// Returns the timing of a spring that is at rest after a number of seconds, with an initial
  /// velocity in fractions of the distance per second.
  ///
  /// An overdamped spring would creep toward its target for seconds. So it is played on a clock that
  /// runs at the right speed at first, then ever faster, and reaches infinity at the end:
  ///
  ///     time of the spring = time / (1 − time / duration)
  ///
  /// The positions on the way, the velocity at the release and that there is no overshoot are those
  /// of the spring; only when a position is reached differs.
  package static func spring(
    _ spring: Spring, initialVelocity: Double, seconds: Double, speed: Double = 1
  ) -> Timing {
    Timing(.spring(spring, initialVelocity: initialVelocity, duration: seconds), speed: speed)
  }

  /// Returns the timing of a deceleration by friction that would cover `reach` times the distance:
  /// 1 comes to rest at the target, more stops there abruptly, as at a wall.
  package static func glide(reach: Double, speed: Double = 1) -> Timing {
    Timing(.glide(reach: max(reach, 1)), speed: speed)
  }

  /// The time constant of friction, in seconds: a glide covers this times its initial speed.
  package static let glideSeconds = 0.325

  /// Returns this timing for a motion that enlarges an object by a factor.
  ///
  /// Equal times then enlarge by equal factors, as the eye expects of a zoom; by equal amounts, a
  /// photo of thirty screens would stay that large until the very end.
  package func enlarging(by factor: Double) -> Timing {
    var result = self
    result.enlargement = factor.isFinite && factor > 0 ? factor : 1
    return result
  }

  /// Returns the remaining fraction of the distance after a time in seconds: 1 at the start,
  /// approaching 0.
  package func remaining(after seconds: Double) -> Double {
    let elapsed = max(seconds, 0) * speed
    switch course {
    case .curve(let curve, let duration):
      guard duration > 0 else { return 0 }
      let share = curve.value(at: elapsed / duration)
      guard abs(enlargement - 1) > 1e-3 else { return 1 - share }
      return (pow(enlargement, share) - enlargement) / (1 - enlargement)
    case .spring(let spring, let velocity, let duration):
      guard elapsed < duration else { return 0 }
      return 1 - spring.value(at: elapsed / (1 - elapsed / duration), initialVelocity: velocity)
    case .glide(let reach):
      return max(1 - reach * (1 - exp(-elapsed / Self.glideSeconds)), 0)
    }
  }

  /// Whether the motion has ended for good.
  package func isOver(after seconds: Double) -> Bool {
    switch course {
    case .curve(_, let duration), .spring(_, _, let duration): seconds * speed >= duration
    case .glide: remaining(after: seconds) < 1e-5
    }
  }
}

/// A value that moves to a target.
///
/// Each change of the target adds a leg, an offset that shrinks to zero with its own timing, and
/// the legs add up. So a new target takes over the current position *and* velocity: nothing jumps,
/// however often the target changes.
///
/// For example, halfway from 0 to 100, the value is 100 − 50. Retargeting it to 200 adds a leg of
/// −100, so the value is still 50: 200 − 50 − 100.
package struct Animated<Value: VectorValue>: Equatable, Sendable {
  package private(set) var target: Value
  private var legs: [Leg] = []

  /// An offset from the target that shrinks to zero.
  private struct Leg: Equatable, Sendable {
    var offset: Value
    var timing: Timing
    var start: Instant
  }

  package init(_ value: Value) { target = value }

  /// Creates a value that moves from a start to a target.
  package init(from start: Value, to target: Value, _ timing: Timing, at now: Instant) {
    self.target = target
    legs = [Leg(offset: start - target, timing: timing, start: now)]
  }

  package func value(at now: Instant) -> Value {
    legs.reduce(target) { value, leg in
      value + leg.offset * leg.timing.remaining(after: now.seconds(since: leg.start))
    }
  }

  /// Starts a motion to another target, from the current value and velocity.
  package mutating func retarget(to newTarget: Value, _ timing: Timing, at now: Instant) {
    legs.removeAll { $0.timing.isOver(after: now.seconds(since: $0.start)) }
    if newTarget != target {
      legs.append(Leg(offset: target - newTarget, timing: timing, start: now))
    }
    target = newTarget
  }

  package mutating func shift(by offset: Value) { target = target + offset }

  /// Displaces the value by an offset that has been shrinking since an earlier time.
  package mutating func displace(by offset: Value, _ timing: Timing, since start: Instant) {
    legs.append(Leg(offset: offset, timing: timing, start: start))
  }

  /// Stops the motion and sets the value.
  package mutating func jump(to value: Value) {
    target = value
    legs = []
  }

  /// Whether the time of every leg is over, so that the value rests at its target.
  package func isOver(at now: Instant) -> Bool {
    legs.allSatisfy { $0.timing.isOver(after: now.seconds(since: $0.start)) }
  }
}

extension Animated<Double> {
  /// Returns bounds of the values from a time on, including the target.
  package func course(from now: Instant) -> ClosedRange<Double> {
    let rests = legs.map { $0.offset * $0.timing.remaining(after: now.seconds(since: $0.start)) }
    let below = rests.reduce(0) { $0 + min($1, 0) }
    return target + below...target + rests.reduce(0) { $0 + max($1, 0) }
  }
}
