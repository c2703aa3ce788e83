import Glibc

/// Each photo's searchable words, by photo number.
///
/// Each is a record of `PhotoWords` in lowercase; photos that follow each other often have the same one,
/// which is stored once. A record that is not in lowercase is also stored as it is.
struct WordTable: Equatable, Sendable {
  private var folded = NameBlocks()
  private var originals = NameBlocks()
  /// The locations of each photo's records, by photo number; `missing` for a photo without words.
  private var locations: [Locations] = []
  private var last: (record: [UInt8], locations: Locations) = ([], .missing)
  /// Whether any photo has words.
  private(set) var isEmpty = true

  private struct Locations: Equatable {
    var folded: NameBlocks.Location
    /// In `originals`; `same` for a record that is in lowercase.
    var original: NameBlocks.Location

    static let same = NameBlocks.Location.max
    static let missing = Locations(folded: .max, original: .max)
  }

  package static func == (left: WordTable, right: WordTable) -> Bool {
    left.locations == right.locations && left.folded == right.folded
      && left.originals == right.originals
  }

  /// The words of a photo; nil if it has none, or they are not known.
  subscript(photo: Photo.ID) -> PhotoWords? {
    guard locations.indices.contains(photo.index), locations[photo.index] != .missing else {
      return nil
    }
    return PhotoWords(record: record(at: locations[photo.index]))
  }

  private func record(at locations: Locations) -> ArraySlice<UInt8> {
    locations.original == Locations.same ? folded[locations.folded] : originals[locations.original]
  }

  /// Sets the words of a photo; empty for none.
  ///
  /// A record for which `NameBlocks.limit` leaves no room is ignored.
  mutating func set(_ record: [UInt8], of photo: Photo.ID) {
    if record.isEmpty {
      if locations.indices.contains(photo.index) { locations[photo.index] = .missing }
      return
    }
    guard photo.index >= 0,
      folded.byteCount + originals.byteCount + 4 * record.count < NameBlocks.limit
    else { return }
    if record != last.record { last = (record, append(record)) }
    if photo.index >= locations.count {
      locations.append(
        contentsOf: repeatElement(.missing, count: photo.index + 1 - locations.count))
    }
    locations[photo.index] = last.locations
    isEmpty = false
  }

  private mutating func append(_ record: [UInt8]) -> Locations {
    // Words on both sides of a line break are found together.
    let line = record.map { $0 == 0x0a ? 0x20 : $0 }
    let lowercase = PhotoNames.folded(String(decoding: line, as: UTF8.self))
    return Locations(
      folded: folded.append(lowercase + [0])[0],
      original: lowercase == record ? Locations.same : originals.append(record + [0])[0])
  }

  /// Returns the texts of all photos that a closure takes from their words, each once, in order.
  func all(_ texts: (PhotoWords) -> [String]) -> [String] {
    var known: Set<NameBlocks.Location> = []
    var found: Set<String> = []
    for location in locations where location != .missing && known.insert(location.folded).inserted {
      found.formUnion(PhotoWords(record: record(at: location)).map(texts) ?? [])
    }
    return found.sorted()
  }

  // MARK: - Search

  /// Passes photos whose words contain a folded word.
  ///
  /// - `result`: The verdicts, of which those of the photos that pass are set.
  /// - `needed`: Not 0 for the photos to test.
  func pass(
    _ photos: [Photo.ID], _ result: inout [UInt8], containing word: [UInt8], where needed: [UInt8]
  ) {
    // What divides the parts of a record is in none of them.
    guard word.allSatisfy({ $0 >= 0x20 }) else { return }
    let word = word.terminated
    pass(photos, &result, where: needed) { strstr($0, word) != nil }
  }

  /// Passes photos whose record, in lowercase, satisfies a predicate; of photos that follow each other
  /// with one record, it is tested once.
  func pass(
    _ photos: [Photo.ID], _ result: inout [UInt8], where needed: [UInt8],
    _ isWanted: (UnsafePointer<CChar>) -> Bool
  ) {
    guard !isEmpty else { return }
    var last: (location: NameBlocks.Location, isWanted: Bool) = (Locations.missing.folded, false)
    folded.withPointers { folded in
      locations.withUnsafeBufferPointer { locations in
        for (index, photo) in photos.enumerated()
        where needed[index] != 0 && result[index] != FilterEvaluation.Verdict.passes {
          guard photo.index < locations.count else { continue }
          let location = locations[photo.index].folded
          guard location != Locations.missing.folded else { continue }
          if location != last.location { last = (location, isWanted(folded.text(at: location))) }
          if last.isWanted { result[index] = FilterEvaluation.Verdict.passes }
        }
      }
    }
  }
}

/// A part of the words of a photo, which a filter can test.
enum WordField: String, CaseIterable, Sendable {
  case keyword, title, caption, person

  /// Whether the text of this part in a record, in lowercase, matches.
  ///
  /// - `word`: The text to search for, unless it is a pattern.
  func matches(_ text: FilterText, _ record: UnsafePointer<CChar>, _ word: [CChar]) -> Bool {
    // Most records do not have the word anywhere.
    if !text.isGlob, strstr(record, word) == nil { return false }
    let record = NameBlocks.Pointers.name(record)
    let parts = record.split(separator: PhotoWords.partEnd, omittingEmptySubsequences: false)
    let searched: [Slice<UnsafeBufferPointer<UInt8>>]
    switch self {
    case .keyword: searched = parts.prefix(1).flatMap { $0.split(separator: PhotoWords.keywordEnd) }
    case .title: searched = Array(parts.dropFirst().prefix(1))
    case .caption: searched = Array(parts.dropFirst(2).prefix(1))
    case .person:
      searched = parts.dropFirst(3).flatMap { $0.split(separator: PhotoWords.keywordEnd) }
    }
    return searched.contains {
      !$0.isEmpty && text.matches(UnsafeBufferPointer(rebasing: $0))
    }
  }
}

extension Album {
  /// The words of a photo; nil if it has none, or its file has not been read.
  package func words(of photo: Photo.ID) -> PhotoWords? { words[photo] }

  /// Returns the title of a photo, or else its caption; nil if it has neither.
  package func caption(of photo: Photo.ID) -> String? {
    words(of: photo).flatMap { $0.title ?? $0.caption }
  }

  /// Whether the words of a photo have still to be read.
  package func lacksWords(_ photo: Photo.ID) -> Bool {
    guard let facts = facts(of: photo) else { return true }
    return facts.isReadable && !facts.hasMetadata
  }

  /// The keywords of all photos whose files were read, each once, in order.
  package var keywordsInUse: [String] { words.all(\.keywords) }

  /// The people in all photos whose files were read, each once, in order.
  package var peopleInUse: [String] { words.all(\.people) }
}

/// The words that people have written about a photo, in its file or sidecar.
///
/// Every text is printable, and all together are of limited length.
package struct PhotoWords: Hashable, Sendable {
  package let title: String?
  /// The caption with its line breaks.
  package let writtenCaption: String?
  /// In their order, each once.
  package let keywords: [String]
  /// The names of people with a face or a tag, in their order, each once.
  package let faces: [String]
  /// The names of other people.
  package let named: [String]
  /// Whether the photo has more keywords than are kept.
  package let isCut: Bool
  /// Whether the photo has more people than are kept.
  package let isPeopleCut: Bool

  /// The longest title or keyword, and the longest caption, in code points.
  static let (maxTextLength, maxCaptionLength) = (120, 2000)
  /// The most keywords that are kept of a photo, and the most names of people of each kind.
  package static let maxKeywords = 100
  /// The most bytes of `record`.
  package static let maxBytes = 8 << 10

  /// Creates the words of a photo from bytes of a file; nil if nothing visible remains.
  ///
  /// Beyond the limits, people and keywords are left out, then the caption and the title are.
  ///
  /// - `isCut`: Whether keywords were left out before.
  /// - `isPeopleCut`: Whether people were.
  package init?(
    title: [UInt8]?, caption: [UInt8]?, keywords: some Sequence<[UInt8]>, isCut: Bool = false,
    faces: [[UInt8]] = [], named: [[UInt8]] = [], isPeopleCut: Bool = false
  ) {
    var hasRoom = true
    // For what divides the parts, and marks cut keywords.
    var room = Self.maxBytes - 3
    func fitting(_ text: String?) -> String? {
      guard let text else { return nil }
      hasRoom = text.utf8.count < room
      guard hasRoom else { return nil }
      room -= text.utf8.count + 1
      return text
    }
    self.title = fitting(title.flatMap { Self.text($0, Self.maxTextLength) })
    writtenCaption = fitting(caption.flatMap(Self.caption))
    /// Keeps each text once, and notes whether any are left out.
    func kept(
      _ texts: some Sequence<[UInt8]>, _ known: inout Set<[UInt8]>, _ isCut: inout Bool
    ) -> [String] {
      var kept: [String] = []
      for text in texts {
        guard kept.count < Self.maxKeywords else {
          isCut = true
          break
        }
        hasRoom = true
        guard let text = fitting(Self.text(text, Self.maxTextLength)) else {
          isCut = isCut || !hasRoom
          continue
        }
        if known.insert(PhotoNames.folded(text)).inserted { kept.append(text) }
      }
      return kept
    }
    var (isCut, isPeopleCut) = (isCut, isPeopleCut)
    var (knownKeywords, knownPeople): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
    self.keywords = kept(keywords, &knownKeywords, &isCut)
    // For what divides the parts.
    room -= faces.isEmpty && named.isEmpty ? 0 : 3
    self.faces = kept(faces, &knownPeople, &isPeopleCut)
    self.named = kept(named, &knownPeople, &isPeopleCut)
    self.isCut = isCut && !self.keywords.isEmpty
    self.isPeopleCut = isPeopleCut && !(self.faces.isEmpty && self.named.isEmpty)
    guard self.title != nil || writtenCaption != nil || !self.keywords.isEmpty || !people.isEmpty
    else { return nil }
  }

  /// The people in the photo, those with a face or a tag first.
  package var people: [String] { faces + named }

  /// Creates the words of a photo from texts; nil if nothing visible remains.
  package init?(
    title: String? = nil, caption: String? = nil, keywords: [String] = [], isCut: Bool = false,
    faces: [String] = [], named: [String] = [], isPeopleCut: Bool = false
  ) {
    self.init(
      title: title.map { Array($0.utf8) }, caption: caption.map { Array($0.utf8) },
      keywords: keywords.map { Array($0.utf8) }, isCut: isCut, faces: faces.map { Array($0.utf8) },
      named: named.map { Array($0.utf8) }, isPeopleCut: isPeopleCut)
  }

  /// Converts bytes to printable text, in which line breaks are spaces; nil if nothing remains.
  private static func text(_ bytes: [UInt8], _ limit: Int) -> String? {
    let line = bytes.prefix(4 * limit).map { (0x09...0x0d).contains($0) ? 0x20 : $0 }
    let start = line.firstIndex { $0 != 0x20 } ?? line.endIndex
    return PhotoMetadata.text(Array(line[start...]), atMost: limit)
  }

  /// Converts the bytes of a caption to printable text with its line breaks; nil if nothing remains.
  private static func caption(_ bytes: [UInt8]) -> String? {
    let bytes = Array(bytes.prefix { $0 != 0 }.prefix(4 * maxCaptionLength))
    guard bytes.contains(where: { $0 == 0x0a || $0 == 0x0d }) else {
      return text(bytes, maxCaptionLength)
    }
    let shown = WrittenText(bytes, keepsLines: true).shown.unicodeScalars
    var kept = String(String.UnicodeScalarView(shown.prefix(maxCaptionLength)))
    while kept.last == " " || kept.last == "\n" { kept.removeLast() }
    return kept.isEmpty ? nil : kept
  }

  /// The caption in one line.
  package var caption: String? {
    writtenCaption?.split(separator: "\n").joined(separator: " ")
  }

  // MARK: - Record

  /// What is between two keywords in a record, and before the title and the caption.
  static let (keywordEnd, partEnd): (UInt8, UInt8) = (0x1f, 0x1e)

  /// The words as one text, which has no NUL.
  ///
  ///     rome 0x1F summer 0x1E a title 0x1E a caption 0x1E anna 0x1F ben 0x1E carla
  ///
  /// The last two parts are those of `faces` and `named`, if there are any people. If there are more
  /// keywords or people, what would divide them from the next one follows the last.
  package var record: [UInt8] {
    func list(_ texts: [String], _ isCut: Bool) -> [UInt8] {
      Array(texts.map { Array($0.utf8) }.joined(separator: [Self.keywordEnd]))
        + (isCut ? [Self.keywordEnd] : [])
    }
    var record = list(keywords, isCut)
    for part in [title, writtenCaption] { record += [Self.partEnd] + Array((part ?? "").utf8) }
    guard !people.isEmpty else { return record }
    return record + [Self.partEnd] + list(faces, false) + [Self.partEnd] + list(named, isPeopleCut)
  }

  /// Creates words from untrusted bytes in the form of `record`; nil if there are none.
  package init?(record: some BidirectionalCollection<UInt8>) {
    guard !record.isEmpty else { return nil }
    let parts = record.split(
      separator: Self.partEnd, maxSplits: 4, omittingEmptySubsequences: false)
    func list(_ index: Int) -> [[UInt8]] {
      (part(index) ?? []).split(separator: Self.keywordEnd).map { Array($0) }
    }
    func part(_ index: Int) -> [UInt8]? {
      index < parts.count && !parts[index].isEmpty ? Array(parts[index]) : nil
    }
    self.init(
      title: part(1), caption: part(2),
      keywords: list(0), isCut: parts[0].last == Self.keywordEnd, faces: list(3), named: list(4),
      isPeopleCut: part(4)?.last == Self.keywordEnd)
  }
}
