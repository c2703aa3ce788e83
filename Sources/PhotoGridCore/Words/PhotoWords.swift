/// What people have written about a photo, in its file or sidecar.
///
/// Every text is printable, and all together are of limited length.
package struct PhotoWords: Hashable, Sendable {
  package let title: String?
  package let caption: String?
  /// In their order, each once.
  package let keywords: [String]

  /// The longest title or keyword, and the longest caption, in code points.
  private static let (maxTextLength, maxCaptionLength) = (120, 2000)
  /// The most keywords that are kept of a photo.
  package static let maxKeywords = 100
  /// The most bytes of `record`.
  package static let maxBytes = 8 << 10

  /// Creates the words of a photo from bytes of a file; nil if nothing visible remains.
  ///
  /// Beyond the limits, keywords are left out, then the caption and the title are.
  package init?(title: [UInt8]?, caption: [UInt8]?, keywords: some Sequence<[UInt8]>) {
    var room = Self.maxBytes - 2
    func text(_ bytes: [UInt8]?, _ limit: Int) -> String? {
      guard let text = bytes.flatMap({ Self.text($0, limit) }), text.utf8.count < room else {
        return nil
      }
      room -= text.utf8.count + 1
      return text
    }
    self.title = text(title, Self.maxTextLength)
    self.caption = text(caption, Self.maxCaptionLength)
    var kept: [String] = []
    var known: Set<[UInt8]> = []
    for keyword in keywords {
      guard kept.count < Self.maxKeywords else { break }
      guard let keyword = text(keyword, Self.maxTextLength),
        known.insert(PhotoNames.folded(keyword)).inserted
      else { continue }
      kept.append(keyword)
    }
    self.keywords = kept
    guard self.title != nil || self.caption != nil || !kept.isEmpty else { return nil }
  }

  /// Creates the words of a photo from texts; nil if nothing visible remains.
  package init?(title: String? = nil, caption: String? = nil, keywords: [String] = []) {
    self.init(
      title: title.map { Array($0.utf8) }, caption: caption.map { Array($0.utf8) },
      keywords: keywords.map { Array($0.utf8) })
  }

  /// Converts bytes to printable text, in which line breaks are spaces; nil if nothing remains.
  private static func text(_ bytes: [UInt8], _ limit: Int) -> String? {
    let line = bytes.prefix(4 * limit).map { (0x09...0x0d).contains($0) ? 0x20 : $0 }
    let start = line.firstIndex { $0 != 0x20 } ?? line.endIndex
    return PhotoMetadata.text(Array(line[start...]), atMost: limit)
  }

  // MARK: - Record

  /// What is between two keywords in a record, and before the title and the caption.
  static let (keywordEnd, partEnd): (UInt8, UInt8) = (0x1f, 0x1e)

  /// The words as one text, which has no NUL.
  ///
  ///     rome 0x1F summer 0x1E a title 0x1E a caption
  package var record: [UInt8] {
    var record = Array(keywords.map { Array($0.utf8) }.joined(separator: [Self.keywordEnd]))
    for part in [title, caption] { record += [Self.partEnd] + Array((part ?? "").utf8) }
    return record
  }

  /// Creates words from untrusted bytes in the form of `record`; nil if there are none.
  package init?(record: some Collection<UInt8>) {
    guard !record.isEmpty else { return nil }
    let parts = record.split(
      separator: Self.partEnd, maxSplits: 2, omittingEmptySubsequences: false)
    func part(_ index: Int) -> [UInt8]? {
      index < parts.count && !parts[index].isEmpty ? Array(parts[index]) : nil
    }
    self.init(
      title: part(1), caption: part(2),
      keywords: parts[0].split(separator: Self.keywordEnd).map { Array($0) })
  }
}
