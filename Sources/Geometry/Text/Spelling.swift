/// Finding the word that was meant by a mistyped one.
package enum Spelling {
  /// Returns the word that a mistyped one probably stands for: the one that takes the fewest changes
  /// of a letter, or else the first one that begins with it; nil if none is near.
  ///
  /// Up to one change in three letters is a mistake, at most two.
  package static func nearest(to typed: String, among words: some Sequence<String>) -> String? {
    let count = typed.count
    let limit = min(max(count / 3, 1), 2)
    var best: (word: String, distance: Int)?
    for word in words where count > 1 {
      let lowercased = word.lowercased()
      // A pasted file may be the word: comparing it letter by letter would take minutes.
      guard abs(lowercased.count - count) <= limit else { continue }
      let distance = distance(typed, lowercased)
      if distance <= limit, best.map({ distance < $0.distance }) ?? true { best = (word, distance) }
    }
    return best?.word ?? words.first { !typed.isEmpty && $0.lowercased().hasPrefix(typed) }
  }

  /// Returns the number of letters to insert, delete, replace or swap with their neighbors that
  /// turns one word into another (optimal string alignment).
  static func distance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
    var rows = (older: [Int](), last: Array(0...second.count))
    for (row, letter) in first.enumerated() {
      var next = [row + 1]
      for (column, other) in second.enumerated() {
        var cost = min(
          rows.last[column] + (letter == other ? 0 : 1), rows.last[column + 1] + 1, next[column] + 1
        )
        if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
          cost = min(cost, rows.older[column - 1] + 1)
        }
        next.append(cost)
      }
      rows = (rows.last, next)
    }
    return rows.last[second.count]
  }
}
