import PhotoGridCore

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
