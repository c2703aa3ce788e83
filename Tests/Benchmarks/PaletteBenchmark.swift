import Foundation
import Geometry
import PhotoGridCore
import Photos

/// Measures the cost of opening the palette and of each key typed into it.
enum PaletteBenchmark {
  /// Prints the processor time of each key, including the list to draw.
  static func run(_ arguments: [String]) throws {
    guard arguments.isEmpty else { throw UsageError(message: "there are no options") }
    print("milliseconds a key at 200x60, with the list: median, p99, max")
    for (title, texts) in cases {
      var times: [Double] = []
      for text in Array(repeating: texts, count: 20).flatMap(\.self) { times += type(text) }
      print(
        title.padding(toLength: 24, withPad: " ", startingAt: 0),
        String(
          format: "%9.3f %9.3f %9.3f", times.median, times.percentile(99), times.max() ?? 0))
    }
  }

  private static let cases = [
    ("open", [":"]), ("words", [":delete", ":sort by date", ":fold bursts", ":favourite"]),
    ("typing errors", [":slidshow", ":compaer", ":xyzxyz"]),
    ("a line of 400 letters", [":" + String(repeating: "s g r ", count: 66)]),
  ]

  /// Types a text into a new browser, and returns the time of each key but the first of several.
  private static func type(_ text: String) -> [Double] {
    var browser = Browser(
      options: Browser.Options(), cells: CellSize(columns: 200, rows: 60), metrics: .standard)
    let now = Instant(seconds: 1)
    _ = browser.handle(.found((0..<1000).map { Photo.ID($0) }), at: now)
    _ = browser.handle(.listed(ListingNotes()), at: now)
    let times = text.map { character in
      let start = processorSeconds()
      _ = browser.handle(.key(.character(character)), at: now)
      let lines = browser.panel?.lines.count ?? 0
      let time = (processorSeconds() - start) * 1000
      precondition(lines > 0, "the list must be used, or it is not computed")
      return time
    }
    return times.count > 1 ? Array(times.dropFirst()) : times
  }
}
