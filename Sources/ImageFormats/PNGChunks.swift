import Photos

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

/// The chunks of a PNG before its pixels.
enum PNGHead {
  /// The most chunks that are looked at.
  private static let maxChunks = 256

  /// Returns the types and the contents of the chunks, of which the last may be longer than the file.
  static func chunks(of file: ByteSource) -> AnyIterator<(type: String, contents: Range<Int>)> {
    var (offset, count) = (8, 0)
    return AnyIterator {
      guard count < maxChunks, let head = file.bytes(at: offset, count: 8) else { return nil }
      let length = head[..<4].reduce(0) { $0 << 8 | Int($1) }
      let type = String(decoding: head[4...], as: UTF8.self)
      guard type != "IDAT", type != "IEND" else { return nil }
      defer { (offset, count) = (offset + 12 + length, count + 1) }
      return (type, (offset + 8)..<(offset + 8 + length))
    }
  }
}

/// When a PNG says that it was created, in a text with the keyword "Creation Time" (PNG specification,
/// 11.3.4.2).
package enum PNGDate {
  private static let keyword = Array("Creation Time\0".utf8)

  /// Finds the time in a file; nil if no chunk before the pixels has one.
  package static func time(in file: ByteSource) -> TakenTime? {
    for chunk in PNGHead.chunks(of: file) where chunk.type == "tEXt" || chunk.type == "iTXt" {
      guard
        let contents = file.bytes(
          at: chunk.contents.lowerBound, atMost: min(chunk.contents.count, 200)),
        contents.starts(with: keyword)
      else { continue }
      // An iTXt has flags, a language and a translated keyword before the text.
      let text =
        chunk.type == "tEXt"
        ? contents.dropFirst(keyword.count)
        : contents.split(separator: 0, omittingEmptySubsequences: false).last ?? []
      if let time = time(of: Array(text)) { return time }
    }
    return nil
  }

  /// Parses a time in ISO 8601, as EXIF writes it, or by RFC 1123: "Thu, 4 Jul 2019 10:11:12 +0200".
  static func time(of text: [UInt8]) -> TakenTime? {
    var time = TakenTime(iso8601: text) ?? TakenTime(exif: text) ?? mailTime(of: text)
    time?.source = .text
    return time
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  private static func mailTime(of text: [UInt8]) -> TakenTime? {
    let words = text.prefix(64).split { $0 == 0x20 || $0 == 0x2c }.map { Array($0) }
    guard
      let index = words.firstIndex(where: {
        months.contains(String(decoding: $0.prefix(3), as: UTF8.self).lowercased())
      }), index > 0, index + 1 < words.count,
      let month = months.firstIndex(
        of: String(decoding: words[index].prefix(3), as: UTF8.self).lowercased()),
      let day = Int(String(decoding: words[index - 1], as: UTF8.self)), (1...31).contains(day),
      words[index + 1].count == 4
    else { return nil }
    func two(_ number: Int) -> [UInt8] { Array((number < 10 ? "0\(number)" : "\(number)").utf8) }
    var iso = words[index + 1] + [0x2d] + two(month + 1) + [0x2d] + two(day)
    if index + 2 < words.count, words[index + 2].count == 8 {
      iso += [0x54] + words[index + 2] + (index + 3 < words.count ? words[index + 3] : [])
    }
    return TakenTime(iso8601: iso)
  }
}
