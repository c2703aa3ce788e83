import PhotoGridCore

/// When a PNG says that it was created, in a text with the keyword "Creation Time" (PNG specification,
/// 11.3.4.2).
package enum PNGDate {
  /// The most chunks that are looked at.
  private static let maxChunks = 256
  private static let keyword = Array("Creation Time\0".utf8)

  /// Finds the time in a file; nil if there is none before the picture.
  package static func time(in file: ByteSource) -> TakenTime? {
    var offset = 8
    for _ in 0..<maxChunks {
      guard let head = file.bytes(at: offset, count: 8) else { return nil }
      let length = head[..<4].reduce(0) { $0 << 8 | Int($1) }
      let type = String(decoding: head[4...], as: UTF8.self)
      if type == "IDAT" || type == "IEND" { return nil }
      if type == "tEXt" || type == "iTXt",
        let contents = file.bytes(at: offset + 8, atMost: min(length, 200)),
        contents.starts(with: keyword)
      {
        // An iTXt has flags, a language and a translated keyword before the text.
        let text =
          type == "tEXt"
          ? contents.dropFirst(keyword.count)
          : contents.split(separator: 0, omittingEmptySubsequences: false).last ?? []
        if let time = time(of: Array(text)) { return time }
      }
      offset += 12 + length
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
