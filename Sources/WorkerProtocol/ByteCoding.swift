/// Why bytes from the other side are not a message.
package enum ProtocolError: Error, Equatable {
  /// A length above what this kind of message may have.
  case oversized(length: Int)
  /// A kind that this version does not know.
  case unknownKind(UInt8)
  /// Fields that end early, go on after the end, or hold values that cannot be.
  case malformed
}

/// A message's payload while it is written: little-endian integers, byte strings with a length.
struct PayloadWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write<Value: FixedWidthInteger>(_ value: Value) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func write(_ value: Bool) { bytes.append(value ? 1 : 0) }

  /// A byte string of at most 65535 bytes; what is longer is cut.
  mutating func write(string: some Collection<UInt8>) {
    let kept = string.prefix(Int(UInt16.max))
    write(UInt16(kept.count))
    bytes.append(contentsOf: kept)
  }

  mutating func write(raw: [UInt8]) { bytes.append(contentsOf: raw) }
}

/// A message's payload while it is read; every read fails where the bytes end.
struct PayloadReader {
  private var rest: ArraySlice<UInt8>

  init(_ payload: ArraySlice<UInt8>) { rest = payload }

  var remaining: Int { rest.count }

  mutating func read<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self
  ) throws(ProtocolError) -> Value {
    let size = MemoryLayout<Value>.size
    let bytes = try take(size)
    var value: Value = 0
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes) }
    return Value(littleEndian: value)
  }

  mutating func readBool() throws(ProtocolError) -> Bool {
    switch try read(UInt8.self) {
    case 0: return false
    case 1: return true
    default: throw .malformed
    }
  }

  mutating func readString() throws(ProtocolError) -> [UInt8] {
    let count = try read(UInt16.self)
    return Array(try take(Int(count)))
  }

  /// A byte string that must be printable ASCII.
  mutating func readText(limit: Int) throws(ProtocolError) -> String {
    let bytes = try readString()
    guard bytes.count <= limit, bytes.allSatisfy({ (0x20...0x7e).contains($0) }) else {
      throw .malformed
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A path: not empty and without NUL, otherwise any bytes.
  mutating func readPath() throws(ProtocolError) -> [UInt8] {
    let bytes = try readString()
    guard !bytes.isEmpty, !bytes.contains(0) else { throw .malformed }
    return bytes
  }

  mutating func take(_ count: Int) throws(ProtocolError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest.count else { throw .malformed }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Ends the payload: nothing may be left.
  func finish() throws(ProtocolError) {
    guard rest.isEmpty else { throw .malformed }
  }
}
