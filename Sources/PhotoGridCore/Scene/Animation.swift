/// The frames of an animated photo that can be shown now.
///
/// Frames are decoded ahead of time and evicted after they are shown, so a long animation is never in
/// memory as a whole.
package struct Animation: Equatable, Sendable {
  /// The number of frames; fewer than the file has if one cannot be decoded.
  package var frameCount: Int
  /// How many times the animation plays; nil is endlessly.
  package var loopCount: Int?
  /// The durations in seconds of the frames in memory, by their indices.
  package var durations: [Int: Double]

  /// An animation with some of its frames in memory.
  package init(frameCount: Int, loopCount: Int?, durations: [Int: Double]) {
    self.frameCount = frameCount
    self.loopCount = loopCount
    self.durations = durations
  }
}

/// A demand for frames of the animation that plays.
package struct AnimationDemand: Equatable, Sendable {
  /// The photo, and the size of its frames.
  package var picture: Demand
  /// The index of the current frame, from which on frames are needed.
  package var frameIndex: Int

  /// A demand for the frames from one on.
  package init(picture: Demand, frameIndex: Int) {
    self.picture = picture
    self.frameIndex = frameIndex
  }
}
