import PhotoGridCore

extension PayloadWriter {
  /// Writes the sides of a bitmap and whether it is opaque; its pixels follow separately.
  mutating func write(headOf bitmap: Bitmap) {
    write(UInt32(bitmap.width))
    write(UInt32(bitmap.height))
    write(bitmap.isOpaque)
  }
}

extension PhotoRegion {
  /// Writes the corner, the sides and the reduction.
  func write(to payload: inout PayloadWriter) {
    for number in [x, y, width, height] { payload.write(Int32(clamping: number)) }
    payload.write(UInt8(clamping: reduction))
  }

  /// Reads a region; an empty one, or a reduction that is not a power of two, is malformed.
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let x: Int32 = try reader.read()
    let y: Int32 = try reader.read()
    let width: Int32 = try reader.read()
    let height: Int32 = try reader.read()
    let reduction: UInt8 = try reader.read()
    guard width > 0, height > 0, reduction.nonzeroBitCount == 1,
      reduction <= Self.largestReduction
    else { throw .malformed }
    self.init(
      x: Int(x), y: Int(y), width: Int(width), height: Int(height), reduction: Int(reduction))
  }
}

extension Bitmap {
  /// Reads a bitmap: its sides, whether it is opaque, and its pixels (premultiplied RGBA, 8 bits,
  /// rows top to bottom, no padding).
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let width: UInt32 = try reader.read()
    let height: UInt32 = try reader.read()
    let isOpaque = try reader.readBool()
    // Sides of 16 bits cannot overflow the product.
    guard (1...0xffff).contains(width), (1...0xffff).contains(height) else { throw .malformed }
    let pixels = try reader.read(count: Int(width) * Int(height) * 4)
    self.init(
      width: Int(width), height: Int(height), pixels: Array(pixels), isOpaque: isOpaque)
  }
}

/// A request for consecutive frames of an animated photo.
package struct FrameRange: Equatable, Sendable {
  /// The index of the first frame.
  package var start: Int
  /// The most frames to decode, at least 1.
  package var count: Int

  /// Creates a request for the frames from `start` on.
  package init(start: Int, count: Int) {
    self.start = start
    self.count = count
  }

  func write(to payload: inout PayloadWriter) {
    payload.write(UInt32(clamping: start))
    payload.write(UInt32(clamping: count))
  }
}

extension PayloadWriter {
  /// Writes the size of a rectangle in pixels, and whether a photo fits or fills it.
  mutating func write(_ size: PixelSize, _ mode: ContentMode) {
    write(size.width.bitPattern)
    write(size.height.bitPattern)
    write(mode.rawValue)
  }
}

extension PayloadReader {
  /// Reads the size of a rectangle, which must be finite and not empty, and the content mode.
  mutating func readSize() throws(ProtocolError) -> (PixelSize, ContentMode) {
    let size = PixelSize(
      width: Double(bitPattern: try read()), height: Double(bitPattern: try read()))
    guard size.width.isFinite, size.height.isFinite, !size.isEmpty,
      let mode = ContentMode(rawValue: try read())
    else { throw .malformed }
    return (size, mode)
  }
}

/// The longest side of a decoded picture, in pixels.
package let longestSide = 8192

/// Returns the size, in whole pixels, to which a photo is decoded for a rectangle; at least 1 by 1.
///
/// The photo keeps its aspect ratio to within a pixel and is never scaled up. The program and its
/// workers both compute the size, so that the program can check whether a picture is large enough.
/// A photo of 6000 by 4000 pixels is decoded to 300 by 200 to fit a square of 300 pixels, and to
/// 450 by 300 to fill it.
///
/// - Parameters:
///   - photo: The size of the photo in pixels, turned upright by its orientation.
///   - frame: The size of the rectangle in pixels.
///   - mode: Whether the whole photo fits inside the rectangle, or fills it.
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
  let scale = min(exact, 1, Double(longestSide) / max(photo.width, photo.height))
  func side(_ length: Double) -> Int {
    let scaled = (length * scale).rounded()
    return scaled.isFinite ? Int(max(1, min(scaled, Double(longestSide)))) : 1
  }
  return (side(photo.width), side(photo.height))
}
