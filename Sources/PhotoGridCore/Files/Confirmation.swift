/// A question in the bar that has to be answered before photos are trashed.
struct Confirmation: Equatable, Sendable {
  /// The photos that go to the trash where the answer is yes.
  var photos: [Photo.ID]
  /// Whether the photos are a range that is being selected, rather than marked.
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
