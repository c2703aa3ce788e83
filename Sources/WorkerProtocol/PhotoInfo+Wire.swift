import PhotoGridCore

/// The facts of a file and the hash of its picture, without metadata.
extension PhotoInfo: WireValue {
  /// The longest side that a message can have, in pixels.
  private static let maxSide = 4_000_000_000

  func write(to payload: inout PayloadWriter) {
    for side in [size.width, size.height] {
      payload.write(Int(max(0, min(side, Double(Self.maxSide)))))
    }
    payload.write(
      UInt8(clamping: orientation), format.code, stamp, taken?.bits ?? Int64(0), isIncomplete,
      frameCount,
      Float(length ?? 0).bitPattern, holdsFilm,
      UInt16(clamping: Int(min(frameRate ?? 0, 650) * 100 + 0.5)), hash)
  }

  /// Reads facts; facts that no photo can have are malformed.
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let (width, height): (Int, Int) = (try reader.read(), try reader.read())
    let orientation: UInt8 = try reader.read()
    let format = ImageFormat(code: try reader.read())
    let stamp: FileStamp = try reader.read()
    let bits: Int64 = try reader.read()
    let taken = bits == 0 ? nil : TakenTime(bits: bits)
    let isIncomplete: Bool = try reader.read()
    let frameCount: Int = try reader.read()
    guard frameCount > 0, (1...Self.maxSide).contains(width),
      (1...Self.maxSide).contains(height), (1...8).contains(orientation), let format,
      bits == 0 || taken != nil
    else { throw .malformed }
    self.init(
      size: PixelSize(width: Double(width), height: Double(height)), orientation: Int(orientation),
      format: format, stamp: stamp, taken: taken, isIncomplete: isIncomplete,
      frameCount: frameCount)
    let seconds = Float(bitPattern: try reader.read())
    if format == .film, seconds > 0, seconds.isFinite { length = Double(seconds) }
    holdsFilm = try reader.read()
    let hundredths: UInt16 = try reader.read()
    if format == .film, hundredths > 1 { frameRate = Double(hundredths) / 100 }
    hash = try reader.read()
  }
}

extension FileStamp: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(byteCount, modified, inode) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(
      byteCount: try reader.read(), modified: try reader.read(), inode: try reader.read())
    guard byteCount >= 0 else { throw .malformed }
  }
}

extension DifferenceHash: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(bits) }
  init(_ reader: inout PayloadReader) throws(ProtocolError) { self.init(bits: try reader.read()) }
}

/// An unknown text is empty, an unknown number is NaN or 0.
extension PhotoMetadata: WireValue {
  /// The longest payload with metadata, in bytes.
  static let maxPayloadLength = (4 << 10) + PhotoWords.maxBytes

  func write(to payload: inout PayloadWriter) {
    payload.write(
      camera ?? "", lens ?? "", profile ?? "", exposureTime ?? .nan, aperture ?? .nan,
      focalLength ?? .nan, location?.latitude ?? .nan, location?.longitude ?? .nan,
      filmLength ?? .nan,
      sensitivity ?? 0, words?.record ?? [], film ?? "")
  }

  /// Reads metadata, and drops texts that are not printable and numbers out of range.
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init()
    camera = Self.text(try reader.read())
    lens = Self.text(try reader.read())
    profile = Self.text(try reader.read())
    exposureTime = try reader.read(Double.self)
    aperture = try reader.read(Double.self)
    focalLength = try reader.read(Double.self)
    location = Location(latitude: try reader.read(), longitude: try reader.read())
    filmLength = try reader.read(Double.self)
    sensitivity = try reader.read(Int.self)
    words = PhotoWords(record: try reader.read([UInt8].self))
    film = LivePhoto.filmExtension(try reader.read([UInt8].self))
    self = checked
  }
}
