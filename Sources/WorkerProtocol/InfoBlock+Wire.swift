import PhotoGridCore

/// Facts as bytes of a message: plain numbers, copied as they are in memory, then texts.
///
/// The process at the other end is the same program.
extension InfoBlock {
  func write(to payload: inout PayloadWriter) {
    payload.write(UInt32(rows.count))
    rows.withUnsafeBytes { payload.write(raw: $0) }
    for column in [hashBits, ratingStamps] {
      payload.write(!column.isEmpty)
      column.withUnsafeBytes { payload.write(raw: $0) }
    }
    payload.write(UInt32(places.count))
    for (index, place) in places {
      payload.write(UInt32(index))
      payload.write(place.latitude.bitPattern)
      payload.write(place.longitude.bitPattern)
    }
    payload.write(UInt32(words.count))
    for (index, record) in words {
      payload.write(UInt32(index))
      payload.write(string: record)
    }
    for pool in [pools.camera, pools.lens, pools.profile] {
      payload.write(UInt16(pool.texts.count))
      for text in pool.texts { payload.write(string: text.utf8) }
    }
  }

  /// Reads a block, and drops impossible dates and texts that are not printable.
  ///
  /// - `count`: The number of photos that it must be about; nil for any.
  /// - Throws: `ProtocolError` for another count, and for a text that occurs twice.
  init(_ reader: inout PayloadReader, count expected: Int? = nil) throws(ProtocolError) {
    let count = Int(try reader.read(UInt32.self))
    guard count == expected ?? count else { throw .malformed }
    var rows: [PackedInfo] = try Self.readColumn(&reader, count: count)
    for index in rows.indices where rows[index].takenBits != 0 && rows[index].taken == nil {
      rows[index].takenBits = 0
    }
    let hashBits: [UInt64] =
      try reader.readBool() ? try Self.readColumn(&reader, count: count) : []
    let ratingStamps: [UInt64] =
      try reader.readBool() ? try Self.readColumn(&reader, count: count) : []
    let places = try Self.readPlaces(&reader, count: count)
    let words = try Self.readWords(&reader, count: count)
    var pools = TextPools()
    for pool in [\TextPools.camera, \.lens, \.profile] {
      for _ in 0..<(try reader.read(UInt16.self)) {
        let text = try reader.readString()
        // Facts refer to texts by their numbers, so none may be left out.
        let number = pools[keyPath: pool].number(of: PhotoMetadata.text(text) ?? "")
        guard Int(number) == pools[keyPath: pool].texts.count - 1 else { throw .malformed }
      }
    }
    self.init(rows, hashBits: hashBits, ratingStamps: ratingStamps, pools)
    setPlaces(places)
    setWords(words)
  }

  /// Reads the words of photos, by the index of the photo.
  private static func readWords(
    _ reader: inout PayloadReader, count: Int
  ) throws(ProtocolError) -> [Int: [UInt8]] {
    var words: [Int: [UInt8]] = [:]
    for _ in 0..<(try reader.read(UInt32.self)) {
      let index = Int(try reader.read(UInt32.self))
      let record = try reader.readString()
      guard index < count, record.count <= PhotoWords.mostBytes, !record.contains(0) else {
        throw .malformed
      }
      words[index] = record
    }
    return words
  }

  /// Reads where photos were taken, by the index of the photo, and drops impossible coordinates.
  private static func readPlaces(
    _ reader: inout PayloadReader, count: Int
  ) throws(ProtocolError) -> [Int: PhotoMetadata.Place] {
    var places: [Int: PhotoMetadata.Place] = [:]
    for _ in 0..<(try reader.read(UInt32.self)) {
      let index = Int(try reader.read(UInt32.self))
      let latitude = Double(bitPattern: try reader.read())
      let longitude = Double(bitPattern: try reader.read())
      guard index < count else { throw .malformed }
      places[index] = PhotoMetadata.Place(latitude: latitude, longitude: longitude)
    }
    return places
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
