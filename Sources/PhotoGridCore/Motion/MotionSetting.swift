/// How much moves, and how fast.
package enum MotionSetting: String, CaseIterable, Sendable {
  /// Everything moves, at its usual speed.
  case full
  /// A fifth of the speed, to watch the motion.
  case slow
  /// Cross-fades only, for people whom zooming makes ill.
  case reduced
  /// Nothing moves.
  case none

  /// 1 is real time.
  var speed: Double { self == .slow ? 0.2 : 1 }

  /// Whether things travel across the screen.
  var travels: Bool { self == .full || self == .slow }

  /// Opening and closing by tap: the platform's default, ease in and out in 0.35 s.
  var tap: Timing { .curve(.easeInOut, seconds: 0.35, speed: speed) }

  /// Scrolling after the selection or the wheel.
  var scroll: Timing { .curve(.easeOut, seconds: 0.15, speed: speed) }

  /// A step of the zoom by a key or the wheel.
  var zoomStep: Timing { .curve(.easeOut, seconds: 0.15, speed: speed) }

  /// A zoomed photo that was let go of while it was moved.
  func glide(reach: Double) -> Timing { .glide(reach: reach, speed: speed) }

  /// How long one photo takes to give way to the next by itself, in seconds.
  var crossFadeSeconds: Double { self == .none ? 0 : 0.5 / speed }

  /// A photo that gives way to the next by itself.
  var crossFade: Timing { .curve(.easeInOut, seconds: 0.5, speed: speed) }

  /// Tiles that fly to their places in another layout.
  var rearrangement: Timing { .curve(.easeInOut, seconds: 0.35, speed: speed) }

  /// A photo that was let go of, with its velocity in shares of the way per second.
  func release(velocity: Double) -> Timing {
    .spring(
      Spring(mass: 5, stiffness: 200, damping: 100), initialVelocity: velocity, speed: speed)
  }
}
