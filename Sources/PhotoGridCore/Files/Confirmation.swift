/// A question in the bar that the user must answer before photos are trashed.
struct Confirmation: Equatable, Sendable {
  /// The files that go to the trash if the answer is yes.
  var photos: [Photo.ID]
  /// The number of photos of these files, each pair once.
  var count: Int
  /// How the photos were chosen.
  var subject: Subject

  /// How photos are chosen for an operation.
  enum Subject: Equatable, Sendable {
    /// The marked photos.
    case marked
    /// The range that is being selected.
    case range
    /// The photos that the selected tiles stand for.
    case tiles
  }

  /// The question, with the keys that answer it.
  var question: String {
    let what = count == 1 ? "photo" : "photos"
    let files = photos.count > count ? ", \(photos.count) files" : ""
    return "trash \(count) \(subject == .marked ? "marked " : "")\(what)\(files)?"
      + " d, y or Enter: yes; Esc: no"
  }

  /// Whether a key means yes; every other key means no, and has no other effect.
  static func isYes(_ key: Key) -> Bool {
    switch key {
    case .character("d"), .character("y"), .enter: true
    default: false
    }
  }
}
