/// Animated photos: the one that is looked at plays, in its tile under the selection and on the
/// screen.
extension Browser {
  /// Sees to it that what plays is the photo that is looked at.
  ///
  /// The same photo plays on, whatever becomes of its tile and the layout. Over a slow line, which
  /// takes a frame in parts, the next one waits for the last part.
  mutating func play(at now: Instant) {
    guard let photo = playedIndex.map({ photos[$0] }), frameCounts[photo] != nil else {
      playback = nil
      return
    }
    if playback?.photo != photo {
      // Who asked for less motion starts a photo by hand.
      playback = Playback(of: photo, isPlaying: options.motion.travels)
    }
    if isPlaybackInSight, isDrawnWhole { playback?.advance(to: now) }
  }

  /// `a` and `.`: play or pause, and one frame on.
  mutating func runPlayback(_ reading: KeyReader.Reading, at now: Instant) {
    guard let photo = current, let frameCount = frameCounts[photo] else {
      showNotice("this photo stands still", for: 1, at: now)
      return
    }
    guard playback?.reel?.frameCount ?? frameCount > 1 else {
      showNotice("only the first frame can be shown", for: 1, at: now)
      return
    }
    play(at: now)
    if reading.command == .togglePlaying {
      playback?.toggle()
    } else {
      playback?.step(by: reading.count ?? 1)
    }
  }

  /// The frames that are wanted now.
  package var reelDemand: ReelDemand? {
    guard let playback, playback.hasBegun, isPlaybackInSight, let index = playedIndex else {
      return nil
    }
    let isOnScreen = outing?.isReturning == false
    return ReelDemand(
      picture: isOnScreen
        ? (crossFade == nil ? closeUpDemand : nil) ?? screenDemand(of: index)
        : tileDemand(of: index),
      page: playback.page)
  }

  /// When the frame that plays gives way to the next one.
  var nextPage: Instant? { isPlaybackInSight && isDrawnWhole ? playback?.nextChange : nil }

  /// The frame of a photo that is on show.
  func page(of photo: Photo.ID) -> Int {
    playback.flatMap { $0.photo == photo ? $0.page : nil } ?? 0
  }

  private var isPlaybackInSight: Bool {
    guard let index = currentIndex, outing?.index != index else { return true }
    return restingTileFrame(of: index).intersects(viewport.pictureArea)
  }

  /// What the bar tells of an animated photo.
  func playbackWords(frameCount: Int) -> String {
    let shown = playback?.reel.map(\.frameCount) ?? frameCount
    if let playback, playback.hasBegun, !playback.isPlaying {
      return "frame \(playback.page + 1) of \(shown)"
    }
    return shown < frameCount ? "\(shown) of \(frameCount) frames" : "\(frameCount) frames"
  }
}
