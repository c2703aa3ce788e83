import PhotoGridCore

/// Facts as bytes of a message: plain numbers, copied as they are in memory, then texts.
///
/// The process at the other end is the same program.
extension FactBlock {
  /// Writes the facts of all photos.
  func write(to payload: inout PayloadWriter) {
    payload.write(UInt32(facts.count))
    facts.withUnsafeBytes { payload.write(raw: $0) }
    payload.write(!hashBits.isEmpty)
    hashBits.withUnsafeBytes { payload.write(raw: $0) }
    payload.write(UInt32(places.count))
    for (index, place) in places {
      payload.write(UInt32(index))
      payload.write(place.latitude.bitPattern)
      payload.write(place.longitude.bitPattern)
    }
    for pool in [pools.camera, pools.lens, pools.profile] {
      payload.write(UInt16(pool.texts.count))
      for text in pool.texts { payload.write(string: text.utf8) }
    }
  }

  /// Reads facts, and drops impossible dates and texts that are not printable.
  ///
  /// - Parameters:
  ///   - reader: The message.
  ///   - count: The number of photos that the facts must be about.
  /// - Throws: `ProtocolError` for another count, and for a text that occurs twice.
  init(_ reader: inout PayloadReader, count: Int) throws(ProtocolError) {
    guard Int(try reader.read(UInt32.self)) == count else { throw .malformed }
    let bytes = try reader.read(count: count * MemoryLayout<PackedFacts>.stride)
    var facts = [PackedFacts](unsafeUninitializedCapacity: count) { buffer, filled in
      UnsafeMutableRawBufferPointer(buffer).copyBytes(from: bytes)
      filled = count
    }
    for place in facts.indices
    where facts[place].takenDigits != 0
      && TakenTime(checking: facts[place].takenDigits) == nil
    {
      facts[place].takenDigits = 0
    }
    let hashBits = try Self.readHashes(&reader, count: count)
    let places = try Self.readPlaces(&reader, count: count)
    var pools = TextPools()
    for pool in [\TextPools.camera, \.lens, \.profile] {
      for _ in 0..<(try reader.read(UInt16.self)) {
        let text = try reader.readString()
        // Facts refer to texts by their numbers, so none may be left out.
        let number = pools[keyPath: pool].number(of: PhotoMetadata.text(text) ?? "")
        guard Int(number) == pools[keyPath: pool].texts.count - 1 else { throw .malformed }
      }
    }
    self.init(facts, hashBits: hashBits, pools)
    setPlaces(places)
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

  /// Reads the bits of the photos' hashes; there are as many as photos, or none.
  private static func readHashes(
    _ reader: inout PayloadReader, count: Int
  ) throws(ProtocolError) -> [UInt64] {
    guard try reader.readBool() else { return [] }
    let bytes = try reader.read(count: count * MemoryLayout<UInt64>.stride)
    return [UInt64](unsafeUninitializedCapacity: count) { buffer, filled in
      UnsafeMutableRawBufferPointer(buffer).copyBytes(from: bytes)
      filled = count
    }
  }
}
