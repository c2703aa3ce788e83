import Glibc

/// Something that can be added and scaled, and so animated.
package protocol VectorValue: Equatable, Sendable {
  /// Component by component.
  static func + (left: Self, right: Self) -> Self
  /// Component by component.
  static func - (left: Self, right: Self) -> Self
  /// All components scaled.
  static func * (value: Self, factor: Double) -> Self
}

extension Double: VectorValue {}

/// How a change takes place over time.
package struct Timing: Equatable, Sendable {
  private enum Course: Equatable, Sendable {
    case curve(UnitCurve, duration: Double)
    case spring(Spring, initialVelocity: Double)
    case glide(reach: Double)
  }

  private let course: Course
  /// 1 is real time, 0.2 a fifth of the speed.
  private let speed: Double
  /// How many times as large a thing becomes on the way; 1 where its size has no say.
  private var enlargement = 1.0

  private init(_ course: Course, speed: Double) {
    self.course = course
    self.speed = speed
  }

  /// A curve over a number of seconds.
  package static func curve(_ curve: UnitCurve, seconds: Double, speed: Double = 1) -> Timing {
    Timing(.curve(curve, duration: seconds), speed: speed)
  }

  /// A spring with an initial velocity in shares of the way per second.
  package static func spring(
    _ spring: Spring, initialVelocity: Double, speed: Double = 1
  ) -> Timing {
    Timing(.spring(spring, initialVelocity: initialVelocity), speed: speed)
  }

  /// Slowed down by friction alone, which would lead `reach` times as far as the way: 1 comes to
  /// rest at the target, more is stopped there as by a wall.
  package static func glide(reach: Double, speed: Double = 1) -> Timing {
    Timing(.glide(reach: max(reach, 1)), speed: speed)
  }

  /// How long the same friction lets a speed lead on, in seconds: the way is their product.
  package static let glideSeconds = 0.325

  /// The same time for a way on which a thing becomes so many times as large.
  ///
  /// Equal times then enlarge by equal factors, as the eye expects of a zoom; by equal amounts a
  /// photo of thirty screens would stay that large until the very end.
  package func enlarging(by factor: Double) -> Timing {
    var result = self
    result.enlargement = factor.isFinite && factor > 0 ? factor : 1
    return result
  }

  /// The share of the way that is still to go after `seconds`: 1 at the start, then towards 0.
  func remaining(after seconds: Double) -> Double {
    let elapsed = max(seconds, 0) * speed
    switch course {
    case .curve(let curve, let duration):
      guard duration > 0 else { return 0 }
      let share = curve.value(at: elapsed / duration)
      guard abs(enlargement - 1) > 1e-3 else { return 1 - share }
      return (pow(enlargement, share) - enlargement) / (1 - enlargement)
    case .spring(let spring, let velocity):
      return 1 - spring.value(at: elapsed, initialVelocity: velocity)
    case .glide(let reach):
      return max(1 - reach * (1 - exp(-elapsed / Self.glideSeconds)), 0)
    }
  }

  /// Whether nothing remains for good.
  func isOver(after seconds: Double) -> Bool {
    switch course {
    case .curve(_, let duration): seconds * speed >= duration
    case .spring: seconds * speed > 60
    case .glide: remaining(after: seconds) < 1e-5
    }
  }
}

/// A value on its way to a target.
///
/// Each change of the target adds a leg, an offset that shrinks to nothing in its own time, and the
/// legs add up. So a new target takes over from the present place *and* velocity: nothing jumps,
/// however often the mind changes.
package struct Animated<Value: VectorValue>: Equatable, Sendable {
  /// Where it comes to rest.
  package private(set) var target: Value
  private var legs: [Leg] = []

  private struct Leg: Equatable, Sendable {
    var offset: Value
    var timing: Timing
    var start: Instant
  }

  /// A value at rest.
  package init(_ value: Value) { target = value }

  /// A value that sets out from a place.
  package init(from start: Value, to target: Value, _ timing: Timing, at now: Instant) {
    self.target = target
    legs = [Leg(offset: start - target, timing: timing, start: now)]
  }

  /// Where it is at a moment.
  package func value(at now: Instant) -> Value {
    legs.reduce(target) { value, leg in
      value + leg.offset * leg.timing.remaining(after: now.seconds(since: leg.start))
    }
  }

  /// Seconds since it was sent to its target; 0 at rest.
  func age(at now: Instant) -> Double {
    legs.last.map { now.seconds(since: $0.start) } ?? 0
  }

  /// Sends it to another target from where it is.
  package mutating func retarget(to newTarget: Value, _ timing: Timing, at now: Instant) {
    legs.removeAll { $0.timing.isOver(after: now.seconds(since: $0.start)) }
    if newTarget != target {
      legs.append(Leg(offset: target - newTarget, timing: timing, start: now))
    }
    target = newTarget
  }

  /// Moves it and its target by the same offset at once; the legs go on.
  package mutating func shift(by offset: Value) { target = target + offset }

  /// Adds an offset that has been shrinking since a moment.
  mutating func add(_ offset: Value, _ timing: Timing, since start: Instant) {
    legs.append(Leg(offset: offset, timing: timing, start: start))
  }

  /// Puts it on a value, at rest.
  package mutating func jump(to value: Value) {
    target = value
    legs = []
  }

  /// Whether no leg is left to travel, judged by time alone.
  package func isOver(at now: Instant) -> Bool {
    legs.allSatisfy { $0.timing.isOver(after: now.seconds(since: $0.start)) }
  }
}
