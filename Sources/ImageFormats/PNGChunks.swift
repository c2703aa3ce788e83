/// The chunks of a PNG file, one after the other (PNG specification, 5.3); what is in them is not
/// checked.
package struct PNGChunks {
  private let file: [UInt8]
  private var place = 8

  /// The chunks of a file that begins with PNG's signature; nil for others.
  package init?(_ file: [UInt8]) {
    guard file.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) else { return nil }
    self.file = file
  }

  /// A chunk's type, and where its contents are.
  package struct Chunk: Equatable, Sendable {
    package var type: [UInt8]
    package var contents: Range<Int>

    /// Whether it is of the type with these four letters.
    package func isOf(_ name: StaticString) -> Bool {
      name.withUTF8Buffer { $0.elementsEqual(type) }
    }
  }

  /// The next chunk that is all there; nil at the end.
  package mutating func next() -> Chunk? {
    guard file.count - place >= 12 else { return nil }
    let length = file[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
    guard length <= file.count - place - 12 else { return nil }
    defer { place += 12 + length }
    return Chunk(
      type: Array(file[(place + 4)..<(place + 8)]), contents: (place + 8)..<(place + 8 + length))
  }
}

/// A textual chunk taken apart: tEXt, zTXt or iTXt (PNG specification, 11.3.4).
package struct PNGText: Equatable, Sendable {
  /// Printable ASCII in all that are of interest.
  package var key: String
  package var value: ArraySlice<UInt8>
  /// Whether the value is a stream of zlib's.
  package var isCompressed: Bool

  /// The text of a chunk of a file; nil where it is none, or broken.
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
        // The language, then the key in it.
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
