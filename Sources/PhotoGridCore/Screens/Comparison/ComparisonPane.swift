/// A photo of a comparison, with its place on the screen.
///
/// The photo is visible where two frames overlap: a window, which moves between the tile and the
/// pane, and the frame of the whole photo behind it. So the photo is cropped in its tile, whole in
/// its pane, and never outside of the pane when it is magnified.
package struct ComparisonPane: Equatable, Sendable {
  /// The photo.
  package var photo: Photo.ID
  /// The pane, in pixels of the picture area.
  package var frame: PixelRect
  /// The window in which the photo is visible, with its opacity, in pixels of the picture area.
  var window: Animated<Pose>
  /// The frame of the whole photo, in pixels of the picture area.
  var whole: Animated<Pose>
  /// The magnification relative to the shared one; 1 if it is the same.
  var ownZoom = 1.0
  /// The distance of the center of the visible part from the shared center, in fractions of the
  /// photo.
  var ownOffset = PixelPoint.zero
  /// The direction in which the photo last moved; see `Viewer.panDirection`.
  var panDirection = PixelPoint.zero

  /// Creates a pane whose photo rests at a window.
  init(photo: Photo.ID, frame: PixelRect, window: Pose, whole: PixelRect) {
    self.photo = photo
    self.frame = frame
    self.window = Animated(window)
    self.whole = Animated(Pose(frame: whole, backdrop: 0))
  }

  /// Returns the photo with the pane as the area that displays it; nil until its size is known.
  func stage(_ size: PixelSize?, quantum: PixelSize) -> Magnification.Stage? {
    size.map { Magnification.Stage(photo: $0, area: frame, quantum: quantum) }
  }

  /// Whether the photo moves or fades.
  func isAnimating(at now: Instant) -> Bool { !window.isOver(at: now) || !whole.isOver(at: now) }

  /// Ends motions that are no longer visible.
  mutating func settle(tolerance: PixelSize, at now: Instant) {
    if window.value(at: now).isClose(to: window.target, tolerance: tolerance) {
      window.jump(to: window.target)
    }
    if whole.value(at: now).isClose(to: whole.target, tolerance: tolerance) {
      whole.jump(to: whole.target)
    }
  }

  /// Moves the window and the whole photo to new frames.
  ///
  /// - Parameters:
  ///   - window: The target of the window.
  ///   - whole: The target of the whole photo.
  ///   - timing: The timing; nil to move without motion.
  ///   - now: The current time.
  mutating func move(window: Pose, whole: PixelRect, _ timing: Timing?, at now: Instant) {
    let whole = Pose(frame: whole, backdrop: 0)
    guard let timing else {
      self.window.jump(to: window)
      return self.whole.jump(to: whole)
    }
    self.window.retarget(to: window, timing, at: now)
    self.whole.retarget(to: whole, timing, at: now)
  }

  /// Resets the photo's own magnification to the shared one.
  mutating func resetView() {
    (ownZoom, ownOffset, panDirection) = (1, .zero, .zero)
  }
}

extension PixelRect {
  /// Returns the frame of a whole photo that fills this rectangle and is centered in it; the
  /// rectangle itself if the photo's size is unknown.
  func wholeFrame(filledBy photo: PixelSize?) -> PixelRect {
    guard let photo, !photo.isEmpty else { return self }
    return PixelRect(
      center: center,
      size: photo.scaled(by: max(width / photo.width, height / photo.height)))
  }
}

extension Placement {
  /// Returns the part of the placement that is visible in a window; nil if no part is.
  func masked(by window: PixelRect) -> Placement? {
    guard let part = frame.intersection(window) else { return nil }
    var result = self
    result.crop = part.crop(showing: crop, in: frame)
    result.frame = part
    return result
  }
}
