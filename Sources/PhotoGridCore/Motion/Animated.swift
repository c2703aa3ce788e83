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
  }

  private let course: Course
  /// 1 is real time, 0.2 a fifth of the speed.
  private let speed: Double

  /// A curve over a number of seconds.
  package static func curve(_ curve: UnitCurve, seconds: Double, speed: Double = 1) -> Timing {
    Timing(course: .curve(curve, duration: seconds), speed: speed)
  }

  /// A spring with an initial velocity in shares of the way per second.
  package static func spring(
    _ spring: Spring, initialVelocity: Double, speed: Double = 1
  ) -> Timing {
    Timing(course: .spring(spring, initialVelocity: initialVelocity), speed: speed)
  }

  /// The share of the way that is still to go after `seconds`: 1 at the start, then towards 0.
  func remaining(after seconds: Double) -> Double {
    let elapsed = max(seconds, 0) * speed
    switch course {
    case .curve(let curve, let duration):
      return duration > 0 ? 1 - curve.value(at: elapsed / duration) : 0
    case .spring(let spring, let velocity):
      return 1 - spring.value(at: elapsed, initialVelocity: velocity)
    }
  }

  /// Whether nothing remains for good.
  func isOver(after seconds: Double) -> Bool {
    switch course {
    case .curve(_, let duration): seconds * speed >= duration
    case .spring: seconds * speed > 60
    }
  }
}

/// A value on its way to a target.
///
/// Each change of the target adds a leg, an offset that shrinks to nothing in its own time, and the
/// legs add up. So a new target takes over from the present place *and* velocity: nothing jumps,
/// however often the mind changes.
package struct Animated<Value: VectorValue>: Equatable, Sendable {
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
