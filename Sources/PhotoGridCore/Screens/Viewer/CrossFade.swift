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
  func outgoing(behind frame: PixelRect, _ animator: Animator, at now: Instant) -> Placement {
    var old = placement
    old.frameIndex = animator.frameIndex(of: old.photo)
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
