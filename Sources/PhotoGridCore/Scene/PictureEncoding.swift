/// A request to encode a picture as a file, for terminals that accept pictures only as files.
package struct PictureEncoding: Equatable, Sendable {
  /// The identifier that the encoded file is returned with.
  package var id: UInt32
  package var bitmap: Bitmap
  /// The format of the file.
  package var format: Format

  /// A file format for pictures.
  package enum Format: UInt8, CaseIterable, Sendable {
    /// Small and slightly lossy; opaque.
    case jpeg = 1
    /// Lossless, with transparency.
    case png = 2
  }

  /// Creates a request to encode a picture in a format.
  package init(id: UInt32, bitmap: Bitmap, format: Format) {
    self.id = id
    self.bitmap = bitmap
    self.format = format
  }
}

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

  package init(picture: Demand, frameIndex: Int) {
    self.picture = picture
    self.frameIndex = frameIndex
  }
}
