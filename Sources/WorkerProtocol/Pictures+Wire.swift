import PhotoGridCore

extension PayloadWriter {
  /// What stands before a bitmap's pixels.
  mutating func write(head bitmap: Bitmap) {
    write(UInt32(bitmap.width))
    write(UInt32(bitmap.height))
    write(bitmap.isOpaque)
  }
}

extension PhotoRegion {
  func write(to payload: inout PayloadWriter) {
    for number in [x, y, width, height] { payload.write(Int32(clamping: number)) }
    payload.write(UInt8(clamping: reduction))
  }

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
  /// Writes what comes before the pixels.
  func writeHead(to payload: inout PayloadWriter) {
    payload.write(UInt32(width))
    payload.write(UInt32(height))
    payload.write(isOpaque)
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let width: UInt32 = try reader.read()
    let height: UInt32 = try reader.read()
    let isOpaque = try reader.readBool()
    // 16 bits a side keep the product far from overflowing.
    guard (1...0xffff).contains(width), (1...0xffff).contains(height) else { throw .malformed }
    let pixels = try reader.take(Int(width) * Int(height) * 4)
    self.init(
      width: Int(width), height: Int(height), pixels: Array(pixels), isOpaque: isOpaque)
  }
}

/// Frames of an animated photo that follow each other.
package struct FrameRange: Equatable, Sendable {
  /// The number of the first, from 0.
  package var start: Int
  /// How many there are at most, at least 1.
  package var count: Int

  /// A number of frames from one on.
  package init(start: Int, count: Int) {
    self.start = start
    self.count = count
  }
}

extension PayloadWriter {
  /// Writes the size of a frame and how a photo fits it.
  mutating func write(_ size: PixelSize, _ mode: ContentMode) {
    write(size.width.bitPattern)
    write(size.height.bitPattern)
    write(mode.rawValue)
  }
}

extension PayloadReader {
  /// Reads the size of a frame, which is finite and not empty.
  mutating func readSize() throws(ProtocolError) -> (PixelSize, ContentMode) {
    let size = PixelSize(
      width: Double(bitPattern: try read()), height: Double(bitPattern: try read()))
    guard size.width.isFinite, size.height.isFinite, !size.isEmpty,
      let mode = ContentMode(rawValue: try read())
    else { throw .malformed }
    return (size, mode)
  }
}
