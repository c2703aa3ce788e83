/// Animated photos: the current one plays, in its tile in the grid or on the whole screen.
extension Browser {
  /// Switches the playback to the current photo.
  ///
  /// The same photo continues to play, whatever happens to its tile and the layout.
  mutating func play(at now: Instant) {
    let photo = playedIndex.map { photos[$0] }
    // With reduced motion, the user starts the photo.
    animator.follow(
      photo.flatMap { collection.frameCount(of: $0) == nil ? nil : $0 },
      isPlaying: options.motion.travels)
    if isPlaybackVisible { animator.advance(to: now) }
  }

  /// Changes the playback of the current photo, or shows a notice if that is impossible.
  mutating func runPlayback(at now: Instant, _ change: (inout Animator) -> Void) {
    guard let photo = current, let frameCount = collection.frameCount(of: photo) else {
      showNotice("Not an animation", for: 1, at: now)
      return
    }
    guard animator.playback?.animation?.frameCount ?? frameCount > 1 else {
      showNotice("Only the first frame can be shown", for: 1, at: now)
      return
    }
    play(at: now)
    change(&animator)
  }

  /// The demand for the frames needed now; nil if nothing plays.
  package var animationDemand: AnimationDemand? {
    guard let playback = animator.playback, playback.hasStarted, isPlaybackVisible,
      let index = playedIndex
    else { return nil }
    let isOnScreen = viewer?.isClosing == false
    return AnimationDemand(
      picture: comparedPictureDemand
        ?? (isOnScreen
          ? (viewer?.crossFade == nil ? closeUpDemand : nil) ?? screenDemand(of: index)
          : tileDemand(of: index)),
      frameIndex: playback.frameIndex)
  }

  /// The time at which the next frame is due; nil if it is unknown or nothing visible plays.
  var nextPage: Instant? { isPlaybackVisible ? animator.nextChange : nil }

  private var isPlaybackVisible: Bool {
    guard let index = currentIndex, viewerIndex != index, comparedIndex == nil else { return true }
    return restingTileFrame(of: index).intersects(viewport.pictureArea)
  }
}
