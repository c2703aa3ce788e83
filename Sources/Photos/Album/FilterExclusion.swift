import Geometry

/// The reason why no photo passes a filter.
package struct FilterExclusion: Equatable, Sendable {
  /// The part of the filter that no photo passes by itself; nil if every part has photos, but no
  /// photo passes all of them.
  package var part: String?
  /// Whether the filter has several parts.
  package var isPart: Bool
  /// A word of the photos that is near to one of the filter; nil if there is none.
  package var nearest: String?

  /// Finds the reason; nil without a filter.
  init?(of album: Album) {
    guard let expression = album.filter?.expression, !album.photos.isEmpty else { return nil }
    let parts =
      if case .all(let parts) = expression { parts } else { [expression] }
    isPart = parts.count > 1
    let culprit = parts.first { part in
      album.photos(among: album.photos, passing: Filter(text: "", expression: part)).passing.isEmpty
    }
    guard let culprit else { return }
    if case .test(.word(let word)) = culprit {
      part = String(decoding: word, as: UTF8.self)
    } else {
      part = culprit.description
    }
    nearest = culprit.mistypedWord.flatMap { word, field in
      Spelling.nearest(
        to: String(decoding: word, as: UTF8.self), among: album.words(of: field).sorted())
    }
  }

  /// The reason and the nearest word, in a sentence each.
  package var sentences: [String] {
    var sentences: [String] = []
    if isPart {
      sentences.append(
        part.map { "No photo matches '\($0)'." }
          ?? "Each term matches some photos, but no photo matches all of them.")
    }
    if let nearest { sentences.append("Did you mean '\(nearest)'?") }
    return sentences
  }
}

extension FilterExpression {
  /// The word that photos must have, with the field it is searched in, nil for all; nil for other
  /// expressions.
  fileprivate var mistypedWord: (word: [UInt8], field: FilterTextField?)? {
    switch self {
    case .test(.word(let word)): (word, nil)
    case .test(.text(let field, let text)) where !text.isGlob: (text.folded, field)
    default: nil
    }
  }
}

extension Album {
  /// Returns the words in the values of a field, in lowercase; for nil, in cameras, lenses and
  /// folders, and the words that stand for themselves.
  fileprivate func words(of field: FilterTextField?) -> Set<String> {
    var texts = [field ?? .camera, field ?? .lens].flatMap { self.texts(of: $0) }
    if field == nil {
      texts += names.folderNames(below: folder)
      texts += Rating.Label.colors.map(\.rawValue) + FilterField.keywords
    }
    return Set(
      texts.flatMap { $0.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init) })
  }
}
