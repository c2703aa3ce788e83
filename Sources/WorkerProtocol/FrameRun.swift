import PhotoGridCore

/// Some frames of an animated photo that follow each other.
package struct FrameRun: Equatable, Sendable {
  /// One frame as it is seen, with what earlier frames have left of themselves.
  package struct Frame: Equatable, Sendable {
    /// How long it is shown, in milliseconds; above 10.
    package var milliseconds: Int
    package var bitmap: Bitmap

    /// A frame that is shown for so long.
    package init(milliseconds: Int, bitmap: Bitmap) {
      self.milliseconds = milliseconds
      self.bitmap = bitmap
    }
  }

  /// The number of the first frame, from 0.
  package var start: Int
  /// How often all frames are shown; nil is for ever.
  package var loopCount: Int?
  package var frames: [Frame]
  /// Whether the frame behind these cannot be decoded, though the file has one.
  package var endsEarly: Bool

  /// Some frames from `start` on.
  package init(start: Int, loopCount: Int?, frames: [Frame], endsEarly: Bool) {
    self.start = start
    self.loopCount = loopCount
    self.frames = frames
    self.endsEarly = endsEarly
  }

  /// No more frames go into a run whose pixels take so many bytes; one frame always does.
  package static let byteLimit = 4 << 20
  /// Pixels of the largest photo that is played; so no frame is larger.
  package static let mostPixels = 16 << 20
  /// The longest run, in bytes of pixels: one frame of the largest photo.
  static let longest = mostPixels * 4

  /// The time that a frame is shown for which a file asks for `milliseconds`.
  ///
  /// 10 and less are meant as "unset", and are a tenth of a second as in all browsers.
  package static func duration(asked milliseconds: Int) -> Int {
    milliseconds <= 10 ? 100 : milliseconds
  }
}

extension FrameRun {
  func write(to payload: inout PayloadWriter) {
    payload.write(UInt32(clamping: start))
    payload.write(UInt32(clamping: loopCount ?? 0))
    payload.write(endsEarly)
    payload.write(UInt32(frames.count))
    for frame in frames {
      payload.write(UInt32(clamping: frame.milliseconds))
      payload.write(head: frame.bitmap)
      payload.write(raw: frame.bitmap.pixels)
    }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    start = Int(try reader.read(UInt32.self))
    let loops: UInt32 = try reader.read()
    loopCount = loops == 0 ? nil : Int(loops)
    endsEarly = try reader.readBool()
    let count: UInt32 = try reader.read()
    frames = []
    for _ in 0..<count {
      let milliseconds: UInt32 = try reader.read()
      guard milliseconds > 10 else { throw .malformed }
      frames.append(Frame(milliseconds: Int(milliseconds), bitmap: try Bitmap(&reader)))
    }
  }
}
