/// The reason that received bytes are not a message.
package enum ProtocolError: Error, Equatable {
  /// The length, in bytes, is above the limit for this kind of message.
  case oversized(length: Int)
  /// This version has no message of that kind.
  case unknownKind(UInt8)
  /// Fields are cut short, too long, or hold invalid values.
  case malformed
}

/// Builds the payload of a message.
package struct PayloadWriter {
  private(set) var bytes: [UInt8] = []
  /// The end of the payload, apart from the rest so that a large picture is not copied.
  private(set) var tail: [UInt8] = []

  mutating func write(_ values: any WireValue...) {
    for value in values { value.write(to: &self) }
  }

  /// Writes bytes without their number.
  mutating func write(raw: UnsafeRawBufferPointer) {
    if !tail.isEmpty {
      bytes += tail
      tail = []
    }
    bytes.append(contentsOf: raw)
  }

  /// Writes bytes without their number, which are not copied if they are the last.
  mutating func write(tail bytes: [UInt8]) {
    write(raw: UnsafeRawBufferPointer(start: nil, count: 0))
    tail = bytes
  }
}

/// Parses the payload of a message; a read beyond its end throws `malformed`.
package struct PayloadReader {
  private var bytes: [UInt8]
  private var offset: Int
  private let end: Int

  init(_ bytes: [UInt8]) { self.init(bytes, from: 0, to: bytes.count) }

  /// Creates a reader of a part of an array.
  init(_ bytes: [UInt8], from offset: Int, to end: Int) {
    (self.bytes, self.offset, self.end) = (bytes, offset, end)
  }

  /// The number of bytes that have not been read.
  var restCount: Int { end - offset }

  mutating func read<Value: WireValue>(
    _ type: Value.Type = Value.self
  ) throws(ProtocolError) -> Value {
    try Value(&self)
  }

  /// Reads bytes without their number.
  mutating func read(count: Int) throws(ProtocolError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= restCount else { throw .malformed }
    defer { offset += count }
    return bytes[offset..<(offset + count)]
  }

  /// Reads bytes without their number, in memory of their own; a large picture at the end of an
  /// array that nothing else holds keeps the memory of that, so that it is never there twice.
  mutating func readArray(count: Int) throws(ProtocolError) -> [UInt8] {
    guard count == restCount, end == bytes.count else { return Array(try read(count: count)) }
    defer { (bytes, offset) = ([], end) }
    bytes.removeSubrange(..<offset)
    return bytes
  }

  /// Reads a list of at most `limit` elements.
  mutating func readList<Value: WireValue>(limit: Int) throws(ProtocolError) -> [Value] {
    let list: [Value] = try read()
    guard list.count <= limit else { throw .malformed }
    return list
  }

  /// Reads a text that must be printable ASCII, of at most `limit` bytes.
  mutating func readText(limit: Int) throws(ProtocolError) -> String {
    let bytes: [UInt8] = try read()
    guard bytes.count <= limit, bytes.allSatisfy({ (0x20...0x7e).contains($0) }) else {
      throw .malformed
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads a path: any bytes but NUL, and at least one.
  mutating func readPath() throws(ProtocolError) -> [UInt8] {
    let path = try readFolder()
    guard !path.isEmpty else { throw .malformed }
    return path
  }

  /// Reads a path that may be empty.
  mutating func readFolder() throws(ProtocolError) -> [UInt8] {
    let path: [UInt8] = try read()
    guard !path.contains(0) else { throw .malformed }
    return path
  }

  mutating func readPaths() throws(ProtocolError) -> [[UInt8]] {
    let paths: [[UInt8]] = try read()
    guard paths.allSatisfy({ !$0.isEmpty && !$0.contains(0) }) else { throw .malformed }
    return paths
  }

  /// Checks that the whole payload was read.
  func finish() throws(ProtocolError) {
    guard restCount == 0 else { throw .malformed }
  }
}
