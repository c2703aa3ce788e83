/// The reason that received bytes are not a message.
package enum ProtocolError: Error, Equatable {
  /// The length, in bytes, is above the limit for this kind of message.
  case oversized(length: Int)
  /// This version has no message of that kind.
  case unknownKind(UInt8)
  /// Fields are cut short, too long, or hold invalid values.
  case malformed
}

/// Builds the payload of a message: little-endian integers, and byte strings with their lengths.
struct PayloadWriter {
  /// The payload so far.
  private(set) var bytes: [UInt8] = []

  /// Writes an integer, little-endian, in as many bytes as its type has.
  mutating func write<Value: FixedWidthInteger>(_ value: Value) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Writes a byte that is 0 or 1.
  mutating func write(_ value: Bool) { bytes.append(value ? 1 : 0) }

  /// Writes the length of a byte string in 16 bits, then its bytes; a string above 65,535 bytes is
  /// cut.
  mutating func write(string: some Collection<UInt8>) {
    let kept = string.prefix(Int(UInt16.max))
    write(UInt16(kept.count))
    bytes.append(contentsOf: kept)
  }

  /// Writes the number of elements of a list in 32 bits, then the elements.
  mutating func write<Element>(list: [Element], _ write: (inout Self, Element) -> Void) {
    self.write(UInt32(clamping: list.count))
    for element in list { write(&self, element) }
  }

  /// Writes a byte that says whether there is a value, then the value.
  mutating func write<Value>(optional value: Value?, _ write: (Value, inout Self) -> Void) {
    self.write(value != nil)
    if let value { write(value, &self) }
  }

  /// Writes bytes without a length.
  mutating func write(raw: some Collection<UInt8>) { bytes.append(contentsOf: raw) }
}

/// Parses the payload of a message; a read beyond its end throws `malformed`.
struct PayloadReader {
  private var rest: ArraySlice<UInt8>

  /// Creates a reader at the start of a payload, or of its rest.
  init(_ payload: ArraySlice<UInt8>) { rest = payload }

  /// Reads a little-endian integer.
  mutating func read<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self
  ) throws(ProtocolError) -> Value {
    let size = MemoryLayout<Value>.size
    let bytes = try read(count: size)
    var value: Value = 0
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes) }
    return Value(littleEndian: value)
  }

  /// Reads a byte that must be 0 or 1.
  mutating func readBool() throws(ProtocolError) -> Bool {
    switch try read(UInt8.self) {
    case 0: return false
    case 1: return true
    default: throw .malformed
    }
  }

  /// Reads a byte string of any bytes.
  mutating func readString() throws(ProtocolError) -> [UInt8] {
    let count = try read(UInt16.self)
    return Array(try read(count: Int(count)))
  }

  /// Reads a byte string that must be printable ASCII, of at most `limit` bytes.
  mutating func readText(limit: Int) throws(ProtocolError) -> String {
    let bytes = try readString()
    guard bytes.count <= limit, bytes.allSatisfy({ (0x20...0x7e).contains($0) }) else {
      throw .malformed
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads a path: not empty and without NUL, otherwise any bytes.
  mutating func readPath() throws(ProtocolError) -> [UInt8] {
    let bytes = try readString()
    guard !bytes.isEmpty, !bytes.contains(0) else { throw .malformed }
    return bytes
  }

  /// Reads a list, each element of which has at least one byte.
  mutating func readList<Element>(
    _ read: (inout Self) throws(ProtocolError) -> Element
  ) throws(ProtocolError) -> [Element] {
    let count = Int(try self.read(UInt32.self))
    guard count <= rest.count else { throw .malformed }
    var list: [Element] = []
    for _ in 0..<count { list.append(try read(&self)) }
    return list
  }

  /// Reads a list of paths.
  mutating func readPaths() throws(ProtocolError) -> [[UInt8]] {
    try readList { (reader) throws(ProtocolError) in try reader.readPath() }
  }

  /// Reads bytes without a length.
  mutating func read(count: Int) throws(ProtocolError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest.count else { throw .malformed }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Checks that the whole payload was read.
  func finish() throws(ProtocolError) {
    guard rest.isEmpty else { throw .malformed }
  }
}
