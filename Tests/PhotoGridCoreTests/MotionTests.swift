import Testing

@testable import PhotoGridCore

struct SpringTests {
  /// The position of the spring by numeric integration in very small steps, as a reference.
  private func integrated(_ spring: Spring, velocity: Double, until end: Double) -> Double {
    var position = 0.0
    var speed = velocity
    let steps = 200_000
    let step = end / Double(steps)
    for _ in 0..<steps {
      let force = { (place: Double, speed: Double) in
        (spring.stiffness * (1 - place) - spring.damping * speed) / spring.mass
      }
      let middleSpeed = speed + force(position, speed) * step / 2
      let middlePlace = position + speed * step / 2
      position += middleSpeed * step
      speed += force(middlePlace, middleSpeed) * step
    }
    return position
  }

  @Test(arguments: [
    Spring(mass: 5, stiffness: 200, damping: 100),
    Spring(mass: 1, stiffness: 100, damping: 20),
    Spring(mass: 1, stiffness: 200, damping: 8),
  ])
  func `the closed form agrees with numeric integration in all three regimes`(spring: Spring) {
    for velocity in [-4.0, 0, 0.5, 12] {
      for end in [0.05, 0.3, 1.2] {
        let expected = integrated(spring, velocity: velocity, until: end)
        let actual = spring.value(at: end, initialVelocity: velocity)
        #expect(abs(actual - expected) < 1e-6, "\(spring) at \(end) from \(velocity)")
      }
    }
  }

  @Test func `a spring starts at 0 with the initial velocity`() {
    let spring = Spring(mass: 5, stiffness: 200, damping: 100)

    #expect(abs(spring.value(at: 0, initialVelocity: 3)) < 1e-12)
    #expect(abs(spring.value(at: 1e-6, initialVelocity: 3) / 1e-6 - 3) < 1e-3)
  }
}

struct UnitCurveTests {
  @Test func `easeInOut is the published curve`() {
    // Points of cubic-bezier(0.42, 0, 0.58, 1), solved on paper at t = 0.25 and 0.5.
    let x = 3 * 0.42 * 0.25 * 0.75 * 0.75 + 3 * 0.58 * 0.0625 * 0.75 + 0.015625
    let y = 3 * 0.0625 * 0.75 + 0.015625

    #expect(abs(UnitCurve.easeInOut.value(at: x) - y) < 1e-9)
    #expect(abs(UnitCurve.easeInOut.value(at: 0.5) - 0.5) < 1e-9)
    #expect(UnitCurve.easeInOut.value(at: -1) == 0)
    #expect(UnitCurve.easeInOut.value(at: 2) == 1)
  }
}

struct AnimatedTests {
  private let tap = Timing.curve(.easeInOut, seconds: 0.35)

  @Test func `retargeting keeps position and velocity`() {
    var value = Animated(from: 0.0, to: 100, tap, at: Instant(seconds: 0))
    let turn = Instant(seconds: 0.17)
    let justBefore = value.value(at: turn.advanced(bySeconds: -1e-4))
    let before = value.value(at: turn)

    value.retarget(to: 0, tap, at: turn)

    let after = value.value(at: turn)
    let justAfter = value.value(at: turn.advanced(bySeconds: 1e-4))
    #expect(abs(after - before) < 1e-9)
    #expect(abs((justAfter - after) - (before - justBefore)) < 0.01)
    #expect(value.value(at: Instant(seconds: 1)) == 0)
    #expect(value.isOver(at: Instant(seconds: 0.53)))
  }

  @Test func `an animation at a fifth of the speed takes five times as long`() {
    let slow = Timing.curve(.easeInOut, seconds: 0.35, speed: 0.2)
    let value = Animated(from: 0.0, to: 100, slow, at: Instant(seconds: 0))

    #expect(abs(value.value(at: Instant(seconds: 0.875)) - 50) < 1e-6)
    #expect(!value.isOver(at: Instant(seconds: 1.7)))
    #expect(value.isOver(at: Instant(seconds: 1.7501)))
  }
}

struct DragTests {
  @Test func `velocity is the movement of the last tenth of a second`() {
    var drag = Drag(at: .zero, time: Instant(seconds: 0))
    drag.move(to: PixelPoint(x: 0, y: 500), at: Instant(seconds: 0.5))
    drag.move(to: PixelPoint(x: 10, y: 530), at: Instant(seconds: 0.95))

    let velocity = drag.velocity(at: Instant(seconds: 1))

    #expect(abs(velocity.x - 100) < 1e-6)
    #expect(abs(velocity.y - 300) < 1e-6)
  }

  @Test func `a pointer at rest has no velocity`() {
    var drag = Drag(at: .zero, time: Instant(seconds: 0))
    drag.move(to: PixelPoint(x: 0, y: 500), at: Instant(seconds: 0.5))

    #expect(drag.velocity(at: Instant(seconds: 0.7)) == .zero)
  }

  @Test func `a velocity's share is its projection on the distance, and 0 without a distance`() {
    let velocity = PixelPoint(x: 30, y: 40)
    let target = PixelPoint(x: 0, y: 200)

    #expect(Drag.relativeVelocity(of: velocity, from: .zero, to: target) == 0.2)
    #expect(Drag.relativeVelocity(of: velocity, from: target, to: target) == 0)
  }
}

struct FrameClockTests {
  @Test func `deadlines are multiples of the interval and never drift`() {
    var clock = FrameClock(framesPerSecond: 60, origin: Instant(nanoseconds: 7))
    var now = Instant(nanoseconds: 7)
    for frame in 0..<600 {
      let deadline = clock.deadline(after: now)
      #expect(deadline.nanoseconds == 7 + Int64(frame) * 16_666_666)
      now = deadline.advanced(bySeconds: 0.003)  // each frame is drawn 3 ms late
      clock.frameWasDrawn(at: now)
    }
  }

  @Test func `missed deadlines are skipped, not made up for`() {
    var clock = FrameClock(framesPerSecond: 50, origin: Instant(seconds: 0))
    clock.frameWasDrawn(at: Instant(seconds: 0.001))
    clock.frameWasDrawn(at: Instant(seconds: 0.107))

    #expect(clock.deadline(after: Instant(seconds: 0.108)) == Instant(seconds: 0.12))
    #expect(clock.deadline(after: Instant(seconds: 0.5)) == Instant(seconds: 0.5))
  }
}
