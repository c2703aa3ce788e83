import Foundation
import PseudoTerminal

/// Measures how soon the first frame is on the terminal: the grid's skeleton and the bar, whatever
/// the folder.
enum StartBenchmark {
  /// Prints the time from the program's start to the end of its first frame, for several folders.
  static func run(_ arguments: [String]) throws {
    let folder = NSTemporaryDirectory() + "photogrid-bench-start-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let empty = folder + "/empty"
    let large = folder + "/large"
    for path in [empty, large] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    for index in 0..<100_000 { close(open("\(large)/\(index).jpg", O_CREAT | O_WRONLY, 0o600)) }
    let cases =
      arguments.map { ("folder given", $0) } + [
        ("empty folder", empty), ("100,000 names", large),
      ]
    print("first frame at 200x60, seconds since the start, 20 runs each")
    print("folder             median      p99      max")
    for (name, path) in cases {
      let times = try (0..<20).map { _ in try firstFrame(of: path) }
      print(
        name.padding(toLength: 16, withPad: " ", startingAt: 0),
        String(
          format: "%8.4f %8.4f %8.4f", times.median, times.percentile(99), times.max() ?? 0))
    }
  }

  private static func firstFrame(of folder: String) throws -> Double {
    let terminal = try PseudoTerminal(
      [ProgramRun.photogrid, folder], columns: ProgramRun.columns, rows: ProgramRun.rows)
    terminal.run(forSeconds: 5) { !ProgramRun.frameTimes(of: terminal.chunks).isEmpty }
    terminal.send("q")
    terminal.run(forSeconds: 5)
    guard let first = ProgramRun.frameTimes(of: terminal.chunks).first else {
      throw UsageError(message: "no frame within 5 s")
    }
    return first
  }
}
