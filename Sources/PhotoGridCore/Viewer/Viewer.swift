/// A photo that has left its tile: on its way, on the whole screen, or held by the pointer.
///
/// There is at most one, and its own tile stays empty meanwhile. The viewer does not see the grid:
/// a `Context` says where its tile is, and an `Outcome` says what the grid has to do.
package struct Viewer: Equatable, Sendable {
  /// The open photo.
  package var photo: Photo.ID
  /// What the photo is doing.
  package var phase: Phase
  /// How it is magnified on the screen, or will be once it is there.
  package var view = Magnification()
  /// Which way the photo was last moved on the screen, -1 to 1 along each axis: what comes into
  /// sight next is on the other side.
  var panDirection = PixelPoint.zero
  /// The photo before this one in a slideshow, while it gives way.
  var crossFade: CrossFade?

  /// What the photo is doing.
  package enum Phase: Equatable, Sendable {
    /// On its way.
    case flying(Animated<Pose>, to: Destination)
    /// In its place on the screen.
    case resting
    /// Pressed where it was, not yet dragged.
    case held(Press)
    /// Dragged towards dismissal, from the pose that it was taken in.
    case dragging(Drag, from: Pose)
    /// Larger than the screen and moved about on it, from the pose that it was taken in.
    case panning(Drag, from: Pose)
    /// Pushed sideways from an offset in pixels: the neighbours come along.
    case swiping(Drag, from: Double)
    /// Let go after swiping: the sideways offset returns to 0.
    case snapping(Animated<Double>)
  }

  /// Where a flight ends.
  package enum Destination: Equatable, Sendable {
    /// The photo's tile in the grid.
    case tile
    /// The photo's place on the screen.
    case screen
  }

  /// A press that may become a click, a drag or nothing.
  package struct Press: Equatable, Sendable {
    /// The path of the pointer so far.
    package var press: Drag
    /// The pose that the photo was taken in.
    package var pose: Pose
    /// The flight that the press took hold of; nil for a photo at rest.
    package var interrupted: Destination?
  }

  /// What the grid has to do after the photo has moved.
  enum Outcome: Equatable, Sendable {
    /// The photo flies to its tile, which has to be scrolled into sight; at once where nothing of
    /// the grid is seen yet.
    case closing(isGridHidden: Bool)
    /// Another photo is shown instead.
    case changed(to: Photo.ID)
  }

  /// Whether it flies to its tile: then keys mean the grid again.
  package var isClosing: Bool {
    if case .flying(_, to: .tile) = phase { true } else { false }
  }

  /// Whether a button is down on the photo.
  var isGrabbed: Bool {
    switch phase {
    case .held, .dragging, .panning, .swiping: true
    case .flying, .resting, .snapping: false
    }
  }

  /// Whether the next frame will differ from this one by time alone.
  func isAnimating(at now: Instant) -> Bool {
    if let crossFade, !crossFade.share.isOver(at: now) { return true }
    switch phase {
    case .flying, .snapping: return true
    case .resting, .held, .dragging, .panning, .swiping: return false
    }
  }
}
