import Testing

@testable import Geometry

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

/// The course of a released photo: the published spring on a clock that ends.
struct ReleaseTests {
  /// The way done in percent, by the spring itself and as it is played, for initial velocities in
  /// fractions of the way per second.
  @Test func `the published spring and the played one, side by side`() {
    let velocities: [Double] = [-4, 0, 3, 17]
    func percent(_ value: Double) -> String {
      let tenths = Int((value * 1000).rounded())
      let text = "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
      return String(repeating: " ", count: max(6 - text.count, 0)) + text
    }
    let lines = (0...12).map { step in
      let time = Double(step) * 0.05
      let columns = velocities.map { velocity in
        percent(Spring.release.value(at: time, initialVelocity: velocity))
          + percent(1 - MotionSetting.full.release(velocity: velocity).remaining(after: time))
      }
      return "\(step * 5 / 100).\(step * 5 % 100 / 10)\(step * 5 % 10)"
        + columns.joined(separator: " |")
    }
    #expect(
      lines.joined(separator: "\n") == """
        0.00   0.0   0.0 |   0.0   0.0 |   0.0   0.0 |   0.0   0.0
        0.05  -8.8  -8.8 |   3.7   4.2 |  13.0  14.0 |  56.5  59.6
        0.10  -5.2  -2.3 |  11.0  14.3 |  23.2  26.8 |  80.0  85.0
        0.15   2.7  11.7 |  19.3  27.4 |  31.8  39.2 |  89.9  94.2
        0.20  11.7  28.8 |  27.4  41.8 |  39.2  51.6 |  94.2  97.1
        0.25  20.6  46.6 |  35.0  56.4 |  45.8  63.8 |  96.1  98.1
        0.30  28.8  63.7 |  41.8  70.4 |  51.6  75.4 |  97.1  98.8
        0.35  36.3  78.9 |  48.0  82.8 |  56.7  85.7 |  97.6  99.3
        0.40  43.1  90.6 |  53.5  92.3 |  61.4  93.6 |  98.0  99.7
        0.45  49.1  97.6 |  58.5  98.0 |  65.5  98.4 |  98.2  99.9
        0.50  54.5  99.8 |  62.9  99.9 |  69.2  99.9 |  98.4 100.0
        0.55  59.4 100.0 |  66.8 100.0 |  72.4 100.0 |  98.6 100.0
        0.60  63.7 100.0 |  70.4 100.0 |  75.4 100.0 |  98.8 100.0
        """)
  }

  @Test(arguments: [-30, -4, -0.5, 0, 0.5, 3, 17, 40, 1000])
  func `a released photo starts with the pointer's velocity, never overshoots and arrives in 0.6 s`(
    velocity: Double
  ) {
    let timing = MotionSetting.full.release(velocity: velocity)
    let start = (1 - timing.remaining(after: 1e-6)) / 1e-6
    #expect(abs(start - min(velocity, Spring.release.maxVelocityWithoutOvershoot)) < 0.01)
    let way = stride(from: 0, through: 0.6, by: 0.001).map { timing.remaining(after: $0) }
    #expect(way.allSatisfy { $0 >= 0 } && timing.remaining(after: 0.6) == 0)
    // Half a pixel of a way across the screen, long before the end.
    #expect(velocity < -4 || timing.remaining(after: 0.52) < 1 / 2000)
    // Once it comes closer, it does not turn back.
    let turn = way.indices.max { way[$0] < way[$1] } ?? 0
    #expect(zip(way[turn...], way[turn...].dropFirst()).allSatisfy { $0 >= $1 })
  }

  @Test func `slow motion takes five times as long`() {
    let (full, slow) = (
      MotionSetting.full.release(velocity: 2), MotionSetting.slow.release(velocity: 2)
    )
    #expect(abs(slow.remaining(after: 1) - full.remaining(after: 0.2)) < 1e-9)
    #expect(full.isOver(after: 0.6) && !slow.isOver(after: 2.9) && slow.isOver(after: 3.001))
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

struct PausableClockTests {
  @Test func `it stands while it is paused, and goes on from there`() {
    var clock = PausableClock()
    func shown(_ seconds: Double) -> Double {
      clock.time(at: Instant(seconds: seconds)).seconds(since: Instant(seconds: 0))
    }
    #expect(shown(7) == 7 && !clock.isPaused)
    clock.pause(at: Instant(seconds: 10))
    clock.pause(at: Instant(seconds: 20))
    #expect(shown(70) == 10 && clock.isPaused)
    #expect(clock.moment(of: Instant(seconds: 11)) == nil)
    clock.resume(at: Instant(seconds: 70))
    clock.resume(at: Instant(seconds: 71))
    #expect(shown(71) == 11 && !clock.isPaused)
    #expect(clock.moment(of: Instant(seconds: 12)) == Instant(seconds: 72))
    clock.pause(at: Instant(seconds: 80))
    clock.resume(at: Instant(seconds: 81))
    #expect(shown(81) == 20)
  }
}
