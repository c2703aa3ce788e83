import Geometry
import Glibc

/// The progress of a long command, as a line on standard error that is overwritten.
struct ProgressLine {
  /// The time over which the speed is measured, in seconds.
  ///
  /// It is short because the speed changes: existing thumbnails are counted faster.
  private static let window = 5.0
  private static let barWidth = 20

  /// The counts within the measured time, oldest first.
  private var past: [(time: Instant, count: Int)] = []
  private(set) var isShown = false

  /// Returns the text of the line, without control characters.
  ///
  /// - Parameters:
  ///   - count: The number of photos that are done.
  ///   - total: The number of all photos; nil while it is unknown.
  ///   - now: The current time.
  /// - Returns: `[####------]  40/100  8.0/s  8 s left`, for example.
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

  static func duration(_ seconds: Double) -> String {
    let whole = Int(max(0, min(seconds, 1e9)).rounded(.up))
    if whole < 100 { return "\(whole) s" }
    let minutes = (whole + 59) / 60
    return minutes < 100 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }

  mutating func show(_ count: Int, of total: Int?, at now: Instant) {
    isShown = true
    let line = text(count, of: total, at: now)
    StandardStream.write(Array("\r\(line)\u{1B}[K".utf8), to: STDERR_FILENO)
  }

  mutating func hide() {
    if isShown { StandardStream.write(Array("\r\u{1B}[K".utf8), to: STDERR_FILENO) }
    isShown = false
  }
}
