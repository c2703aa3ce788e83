/// The path of a pointer that is held down, and what it means when it is let go.
package struct Drag: Equatable, Sendable {
  /// Where and when the button went down.
  package let start: PixelPoint
  /// The latest place.
  package private(set) var position: PixelPoint
  private var samples: [Sample]

  private struct Sample: Equatable, Sendable {
    var position: PixelPoint
    var time: Instant
  }

  /// How far back the release velocity looks.
  private static let window = 0.1

  /// A press at a place.
  package init(at start: PixelPoint, time: Instant) {
    self.start = start
    position = start
    samples = [Sample(position: start, time: time)]
  }

  /// Follows the pointer to its next place.
  package mutating func move(to position: PixelPoint, at time: Instant) {
    self.position = position
    samples.append(Sample(position: position, time: time))
    // One sample older than the window stays: it is where the pointer was when the window opened.
    let opening = time.advanced(bySeconds: -Self.window)
    if let keep = samples.lastIndex(where: { $0.time <= opening }) {
      samples.removeFirst(keep)
    }
  }

  /// The way from the press to the latest place, in pixels.
  package var translation: PixelPoint {
    PixelPoint(x: position.x - start.x, y: position.y - start.y)
  }

  /// Pixels per second: the movement over the last 100 ms divided by that time; without any, 0.
  package func velocity(at release: Instant) -> PixelPoint {
    let opening = release.advanced(bySeconds: -Self.window)
    guard let from = samples.last(where: { $0.time <= opening }) ?? samples.first else {
      return .zero
    }
    return PixelPoint(
      x: (position.x - from.position.x) / Self.window,
      y: (position.y - from.position.y) / Self.window)
  }

  /// The velocity towards a target, in shares of the way to it per second; 0 where there is no way.
  ///
  /// - Parameters:
  ///   - velocity: In pixels per second.
  ///   - origin: Where the thing is.
  ///   - target: Where it is to go.
  /// - Returns: Positive towards the target, negative away from it.
  package static func share(
    of velocity: PixelPoint, from origin: PixelPoint, to target: PixelPoint
  ) -> Double {
    let distance = origin.distance(to: target)
    guard distance > 0 else { return 0 }
    let along =
      (velocity.x * (target.x - origin.x) + velocity.y * (target.y - origin.y)) / distance
    return along / distance
  }
}
