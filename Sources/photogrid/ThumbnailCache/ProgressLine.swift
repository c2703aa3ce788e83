import Glibc
import PhotoGridCore

/// How far a long piece of work has come, in a line that is written over itself.
struct ProgressLine {
  /// What the speed is measured over, in seconds: what was there already goes fast, and says nothing
  /// about what follows.
  private static let window = 5.0
  private static let barWidth = 20

  private var past: [(time: Instant, count: Int)] = []
  /// Whether the line is on the terminal.
  private(set) var isShown = false

  /// The text of the line.
  ///
  /// - Parameters:
  ///   - count: How many are done.
  ///   - total: How many there are in all; nil while that is not known.
  ///   - now: The present moment.
  /// - Returns: The words without anything that moves the cursor.
  mutating func text(_ count: Int, of total: Int?, at now: Instant) -> String {
    past.append((now, count))
    while past.count > 2, now.seconds(since: past[1].time) > Self.window { past.removeFirst() }
    let seconds = past.first.map { now.seconds(since: $0.time) } ?? 0
    let rate = seconds > 0 ? Double(count - (past.first?.count ?? 0)) / seconds : 0
    var parts: [String] = []
    if let total {
      let filled = total > 0 ? count * Self.barWidth / total : Self.barWidth
      parts.append(
        "[" + String(repeating: "#", count: filled)
          + String(repeating: "-", count: Self.barWidth - filled) + "] \(count)/\(total)")
    } else {
      parts.append("\(count)")
    }
    if rate > 0 {
      parts.append(
        rate < 9.95 ? "\(Int(rate * 10) / 10).\(Int(rate * 10) % 10)/s" : "\(Int(rate))/s")
      if let total, count < total {
        parts.append("\(Self.duration(Double(total - count) / rate)) left")
      }
    }
    return parts.joined(separator: "  ")
  }

  /// A time in words: "9 s", "4 min", "2 h 5 min".
  static func duration(_ seconds: Double) -> String {
    let whole = Int(max(0, min(seconds, 1e9)).rounded(.up))
    if whole < 100 { return "\(whole) s" }
    let minutes = (whole + 59) / 60
    return minutes < 100 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }

  /// Writes the line over the one before, on standard error.
  mutating func show(_ count: Int, of total: Int?, at now: Instant) {
    isShown = true
    let line = text(count, of: total, at: now)
    StandardStream.write(Array("\r\(line)\u{1B}[K".utf8), to: STDERR_FILENO)
  }

  /// Takes the line away.
  mutating func hide() {
    if isShown { StandardStream.write(Array("\r\u{1B}[K".utf8), to: STDERR_FILENO) }
    isShown = false
  }
}
