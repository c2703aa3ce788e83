import Foundation
import PseudoTerminal

/// Measures whether the zoom of the whole program runs at 60 frames a second, into a terminal that
/// keeps up.
enum TransitionBenchmark {
  /// Prints the intervals between frames while photos open and close slowly, for each glyph set.
  static func run(_ arguments: [String]) throws {
    guard let folder = arguments.first else { throw UsageError(message: "needs a folder") }
    print("slow zoom in and out at 200x60, 24-bit: milliseconds from frame to frame, bytes a frame")
    print("glyphs      frames   median      p99   bytes a frame")
    for glyphs in ["half", "quadrant", "sextant", "octant"] {
      let terminal = try PseudoTerminal(
        [ProgramRun.photogrid, "--motion", "slow", "--symbols", glyphs, folder],
        columns: ProgramRun.columns, rows: ProgramRun.rows)
      terminal.runUntilQuiet(forSeconds: 1, limit: 60)
      var intervals: [Double] = []
      var bytes = 0
      var frames = 0
      for key in ["\r", "\u{1B}"] {
        let before = terminal.chunks.count
        let start = Double(terminal.elapsed) / 1e9
        terminal.send(key)
        terminal.run(forSeconds: 1.7)
        let times = ProgramRun.frameTimes(of: terminal.chunks).filter { $0 > start }
        intervals += zip(times.dropFirst(), times).map { ($0 - $1) * 1000 }
        frames += times.count
        bytes += terminal.chunks[before...].reduce(0) { $0 + $1.bytes.count }
        terminal.runUntilQuiet(forSeconds: 0.5, limit: 10)
      }
      terminal.send("q")
      terminal.run(forSeconds: 5)
      print(
        glyphs.padding(toLength: 10, withPad: " ", startingAt: 0),
        String(
          format: "%7d %8.2f %8.2f %15d", frames, intervals.median, intervals.percentile(99),
          bytes / max(frames, 1)))
    }
  }
}
