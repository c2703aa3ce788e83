/// The frames of an animated photo that are ready to be shown.
///
/// Frames are decoded ahead of time and evicted after they are shown, so a long animation is never
/// entirely in memory.
package struct Animation: Equatable, Sendable {
  /// The number of frames; fewer than the file has if one cannot be decoded.
  package var frameCount: Int
  /// The number of times that the animation plays; nil if it repeats endlessly.
  package var loopCount: Int?
  /// The durations of the frames in memory, in seconds, by frame index.
  package var durations: [Int: Double]

  /// Creates an animation with some of its frames in memory.
  package init(frameCount: Int, loopCount: Int?, durations: [Int: Double]) {
    self.frameCount = frameCount
    self.loopCount = loopCount
    self.durations = durations
  }
}

/// A demand for frames of the playing animation.
package struct AnimationDemand: Equatable, Sendable {
  /// The photo, and the size of its frames.
  package var picture: Demand
  /// The index of the current frame; this one and later frames are needed.
  package var frameIndex: Int

  /// Creates a demand for the frames from an index on.
  package init(picture: Demand, frameIndex: Int) {
    self.picture = picture
    self.frameIndex = frameIndex
  }
}
