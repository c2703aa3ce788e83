import Geometry
import Photos
import SceneModel

/// Opening and closing: the flight between the tile and the screen.
extension Viewer {
  /// Creates a viewer that opens a photo from its tile.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - tile: The current pose of the photo's tile.
  ///   - context: The surroundings of the photo.
  init(opening photo: Photo.ID, from tile: Pose, in context: Context) {
    self.init(photo: photo, phase: .resting)
    // With reduced motion, a photo fades in at its frame on the screen.
    let start =
      context.motion.travels
      ? tile : Pose(frame: screenFrame(in: context), backdrop: 1, opacity: 0)
    phase = .flying(Animated(start), to: .tile)
    fly(to: .screen, context.motion.tap, in: context)
  }

  /// Creates a viewer that replaces a removed photo with another one.
  ///
  /// - Parameters:
  ///   - pose: The last pose of the removed photo.
  ///   - photo: The other photo.
  ///   - context: The surroundings of the other photo.
  init(replacing pose: Pose, with photo: Photo.ID, in context: Context) {
    self.init(photo: photo, phase: .resting)
    guard context.motion != .none else { return }
    let target = self.pose(at: .screen, in: context)
    let start = Pose(frame: target.frame, backdrop: pose.backdrop, opacity: 0)
    phase = .flying(
      Animated(from: start, to: target, context.motion.rearrangement, at: context.now),
      to: .screen)
  }

  /// Starts the flight of the photo to its tile.
  mutating func close(_ timing: Timing, in context: Context) -> Outcome {
    let isGridHidden = pose(in: context).backdrop < 1 / 64
    fly(to: .tile, timing, in: context.scrolledToTile)
    return .closing(isGridHidden: isGridHidden)
  }

  /// Ends a drag as a release at rest would; without a drag, starts closing the photo from its
  /// current pose.
  mutating func leave(in context: Context) -> Outcome? {
    if isGrabbed { return endDrag(in: context) }
    return isClosing ? nil : close(context.motion.tap, in: context)
  }

  /// The time without another step after which the picture of a whole magnified photo is demanded,
  /// in seconds.
  private static let fullPictureDelay = 0.4

  /// Shows another photo in place of this one, without motion.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - isBack: Whether the photo is before this one.
  ///   - now: The current time.
  /// - Returns: The update that the grid needs.
  mutating func show(_ photo: Photo.ID, isBack: Bool, at now: Instant) -> Outcome {
    self = Viewer(photo: photo, phase: .resting, view: viewForNext, lastStepWasBackward: isBack)
    if view != Magnification() { fullPictureDue = now.advanced(bySeconds: Self.fullPictureDelay) }
    return .changed(to: photo)
  }

  /// Starts a flight from the current pose to a destination; a flight in progress keeps its
  /// velocity.
  mutating func fly(to destination: Destination, _ timing: Timing, in context: Context) {
    guard context.motion != .none else {
      phase =
        destination == .screen
        ? .resting : .flying(Animated(pose(at: .tile, in: context)), to: .tile)
      return
    }
    let present = pose(in: context)
    let target =
      context.motion.travels || destination == .screen
      ? pose(at: destination, in: context)
      : Pose(frame: present.frame, backdrop: 1, opacity: 0)
    var flight = Animated(present)
    if case .flying(let running, _) = phase { flight = running }
    let zoomed = Self.zoomed(timing, from: flight.target, to: target, in: context)
    flight.retarget(to: target, zoomed, at: context.now)
    phase = .flying(flight, to: destination)
  }

  /// Returns the timing of a flight, as a zoom if the photo is larger than the screen at its start
  /// or end.
  private static func zoomed(
    _ timing: Timing, from start: Pose, to end: Pose, in context: Context
  ) -> Timing {
    let (from, to) = (start.frame.size, end.frame.size)
    let screen = context.viewport.photoArea
    guard max(from.width, to.width) > screen.width || max(from.height, to.height) > screen.height
    else { return timing }
    return timing.enlarging(by: (to.width + to.height) / (from.width + from.height))
  }

  /// Redirects a flight to the new pose of a destination; does nothing unless the photo flies
  /// there.
  mutating func retarget(to destination: Destination, _ timing: Timing, in context: Context) {
    guard case .flying(var flight, to: destination) = phase else { return }
    flight.retarget(to: pose(at: destination, in: context), timing, at: context.now)
    phase = .flying(flight, to: destination)
  }

  /// Moves a photo on the screen to its place in another part of the screen.
  ///
  /// - Parameters:
  ///   - before: The viewport with the former part.
  ///   - context: The surroundings of the photo.
  mutating func move(from before: Viewport, in context: Context) {
    switch phase {
    case .resting, .snapping, .flying(_, to: .screen):
      var former = context
      former.viewport = before
      beginFlight(in: former)
      animate(to: view, context.motion.tap, in: context)
    case .flying, .held, .dragging, .panning, .swiping: break
    }
  }

  /// Ends a motion that has finished.
  ///
  /// - Returns: Whether the photo has reached its tile and is no longer open.
  mutating func settle(in context: Context) -> Bool {
    if let due = fullPictureDue, due <= context.now { fullPictureDue = nil }
    if passing?.isOver(at: context.now) == true { passing = nil }
    let tolerance = context.viewport.metrics.placementStep.scaled(by: 0.5)
    switch phase {
    case .flying(let flight, let destination):
      guard flight.value(at: context.now).isClose(to: flight.target, tolerance: tolerance) else {
        return false
      }
      if destination == .tile { return true }
      phase = .resting
    case .snapping(let offset):
      if abs(offset.value(at: context.now)) <= tolerance.width { phase = .resting }
    case .resting, .held, .dragging, .panning, .swiping: break
    }
    return false
  }

  // MARK: - Poses

  /// Returns the pose at the end of a flight.
  func pose(at destination: Destination, in context: Context) -> Pose {
    switch destination {
    case .tile: Pose(frame: context.tile, backdrop: 1)
    case .screen:
      Pose(
        frame: screenFrame(in: context), backdrop: 0,
        margin: context.viewport.pictureArea.width - context.viewport.photoArea.width)
    }
  }

  /// Returns the photo's frame on the screen, as magnified.
  func screenFrame(in context: Context) -> PixelRect {
    context.viewport.screenFrame(of: context.size, view)
  }

  /// Returns the current pose of the photo.
  func pose(in context: Context) -> Pose {
    switch phase {
    case .flying(let flight, _): return flight.value(at: context.now)
    case .held(let hold): return hold.pose
    case .dragging(let drag, let start):
      return Self.dragged(start, by: drag.translation, point: context.viewport.metrics.point)
    case .panning(let drag, let start):
      return context.stage.map { Self.panned(start, by: drag.translation, on: $0) } ?? start
    case .resting, .swiping, .snapping:
      var pose = pose(at: .screen, in: context)
      pose.frame = pose.frame.offset(x: swipeOffset(in: context), y: 0)
      return pose
    }
  }
}

/// A cross-fade from one photo to another on the screen.
struct CrossFade: Equatable, Sendable {
  /// The previous photo, as it was last displayed.
  var placement: Placement
  var next: Photo.ID
  /// The opacity of the next photo, 0 to 1.
  var progress: Animated<Double>

  /// Returns the placement of the previous photo, which fades out behind the next one's frame.
  ///
  /// Inside the frame the photo stays opaque behind the next one; outside, it fades out by itself.
  /// So the two together are never darker than either.
  func outgoing(behind frame: PixelRect, in gallery: Gallery, at now: Instant) -> Placement {
    var old = placement
    old.frameIndex = gallery.playback(of: old.photo)?.shownFrame
    old.outside = Placement.Outside(
      frame: frame, opacity: 1 - min(max(progress.value(at: now), 0), 1))
    return old
  }
}

extension Viewer {
  /// Removes the cross-fade if it is over, or if its photo no longer rests on the screen.
  mutating func settleCrossFade(at now: Instant) {
    guard let crossFade else { return }
    let isThere = phase == .resting && view == Magnification() && photo == crossFade.next
    if !isThere || crossFade.progress.isOver(at: now) { self.crossFade = nil }
  }
}

/// The fade-out of an open photo whose file was removed.
struct RemovalFade: Equatable, Sendable {
  /// The removed photo.
  var photo: Photo.ID
  /// The pose of the photo as it fades out.
  var animatedPose: Animated<Pose>
}
