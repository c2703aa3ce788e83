/// The photos that have words which were typed into a filter, until anything is learned about photos.
///
/// A key changes the last word of a filter, mostly by a letter. The photos that have its other words, and
/// those that had the last one before a letter was removed, are known then, and a longer word can only be
/// in photos that have a part of it.
struct WordSearches: Equatable, Sendable {
  private var known: [(word: [UInt8], photos: PhotoSet)] = []

  /// The most words that are remembered, with a bit for each photo.
  private static let limit = 32

  /// What is remembered changes no result.
  static func == (left: WordSearches, right: WordSearches) -> Bool { true }

  /// The photos of the album that have a folded word; nil if it has not been searched.
  subscript(word: [UInt8]) -> PhotoSet? { known.first { $0.word == word }?.photos }

  /// The photos that may have a folded word; nil if that is not known.
  func candidates(for word: [UInt8]) -> PhotoSet? {
    known.lazy.filter { word.hasPart($0.word) }.map(\.photos).min { $0.count < $1.count }
  }

  mutating func remember(_ photos: PhotoSet, having word: [UInt8]) {
    if known.count == Self.limit { known.removeFirst() }
    known.append((word, photos))
  }

  mutating func forgetAll() { known = [] }
}

extension Album {
  /// Searches the words of a filter in all photos and folders, so that they are known for the next keys.
  mutating func search(for filter: Filter) {
    for word in filter.expression.bareWords where filtering.searches[word] == nil {
      let candidates =
        filtering.searches.candidates(for: word)?.photos ?? listed.photos + listed.folders
      filtering.searches.remember(evaluation([]).photos(candidates, having: word), having: word)
    }
  }
}
