struct ByteWriter {
  /// The address of the next byte.
  private(set) var next: UnsafeMutablePointer<UInt8>

  init(at start: UnsafeMutablePointer<UInt8>) { next = start }

  @inline(__always)
  mutating func put(_ byte: UInt8) {
    next.pointee = byte
    next += 1
  }

  /// Writes up to eight bytes; memory of eight bytes is overwritten in any case.
  @inline(__always)
  mutating func put(_ packed: PackedBytes) {
    UnsafeMutableRawPointer(next).storeBytes(of: packed.bytes.littleEndian, as: UInt64.self)
    next += packed.count
  }

  /// Writes up to seven bytes of a word, the lowest first; the highest byte is their count.
  ///
  /// Memory of eight bytes is overwritten in any case.
  @inline(__always)
  mutating func put(counted bytes: UInt64) {
    UnsafeMutableRawPointer(next).storeBytes(of: bytes.littleEndian, as: UInt64.self)
    next += Int(truncatingIfNeeded: bytes >> 56)
  }

  mutating func put(_ text: StaticString) {
    text.withUTF8Buffer { for byte in $0 { put(byte) } }
  }

  @inline(__always)
  mutating func takeBack() { next -= 1 }

  /// Writes a number that is not negative, in decimal.
  mutating func put(decimal number: Int) {
    if number >= 10 { put(decimal: number / 10) }
    put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }
}

/// Up to eight bytes that are written with one instruction.
struct PackedBytes {
  /// The bytes as a word; the first is the lowest.
  let bytes: UInt64
  let count: Int

  /// Packs the first eight bytes of a text in UTF-8.
  init(_ text: some StringProtocol) {
    let utf8 = text.utf8.prefix(8)
    count = utf8.count
    bytes = utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
