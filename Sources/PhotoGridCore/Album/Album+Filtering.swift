/// Filtering the photos of an album.
extension Album {
  /// Whether photos with similar names are shown, as no name contains the words of the filter.
  package var showsSimilarNames: Bool { !similarWords.isEmpty }

  /// Finds the words of the filter that no name contains, and that may be mistyped.
  ///
  /// - Returns: Whether there are any.
  mutating func findSimilarWords() -> Bool {
    guard let filter else { return false }
    let unwanted = filter.expression.words(wanted: false)
    let everywhere = [UInt8](repeating: 1, count: listing.count)
    similarWords = filter.expression.words(wanted: true).filter { word in
      SimilarWord(word) != nil && !unwanted.contains(word)
        && !names.containing(word, listing, where: everywhere)
          .contains(FilterEvaluation.Verdict.passes)
    }
    return !similarWords.isEmpty
  }

  /// Returns the photos that pass the filter, and are marked if only marked photos are shown.
  func passing(among photos: [Photo.ID]) -> Verdict {
    let candidates = showsMarkedOnly ? photos.filter { marks.contains($0) } : photos
    guard let filter else { return Verdict(passing: candidates, unknown: []) }
    return self.photos(among: candidates, passing: filter, similarWords)
  }

  /// The result of a filter.
  struct Verdict: Equatable {
    /// The photos that pass.
    var passing: [Photo.ID]
    /// The photos whose files must be read before the filter can decide.
    var unknown: [Photo.ID]

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
        unknown: unknown.filter { !more.contains($0) })
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
    let evaluation = FilterEvaluation(
      names: names, facts: facts, marks: marks, ratings: ratings, similar: similar,
      similarWords: similarWords)
    let verdicts = evaluation.verdicts(of: photos, filter.expression)
    var result = Verdict(passing: [], unknown: [])
    for (place, verdict) in verdicts.enumerated() {
      switch verdict {
      case FilterEvaluation.Verdict.passes: result.passing.append(photos[place])
      case FilterEvaluation.Verdict.isUnknown: result.unknown.append(photos[place])
      default: break
      }
    }
    return result
  }
}
