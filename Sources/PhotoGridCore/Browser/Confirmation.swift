/// A question in the bar that has to be answered before files are changed.
struct Confirmation: Equatable, Sendable {
  /// The photos that go to the trash where the answer is yes.
  var photos: [Photo.ID]
  /// Whether the photos are a range that was being made, rather than marked.
  var isRange: Bool

  /// The question, with the keys that answer it.
  var question: String {
    let what = photos.count == 1 ? "photo" : "photos"
    return "trash \(photos.count) \(isRange ? "" : "marked ")\(what)? d, y or Enter: yes; Esc: no"
  }

  /// Whether a key means yes; every other key means no, and does nothing else.
  static func isYes(_ key: Key) -> Bool {
    switch key {
    case .character("d"), .character("y"), .enter: true
    default: false
    }
  }
}

extension Browser {
  /// Takes the key that answers the question.
  mutating func answer(_ key: Key, to confirmation: Confirmation, at now: Instant) -> [Effect] {
    self.confirmation = nil
    guard key != .control("c") else { return [.interrupt] }
    guard Confirmation.isYes(key) else {
      say("nothing was trashed", for: 1, at: now)
      return []
    }
    if confirmation.isRange { rangeAnchor = nil }
    // Some may have left the folder since the question.
    let listing = PhotoSet(album.listing)
    let there = confirmation.photos.filter { listing.contains($0) || album.marks.contains($0) }
    return trash(there, at: now)
  }
}
