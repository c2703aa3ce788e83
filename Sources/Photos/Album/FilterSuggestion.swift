/// A term for the plain words before the caret, which by themselves are searched in names.
package struct FilterSuggestion: Equatable, Sendable {
  /// The term, such as "type:video".
  package let term: String
  /// The text before the caret with the term in place of the words.
  package let before: String
  /// The number of photos that the term finds.
  package fileprivate(set) var count = 0
  /// Whether it finds more once other files have been read.
  package fileprivate(set) var mayFindMore = false

  /// The most words that stand for a term: "14 July 2019".
  private static let maxWords = 3

  /// Creates the suggestion for the last words of a text; nil if they stand for no term.
  ///
  /// - Parameters:
  ///   - before: The text before the caret.
  ///   - bareWords: The words of the text that are searched in everything.
  init?(for before: String, bareWords: [[UInt8]]) {
    guard !before.contains("\"") else { return nil }
    let words = before.split(separator: " ", omittingEmptySubsequences: false)
      .suffix(Self.maxWords)
    for count in (1...Self.maxWords).reversed() where count <= words.count {
      guard let first = words.suffix(count).first, let last = words.last else { continue }
      let typed = before[first.startIndex..<last.endIndex].drop { "-!(".contains($0) }
      let isBare = typed.split(separator: " ").allSatisfy {
        bareWords.contains(PhotoNames.folded(String($0)))
      }
      if isBare, let term = Self.term(for: typed.lowercased()) {
        self.term = term
        self.before = before[..<typed.startIndex] + term
        return
      }
    }
    return nil
  }

  /// Returns the term that lowercase words stand for; nil if there is none.
  package static func term(for phrase: String) -> String? {
    switch phrase {
    case "video", "videos", "film", "films", "movie", "movies": "type:video"
    case "live", "live photo", "live photos": "type:live"
    case "rated": "rating:1+"
    case "unrated": "rating:0"
    case "screenshot", "screenshots": "name:screenshot"
    case "map", "location", "gps", "geotagged": "gps"
    case _ where ImageFormat(word: phrase) != nil: "type:\(phrase)"
    default: stars(phrase).map(Rating.term(forStars:)) ?? date(phrase)
    }
  }

  private static func stars(_ phrase: String) -> Int? {
    let words = phrase.split(separator: " ")
    guard words.count == 2, ["star", "stars"].contains(words[1]), words[0].count == 1 else {
      return nil
    }
    return Int(words[0]).flatMap { (0...5).contains($0) ? $0 : nil }
  }

  /// Returns the term for a year of a photo, or for a date with the name of a month.
  private static func date(_ phrase: String) -> String? {
    guard let date = CalendarDate(parsing: phrase), !phrase.contains("-"),
      date.month != nil || (1900..<2100).contains(date.year)
    else { return nil }
    return "date:\(phrase)"
  }
}

extension Rating {
  /// Returns the term of a filter for a number of stars and more; 0 stands for no stars.
  package static func term(forStars stars: Int) -> String {
    (1...4).contains(stars) ? "rating:\(stars)+" : "rating:\(stars)"
  }
}

extension Album {
  /// Returns the term for the words before the caret; nil if they stand for none, or for one that finds
  /// nothing.
  package func suggestion(for before: String) -> FilterSuggestion? {
    guard let typed = try? Filter(parsing: before, today: dating.today),
      var suggestion = FilterSuggestion(for: before, bareWords: typed.expression.bareWords),
      let filter = try? Filter(parsing: suggestion.term, today: dating.today)
    else { return nil }
    let found = photos(among: photos, passing: filter)
    suggestion.count = found.passing.count
    suggestion.mayFindMore = !found.unread.isEmpty
    return found.passing.isEmpty && found.unread.isEmpty ? nil : suggestion
  }
}

extension FilterSuggestion {
  /// The message for the prompt: "type:video finds 45; Tab takes it".
  package var message: String {
    let finds = mayFindMore ? (count == 0 ? "" : " finds \(count) so far") : " finds \(count)"
    return finds.isEmpty ? "Tab takes \(term)" : "\(term)\(finds); Tab takes it"
  }
}
