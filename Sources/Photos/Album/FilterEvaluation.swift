import Glibc

/// Determines which photos pass a filter, given the facts known so far.
///
/// Each test runs over all photos before the next one, cheap tests first, and skips photos whose
/// verdict is already decided.
struct FilterEvaluation {
  let names: PhotoNames
  /// The folder that is shown, whose own path is not searched for words; see `PhotoNames`.
  let folder: [UInt8]
  /// The facts of the files that were read.
  let facts: InfoTable
  /// The words that people have written about the photos.
  var words = WordTable()
  /// The photos whose cameras and lenses are known.
  let described: PhotoSet
  /// The rule for the dates of photos.
  let dating: DateRule
  let marks: PhotoSet
  /// The raw files and films that are shown as a part of their picture.
  var hidden = PhotoSet()
  /// The ratings that were read.
  var ratings = RatingTable()
  /// The groups of near duplicates, as far as they are known; nil if no test needs them.
  var similar: SimilarGroups?
  /// The photos that have words which were searched before.
  var searches = WordSearches()

  /// The result for a photo, ordered so that a conjunction is the minimum and a disjunction the
  /// maximum.
  ///
  /// Words are searched in what is known so far, so that names are found at once; a photo that does
  /// not have a word may turn out to have it when its file is read.
  enum Verdict {
    /// The photo does not pass.
    static let fails: UInt8 = 0
    /// The photo does not pass as far as is known.
    static let failsSoFar: UInt8 = 1
    /// Whether the photo passes is not known until its file has been read.
    static let isUnknown: UInt8 = 2
    static let passesSoFar: UInt8 = 3
    static let passes: UInt8 = 4
  }

  func verdicts(of photos: [Photo.ID], _ expression: FilterExpression) -> [UInt8] {
    verdicts(of: photos, expression, where: [UInt8](repeating: 1, count: photos.count))
  }

  /// Returns the verdict for each photo whose entry in `needed` is not 0; the others are
  /// unspecified.
  private func verdicts(
    of photos: [Photo.ID], _ expression: FilterExpression, where needed: [UInt8]
  ) -> [UInt8] {
    switch expression {
    case .test(let test): return verdicts(of: photos, test, where: needed)
    case .not(let inner):
      return verdicts(of: photos, inner, where: needed).map { Verdict.passes - $0 }
    case .all(let parts):
      return joined(photos, parts, needed, isConjunction: true)
    case .any(let parts):
      return joined(photos, parts, needed, isConjunction: false)
    }
  }

  /// Returns the verdicts of the parts together: the least of a conjunction, the greatest of a
  /// disjunction.
  ///
  /// A photo that fails a part of a conjunction, or passes one of a disjunction, is not tested by further
  /// parts.
  private func joined(
    _ photos: [Photo.ID], _ parts: [FilterExpression], _ needed: [UInt8], isConjunction: Bool
  ) -> [UInt8] {
    let (start, end) =
      isConjunction ? (Verdict.passes, Verdict.fails) : (Verdict.fails, Verdict.passes)
    var result = [UInt8](repeating: start, count: photos.count)
    var needed = needed
    for part in parts.sorted(by: { $0.cost < $1.cost }) {
      let verdicts = verdicts(of: photos, part, where: needed)
      // Verdicts that are not needed join `end`, which stays, or are not wanted at all.
      for index in result.indices {
        let joined =
          isConjunction
          ? min(result[index], verdicts[index]) : max(result[index], verdicts[index])
        result[index] = joined
        needed[index] = joined == end ? 0 : needed[index]
      }
    }
    return result
  }

  // MARK: - Tests

  private func verdicts(
    of photos: [Photo.ID], _ test: FilterTest, where needed: [UInt8]
  ) -> [UInt8] {
    switch test {
    case .word(let word): return verdicts(of: photos, word, where: needed)
    case .name(let word): return names.containing(word, photos, where: needed)
    case .glob(let pattern):
      return names.test(photos, where: needed) { Glob.matchesName(pattern, $0) }
    case .path(let text): return names.test(paths: photos, where: needed, text.matches)
    case .marked: return decided(photos, needed) { marks.contains($0) }
    case .kind(let formats, let wantsLive):
      var result = decided(photos, needed) { photo in
        let known = facts[photo]
        // Like a photo with a film beside it, one that holds its film is both.
        if known?.holdsFilm == true, wantsLive || formats.contains(.film) { return true }
        let format = known.map(\.format) ?? names.kind(of: photo)
        if wantsLive, format == .film, hidden.contains(photo) { return true }
        return format.map { formats.contains($0) } ?? false
      }
      if wantsLive {
        for index in photos.indices where result[index] == Verdict.fails {
          if facts[photos[index]] == nil { result[index] = Verdict.isUnknown }
        }
      }
      return result
    case .number(.rating, let range):
      return rated(photos, needed) { range.numbers.contains(Double($0.stars)) }
    case .similar:
      // Until all hashes are known, the near duplicate of any photo may still be found.
      let other = similar?.isComplete == true ? Verdict.fails : Verdict.isUnknown
      return photos.map { similar?.contains($0) == true ? Verdict.passes : other }
    case .rejected: return rated(photos, needed) { $0.isRejected }
    case .label(let labels): return rated(photos, needed) { labels.contains($0.label) }
    case .number(.date, let range):
      return read(photos, needed, forMetadata: false) { photo, facts in
        dating.date(of: photo, facts, names).map {
          range.numbers.contains(Double($0.time.digits))
        } ?? false
      }
    case .number(let quantity, let range):
      return read(photos, needed, forMetadata: quantity.isMetadata) { _, facts in
        quantity.number(of: facts).map { range.numbers.contains($0) } ?? false
      }
    case .text(let field, let text): return verdicts(of: photos, field, text, where: needed)
    case .words(let field, let text):
      let word = text.folded.terminated
      var result = read(photos, needed, forMetadata: true) { _, _ in false }
      words.pass(photos, &result, where: needed) { field.matches(text, $0, word) }
      // Words of a sidecar that has changed are read again.
      for index in photos.indices where result[index] == Verdict.passes {
        if facts[photos[index]]?.hasMetadata != true { result[index] = Verdict.passesSoFar }
      }
      return result
    case .shape(let shape): return read(photos, needed, forMetadata: false) { shape.fits($1) }
    case .location: return read(photos, needed, forMetadata: true) { $1.hasLocation }
    }
  }

  /// Searches everything that has words: names, folders, keywords, titles, captions, people, cameras,
  /// lenses and labels.
  private func verdicts(of photos: [Photo.ID], _ word: [UInt8], where needed: [UInt8]) -> [UInt8] {
    var result =
      searches[word].map { known in
        photos.map { known.contains($0) ? Verdict.passes : Verdict.fails }
      }
      ?? search(photos, for: word, where: needed)
    let label = Rating.Label(word: word)
    for index in photos.indices where result[index] == Verdict.fails && needed[index] != 0 {
      let photo = photos[index]
      if label != nil, ratings[photo]?.label == label {
        result[index] = Verdict.passes
      } else if !described.contains(photo) || label != nil && !ratings.isKnown(photo) {
        result[index] = Verdict.failsSoFar
      }
    }
    return result
  }

  /// Returns the photos that have a word anywhere but in their labels.
  func photos(_ photos: [Photo.ID], having word: [UInt8]) -> PhotoSet {
    let needed = [UInt8](repeating: 1, count: photos.count)
    return PhotoSet(photos, where: search(photos, for: word, where: needed))
  }

  /// Returns which photos have a word anywhere but in their labels.
  ///
  /// A key may search a hundred thousand photos, so each folder, camera and lens is compared once,
  /// however many photos have it. Words of a photo's own are searched like names.
  private func search(_ photos: [Photo.ID], for word: [UInt8], where needed: [UInt8]) -> [UInt8] {
    var result = names.containing(word, photos, where: needed)
    names.pass(photos, &result, where: needed, below: folder) { $0.hasPart(word) }
    words.pass(photos, &result, containing: word, where: needed)
    func wanted(_ field: FilterTextField) -> [Bool] {
      let matches = facts.pools[field].texts.map {
        PhotoNames.folded($0).hasPart(word)
      }
      return matches.contains(true) ? matches : []
    }
    let (cameras, lenses) = (wanted(.camera), wanted(.lens))
    guard !cameras.isEmpty || !lenses.isEmpty else { return result }
    for index in photos.indices where result[index] == Verdict.fails && needed[index] != 0 {
      guard let facts = facts[photos[index]] else { continue }
      let (camera, lens) = (Int(facts.camera), Int(facts.lens))
      if camera < cameras.count && cameras[camera] || lens < lenses.count && lenses[lens] {
        result[index] = Verdict.passes
      }
    }
    return result
  }

  private func verdicts(
    of photos: [Photo.ID], _ field: FilterTextField, _ text: FilterText, where needed: [UInt8]
  ) -> [UInt8] {
    // Each distinct text is compared once, however many photos have it.
    let isWanted = facts.pools[field].texts.map { text.matches(PhotoNames.folded($0)) }
    return read(photos, needed, forMetadata: true) { _, facts in
      let number = Int(facts.number(of: field))
      return number < isWanted.count && isWanted[number]
    }
  }

  /// Returns the verdicts of a test that needs no facts.
  private func decided(
    _ photos: [Photo.ID], _ needed: [UInt8], _ passes: (Photo.ID) -> Bool
  ) -> [UInt8] {
    var result = [UInt8](repeating: Verdict.fails, count: photos.count)
    for index in photos.indices where needed[index] != 0 && passes(photos[index]) {
      result[index] = Verdict.passes
    }
    return result
  }

  /// Returns the verdicts of a test of ratings.
  private func rated(
    _ photos: [Photo.ID], _ needed: [UInt8], _ passes: (Rating) -> Bool
  ) -> [UInt8] {
    var result = [UInt8](repeating: Verdict.isUnknown, count: photos.count)
    for index in photos.indices where needed[index] != 0 {
      guard let rating = ratings[photos[index]] else { continue }
      result[index] = passes(rating) ? Verdict.passes : Verdict.fails
    }
    return result
  }

  /// Returns the verdicts of a test of facts, or of the metadata among them.
  private func read(
    _ photos: [Photo.ID], _ needed: [UInt8], forMetadata: Bool,
    _ passes: (Photo.ID, PackedInfo) -> Bool
  ) -> [UInt8] {
    var result = [UInt8](repeating: Verdict.isUnknown, count: photos.count)
    for index in photos.indices where needed[index] != 0 {
      guard let facts = facts[photos[index]], facts.hasMetadata || !forMetadata else { continue }
      result[index] = passes(photos[index], facts) ? Verdict.passes : Verdict.fails
    }
    return result
  }
}

extension FilterExpression {
  /// The relative cost of the evaluation.
  fileprivate var cost: Int {
    switch self {
    case .test(let test):
      switch test {
      case .marked: 0
      case .name, .glob, .kind: 1
      case .word, .path: 2
      case .number, .text, .words, .shape, .location, .rejected, .label, .similar: 3
      }
    case .not(let inner): inner.cost
    case .all(let parts), .any(let parts): parts.map(\.cost).max() ?? 0
    }
  }
}

extension FilterTest.Shape {
  /// Whether a photo has these proportions.
  fileprivate func fits(_ facts: PackedInfo) -> Bool {
    switch self {
    case .landscape: facts.isReadable && facts.width > facts.height
    case .portrait: facts.isReadable && facts.width < facts.height
    case .square: facts.isReadable && facts.width == facts.height
    }
  }
}

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
      filtering.searches.remember(evaluation.photos(candidates, having: word), having: word)
    }
  }
}
