/// Writes bytes, numbers and glyphs into memory that is known to be large enough.
struct ByteWriter {
  /// Where the next byte goes.
  private(set) var next: UnsafeMutablePointer<UInt8>

  /// A writer that starts at an address.
  init(at start: UnsafeMutablePointer<UInt8>) { next = start }

  /// Writes one byte.
  @inline(__always)
  mutating func put(_ byte: UInt8) {
    next.pointee = byte
    next += 1
  }

  /// Writes the low bytes of a word, lowest first; up to eight bytes may be touched.
  @inline(__always)
  mutating func put(_ packed: PackedBytes) {
    UnsafeMutableRawPointer(next).storeBytes(of: packed.bytes.littleEndian, as: UInt64.self)
    next += packed.count
  }

  /// Writes up to seven bytes, lowest first, whose count is in the highest; eight may be touched.
  @inline(__always)
  mutating func put(counted bytes: UInt64) {
    UnsafeMutableRawPointer(next).storeBytes(of: bytes.littleEndian, as: UInt64.self)
    next += Int(truncatingIfNeeded: bytes >> 56)
  }

  /// Writes ASCII text.
  mutating func put(_ text: StaticString) {
    text.withUTF8Buffer { for byte in $0 { put(byte) } }
  }

  /// Takes the last byte back.
  @inline(__always)
  mutating func takeBack() { next -= 1 }

  /// Writes a number that is not negative, in decimal.
  mutating func put(decimal number: Int) {
    if number >= 10 { put(decimal: number / 10) }
    put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }
}

/// Up to eight bytes that are written at once.
struct PackedBytes {
  /// The first byte is the lowest.
  let bytes: UInt64
  let count: Int

  /// The given text's first eight bytes.
  init(_ text: some StringProtocol) {
    let utf8 = text.utf8.prefix(8)
    count = utf8.count
    bytes = utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
