/// A photo that has left its tile: in flight, on the whole screen, or held by the pointer.
///
/// At most one photo is open, and its tile stays empty in the meantime. The viewer does not access
/// the grid: a `Context` supplies the frame of the tile, and an `Outcome` is the update that the
/// grid needs.
package struct Viewer: Equatable, Sendable {
  /// The open photo.
  package var photo: Photo.ID
  /// The current activity of the photo.
  package var phase: Phase
  /// The magnification on the screen, or after the flight to it.
  package var view = Magnification()
  /// The direction in which the photo last moved on the screen, -1 to 1 along each axis; the next
  /// part of it becomes visible on the opposite side.
  var panDirection = PixelPoint.zero
  /// Whether the last step led to an earlier photo, so that earlier photos are prefetched.
  var goesBack = false
  /// The time at which to demand the picture of the whole photo after a step between magnified
  /// photos; nil if it is already demanded.
  ///
  /// Decoding a whole large photo that is left after a moment would delay the visible parts of the
  /// next photos.
  var wholeDue: Instant?
  /// The cross-fade from the previous photo of a slideshow.
  var crossFade: CrossFade?
  /// The offset, in pixels, by which a neighbor leaves after a swipe that was turned into a drag
  /// down; nil if there is none.
  var passing: Animated<Double>?

  /// An activity of the photo.
  ///
  /// ```
  /// resting    press     held (a press also interrupts flying and snapping)
  /// held       click     flying to the tile
  /// held       drag      dragging, swiping, or panning if magnified
  /// dragging   release   flying to the tile or back to the screen
  /// panning    release   flying on until friction stops it
  /// swiping    release   snapping
  /// flying     arrival   resting, or no longer open if it was flying to the tile
  /// snapping   arrival   resting
  /// ```
  package enum Phase: Equatable, Sendable {
    /// In flight.
    case flying(Animated<Pose>, to: Destination)
    /// At rest on the screen.
    case resting
    /// Pressed, but not dragged yet.
    case held(Press)
    /// Dragged to be dismissed, from the given pose.
    case dragging(Drag, from: Pose)
    /// Larger than the screen and panned, from the given pose.
    case panning(Drag, from: Pose)
    /// Swiped horizontally with its neighbors, from an offset in pixels.
    case swiping(Drag, from: Double)
    /// Released after a swipe: the horizontal offset returns to 0.
    case snapping(Animated<Double>)
  }

  /// The end of a flight.
  package enum Destination: Equatable, Sendable {
    /// The photo's tile in the grid.
    case tile
    /// The photo's frame on the screen.
    case screen
  }

  /// A press that can become a click or a drag.
  package struct Press: Equatable, Sendable {
    /// The path of the pointer so far.
    package var press: Drag
    /// The photo's pose at the press.
    package var pose: Pose
    /// The destination of the flight that the press has interrupted; nil if the photo was at rest.
    package var interrupted: Destination?
    /// The offset of the swipe that the press has interrupted, in pixels; 0 if the photo seemed to
    /// rest.
    package var swipe = 0.0
  }

  /// The update that the grid needs after a change of the photo.
  enum Outcome: Equatable, Sendable {
    /// Scroll to show the tile that the photo flies to, without animation if the grid is hidden.
    case closing(isGridHidden: Bool)
    /// Another photo is shown instead.
    case changed(to: Photo.ID)
  }

  /// Whether the photo flies to its tile; keys then apply to the grid again.
  package var isClosing: Bool {
    if case .flying(_, to: .tile) = phase { true } else { false }
  }

  /// Whether a mouse button is held on the photo.
  var isGrabbed: Bool {
    switch phase {
    case .held, .dragging, .panning, .swiping: true
    case .flying, .resting, .snapping: false
    }
  }

  /// Whether time alone will make the next frame differ.
  func isAnimating(at now: Instant) -> Bool {
    if let crossFade, !crossFade.progress.isOver(at: now) { return true }
    if let passing, !passing.isOver(at: now) { return true }
    switch phase {
    case .flying, .snapping: return true
    case .resting, .held, .dragging, .panning, .swiping: return false
    }
  }
}
