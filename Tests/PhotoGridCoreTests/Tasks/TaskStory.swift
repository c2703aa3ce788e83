@testable import Geometry
@testable import PhotoGridCore
import SceneModel
import Testing

/// A task of an evening with photos: its keys, and what is so afterwards.
struct TaskStory: Sendable, CustomTestStringConvertible {
  let title: String
  /// The keys, divided by spaces: what is typed stands in quotes, and a sequence of keys or a number
  /// is one word.
  let keys: String
  /// The program that needs the fewest keys and clicks otherwise, by its default keys, and how many: "yazi 6";
  /// nil if none of nsxiv, yazi, and Lightroom can do it.
  let other: String?
  /// Where a click goes.
  let target: @Sendable (Evening) -> PixelPoint
  /// Brings the browser to where the task begins.
  let start: @Sendable (inout Evening) -> Void
  let isDone: @Sendable (Evening) -> Bool

  init(
    _ title: String, _ keys: String, _ other: String?,
    target: @escaping @Sendable (Evening) -> PixelPoint = { _ in .zero },
    from start: @escaping @Sendable (inout Evening) -> Void = { _ in },
    until isDone: @escaping @Sendable (Evening) -> Bool
  ) {
    (self.title, self.keys, self.other) = (title, keys, other)
    (self.target, self.start, self.isDone) = (target, start, isDone)
  }

  var testDescription: String { title }

  /// The words of `keys`.
  var strokes: [String] { keys.matches(of: /'[^']*'|\S+/).map { String($0.0) } }

  /// The number of keys and clicks; each typed character is one.
  var count: Int { strokes.map { Self.keys(of: $0)?.count ?? 1 }.reduce(0, +) }

  /// The number of keys and clicks in the other program; nil if no other program can do it.
  var otherCount: Int? { other.flatMap { Int($0.split(separator: " ").last ?? "") } }

  /// The row of the manual.
  var row: String {
    "| `\(keys)` | \(title): \(count) \(count == 1 ? "key" : "keys"); \(other ?? "—") |"
  }

  /// Returns the keys that a word means; nil for a click.
  private static func keys(of stroke: String) -> [Key]? {
    if stroke == "Click" { return nil }
    if stroke.hasPrefix("'") { return stroke.dropFirst().dropLast().map { .character($0) } }
    return Key(named: stroke).map { [$0] } ?? stroke.map { .character($0) }
  }

  /// Performs the task, and checks that each of its keys is shown where it is pressed.
  func perform(in evening: inout Evening) {
    for (index, stroke) in strokes.enumerated() {
      let next = strokes[(index + 1)...].first
      let isTyped = stroke.hasPrefix("'") && evening.browser.modal != nil
      #expect(isTyped || evening.shows(stroke, before: next), "\(stroke) is not shown")
      guard let keys = Self.keys(of: stroke) else {
        evening.click(target(evening))
        continue
      }
      for key in keys { evening.press(key) }
    }
  }
}
