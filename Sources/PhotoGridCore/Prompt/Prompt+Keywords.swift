import Photos

extension Prompt {
  /// The change from the keywords that all photos had to the typed ones; nil if they are the same.
  var keywordEdit: KeywordEdit? {
    let typed = KeywordEdit.keywords(in: line.text)
    let kept = Set(typed.map { PhotoNames.folded($0) })
    let before = Set(origin.keywords.map { PhotoNames.folded($0) })
    return KeywordEdit(
      adding: typed.filter { !before.contains(PhotoNames.folded($0)) },
      removing: origin.keywords.filter { !kept.contains(PhotoNames.folded($0)) })
  }

  /// Returns the note of the prompt for keywords if only the first ones of a photo are known; nil
  /// otherwise.
  static func cutKeywordsNote(of photos: [Photo.ID], in album: Album) -> String? {
    guard album.areKeywordsCut(of: photos) else { return nil }
    return "Only the first \(PhotoWords.maxKeywords) keywords are shown; all others are kept"
  }

  /// Returns the line with which the prompt for keywords begins.
  static func keywordLine(_ keywords: [String]) -> String {
    keywords.isEmpty ? "" : keywords.joined(separator: ", ") + ", "
  }

  /// Completes the keyword before the caret by those in use.
  mutating func completeKeyword(in album: Album) -> Outcome {
    let start = line.before.lastIndex(of: ",").map { line.before.index(after: $0) }
    let head = start.map { line.before[..<$0] } ?? ""
    let typed = line.before.dropFirst(head.count).drop { $0 == " " }
    let folded = PhotoNames.folded(String(typed))
    let words = KeywordEdit.words(album.keywordsInUse, album.peopleInUse)
    let known = words.filter { PhotoNames.folded($0).starts(with: folded) }
    guard let first = known.first else {
      hint = "no keyword starts with that"
      return .none
    }
    let common = known.dropFirst().reduce(first) { common, word in
      String(zip(common, word).prefix { $0.lowercased() == $1.lowercased() }.map(\.0))
    }
    setChoices(known.count > 1 ? known : [])
    let completed = (head.isEmpty ? "" : head + " ") + common + (known.count == 1 ? ", " : "")
    guard completed != line.before else { return .none }
    line.replaceBefore(with: completed)
    return .edited(nil)
  }
}
