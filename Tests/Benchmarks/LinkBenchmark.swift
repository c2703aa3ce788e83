import Foundation
import PseudoTerminal

/// Measures the time from a key to a visible change over a slow line to the terminal.
enum LinkBenchmark {
  /// The keys of a session, pressed in turn: each changes the screen, and the last one restores the
  /// state before the first.
  private static let keys = [
    "l", "l", "\r", "n", "n", "p", "\u{1B}", "h", "l", "\r", "\u{1B}", "h", "h", "h",
  ]
  private static let rounds = 8

  /// Prints the times from key to visible change at the given speeds.
  static func run(_ arguments: [String]) throws {
    guard let folder = arguments.first else { throw UsageError(message: "needs a folder") }
    let rates = arguments.dropFirst().compactMap(Double.init)
    print("key to visible change at 200x60, 24-bit, sextants: milliseconds")
    print("MB a second     keys   median      p99     most   frames a second while moving")
    for rate in rates.isEmpty ? [1, 4, 0.25] : rates {
      let (delays, frames) = try session(folder, bytesPerSecond: rate * 1e6)
      print(
        String(
          format: "%11.2f %8d %8.1f %8.1f %8.1f %8.1f", rate, delays.count, delays.median,
          delays.percentile(99), delays.max() ?? 0, frames))
    }
  }

  private static func session(
    _ folder: String, bytesPerSecond: Double
  ) throws -> (delays: [Double], framesPerSecond: Double) {
    let terminal = try PseudoTerminal(
      [ProgramRun.photogrid, "--symbols", "sextant", folder], columns: ProgramRun.columns,
      rows: ProgramRun.rows)
    var line = SlowLine(terminal, bytesPerSecond: bytesPerSecond)
    // Some keys come before the screen has settled.
    line.run(forSeconds: 0.3)
    var random = SystemRandomNumberGenerator()
    var delays: [Double] = []
    var intervals: [Double] = []
    for key in (0..<rounds).flatMap({ _ in keys }) {
      line.run(forSeconds: Double.random(in: 0.02...0.6, using: &random))
      let before = line.screen
      let pressed = Double(terminal.elapsed) / 1e9
      terminal.send(key)
      if "lhnp".contains(key) {
        // The bar shows the photo's name in the same frame in which the picture changes.
        let isSeen = line.run(forSeconds: 5) { $0.bar != before.bar }
        guard isSeen else { throw UsageError(message: "a key showed nothing for five seconds") }
        delays.append((Double(terminal.elapsed) / 1e9 - pressed) * 1000)
      }
      if key == "\r" {
        let start = Double(terminal.elapsed) / 1e9
        line.run(forSeconds: 0.35)
        intervals.append(
          Double(ProgramRun.frameTimes(of: terminal.chunks).filter { $0 > start }.count) / 0.35)
      }
    }
    terminal.send("q")
    line.run(forSeconds: 3) { _ in terminal.status != nil }
    return (delays, intervals.median)
  }
}

/// A line between a program and its terminal with a limited number of bytes a second.
private struct SlowLine {
  private let terminal: PseudoTerminal
  private let bytesPerSecond: Double
  private var taken = 0
  private var lastTime: Double
  private var credit = 0.0
  /// The contents of the terminal's screen.
  private(set) var screen: ScreenReader

  init(_ terminal: PseudoTerminal, bytesPerSecond: Double) {
    self.terminal = terminal
    self.bytesPerSecond = bytesPerSecond
    lastTime = Double(terminal.elapsed) / 1e9
    screen = ScreenReader(columns: ProgramRun.columns, rows: ProgramRun.rows)
  }

  /// Carries bytes until a condition is true or the time is up; returns whether it is true.
  @discardableResult
  mutating func run(forSeconds limit: Double, until isDone: (ScreenReader) -> Bool = { _ in false })
    -> Bool
  {
    let end = Double(terminal.elapsed) / 1e9 + limit
    while Double(terminal.elapsed) / 1e9 < end {
      let now = Double(terminal.elapsed) / 1e9
      // Time without bytes does not speed up the line later.
      credit = min(credit + (now - lastTime) * bytesPerSecond, bytesPerSecond * 0.002)
      lastTime = now
      let limit = Int(credit)
      if limit > 0 {
        let before = terminal.chunks.count
        terminal.take(atMost: limit)
        for chunk in terminal.chunks[before...] {
          credit -= Double(chunk.bytes.count)
          screen.feed(chunk.bytes)
        }
        if terminal.chunks.count > before, isDone(screen) { return true }
      }
      usleep(500)
    }
    return isDone(screen)
  }
}

extension ScreenReader {
  /// The text of the last row.
  fileprivate var bar: [Character] { cells.suffix(columns).map(\.glyph) }
}
