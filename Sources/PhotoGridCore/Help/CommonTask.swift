/// A task of an evening with photos, with the keys for it here and the number of them in another
/// program, for the manual.
package struct CommonTask: Sendable {
  /// What is done.
  package let task: String
  /// The keys divided by spaces; names and words that are typed stand in quotes.
  package let keys: String
  /// The program that needs the fewest keys, and how many, clicks included.
  package let other: (name: String, count: Int)

  package static let all: [CommonTask] = [
    CommonTask("Open a photo and go back", "Enter Esc", ("nsxiv", 2)),
    CommonTask("View a photo at 100%, then the next one at the same spot", "z n", ("Lightroom", 2)),
    CommonTask("Rate ten photos in a row", "C 1 2 3 4 5 0 x 3 4 5", ("Lightroom", 11)),
    CommonTask("Show only photos with four stars", "; ; 4", ("Lightroom", 3)),
    CommonTask("Show only photos that match a word", "f 'rome' Enter", ("yazi", 6)),
    CommonTask("Compare a photo with the next one", "=", ("Lightroom", 2)),
    CommonTask("Move three photos to a folder", "Space Space Space M 'best' Enter", ("yazi", 11)),
    CommonTask("Rename a photo", "F2 'a' Enter", ("yazi", 3)),
    CommonTask("Move a photo to the trash and get it back", "d u", ("Lightroom", 3)),
    CommonTask("Copy the path of a photo", "y y", ("yazi", 2)),
  ]

  private init(_ task: String, _ keys: String, _ other: (name: String, count: Int)) {
    (self.task, self.keys, self.other) = (task, keys, other)
  }

  /// The keys, one after the other.
  package var strokes: [Key] {
    keys.split(separator: " ").flatMap { word -> [Key] in
      switch word {
      case "Enter": [.enter]
      case "Esc": [.escape]
      case "Space": [.character(" ")]
      case "F2": [.function(2)]
      default: word.filter { $0 != "'" }.map { .character($0) }
      }
    }
  }

  /// The task with the numbers of keys: "Rename a photo: 3 keys; yazi 3".
  package var text: String {
    let count = strokes.count
    return "\(task): \(count) key\(count == 1 ? "" : "s"); \(other.name) \(other.count)"
  }
}
