import Photos

/// The frames of a video that are in memory, each by its index from 0: an animated image, a film, or the
/// film of a live photo.
///
/// Frames are decoded ahead of time and evicted after they are shown, so a long video is never entirely in
/// memory.
package struct DecodedFrames: Equatable, Sendable {
  /// The number of frames; fewer than the file has if one cannot be decoded.
  package var frameCount: Int
  /// The number of times that the video plays; nil if it repeats endlessly.
  package var loopCount: Int?
  /// The durations of the frames in memory, in seconds, by frame index.
  package var durations: [Int: Double]
  /// The timing of a film; nil for an animated image.
  package var film: FilmTiming?

  /// Creates the frames of a video, some of them in memory.
  package init(
    frameCount: Int, loopCount: Int?, durations: [Int: Double], film: FilmTiming? = nil
  ) {
    self.frameCount = frameCount
    self.loopCount = loopCount
    self.durations = durations
    self.film = film
  }
}

/// A demand for frames of the video that plays.
package struct FrameDemand: Equatable, Sendable {
  package var picture: Demand
  /// The index of the current frame; this one and later frames are needed.
  package var frameIndex: Int
  /// The index of the frame on the screen, which is needed until the current one is decoded.
  package var shownIndex: Int
  /// Whose frames they are.
  package var motion: PhotoMotion
  /// Whether time passes, so that frames are needed ahead of the current one.
  package var isPlaying = true

  /// Creates a demand for the frames from `frameIndex` on; nil for `shown` if that one is shown.
  package init(
    picture: Demand, _ motion: PhotoMotion = .frames, frameIndex: Int, shown: Int? = nil
  ) {
    (self.picture, self.motion) = (picture, motion)
    self.frameIndex = frameIndex
    shownIndex = shown ?? frameIndex
  }
}
