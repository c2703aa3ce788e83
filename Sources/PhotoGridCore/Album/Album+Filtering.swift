/// Filtering the photos of an album.
extension Album {
  /// Whether photos with similar words are shown, as no photo has the words of the filter.
  package var showsSimilarNames: Bool { !similarWords.isEmpty }

  /// Finds the words of the filter that no photo has, and that may be mistyped.
  ///
  /// - Returns: Whether there are any.
  mutating func findSimilarWords() -> Bool {
    guard let filter else { return false }
    let unwanted = filter.expression.words(wanted: false)
    let evaluation = evaluation([])
    similarWords = filter.expression.words(wanted: true).filter { word in
      SimilarWord(word) != nil && !unwanted.contains(word)
        && !evaluation.verdicts(of: listing, .test(.word(word)))
          .contains(FilterEvaluation.Verdict.passes)
    }
    return !similarWords.isEmpty
  }

  /// Returns the photos that pass the filter, and are marked if only marked photos are shown.
  func passing(among photos: [Photo.ID]) -> Verdict {
    let candidates = showsMarkedOnly ? photos.filter { marks.contains($0) } : photos
    guard let filter else { return Verdict(passing: candidates, unread: []) }
    return self.photos(among: candidates, passing: filter, similarWords)
  }

  /// The result of a filter.
  struct Verdict: Equatable {
    /// The photos that pass.
    var passing: [Photo.ID]
    /// The photos whose files must be read before the filter can decide for good; some of them may
    /// pass as far as is known.
    var unread: [Photo.ID]
    /// Whether nothing at all can be said about some of the photos.
    var isUndecided = false

    /// Whether no photo passes as far as is known.
    var excludesAll: Bool { passing.isEmpty && !isUndecided }

    /// Returns the result with additional photos that pass.
    ///
    /// - Parameters:
    ///   - more: The additional photos.
    ///   - photos: All photos that were filtered; the result has their order.
    /// - Returns: The result.
    func passing(_ more: PhotoSet, _ photos: [Photo.ID]) -> Verdict {
      let passed = PhotoSet(passing)
      return Verdict(
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
  ) -> Verdict {
    let verdict = verdict(among: photos, filter, similarWords)
    guard !pairs.isEmpty, verdict.passing.count < photos.count else { return verdict }
    // For a few photos, looking up their hidden files is cheaper than filtering all hidden files.
    let isBatch = photos.count < pairs.hidden.count / 4
    let files = isBatch ? photos.flatMap { pairedFiles(of: $0) } : pairs.hidden.photos
    let hidden = self.verdict(among: files, filter, similarWords).passing
    return hidden.isEmpty ? verdict : verdict.passing(PhotoSet(hidden.map(pairs.picture)), photos)
  }

  private func verdict(
    among photos: [Photo.ID], _ filter: Filter, _ similarWords: [[UInt8]]
  ) -> Verdict {
    let verdicts = evaluation(similarWords).verdicts(of: photos, filter.expression)
    var result = Verdict(passing: [], unread: [])
    for (place, verdict) in verdicts.enumerated() where verdict != FilterEvaluation.Verdict.fails {
      if verdict > FilterEvaluation.Verdict.isUnknown { result.passing.append(photos[place]) }
      if verdict == FilterEvaluation.Verdict.isUnknown { result.isUndecided = true }
      if verdict != FilterEvaluation.Verdict.passes { result.unread.append(photos[place]) }
    }
    return result
  }

  private func evaluation(_ similarWords: [[UInt8]]) -> FilterEvaluation {
    FilterEvaluation(
      names: names, folder: folder, facts: facts, words: words, described: described,
      dating: dating, marks: marks, ratings: ratings, similar: similar, similarWords: similarWords)
  }
}
