/// The path of a pointer with a button held down, and its velocity at the release.
package struct Drag: Equatable, Sendable {
  package let start: PixelPoint
  package private(set) var position: PixelPoint
  private var samples: [Sample]

  private struct Sample: Equatable, Sendable {
    var position: PixelPoint
    var time: Instant
  }

  /// The time over which the release velocity is measured, in seconds.
  private static let window = 0.1
  /// A photo released at a lower speed does not glide, in points per second.
  private static let slowestGlide = 60.0

  package init(at start: PixelPoint, time: Instant) {
    self.start = start
    position = start
    samples = [Sample(position: start, time: time)]
  }

  package mutating func move(to position: PixelPoint, at time: Instant) {
    self.position = position
    samples.append(Sample(position: position, time: time))
    // Keep one sample older than the window: the pointer's position when the window began.
    let opening = time.advanced(bySeconds: -Self.window)
    if let keep = samples.lastIndex(where: { $0.time <= opening }) {
      samples.removeFirst(keep)
    }
  }

  /// The offset from the press to the latest position, in pixels.
  package var translation: PixelPoint {
    PixelPoint(x: position.x - start.x, y: position.y - start.y)
  }

  /// Returns the velocity at the release in pixels per second: the movement over the last 100 ms
  /// divided by that time; 0 without movement.
  package func velocity(at release: Instant) -> PixelPoint {
    let opening = release.advanced(bySeconds: -Self.window)
    guard let from = samples.last(where: { $0.time <= opening }) ?? samples.first else {
      return .zero
    }
    return PixelPoint(
      x: (position.x - from.position.x) / Self.window,
      y: (position.y - from.position.y) / Self.window)
  }

  /// Returns the distance that a panned photo glides after the release until friction stops it, in
  /// pixels; nil if the pointer was too slow.
  package func glide(on viewport: Viewport, at release: Instant) -> PixelPoint? {
    let velocity = velocity(at: release)
    guard PixelPoint.zero.distance(to: velocity) > Self.slowestGlide * viewport.metrics.point else {
      return nil
    }
    return PixelPoint(x: velocity.x * Timing.glideSeconds, y: velocity.y * Timing.glideSeconds)
  }

  /// Returns the velocity toward a target, in fractions of the distance per second; 0 if the
  /// distance is 0.
  ///
  /// - Returns: A positive value toward the target, a negative one away from it.
  package static func relativeVelocity(
    of velocity: PixelPoint, from origin: PixelPoint, to target: PixelPoint
  ) -> Double {
    let distance = origin.distance(to: target)
    guard distance > 0 else { return 0 }
    let along =
      (velocity.x * (target.x - origin.x) + velocity.y * (target.y - origin.y)) / distance
    return along / distance
  }
}
