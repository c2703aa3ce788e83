/// Plays the animated photo that is looked at.
struct Animator: Equatable, Sendable {
  /// The animated photo and its frame; nil where the photo that is looked at stands still.
  private(set) var playback: Playback?
  /// Whether all of the last frame of the program is on the screen; over a slow line it comes in
  /// parts.
  var isDrawnWhole = true

  /// Follows the photo that is looked at.
  ///
  /// - Parameters:
  ///   - photo: The animated photo; nil where none is looked at.
  ///   - isPlaying: Whether a photo that is new here plays by itself.
  mutating func follow(_ photo: Photo.ID?, isPlaying: Bool) {
    guard playback?.photo != photo else { return }
    playback = photo.map { Playback(of: $0, isPlaying: isPlaying) }
  }

  /// Shows the frame whose time has come, once the one before is drawn.
  mutating func advance(to now: Instant) {
    if isDrawnWhole { playback?.advance(to: now) }
  }

  /// Receives the frames of a photo.
  mutating func receive(_ animation: Animation, of photo: Photo.ID, at now: Instant) {
    if playback?.photo == photo { playback?.take(animation, at: now) }
  }

  /// Plays or pauses.
  mutating func toggle() { playback?.toggle() }

  /// Pauses, and goes on by a number of frames.
  mutating func step(by count: Int) { playback?.step(by: count) }

  /// Forgets what plays.
  mutating func stop() { playback = nil }

  /// When the frame gives way to the next one; nil where that is not known.
  var nextChange: Instant? { isDrawnWhole ? playback?.nextChange : nil }

  /// The index of the frame of a photo that is shown, from 0.
  func frameIndex(of photo: Photo.ID) -> Int {
    playback.flatMap { $0.photo == photo ? $0.frameIndex : nil } ?? 0
  }

  /// The frames of a photo in words for the bar: "12 frames", "frame 3 of 12" while it is paused.
  func frameLabel(frameCount: Int) -> String {
    let shown = playback?.animation.map(\.frameCount) ?? frameCount
    if let playback, playback.hasStarted, !playback.isPlaying {
      return "frame \(playback.frameIndex + 1) of \(shown)"
    }
    return shown < frameCount ? "\(shown) of \(frameCount) frames" : "\(frameCount) frames"
  }
}
