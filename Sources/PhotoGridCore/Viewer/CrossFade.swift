/// A photo that gives way to another one on the screen.
struct CrossFade: Equatable, Sendable {
  /// The photo before, as it was last seen.
  var placement: Placement
  /// The photo that comes.
  var next: Photo.ID
  /// How much of it is seen, 0 to 1.
  var share: Animated<Double>
}

extension Viewer {
  /// Drops a fade that is over, or whose photo is no longer what rests on the screen.
  ///
  /// - Parameters:
  ///   - photo: The open photo.
  ///   - now: The moment.
  mutating func settleCrossFade(to photo: Photo.ID?, at now: Instant) {
    guard let crossFade else { return }
    let isThere = phase == .resting && view == Magnification() && photo == crossFade.next
    if !isThere || crossFade.share.isOver(at: now) { self.crossFade = nil }
  }
}
