/// The bytes of a file or an array, read piece by piece at any offset.
///
/// Offsets may come from damaged or malicious files: reading outside of the source returns nil.
package struct ByteSource {
  package let count: Int
  private let read: (Range<Int>) -> [UInt8]?

  package init(_ bytes: [UInt8]) {
    count = bytes.count
    read = { Array(bytes[$0]) }
  }

  /// Creates a source of bytes that a function reads.
  ///
  /// - Parameters:
  ///   - count: The number of bytes.
  ///   - read: Returns the bytes of a range within `count`; fewer of them, or nil, if it cannot.
  package init(count: Int, read: @escaping (Range<Int>) -> [UInt8]?) {
    self.count = count
    self.read = read
  }

  /// Reads the bytes at an offset; nil unless all of them exist.
  package func bytes(at offset: Int, count wanted: Int) -> [UInt8]? {
    guard wanted >= 0, offset >= 0, offset <= count, wanted <= count - offset,
      let bytes = read(offset..<(offset + wanted)), bytes.count == wanted
    else { return nil }
    return bytes
  }

  /// Reads at most `wanted` bytes at an offset; nil if the offset is outside of the source.
  package func bytes(at offset: Int, atMost wanted: Int) -> [UInt8]? {
    guard offset >= 0, offset <= count else { return nil }
    return read(offset..<(offset + max(0, min(wanted, count - offset))))
  }

  /// The bytes of a range of this source, as a source of their own.
  package func part(_ range: Range<Int>) -> ByteSource {
    let (read, range) = (read, range.clamped(to: 0..<count))
    return ByteSource(count: range.count) {
      read(($0.lowerBound + range.lowerBound)..<($0.upperBound + range.lowerBound))
    }
  }

  /// Reads a big-endian number of up to eight bytes; nil if it is truncated, or above `Int.max`.
  package func bigEndian(at offset: Int, bytes width: Int) -> Int? {
    guard let bytes = bytes(at: offset, count: width) else { return nil }
    return Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
