/// A cross-fade from one photo to another on the screen.
struct CrossFade: Equatable, Sendable {
  /// The previous photo, as it was last displayed.
  var placement: Placement
  /// The next photo.
  var next: Photo.ID
  /// The opacity of the next photo, 0 to 1.
  var progress: Animated<Double>
}

extension Viewer {
  /// Removes the cross-fade if it is over, or if its photo no longer rests on the screen.
  ///
  /// - Parameters:
  ///   - photo: The open photo.
  ///   - now: The current time.
  mutating func settleCrossFade(to photo: Photo.ID?, at now: Instant) {
    guard let crossFade else { return }
    let isThere = phase == .resting && view == Magnification() && photo == crossFade.next
    if !isThere || crossFade.progress.isOver(at: now) { self.crossFade = nil }
  }
}
