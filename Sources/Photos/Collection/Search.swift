package struct Search: Equatable, Sendable {
  /// The filter that photos pass if they match.
  package let filter: Filter
  /// The indices of the matches among the items, in ascending order.
  package var matches: [Int] = []
  /// The photos whose files must be read before the matches are certain.
  package var unknown: [Photo.ID] = []
  /// Whether facts that may change the matches have arrived since they were found.
  var isStale = false

  /// Returns the number of matches up to and including an index.
  package func rank(of index: Int) -> Int {
    var (low, high) = (0, matches.count)
    while low < high {
      let middle = (low + high) / 2
      if matches[middle] <= index { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the index of the match a number of steps after an index, or before it if `steps` is
  /// negative, wrapping around at both ends; nil if there are no matches.
  package func match(_ steps: Int, from index: Int) -> Int? {
    guard !matches.isEmpty else { return nil }
    let rank = rank(of: index)
    // Between two matches, the next one is a step forward, the previous one a step back.
    let isMatch = rank > 0 && matches[rank - 1] == index
    let present = steps > 0 || isMatch ? rank - 1 : rank
    let count = matches.count
    return matches[((present + steps) % count + count) % count]
  }
}
