extension Album {
  /// Whether photos with similar words are shown, as no photo has the words of the filter.
  package var showsSimilarNames: Bool { !filtering.similarWords.isEmpty }

  /// Finds the words of the filter that no photo has, and that may be mistyped.
  ///
  /// - Returns: Whether there are any.
  mutating func findSimilarWords() -> Bool {
    guard let filter else { return false }
    let unwanted = filter.expression.words(wanted: false)
    let evaluation = evaluation([])
    filtering.similarWords = filter.expression.words(wanted: true).filter { word in
      SimilarWord(word) != nil && !unwanted.contains(word)
        && !evaluation.verdicts(of: listed.photos, .test(.word(word)))
          .contains(FilterEvaluation.Verdict.passes)
    }
    return !filtering.similarWords.isEmpty
  }

  /// Returns the photos that pass the filter, and are marked if only marked photos are shown.
  func passing(among photos: [Photo.ID]) -> FilterResult {
    let candidates = showsMarkedOnly ? photos.filter { marks.contains($0) } : photos
    guard let filter else { return FilterResult(passing: candidates, unread: []) }
    return self.photos(among: candidates, passing: filter, filtering.similarWords)
  }

  struct FilterResult: Equatable {
    var passing: [Photo.ID]
    /// The photos whose files must be read before the filter can decide for good; some of them may
    /// pass as far as is known.
    var unread: [Photo.ID]
    /// Whether nothing at all can be said about some of the photos.
    var isUndecided = false

    /// Whether no photo passes as far as is known.
    var excludesAll: Bool { passing.isEmpty && !isUndecided }

    /// Returns the result with additional photos that pass.
    func passing(_ more: PhotoSet, _ photos: [Photo.ID]) -> FilterResult {
      let passed = PhotoSet(passing)
      return FilterResult(
        passing: photos.filter { passed.contains($0) || more.contains($0) },
        unread: unread.filter { !more.contains($0) }, isUndecided: isUndecided)
    }
  }

  /// Returns the photos that pass a filter, in their order.
  ///
  /// A name that is similar to one of `similarWords` passes like a name that contains the word. A
  /// photo also passes if a raw file that is hidden behind it is known to pass.
  func photos(
    among photos: [Photo.ID], passing filter: Filter, _ similarWords: [[UInt8]] = []
  ) -> FilterResult {
    let verdict = verdict(among: photos, filter, filtering.similarWords)
    guard !pairing.table.isEmpty, verdict.passing.count < photos.count else { return verdict }
    // For a few photos, looking up their hidden files is cheaper than filtering all hidden files.
    let isBatch = photos.count < pairing.table.hidden.count / 4
    let files = isBatch ? photos.flatMap { pairedFiles(of: $0) } : pairing.table.hidden.photos
    let hidden = self.verdict(among: files, filter, filtering.similarWords).passing
    return hidden.isEmpty
      ? verdict : verdict.passing(PhotoSet(hidden.map(pairing.table.picture)), photos)
  }

  private func verdict(
    among photos: [Photo.ID], _ filter: Filter, _ similarWords: [[UInt8]]
  ) -> FilterResult {
    let verdicts = evaluation(filtering.similarWords).verdicts(of: photos, filter.expression)
    var result = FilterResult(passing: [], unread: [])
    for (photo, verdict) in zip(photos, verdicts) where verdict != FilterEvaluation.Verdict.fails {
      if verdict > FilterEvaluation.Verdict.isUnknown { result.passing.append(photo) }
      if verdict == FilterEvaluation.Verdict.isUnknown { result.isUndecided = true }
      if verdict != FilterEvaluation.Verdict.passes { result.unread.append(photo) }
    }
    return result
  }

  func evaluation(_ similarWords: [[UInt8]]) -> FilterEvaluation {
    FilterEvaluation(
      names: names, folder: folder, facts: facts, words: words, described: known.described,
      dating: dating, marks: marks, ratings: known.ratings, similar: similarity.groups,
      similarWords: filtering.similarWords, searches: filtering.searches)
  }
}
