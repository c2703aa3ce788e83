/// The playback of the current animated photo.
struct Animator: Equatable, Sendable {
  /// The animated photo and its frame; nil if the current photo is not animated.
  private(set) var playback: Playback?
  /// Whether the program's last frame is completely on the screen; over a slow connection it
  /// arrives in parts.
  var isFullyDrawn = true

  /// Switches to another photo; the same photo continues to play.
  ///
  /// - Parameters:
  ///   - photo: The animated photo; nil if the current photo is not animated.
  ///   - isPlaying: Whether a new photo plays automatically.
  mutating func follow(_ photo: Photo.ID?, isPlaying: Bool) {
    guard playback?.photo != photo else { return }
    playback = photo.map { Playback(of: $0, isPlaying: isPlaying) }
  }

  /// Advances to the frame that is due, once the previous one is completely drawn.
  mutating func advance(to now: Instant) {
    if isFullyDrawn { playback?.advance(to: now) }
  }

  /// Receives decoded frames of a photo; ignores other photos than the current one.
  mutating func receive(_ animation: Animation, of photo: Photo.ID, at now: Instant) {
    if playback?.photo == photo { playback?.take(animation, at: now) }
  }

  /// Plays or pauses the photo.
  mutating func toggle() { playback?.toggle() }

  /// Pauses the photo and advances it by a number of frames.
  mutating func step(by count: Int) { playback?.step(by: count) }

  /// Ends the playback.
  mutating func stop() { playback = nil }

  /// The time at which the next frame is due; nil if it is unknown.
  var nextChange: Instant? { isFullyDrawn ? playback?.nextChange : nil }

  /// Returns the index of the frame displayed of a photo; 0 if the photo is not the current one.
  func frameIndex(of photo: Photo.ID) -> Int {
    playback.flatMap { $0.photo == photo ? $0.frameIndex : nil } ?? 0
  }

  /// Returns a label for the bar: "12 frames", or "frame 3 of 12" while paused.
  func frameLabel(frameCount: Int) -> String {
    let shown = playback?.animation.map(\.frameCount) ?? frameCount
    if let playback, playback.hasStarted, !playback.isPlaying {
      return "frame \(playback.frameIndex + 1) of \(shown)"
    }
    return shown < frameCount ? "\(shown) of \(frameCount) frames" : "\(frameCount) frames"
  }
}
