import Photos

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
  /// The timing of a film; nil for an animated image.
  package var film: FilmTiming?

  /// Creates an animation with some of its frames in memory.
  package init(
    frameCount: Int, loopCount: Int?, durations: [Int: Double], film: FilmTiming? = nil
  ) {
    self.frameCount = frameCount
    self.loopCount = loopCount
    self.durations = durations
    self.film = film
  }
}

/// A demand for frames of the playing animation.
package struct AnimationDemand: Equatable, Sendable {
  package var picture: Demand
  /// The index of the current frame; this one and later frames are needed.
  package var frameIndex: Int
  /// The index of the frame on the screen, which is needed until the current one is decoded.
  package var shownIndex: Int
  /// Whether the frames are those of a film: the photo itself, or the one of a live photo.
  package var isFilm = false
  /// Whether time passes, so that frames are needed ahead of the current one.
  package var isPlaying = true

  /// Creates a demand for the frames from `frameIndex` on; nil for `shown` if that one is shown.
  package init(picture: Demand, frameIndex: Int, shown: Int? = nil) {
    self.picture = picture
    self.frameIndex = frameIndex
    shownIndex = shown ?? frameIndex
  }
}
