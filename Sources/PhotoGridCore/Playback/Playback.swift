/// An animated photo that plays: which of its frames is on show, and until when.
///
/// A frame that is not there when its time comes is waited for, and then shown for all of its time;
/// none is left out to make up for it.
package struct Playback: Equatable, Sendable {
  /// The animated photo.
  package let photo: Photo.ID
  /// The frame on show, from 0.
  package private(set) var frameIndex = 0
  /// Whether time leads on to the next frame.
  package private(set) var isPlaying: Bool
  /// Whether it plays or was told to; until then the first frame is all that is needed.
  package private(set) var hasStarted: Bool
  /// What there is of the frames; nil until the first ones have come.
  package private(set) var animation: Animation?
  /// When the time of the frame on show is up; nil while it is not counted.
  private var end: Instant?
  /// How often all frames have been shown.
  private var finishedLoops = 0
  /// Frames to go on by, once they are there.
  private var pendingSteps = 0

  /// Frames whose time has been up for longer, in seconds, are not made up for: the program was
  /// stopped, or the photo out of sight.
  private static let mostLateness = 0.25

  /// A photo at its first frame.
  package init(of photo: Photo.ID, isPlaying: Bool) {
    self.photo = photo
    self.isPlaying = isPlaying
    hasStarted = isPlaying
  }

  /// When the next frame is to be shown; nil if none is, or if it is not there yet.
  package var nextChange: Instant? {
    isPlaying && nextFrame.map(isThere) ?? false ? end : nil
  }

  /// Learns what there is of the frames.
  package mutating func take(_ animation: Animation, at now: Instant) {
    // What was waited for is shown from now on.
    if let end, end < now, nextChange == nil { self.end = now }
    self.animation = animation
  }

  /// Stops at the frame on show, or goes on from there; after the last one it starts over.
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

  /// Stops, and goes on by a number of frames.
  package mutating func step(by count: Int) {
    isPlaying = false
    hasStarted = true
    pendingSteps = min(pendingSteps + count, 1000)
    end = nil
  }

  /// Shows the frame whose time has come.
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
      let isLate = now.seconds(since: end) > Self.mostLateness
      end = (isLate ? now : end).advanced(bySeconds: duration)
    }
    self.end = end
  }

  /// The frame behind the one on show, whatever the loops; the first behind the last.
  private var followingIndex: Int {
    frameIndex + 1 < (animation?.frameCount ?? 1) ? frameIndex + 1 : 0
  }

  /// The frame that time leads on to; nil at the end, and where there is only one.
  private var nextFrame: Int? {
    guard let animation, animation.frameCount > 1 else { return nil }
    if followingIndex == 0, let loops = animation.loopCount, finishedLoops + 1 >= loops {
      return nil
    }
    return followingIndex
  }

  private func isThere(_ frameIndex: Int) -> Bool { animation?.durations[frameIndex] != nil }
}
