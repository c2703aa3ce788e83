/// Iterates over the chunks of a PNG file (PNG specification, 5.3); does not check their contents.
package struct PNGChunks {
  private let file: [UInt8]
  private var offset = 8

  /// Creates an iterator for a file; nil if it does not begin with PNG's signature.
  package init?(_ file: [UInt8]) {
    guard file.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) else { return nil }
    self.file = file
  }

  package struct Chunk: Equatable, Sendable {
    /// The four letters of its type.
    package var type: [UInt8]
    package var contents: Range<Int>

    package func isOf(_ name: StaticString) -> Bool {
      name.withUTF8Buffer { $0.elementsEqual(type) }
    }
  }

  /// Returns the next complete chunk; nil at the end.
  package mutating func next() -> Chunk? {
    guard file.count - offset >= 12 else { return nil }
    let length = file[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
    guard length <= file.count - offset - 12 else { return nil }
    defer { offset += 12 + length }
    return Chunk(
      type: Array(file[(offset + 4)..<(offset + 8)]), contents: (offset + 8)..<(offset + 8 + length)
    )
  }
}

/// The contents of a textual chunk: tEXt, zTXt or iTXt (PNG specification, 11.3.4).
package struct PNGText: Equatable, Sendable {
  package var key: String
  /// The bytes of the text, compressed if `isCompressed` is true.
  package var value: ArraySlice<UInt8>
  /// Whether the value is compressed by zlib.
  package var isCompressed: Bool

  /// Parses a chunk of a file; nil if it has no text, or is damaged.
  package init?(_ chunk: PNGChunks.Chunk, of file: [UInt8]) {
    let contents = file[chunk.contents]
    guard let end = contents.firstIndex(of: 0), (1...79).contains(end - contents.startIndex)
    else { return nil }
    key = String(decoding: contents[..<end], as: UTF8.self)
    var rest = contents[(end + 1)...]
    isCompressed = false
    if chunk.isOf("zTXt") {
      guard rest.popFirst() == 0 else { return nil }
      isCompressed = true
    } else if chunk.isOf("iTXt") {
      guard let flag = rest.popFirst(), flag <= 1, let method = rest.popFirst(), method == 0,
        // The language, then the translated keyword.
        let language = rest.firstIndex(of: 0),
        let translation = rest[(language + 1)...].firstIndex(of: 0)
      else { return nil }
      isCompressed = flag == 1
      rest = rest[(translation + 1)...]
    } else if !chunk.isOf("tEXt") {
      return nil
    }
    value = rest
  }
}
