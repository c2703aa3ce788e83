import Glibc

/// The words of photos, by photo number, as they are searched while the user types.
///
/// Each is a record of `PhotoWords`; photos that follow each other often have the same one, which is
/// stored once. A record is stored again in lowercase, unless it is the same.
struct WordTable: Equatable, Sendable {
  private var records = NameBlocks()
  private var folded = NameBlocks()
  /// The places of each photo's record and of that in lowercase, by photo number; `missing` for a photo
  /// without words.
  private var places: [Places] = []
  private var last: (record: [UInt8], places: Places) = ([], .missing)
  /// Whether any photo has words.
  private(set) var isEmpty = true

  private struct Places: Equatable {
    var record: NameBlocks.Place
    var folded: NameBlocks.Place
    /// Whether the record in lowercase is that in `records`.
    var isLowercase: Bool { folded == Self.same }

    static let same = NameBlocks.Place.max
    static let missing = Places(record: .max, folded: .max)
  }

  static func == (left: WordTable, right: WordTable) -> Bool {
    left.places == right.places && left.records == right.records
  }

  /// The words of a photo; nil if it has none, or they are not known.
  subscript(photo: Photo.ID) -> PhotoWords? {
    guard places.indices.contains(photo.index), places[photo.index] != .missing else { return nil }
    return PhotoWords(record: records[places[photo.index].record])
  }

  /// Sets the words of a photo; empty for none.
  ///
  /// A record for which `NameBlocks.limit` leaves no room is ignored.
  mutating func set(_ record: [UInt8], of photo: Photo.ID) {
    if record.isEmpty {
      if places.indices.contains(photo.index) { places[photo.index] = .missing }
      return
    }
    guard photo.index >= 0,
      records.byteCount + folded.byteCount + 4 * record.count < NameBlocks.limit
    else { return }
    if record != last.record { last = (record, append(record)) }
    if photo.index >= places.count {
      places.append(
        contentsOf: repeatElement(.missing, count: photo.index + 1 - places.count))
    }
    places[photo.index] = last.places
    isEmpty = false
  }

  private mutating func append(_ record: [UInt8]) -> Places {
    let lowercase = PhotoNames.folded(String(decoding: record, as: UTF8.self))
    let place = records.append(record + [0])[0]
    return Places(
      record: place,
      folded: lowercase == record ? Places.same : folded.append(lowercase + [0])[0])
  }

  /// The keywords of all photos, each once, in order.
  var allKeywords: [String] {
    var known: Set<NameBlocks.Place> = []
    var keywords: Set<String> = []
    for place in places where place != .missing && known.insert(place.record).inserted {
      keywords.formUnion(PhotoWords(record: records[place.record])?.keywords ?? [])
    }
    return keywords.sorted()
  }

  // MARK: - Search

  /// Passes photos whose record, in lowercase, satisfies a predicate; of photos that follow each other
  /// with one record, it is tested once.
  ///
  /// - `result`: The verdicts, of which those of the photos that pass are set.
  /// - `needed`: Not 0 for the photos to test.
  func pass(
    _ photos: [Photo.ID], _ result: inout [UInt8], where needed: [UInt8],
    _ isWanted: (UnsafePointer<CChar>) -> Bool
  ) {
    guard !isEmpty else { return }
    var last: (places: Places, isWanted: Bool) = (.missing, false)
    records.withPointers { records in
      folded.withPointers { folded in
        places.withUnsafeBufferPointer { places in
          for (index, photo) in photos.enumerated() where needed[index] != 0 {
            guard photo.index < places.count else { continue }
            let place = places[photo.index]
            guard place != .missing else { continue }
            if place != last.places {
              let text =
                place.isLowercase
                ? records.text(at: place.record) : folded.text(at: place.folded)
              last = (place, isWanted(text))
            }
            if last.isWanted { result[index] = FilterEvaluation.Verdict.passes }
          }
        }
      }
    }
  }
}

/// A part of the words of a photo, which a filter can test.
enum WordField: String, CaseIterable, Sendable {
  case keyword, title, caption

  /// Whether the text of this part in a record, in lowercase, matches.
  func matches(_ text: FilterText, _ record: UnsafePointer<CChar>, _ word: [CChar]) -> Bool {
    // Most records do not have the word anywhere.
    if !text.isGlob {
      guard let found = strstr(record, word) else { return false }
      // Keywords come first, so that the first place is one if any is.
      if self == .keyword {
        guard let end = strchr(record, Int32(PhotoWords.partEnd)) else { return false }
        return found < end
      }
    }
    let bytes = UnsafeRawBufferPointer(start: record, count: strlen(record))
    let parts = bytes.split(
      separator: PhotoWords.partEnd, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return false }
    switch self {
    case .keyword:
      return parts[0].split(separator: PhotoWords.keywordEnd).contains { text.matches(Array($0)) }
    case .title: return !parts[1].isEmpty && text.matches(Array(parts[1]))
    case .caption: return !parts[2].isEmpty && text.matches(Array(parts[2]))
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
  func lacksWords(_ photo: Photo.ID) -> Bool {
    guard let facts = facts(of: photo) else { return true }
    return facts.isReadable && !facts.hasMetadata
  }

  /// The keywords of all photos whose files were read, each once, in order.
  package var keywordsInUse: [String] { words.allKeywords }
}
