import PhotoGridCore

/// Consecutive decoded frames of an animated photo.
package struct FrameRun: Equatable, Sendable {
  /// A frame as it is shown, composed over the frames before it.
  package struct Frame: Equatable, Sendable {
    /// How long the frame is shown, in milliseconds; above 10.
    package var milliseconds: Int
    /// The pixels of the whole frame.
    package var bitmap: Bitmap

    package init(milliseconds: Int, bitmap: Bitmap) {
      self.milliseconds = milliseconds
      self.bitmap = bitmap
    }
  }

  /// The index of the first frame.
  package var start: Int
  /// How many times the animation plays; nil is endlessly.
  package var loopCount: Int?
  /// The frames, in order.
  package var frames: [Frame]
  /// Whether the next frame of the file cannot be decoded.
  package var endsEarly: Bool

  package init(start: Int, loopCount: Int?, frames: [Frame], endsEarly: Bool) {
    self.start = start
    self.loopCount = loopCount
    self.frames = frames
    self.endsEarly = endsEarly
  }

  /// The most bytes of pixels in a run of several frames; a single frame may have more.
  package static let byteLimit = 4 << 20
  /// The most pixels of a photo that can be played.
  package static let maxPixels = 16 << 20
  /// The longest run, in bytes of pixels: one frame of the largest photo.
  static let longest = maxPixels * 4

  /// Returns the time for which a frame is shown, in milliseconds.
  ///
  /// A frame for which the file asks for 10 milliseconds or less is shown for 100, as in browsers.
  ///
  /// - Parameter milliseconds: The time in the file.
  /// - Returns: A time above 10 milliseconds.
  package static func duration(requested milliseconds: Int) -> Int {
    milliseconds <= 10 ? 100 : milliseconds
  }
}

extension FrameRun: WireValue {
  func write(to payload: inout PayloadWriter) {
    payload.write(start, loopCount ?? 0, endsEarly, frames)
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    start = try reader.read()
    let loops: Int = try reader.read()
    loopCount = loops == 0 ? nil : loops
    (endsEarly, frames) = (try reader.read(), try reader.read())
  }
}

extension FrameRun.Frame: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(milliseconds, bitmap) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    (milliseconds, bitmap) = (try reader.read(), try reader.read())
    guard milliseconds > 10 else { throw .malformed }
  }
}
