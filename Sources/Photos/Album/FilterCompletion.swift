/// A completion of a filter that is being typed.
package struct FilterCompletion: Equatable, Sendable {
  /// The text before the caret, extended by all that the possibilities have in common.
  package var before: String
  /// The possible completions of the word at the caret, or an example of a number or a date; empty
  /// if there is only one completion.
  package var possibilities: [String]

  /// Creates the completion of a text; nil if no field, keyword or value starts with its last word.
  ///
  /// - Parameters:
  ///   - before: The text before the caret.
  ///   - texts: Returns the known texts of a field, such as cameras or keywords; nil for fields that have
  ///     none.
  init?(of before: String, texts: (FilterField) -> [String]?) {
    var word = Self.lastWord(of: before)
    let signs = word.prefix { "-!(".contains($0) }
    word = word.dropFirst(signs.count)
    let start = String(before.dropLast(word.count))
    guard let colon = word.firstIndex(of: ":") else {
      let fields = FilterField.allCases.map { $0.rawValue + ":" }
      self.init(start, word, (fields + FilterField.keywords.map { $0 + " " }).sorted())
      return
    }
    guard let field = FilterField(rawValue: word[..<colon].lowercased()) else { return nil }
    let value = word[word.index(after: colon)...]
    let stem = start + word[...colon]
    if field == .type {
      let last = value.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
      self.init(stem + value.dropLast(last.count), last, FilterField.types)
    } else if field == .label {
      let last = value.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
      let known = Rating.Label.allCases.map(\.rawValue) + ["none"]
      self.init(stem + value.dropLast(last.count), last, known)
    } else if let texts = texts(field) {
      // Most texts contain spaces, so all are completed in quotes.
      let typed = value.first == "\"" ? value.dropFirst() : value
      let known = texts.sorted().map {
        $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
          + "\" "
      }
      guard let inner = FilterCompletion(stem + "\"", typed, known) else { return nil }
      self = inner
    } else if field == .date || field == .changed, !value.isEmpty,
      let inner = FilterCompletion(String(stem), value, FilterPeriod.words)
    {
      self = inner
    } else {
      self.init(before: before, possibilities: ["\(field.rawValue):\(field.example)"])
    }
  }

  private init(before: String, possibilities: [String]) {
    (self.before, self.possibilities) = (before, possibilities)
  }

  /// Creates the completion of a typed prefix to the words that start with it; nil if none does.
  private init?(_ start: String, _ typed: Substring, _ words: [String]) {
    let fitting = words.filter { $0.lowercased().hasPrefix(typed.lowercased()) }
    guard var common = fitting.first else { return nil }
    for word in fitting.dropFirst() {
      common = zip(common, word).prefix { $0.lowercased() == $1.lowercased() }
        .map { String($0.0) }.joined()
    }
    before = start + common
    possibilities =
      fitting.count > 1
      ? fitting.map { $0.hasSuffix("\" ") ? String($0.dropLast(2)) : $0.trimmingSuffix(" ") } : []
  }

  /// Returns the text after the last space that is not in quotes.
  private static func lastWord(of text: String) -> Substring {
    var isQuoted = false
    var start = text.startIndex
    for position in text.indices {
      if text[position] == "\"" { isQuoted.toggle() }
      if text[position] == " ", !isQuoted { start = text.index(after: position) }
    }
    return text[start...]
  }
}

extension String {
  fileprivate func trimmingSuffix(_ character: Character) -> String {
    last == character ? String(dropLast()) : self
  }
}

extension FilterCompletion {
  fileprivate init(_ suggestion: FilterSuggestion) {
    self.init(before: suggestion.before, possibilities: [])
  }
}

extension Album {
  /// Returns the completion of a filter that is being typed; nil if there is none.
  ///
  /// Plain words that stand for a term are replaced by it. Keywords, people, cameras, lenses and profiles
  /// are completed from the facts of the photos' files.
  package func completion(of before: String) -> FilterCompletion? {
    suggestion(for: before).map { FilterCompletion($0) }
      ?? FilterCompletion(of: before) { field in
        switch field {
        case .keyword: keywordsInUse
        case .person: peopleInUse
        default: field.textField.map { facts.pools[$0].texts }
        }
      }
  }
}
