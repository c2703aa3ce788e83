/// The playback of an animated photo: the current frame and its end.
///
/// A frame that is not decoded in time delays playback, and is then shown for its full duration; no
/// frame is skipped to catch up.
package struct Playback: Equatable, Sendable {
  /// The animated photo.
  package let photo: Photo.ID
  /// The index of the current frame.
  package private(set) var frameIndex = 0
  /// Whether the playback advances with time.
  package private(set) var isPlaying: Bool
  /// Whether the photo has ever played or been stepped; until then, only the first frame is needed.
  package private(set) var hasStarted: Bool
  /// The frames in memory; nil until the first ones arrive.
  package private(set) var animation: Animation?
  /// The time at which the current frame ends; nil until it is displayed, and after a pause or
  /// step.
  private var end: Instant?
  /// The number of completed loops.
  private var finishedLoops = 0
  /// The number of frames to step, once they are decoded.
  private var pendingSteps = 0

  /// The longest delay that shortens the following frame, in seconds; a longer one means that the
  /// program was suspended or the photo was not visible.
  private static let maximumLateness = 0.25

  /// Creates a playback at the first frame of a photo.
  package init(of photo: Photo.ID, isPlaying: Bool) {
    self.photo = photo
    self.isPlaying = isPlaying
    hasStarted = isPlaying
  }

  /// The time at which the next frame is due; nil if there is none or it is not decoded.
  package var nextChange: Instant? {
    isPlaying && nextFrame.map(isThere) ?? false ? end : nil
  }

  /// Receives the frames in memory.
  package mutating func take(_ animation: Animation, at now: Instant) {
    // If playback was waiting for this frame, the frame starts now.
    if let end, end < now, nextChange == nil { self.end = now }
    self.animation = animation
  }

  /// Pauses or continues the playback; after the last frame, it starts over.
  package mutating func toggle() {
    let isOver = animation != nil && nextFrame == nil
    isPlaying = !isPlaying || isOver
    hasStarted = true
    pendingSteps = 0
    end = nil
    guard isOver else { return }
    frameIndex = 0
    finishedLoops = 0
  }

  /// Pauses the playback and advances it by a number of frames.
  package mutating func step(by count: Int) {
    isPlaying = false
    hasStarted = true
    pendingSteps = min(pendingSteps + count, 1000)
    end = nil
  }

  /// Advances to the frame that is due.
  package mutating func advance(to now: Instant) {
    while pendingSteps > 0, isThere(followingIndex) {
      frameIndex = followingIndex
      pendingSteps -= 1
    }
    guard isPlaying, let duration = animation?.durations[frameIndex] else { return }
    var end = end ?? now.advanced(bySeconds: duration)
    while end <= now, let next = nextFrame, let duration = animation?.durations[next] {
      if next <= frameIndex { finishedLoops += 1 }
      frameIndex = next
      let isLate = now.seconds(since: end) > Self.maximumLateness
      end = (isLate ? now : end).advanced(bySeconds: duration)
    }
    self.end = end
  }

  /// The index of the next frame, regardless of loops; 0 after the last frame.
  private var followingIndex: Int {
    frameIndex + 1 < (animation?.frameCount ?? 1) ? frameIndex + 1 : 0
  }

  /// The index of the frame that playback advances to; nil after the last loop, or with only one
  /// frame.
  private var nextFrame: Int? {
    guard let animation, animation.frameCount > 1 else { return nil }
    if followingIndex == 0, let loops = animation.loopCount, finishedLoops + 1 >= loops {
      return nil
    }
    return followingIndex
  }

  private func isThere(_ frameIndex: Int) -> Bool { animation?.durations[frameIndex] != nil }
}

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
