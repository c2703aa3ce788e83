import Geometry
import Photos

extension PhotoRegion: WireValue {
  func write(to payload: inout PayloadWriter) {
    for number in [x, y, width, height] { payload.write(Int32(clamping: number)) }
    payload.write(UInt8(clamping: reduction))
  }

  /// Reads a region; an empty one, or a reduction that is not a power of two, is malformed.
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let (x, y): (Int32, Int32) = (try reader.read(), try reader.read())
    let (width, height): (Int32, Int32) = (try reader.read(), try reader.read())
    let reduction: UInt8 = try reader.read()
    guard width > 0, height > 0, reduction.nonzeroBitCount == 1,
      reduction <= Self.maxReduction
    else { throw .malformed }
    self.init(
      x: Int(x), y: Int(y), width: Int(width), height: Int(height), reduction: Int(reduction))
  }
}

/// The sides of a bitmap, whether it is opaque, and its pixels (premultiplied RGBA, 8 bits, rows top
/// to bottom, no padding).
extension Bitmap: WireValue {
  func write(to payload: inout PayloadWriter) {
    payload.write(width, height, isOpaque)
    payload.write(tail: pixels)
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let (width, height): (Int, Int) = (try reader.read(), try reader.read())
    let isOpaque: Bool = try reader.read()
    // Sides of 16 bits cannot overflow the product.
    guard (1...0xffff).contains(width), (1...0xffff).contains(height) else { throw .malformed }
    let pixels = try reader.readArray(count: width * height * 4)
    self.init(width: width, height: height, pixels: pixels, isOpaque: isOpaque)
  }
}

package struct FrameRange: Equatable, Sendable {
  package var start: Int
  /// The most frames to decode, at least 1.
  package var count: Int

  package init(start: Int, count: Int) {
    self.start = start
    self.count = count
  }
}

extension FrameRange: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(start, count) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    (start, count) = (try reader.read(), try reader.read())
    guard count > 0 else { throw .malformed }
  }
}

/// A size in pixels, which must be finite and not empty.
extension PixelSize: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(width, height) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(width: try reader.read(), height: try reader.read())
    guard width.isFinite, height.isFinite, !isEmpty else { throw .malformed }
  }
}

/// The longest side of a decoded picture, in pixels.
package let maxSide = 8192

/// Returns the size, in whole pixels, to which a photo is decoded for a rectangle; at least 1 by 1.
///
/// The photo keeps its aspect ratio to within a pixel and is never scaled up. The program and its
/// workers both compute the size, so that the program can check whether a picture is large enough.
/// A photo of 6000 by 4000 pixels is decoded to 300 by 200 to fit a square of 300 pixels, and to
/// 450 by 300 to fill it.
///
/// - Returns: The sides in pixels.
package func targetSize(
  of photo: PixelSize, in frame: PixelSize, mode: ContentMode
) -> (width: Int, height: Int) {
  guard photo.width >= 1, photo.height >= 1 else { return (1, 1) }
  let across = frame.width / photo.width
  let down = frame.height / photo.height
  let exact =
    switch mode {
    case .fit: min(across, down)
    case .fill: max(across, down)
    }
  let scale = min(exact, 1, Double(maxSide) / max(photo.width, photo.height))
  func side(_ length: Double) -> Int {
    let scaled = (length * scale).rounded()
    return scaled.isFinite ? Int(max(1, min(scaled, Double(maxSide)))) : 1
  }
  return (side(photo.width), side(photo.height))
}

/// Consecutive decoded frames of a video.
package struct FrameRun: Equatable, Sendable {
  /// A frame as it is shown, composed over the frames before it.
  package struct Frame: Equatable, Sendable {
    /// How long the frame is shown, in seconds; above 0.01, and no more than `maxSeconds`.
    package var seconds: Double

    /// The longest time for a frame, in seconds, which a clock in nanoseconds can add.
    package static let maxSeconds = 1e6
    /// The pixels of the whole frame.
    package var bitmap: Bitmap

    package init(seconds: Double, bitmap: Bitmap) {
      self.seconds = seconds
      self.bitmap = bitmap
    }
  }

  /// The index of the first frame.
  package var start: Int
  /// How many times the video plays; nil is endlessly.
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

  /// Returns the time for which a frame is shown, in seconds.
  ///
  /// A frame for which the file asks for 10 milliseconds or less is shown for 100, as in browsers.
  package static func seconds(requested milliseconds: Int) -> Double {
    Double(milliseconds <= 10 ? 100 : milliseconds) / 1000
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
  func write(to payload: inout PayloadWriter) { payload.write(seconds, bitmap) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    (seconds, bitmap) = (try reader.read(), try reader.read())
    guard seconds > 0.01, seconds <= Self.maxSeconds else { throw .malformed }
  }
}
