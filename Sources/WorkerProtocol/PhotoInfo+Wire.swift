import PhotoGridCore

/// The facts of a file as bytes of a message.
extension PhotoInfo {
  /// The longest side that a message can have, in pixels.
  private static let longestSide: UInt32 = 4_000_000_000

  /// Writes all facts, and the hash of the picture, but no metadata.
  func write(to payload: inout PayloadWriter) {
    payload.write(UInt32(max(0, min(size.width, Double(Self.longestSide)))))
    payload.write(UInt32(max(0, min(size.height, Double(Self.longestSide)))))
    payload.write(UInt8(clamping: orientation))
    payload.write(format.code)
    stamp.write(to: &payload)
    payload.write(taken?.bits ?? 0)
    payload.write(isIncomplete)
    payload.write(UInt32(clamping: frameCount))
    payload.write(Float(length ?? 0).bitPattern)
    payload.write(hash)
  }

  /// Reads facts; facts that no photo can have are malformed.
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let width: UInt32 = try reader.read()
    let height: UInt32 = try reader.read()
    let orientation: UInt8 = try reader.read()
    let format = ImageFormat(code: try reader.read())
    let stamp = try FileStamp(&reader)
    let bits: Int64 = try reader.read()
    let taken = bits == 0 ? nil : TakenTime(bits: bits)
    let isIncomplete = try reader.readBool()
    let frameCount: UInt32 = try reader.read()
    guard frameCount > 0, (1...Self.longestSide).contains(width),
      (1...Self.longestSide).contains(height), (1...8).contains(orientation), let format,
      bits == 0 || taken != nil
    else { throw .malformed }
    self.init(
      size: PixelSize(width: Double(width), height: Double(height)), orientation: Int(orientation),
      format: format, stamp: stamp, taken: taken, isIncomplete: isIncomplete,
      frameCount: Int(frameCount))
    let seconds = Float(bitPattern: try reader.read())
    if format == .film, seconds > 0, seconds.isFinite { length = Double(seconds) }
    hash = try reader.readHash()
  }
}

extension FileStamp {
  func write(to payload: inout PayloadWriter) {
    payload.write(byteCount)
    payload.write(modified)
    payload.write(inode)
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let byteCount: Int64 = try reader.read()
    self.init(byteCount: byteCount, modified: try reader.read(), inode: try reader.read())
    guard byteCount >= 0 else { throw .malformed }
  }
}

extension PayloadWriter {
  /// Writes the hash of a picture; nil if it has none.
  mutating func write(_ hash: DifferenceHash?) {
    write(hash != nil)
    if let hash { write(hash.bits) }
  }
}

extension PayloadReader {
  /// Reads the hash of a picture; nil if it has none.
  mutating func readHash() throws(ProtocolError) -> DifferenceHash? {
    try readBool() ? DifferenceHash(bits: try read()) : nil
  }
}
