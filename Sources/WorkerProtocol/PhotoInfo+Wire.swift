import Geometry
import Photos

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
  func write(to payload: inout PayloadWriter) { payload.write(byteCount, modified, identity) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(
      byteCount: try reader.read(), modified: try reader.read(), identity: try reader.read())
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

/// Facts as bytes of a message: plain numbers, copied as they are in memory, then texts.
///
/// The process at the other end is the same program.
extension InfoBlock: WireValue {
  func write(to payload: inout PayloadWriter) {
    payload.write(rows.count)
    rows.withUnsafeBytes { payload.write(raw: $0) }
    for column in [hashBits, ratingStamps] {
      payload.write(!column.isEmpty)
      column.withUnsafeBytes { payload.write(raw: $0) }
    }
    payload.write(locations.count)
    for (index, location) in locations {
      payload.write(index, location.latitude, location.longitude)
    }
    payload.write(words.count)
    for (index, record) in words { payload.write(index, record) }
    for pool in [pools.camera, pools.lens, pools.profile] {
      payload.write(UInt16(pool.texts.count))
      for text in pool.texts { payload.write(text) }
    }
  }

  /// Reads a block, and drops impossible dates, coordinates, and texts that are not printable.
  ///
  /// - Throws: `ProtocolError` for a text that occurs twice, and for a photo that does not exist.
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let count: Int = try reader.read()
    var rows: [PackedInfo] = try Self.readColumn(&reader, count: count)
    for index in rows.indices where rows[index].takenBits != 0 && rows[index].taken == nil {
      rows[index].takenBits = 0
    }
    let hashBits: [UInt64] = try reader.read() ? try Self.readColumn(&reader, count: count) : []
    let ratingStamps: [UInt64] = try reader.read() ? try Self.readColumn(&reader, count: count) : []
    var locations: [Int: PhotoMetadata.Location] = [:]
    for _ in 0..<(try reader.read(Int.self)) {
      let index = try reader.readIndex(below: count)
      locations[index] = PhotoMetadata.Location(
        latitude: try reader.read(), longitude: try reader.read())
    }
    var words: [Int: [UInt8]] = [:]
    for _ in 0..<(try reader.read(Int.self)) {
      let index = try reader.readIndex(below: count)
      let record = try reader.readFolder()
      guard record.count <= PhotoWords.maxBytes else { throw .malformed }
      words[index] = record
    }
    var pools = TextPools()
    for pool in [\TextPools.camera, \.lens, \.profile] {
      for _ in 0..<(try reader.read(UInt16.self)) {
        // Facts refer to texts by their numbers, so none may be left out.
        let number = pools[keyPath: pool].number(of: PhotoMetadata.text(try reader.read()) ?? "")
        guard Int(number) == pools[keyPath: pool].texts.count - 1 else { throw .malformed }
      }
    }
    self.init(rows, hashBits: hashBits, ratingStamps: ratingStamps, pools)
    setLocations(locations)
    setWords(words)
  }

  /// Reads as many values as photos, as they are in memory.
  private static func readColumn<Value: BitwiseCopyable>(
    _ reader: inout PayloadReader, count: Int
  ) throws(ProtocolError) -> [Value] {
    let bytes = try reader.read(count: count * MemoryLayout<Value>.stride)
    return [Value](unsafeUninitializedCapacity: count) { buffer, filled in
      UnsafeMutableRawBufferPointer(buffer).copyBytes(from: bytes)
      filled = count
    }
  }
}

extension PayloadReader {
  fileprivate mutating func readIndex(below count: Int) throws(ProtocolError) -> Int {
    let index: Int = try read()
    guard index < count else { throw .malformed }
    return index
  }
}
