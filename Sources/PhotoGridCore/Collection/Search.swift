/// A search for photos, and the photos that match.
struct Search: Equatable, Sendable {
  /// What a photo has to meet.
  let filter: Filter
  /// The places of the matches among the photos that are shown, in order.
  var matches: [Int] = []
  /// The photos whose facts have to be read first.
  var unknown: [Photo.ID] = []
  /// Whether facts have come since that may change the matches.
  var isStale = false

  /// The number of matches up to a place, itself included.
  func rank(of place: Int) -> Int {
    var (low, high) = (0, matches.count)
    while low < high {
      let middle = (low + high) / 2
      if matches[middle] <= place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The match some steps after a place, or before it; the last match is followed by the first.
  func match(_ steps: Int, from place: Int) -> Int? {
    guard !matches.isEmpty else { return nil }
    let rank = rank(of: place)
    // Between two matches, the one after is a step forward, the one before a step back.
    let isMatch = rank > 0 && matches[rank - 1] == place
    let present = steps > 0 || isMatch ? rank - 1 : rank
    let count = matches.count
    return matches[((present + steps) % count + count) % count]
  }
}
