import Foundation
import PseudoTerminal

/// Measures the time to sort ten thousand JPEGs by date taken, and to respond to keys meanwhile.
enum SortBenchmark {
  private static let count = 10_000

  /// Prints the time from the key to the last date read, and from keys typed meanwhile to the
  /// frames that show them.
  static func run(_ arguments: [String]) throws {
    guard let folder = arguments.first else {
      throw UsageError(message: "needs a folder of camera JPEGs")
    }
    let photos = try ProgramRun.photos(in: folder, atMost: 1000)
    guard !photos.isEmpty else { throw UsageError(message: "\(folder): no JPEGs") }
    let linked = try ProgramRun.linkedFolder(of: photos, count: count)
    defer { try? FileManager.default.removeItem(atPath: linked) }
    // Read the files into the page cache.
    for photo in photos { _ = try Data(contentsOf: URL(fileURLWithPath: photo)) }

    print("\(count) links to \(photos.count) JPEGs in the page cache, sorted by date taken")
    print("read and sorted s   answers ms: median       p99       max   of")
    for _ in 0..<3 {
      let (seconds, answers) = try sort(linked)
      print(
        String(
          format: "%17.2f %20.1f %9.1f %9.1f %4d", seconds, answers.median * 1000,
          answers.percentile(99) * 1000, (answers.max() ?? 0) * 1000, answers.count))
    }
  }

  private static func sort(_ folder: String) throws -> (seconds: Double, answers: [Double]) {
    let terminal = try PseudoTerminal(
      [ProgramRun.photogrid, "--motion", "none", folder], columns: ProgramRun.columns,
      rows: ProgramRun.rows)
    terminal.runUntilQuiet(forSeconds: 1, limit: 120)
    var screen = ScreenReader(columns: ProgramRun.columns, rows: ProgramRun.rows)
    var taken = 0
    func bar() -> String {
      for chunk in terminal.chunks[taken...] { screen.feed(chunk.bytes) }
      taken = terminal.chunks.count
      return screen.text(ofRow: ProgramRun.rows - 1)
    }
    func wait(_ seconds: Double, until isDone: (String) -> Bool) -> Bool {
      terminal.run(forSeconds: seconds) { isDone(bar()) }
      return isDone(bar())
    }
    terminal.send(",d")
    let start = terminal.elapsed
    guard wait(5, until: { $0.contains("read ") }) else {
      throw UsageError(message: "no date is read: \(bar())")
    }
    var answers: [Double] = []
    while bar().contains("read ") {
      // Back and forth: the bar shows the number of the selected photo.
      let position = Self.position(in: bar())
      let sent = terminal.elapsed
      terminal.send(answers.count % 2 == 0 ? "l" : "h")
      guard wait(5, until: { Self.position(in: $0) != position || !$0.contains("read ") }) else {
        throw UsageError(message: "a key is not answered: \(bar())")
      }
      answers.append(Double(terminal.elapsed - sent) / 1e9)
      terminal.run(forSeconds: 0.02)
    }
    let seconds = Double(terminal.elapsed - start) / 1e9
    terminal.send("q")
    terminal.run(forSeconds: 5)
    return (seconds, answers)
  }

  private static func position(in bar: String) -> Int? {
    bar.firstRange(of: "/\(count)").flatMap { slash in
      Int(String(bar[..<slash.lowerBound].reversed().prefix { $0.isNumber }.reversed()))
    }
  }
}
