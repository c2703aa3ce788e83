/// Animated photos: the one that is looked at plays, in its tile under the selection and on the
/// screen.
extension Browser {
  /// Makes the photo that is looked at the one that plays.
  ///
  /// The same photo plays on, whatever becomes of its tile and the layout.
  mutating func play(at now: Instant) {
    let photo = playedIndex.map { photos[$0] }
    // With reduced motion a photo is started by hand.
    animator.follow(
      photo.flatMap { collection.frameCount(of: $0) == nil ? nil : $0 },
      isPlaying: options.motion.travels)
    if isPlaybackInSight { animator.advance(to: now) }
  }

  /// Plays or pauses the current photo, or goes on by frames; says why where that cannot be.
  mutating func runPlayback(at now: Instant, _ change: (inout Animator) -> Void) {
    guard let photo = current, let frameCount = collection.frameCount(of: photo) else {
      showNotice("this photo stands still", for: 1, at: now)
      return
    }
    guard animator.playback?.animation?.frameCount ?? frameCount > 1 else {
      showNotice("only the first frame can be shown", for: 1, at: now)
      return
    }
    play(at: now)
    change(&animator)
  }

  /// The frames that are needed now; nil where nothing plays.
  package var animationDemand: AnimationDemand? {
    guard let playback = animator.playback, playback.hasStarted, isPlaybackInSight,
      let index = playedIndex
    else { return nil }
    let isOnScreen = viewer?.isClosing == false
    return AnimationDemand(
      picture: isOnScreen
        ? (viewer?.crossFade == nil ? closeUpDemand : nil) ?? screenDemand(of: index)
        : tileDemand(of: index),
      frameIndex: playback.frameIndex)
  }

  /// When the frame that plays gives way to the next one.
  var nextPage: Instant? { isPlaybackInSight ? animator.nextChange : nil }

  private var isPlaybackInSight: Bool {
    guard let index = currentIndex, viewerIndex != index else { return true }
    return restingTileFrame(of: index).intersects(viewport.pictureArea)
  }
}
