/// Photos on the whole screen, one after the other by themselves.
package struct Slideshow: Equatable, Sendable {
  /// How long each photo is shown between two fades, in seconds.
  let seconds: Double
  /// The photo whose turn it is.
  var photo: Photo.ID
  var clock = Clock.waiting
  /// How many places further on the photo is that comes next; nil where no other can be shown.
  var step: Int? = 1
  /// The photo that comes next, by which a change of the order is noticed.
  var next: Photo.ID?
  /// Whether its picture is there.
  var isNextReady = false
  /// Photos that cannot be shown.
  var failed: Set<Photo.ID> = []

  /// How long the present photo stays.
  enum Clock: Equatable, Sendable {
    /// Its picture is not there yet.
    case waiting
    case running(until: Instant)
    /// Stopped with so many seconds to go.
    case paused(seconds: Double)
  }

  /// Whether it waits to be told to go on.
  package var isPaused: Bool { if case .paused = clock { true } else { false } }

  /// A show that begins with a photo.
  init(of photo: Photo.ID, seconds: Double) {
    self.photo = photo
    self.seconds = seconds
  }
}

/// A photo that gives way to another one on the screen.
struct CrossFade: Equatable, Sendable {
  /// The photo before, as it was last seen.
  var placement: Placement
  /// The photo that comes.
  var next: Photo.ID
  /// How much of it is seen, 0 to 1.
  var share: Animated<Double>
}
