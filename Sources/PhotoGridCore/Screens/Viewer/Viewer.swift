import Geometry
import Photos

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
  var lastStepWasBackward = false
  /// The time at which to demand the picture of the whole photo after a step between magnified
  /// photos; nil if it is already demanded.
  ///
  /// Decoding a whole large photo that is left after a moment would delay the visible parts of the
  /// next photos.
  var fullPictureDue: Instant?
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

extension Viewer {
  /// The surroundings of the open photo at a moment.
  struct Context {
    /// The screen's size and metrics.
    var viewport: Viewport
    /// The amount and speed of motion.
    var motion: MotionSetting
    /// The current time.
    var now: Instant
    /// The photo's size as displayed, in its own pixels; nil until it is known.
    var size: PixelSize?
    /// The frame of the photo's tile after all motion of the grid, in pixels of the picture area.
    var tile: PixelRect
    /// The frame of the photo's tile after the grid has also been scrolled to show it.
    var tileAfterScrolling: PixelRect
    /// The photo before this one in display order; nil if there is none.
    var previous: Photo.ID?
    /// The photo after this one in display order; nil if there is none.
    var next: Photo.ID?

    /// The photo and the area that displays it; nil until its size is known.
    var stage: Magnification.PhotoInArea? { size.map { viewport.stage(for: $0) } }

    /// The distance between the centers of two neighboring photos during a swipe, in pixels.
    var swipePitch: Double { viewport.photoArea.width + 2 * viewport.metrics.cell.width }

    /// Returns the neighbor that a horizontal offset makes visible; nil if there is none.
    func neighbor(at offset: Double) -> Photo.ID? { offset < 0 ? next : previous }

    /// The same context, but with the grid scrolled to show the tile.
    var scrolledToTile: Context {
      var context = self
      context.tile = tileAfterScrolling
      return context
    }
  }
}

extension Viewer.Context {
  /// Creates the surroundings of the photo at an index, as if it were open.
  init(ofItemAt index: Int, in gallery: Gallery, at now: Instant) {
    let item = gallery.items[index]
    self.init(
      viewport: gallery.viewport, motion: gallery.options.motion, now: now,
      size: gallery.size(of: item), tile: gallery.restingTileFrame(of: index),
      tileAfterScrolling: gallery.restingTileFrame(
        of: index, scrolledTo: gallery.scrollOffset(showing: index)),
      previous: gallery.photo(at: index - 1), next: gallery.photo(at: index + 1))
  }
}

extension Viewport {
  /// Returns the stage of a photo with the given size in pixels.
  func stage(for photo: PixelSize) -> Magnification.PhotoInArea {
    Magnification.PhotoInArea(photo: photo, area: photoArea, placementStep: metrics.placementStep)
  }

  /// Returns the frame of a photo on the screen: on whole placement steps at fit, larger than the
  /// screen if the photo is magnified, and a square if its size is unknown.
  func screenFrame(of photo: PixelSize?, _ view: Magnification) -> PixelRect {
    guard let photo else {
      return photoArea.wholePhoto(
        of: PixelSize(width: 1, height: 1), placementStep: metrics.placementStep)
    }
    return view.frame(on: stage(for: photo))
  }
}

/// Zooming: the scale of the photo on the screen, and its visible part.
extension Viewer {
  /// Whether the photo is, or will be, larger than the screen and can be panned.
  func isMagnified(on stage: Magnification.PhotoInArea?) -> Bool {
    guard let stage else { return false }
    return stage.isExceeded(by: view.frame(on: stage))
  }

  /// Whether the scale differs from fit.
  func isZoomed(on stage: Magnification.PhotoInArea?) -> Bool {
    guard let stage else { return false }
    return !view.isFit(on: stage)
  }

  /// The magnification for the next photo: the same scale and center, so that photos of one subject
  /// can be compared.
  ///
  /// A scale chosen in steps applies only to this photo; the next one is shown at fit.
  var viewForNext: Magnification {
    if case .factor = view.scale, view.scale != Magnification.actualSize { return Magnification() }
    return view
  }

  /// Performs a zoom command; if the photo's size is unknown, `larger` and `smaller` do nothing,
  /// and other commands take effect once it is known.
  mutating func zoom(_ command: Command.Zoom, _ count: Int, in context: Context) {
    guard let next = view.zoomed(command, count, on: context.stage) else { return }
    animate(to: next, command.timing(context.motion), in: context)
  }

  /// Zooms by notches of the wheel; the point under the pointer stays in place throughout.
  mutating func zoom(_ notches: Int, at point: PixelPoint, in context: Context) {
    guard let stage = context.stage else { return }
    let present = pose(in: context)
    let next = view.zoomed(
      byNotches: notches, keeping: point, of: stage.wholeFrame(showing: present.frame), on: stage)
    guard let next else { return }
    // Start from rest: a motion in progress would move the point away from the pointer.
    phase = .flying(Animated(present), to: .screen)
    animate(to: next, context.motion.zoomStep, in: context)
  }

  /// Starts a motion from the current pose to another magnification.
  mutating func animate(to view: Magnification, _ timing: Timing, in context: Context) {
    beginFlight(in: context)
    self.view = view
    guard context.motion.travels else {
      phase = .resting
      return
    }
    fly(to: .screen, timing, in: context)
  }

  /// Starts a flight from the current pose to the photo's frame on the screen, so that the frame
  /// can change.
  mutating func beginFlight(in context: Context) {
    if case .flying(_, to: .screen) = phase { return }
    phase = .flying(Animated(pose(in: context)), to: .screen)
  }

  /// Rotates or flips the photo a number of times.
  ///
  /// - Parameters:
  ///   - turning: The orientation to apply each time.
  ///   - count: The number of times.
  ///   - context: The surroundings of the photo, with its size before the rotation.
  mutating func turn(_ turning: Orientation, _ count: Int, in context: Context) {
    beginFlight(in: context)
    var (view, turned) = (view, context)
    for _ in 0..<count % 4 {
      view.center = turning.turned(view.center)
      turned.size = turned.size.map(turning.turned)
    }
    panDirection = .zero
    animate(to: view, context.motion.tap, in: turned)
  }
}

/// Panning a photo larger than the screen: by keys, by the pointer, and by gliding on after the
/// release.
extension Viewer {
  // MARK: - Keys

  /// Pans the photo to show more of it in a direction, by a number of steps.
  mutating func pan(_ direction: Direction, _ count: Int, in context: Context) {
    move(
      by: direction.panTranslation(steps: count, in: context.viewport.photoArea.size),
      context.motion.scroll, in: context)
  }

  /// Moves the photo until its edge in a direction is visible.
  mutating func panToEdge(_ direction: Direction, in context: Context) {
    move(
      by: direction.panTranslation(by: screenFrame(in: context).size), context.motion.tap,
      in: context)
  }

  private mutating func move(by translation: PixelPoint, _ timing: Timing, in context: Context) {
    guard let stage = context.stage, isMagnified(on: stage) else { return }
    let frame = view.frame(on: stage)
    animate(to: view.panned(by: translation, on: stage), timing, in: context)
    panDirection = frame.direction(to: view.frame(on: stage))
  }

  // MARK: - The pointer

  /// Returns the pose of a photo panned by the pointer, no further than its edges.
  ///
  /// - Parameters:
  ///   - start: The pose at the start of the pan.
  ///   - translation: The pointer's movement since, in pixels.
  ///   - stage: The photo and the screen.
  /// - Returns: The current pose.
  static func panned(_ start: Pose, by translation: PixelPoint, on stage: Magnification.PhotoInArea)
    -> Pose
  {
    let frame = start.frame
    /// Returns the position along one axis; a photo caught in flight can start out of bounds.
    func origin(_ low: Double, _ side: Double, _ distance: Double, _ from: Double, _ room: Double)
      -> Double
    {
      guard side > room else { return low }
      return min(max(low + distance, min(from + room - side, low)), max(from, low))
    }
    var pose = start
    pose.frame = PixelRect(
      x: origin(frame.minX, frame.width, translation.x, stage.area.minX, stage.area.width),
      y: origin(frame.minY, frame.height, translation.y, stage.area.minY, stage.area.height),
      width: frame.width, height: frame.height)
    return pose
  }

  /// Pans a magnified photo with the pointer.
  mutating func pan(_ drag: Drag, from start: Pose, to position: PixelPoint, in context: Context) {
    guard let stage = context.stage else { return }
    let before = view.frame(on: stage)
    var drag = drag
    drag.move(to: position, at: context.now)
    let after = Self.panned(start, by: drag.translation, on: stage).frame
    let scale = scale(of: start.frame, on: stage)
    phase = .panning(drag, from: start)
    view = Magnification(scale: scale, showing: stage.wholeFrame(showing: after), on: stage)
    panDirection = before.direction(to: view.frame(on: stage))
  }

  /// Returns the scale of a frame, or the requested scale if the photo has almost reached it.
  private func scale(of frame: PixelRect, on stage: Magnification.PhotoInArea)
    -> Magnification.Scale
  {
    let factor = stage.wholeFrame(showing: frame).width / stage.photo.width
    if abs(stage.factor(of: view.scale) / factor - 1) < 0.03 { return view.scale }
    return .factor(stage.factor(of: .factor(factor)))
  }

  /// Releases a magnified photo: it glides, slows down by friction and stops at its edges.
  mutating func releaseGliding(_ drag: Drag, in context: Context) {
    guard let stage = context.stage else { return }
    let present = pose(in: context)
    let translation = drag.glide(on: context.viewport, at: context.now)
    guard context.motion.travels, let translation else {
      animate(to: view, context.motion.scroll, in: context)
      return
    }
    let frame = view.frame(on: stage)
    view = view.panned(by: translation, on: stage)
    panDirection = frame.direction(to: view.frame(on: stage))
    phase = .flying(
      .gliding(
        from: present, to: pose(at: .screen, in: context), by: translation, context.motion,
        at: context.now),
      to: .screen)
  }
}

extension Animated<Pose> {
  /// Returns a glide to a pose, with the initial speed at which friction would stop the photo after
  /// `translation`.
  static func gliding(
    from present: Pose, to end: Pose, by translation: PixelPoint, _ motion: MotionSetting,
    at now: Instant
  ) -> Animated<Pose> {
    /// Returns how many times farther friction alone would have carried the photo than its edge
    /// allows.
    func reach(_ wanted: Double, _ actual: Double) -> Double {
      actual == 0 ? 1 : max(wanted / actual, 1)
    }
    // The two axes come to rest at different times, so each has its own leg.
    var middle = end
    middle.frame = PixelRect(
      x: end.frame.minX, y: present.frame.minY, width: end.frame.width,
      height: present.frame.height)
    let across = reach(translation.x, end.frame.minX - present.frame.minX)
    let down = reach(translation.y, end.frame.minY - present.frame.minY)
    var flight = Animated(from: present, to: middle, motion.glide(reach: across), at: now)
    flight.retarget(to: end, motion.glide(reach: down), at: now)
    return flight
  }
}
