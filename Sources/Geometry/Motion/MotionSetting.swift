/// The amount and speed of motion.
package enum MotionSetting: String, CaseIterable, Sendable {
  /// All motion, at the usual speed.
  case full
  /// All motion at a fifth of the usual speed, for inspection.
  case slow
  /// Cross-fades only, for users whom zooming motion makes dizzy.
  case reduced
  case none

  /// The speed relative to real time.
  var speed: Double { self == .slow ? 0.2 : 1 }

  /// Whether objects move across the screen.
  package var travels: Bool { self == .full || self == .slow }

  /// The timing of opening and closing a photo: ease in and out in 0.35 s, as on a phone.
  package var tap: Timing { .curve(.easeInOut, seconds: 0.35, speed: speed) }

  /// The timing of scrolling with the selection or the wheel.
  package var scroll: Timing { .curve(.easeOut, seconds: 0.15, speed: speed) }

  /// The timing of a zoom step by a key or the wheel.
  package var zoomStep: Timing { .curve(.easeOut, seconds: 0.15, speed: speed) }

  /// Returns the timing of a zoomed photo released during a pan.
  package func glide(reach: Double) -> Timing { .glide(reach: reach, speed: speed) }

  /// The duration of a cross-fade in a slideshow, in seconds.
  package var crossFadeSeconds: Double { self == .none ? 0 : 0.5 / speed }

  /// The timing of the cross-fade between two photos of a slideshow.
  package var crossFade: Timing { .curve(.easeInOut, seconds: 0.5, speed: speed) }

  /// The timing of the flight of tiles to their positions in another layout.
  package var rearrangement: Timing { .curve(.easeInOut, seconds: 0.35, speed: speed) }

  /// Returns the timing of a released photo with a velocity in fractions of the distance per
  /// second: the published spring, at rest after 0.6 s instead of 3.3 s, and without overshoot.
  package func release(velocity: Double) -> Timing {
    let spring = Spring.release
    return .spring(
      spring, initialVelocity: min(velocity, spring.maxVelocityWithoutOvershoot), seconds: 0.6,
      speed: speed)
  }
}
