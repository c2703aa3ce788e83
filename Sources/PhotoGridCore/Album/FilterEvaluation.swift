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
  /// What people have written about the photos.
  var words = WordTable()
  /// The photos whose cameras and lenses are known.
  let described: PhotoSet
  /// What counts as the date of a photo.
  let dating: DateRule
  let marks: PhotoSet
  /// The ratings that were read.
  var ratings = RatingTable()
  /// The groups of near duplicates, as far as they are known; nil if no test needs them.
  var similar: SimilarGroups?
  /// The words of the filter for which a similar word suffices.
  var similarWords: [[UInt8]] = []

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
      return joined(photos, parts, needed, from: Verdict.passes, until: Verdict.fails, min)
    case .any(let parts):
      return joined(photos, parts, needed, from: Verdict.fails, until: Verdict.passes, max)
    }
  }

  /// Returns the verdicts of the parts combined by `join`, starting with the verdict `start`.
  ///
  /// The verdict `end` is final: photos that have it are not tested by further parts.
  private func joined(
    _ photos: [Photo.ID], _ parts: [FilterExpression], _ needed: [UInt8], from start: UInt8,
    until end: UInt8, _ join: (UInt8, UInt8) -> UInt8
  ) -> [UInt8] {
    var result = [UInt8](repeating: start, count: photos.count)
    var needed = needed
    for part in parts.sorted(by: { $0.cost < $1.cost }) {
      let verdicts = verdicts(of: photos, part, where: needed)
      for place in result.indices where needed[place] != 0 {
        result[place] = join(result[place], verdicts[place])
        if result[place] == end { needed[place] = 0 }
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
    case .name(let word):
      return similarWord(word).map { similar in
        names.test(photos, where: needed) { similar.occurs(in: $0) }
      } ?? names.containing(word, photos, where: needed)
    case .glob(let pattern):
      return names.test(photos, where: needed) { Glob.matchesName(pattern, $0) }
    case .path(let text): return names.test(paths: photos, where: needed, text.matches)
    case .marked: return decided(photos, needed) { marks.contains($0) }
    case .kind(let kinds):
      return decided(photos, needed) { photo in
        let kind = facts[photo].map(\.format) ?? names.kind(of: photo)
        return kind.map { kinds.contains($0) } ?? false
      }
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
      for place in photos.indices where result[place] == Verdict.passes {
        if facts[photos[place]]?.hasMetadata != true { result[place] = Verdict.passesSoFar }
      }
      return result
    case .shape(let shape): return read(photos, needed, forMetadata: false) { shape.fits($1) }
    case .place: return read(photos, needed, forMetadata: true) { $1.hasPlace }
    }
  }

  private func similarWord(_ word: [UInt8]) -> SimilarWord? {
    similarWords.contains(word) ? SimilarWord(word) : nil
  }

  /// Searches everything that has words: names, folders, keywords, titles, captions, cameras, lenses and
  /// labels.
  ///
  /// A key may search a hundred thousand photos, so each folder, camera and lens is compared once,
  /// however many photos have it. Words of a photo's own are searched like names.
  private func verdicts(
    of photos: [Photo.ID], _ word: [UInt8], where needed: [UInt8]
  ) -> [UInt8] {
    let similar = similarWord(word)
    let isInText = { (text: UnsafeBufferPointer<UInt8>) in
      similar?.occurs(in: text) ?? text.hasPart(word)
    }
    var result =
      similar == nil
      ? names.containing(word, photos, where: needed)
      : names.test(photos, where: needed, isInText)
    names.pass(photos, &result, where: needed, below: folder, inFoldersThat: isInText)
    let terminated = word.terminated
    words.pass(photos, &result, where: needed) { record in
      similar.map { $0.occurs(in: NameBlocks.Pointers.name(record)) }
        ?? (strstr(record, terminated) != nil)
    }
    func wanted(_ field: FilterTextField) -> [Bool] {
      let matches = facts.pools[field].texts.map {
        PhotoNames.folded($0).withUnsafeBufferPointer(isInText)
      }
      return matches.contains(true) ? matches : []
    }
    let (cameras, lenses) = (wanted(.camera), wanted(.lens))
    let hasText = { (photo: Photo.ID) in
      guard !cameras.isEmpty || !lenses.isEmpty, let facts = facts[photo] else { return false }
      let (camera, lens) = (Int(facts.camera), Int(facts.lens))
      return camera < cameras.count && cameras[camera] || lens < lenses.count && lenses[lens]
    }
    let label = Rating.Label(word: word)
    for place in photos.indices where result[place] == Verdict.fails && needed[place] != 0 {
      let photo = photos[place]
      let isRead = described.contains(photo) && (label == nil || ratings.isKnown(photo))
      if hasText(photo) || label != nil && ratings[photo]?.label == label {
        result[place] = Verdict.passes
      } else if !isRead {
        result[place] = Verdict.failsSoFar
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
    for place in photos.indices where needed[place] != 0 && passes(photos[place]) {
      result[place] = Verdict.passes
    }
    return result
  }

  /// Returns the verdicts of a test of ratings.
  private func rated(
    _ photos: [Photo.ID], _ needed: [UInt8], _ passes: (Rating) -> Bool
  ) -> [UInt8] {
    var result = [UInt8](repeating: Verdict.isUnknown, count: photos.count)
    for place in photos.indices where needed[place] != 0 {
      guard let rating = ratings[photos[place]] else { continue }
      result[place] = passes(rating) ? Verdict.passes : Verdict.fails
    }
    return result
  }

  /// Returns the verdicts of a test of facts, or of the metadata among them.
  private func read(
    _ photos: [Photo.ID], _ needed: [UInt8], forMetadata: Bool,
    _ passes: (Photo.ID, PackedInfo) -> Bool
  ) -> [UInt8] {
    var result = [UInt8](repeating: Verdict.isUnknown, count: photos.count)
    for place in photos.indices where needed[place] != 0 {
      guard let facts = facts[photos[place]], facts.hasMetadata || !forMetadata else {
        continue
      }
      result[place] = passes(photos[place], facts) ? Verdict.passes : Verdict.fails
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
      case .number, .text, .words, .shape, .place, .rejected, .label, .similar: 3
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
