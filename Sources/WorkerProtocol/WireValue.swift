/// A value that messages contain.
protocol WireValue {
  /// Reads a value; what no program of this version writes is malformed.
  init(_ reader: inout PayloadReader) throws(ProtocolError)
  func write(to payload: inout PayloadWriter)

  static func write(list: [Self], to payload: inout PayloadWriter)
  static func readList(_ reader: inout PayloadReader) throws(ProtocolError) -> [Self]
}

/// A list is the number of its elements in 32 bits, then the elements, of at least a byte each.
extension WireValue {
  static func write(list: [Self], to payload: inout PayloadWriter) {
    payload.write(list.count)
    for element in list { element.write(to: &payload) }
  }

  static func readList(_ reader: inout PayloadReader) throws(ProtocolError) -> [Self] {
    let count: Int = try reader.read()
    guard count <= reader.restCount else { throw .malformed }
    var list: [Self] = []
    for _ in 0..<count { list.append(try Self(&reader)) }
    return list
  }
}

extension Array: WireValue where Element: WireValue {
  init(_ reader: inout PayloadReader) throws(ProtocolError) { self = try Element.readList(&reader) }
  func write(to payload: inout PayloadWriter) { Element.write(list: self, to: &payload) }
}

/// A byte that says whether there is a value, then the value.
extension Optional: WireValue where Wrapped: WireValue {
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self = try reader.read() ? try Wrapped(&reader) : nil
  }

  func write(to payload: inout PayloadWriter) {
    payload.write(self != nil)
    self?.write(to: &payload)
  }
}

/// Integers are little-endian, in as many bytes as their type has.
extension WireValue where Self: FixedWidthInteger {
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let bytes = try reader.read(count: MemoryLayout<Self>.size)
    var value: Self = 0
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes) }
    self.init(littleEndian: value)
  }

  func write(to payload: inout PayloadWriter) {
    withUnsafeBytes(of: littleEndian) { payload.write(raw: $0) }
  }
}

extension UInt16: WireValue {}
extension UInt32: WireValue {}
extension UInt64: WireValue {}
extension Int32: WireValue {}
extension Int64: WireValue {}

extension UInt8: WireValue {
  /// Bytes are their number in 16 bits, then the bytes; those above 65,535 are cut off.
  static func write(list: [UInt8], to payload: inout PayloadWriter) {
    payload.write(UInt16(clamping: list.count))
    list.prefix(Int(UInt16.max)).withUnsafeBytes { payload.write(raw: $0) }
  }

  static func readList(_ reader: inout PayloadReader) throws(ProtocolError) -> [UInt8] {
    Array(try reader.read(count: Int(try reader.read(UInt16.self))))
  }
}

/// A number that is not negative and fits into 32 bits.
extension Int: WireValue {
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(try reader.read(UInt32.self))
  }

  func write(to payload: inout PayloadWriter) { UInt32(clamping: self).write(to: &payload) }
}

extension Bool: WireValue {
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    switch try reader.read(UInt8.self) {
    case 0: self = false
    case 1: self = true
    default: throw .malformed
    }
  }

  func write(to payload: inout PayloadWriter) { UInt8(self ? 1 : 0).write(to: &payload) }
}

extension Double: WireValue {
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(bitPattern: try reader.read())
  }

  func write(to payload: inout PayloadWriter) { bitPattern.write(to: &payload) }
}

/// A text of any bytes.
extension String: WireValue {
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(decoding: try reader.read([UInt8].self), as: UTF8.self)
  }

  func write(to payload: inout PayloadWriter) { Array(utf8).write(to: &payload) }
}

extension WireValue where Self: RawRepresentable, RawValue: WireValue {
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    guard let value = Self(rawValue: try reader.read()) else { throw .malformed }
    self = value
  }

  func write(to payload: inout PayloadWriter) { rawValue.write(to: &payload) }
}

/// Bytes with their number in 32 bits.
struct LongBytes: WireValue {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    bytes = Array(try reader.read(count: try reader.read()))
  }

  func write(to payload: inout PayloadWriter) {
    payload.write(bytes.count)
    payload.write(tail: bytes)
  }
}
