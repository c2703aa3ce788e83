/// Bytes of a file, or of a block in memory, that are read piece by piece where a structure points.
///
/// Offsets come out of files that may be wrong or hostile: what lies outside is nil, never a trap.
package struct ByteSource {
  /// In bytes.
  package let count: Int
  private let read: (Range<Int>) -> [UInt8]?

  /// The bytes of a block in memory.
  package init(_ bytes: [UInt8]) {
    count = bytes.count
    read = { Array(bytes[$0]) }
  }

  /// `count` bytes that `read` gives; it is asked for ranges inside of them alone, and may give
  /// fewer bytes, or none.
  package init(count: Int, read: @escaping (Range<Int>) -> [UInt8]?) {
    self.count = count
    self.read = read
  }

  /// The bytes from an offset on; nil unless all are there.
  package func bytes(at offset: Int, count wanted: Int) -> [UInt8]? {
    guard wanted >= 0, offset >= 0, offset <= count, wanted <= count - offset,
      let bytes = read(offset..<(offset + wanted)), bytes.count == wanted
    else { return nil }
    return bytes
  }

  /// The bytes from an offset on, as many as there are, up to so many.
  package func bytes(at offset: Int, atMost wanted: Int) -> [UInt8]? {
    guard offset >= 0, offset <= count else { return nil }
    return read(offset..<(offset + max(0, min(wanted, count - offset))))
  }

  /// A big-endian number of up to eight bytes; nil where it is not there, or above `Int.max`.
  package func bigEndian(at offset: Int, bytes width: Int) -> Int? {
    guard let bytes = bytes(at: offset, count: width) else { return nil }
    return Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
