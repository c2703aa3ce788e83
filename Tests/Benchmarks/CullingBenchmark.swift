import Foundation
import PseudoTerminal

/// How soon a rating is seen and on the disk, how long a thousand of them take, and how soon large
/// photos are sharp one after the other.
enum CullingBenchmark {
  private static let keys = 40
  private static let photoCount = 1000

  /// Rates copies of a JPEG, and prints what that takes.
  static func run(_ arguments: [String]) throws {
    guard let photo = arguments.first, arguments.count == 1 else {
      throw UsageError(message: "needs a JPEG to copy")
    }
    let folder = NSTemporaryDirectory() + "photogrid-bench-culling-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for number in 0..<photoCount {
      try FileManager.default.copyItem(atPath: photo, toPath: path(number, in: folder))
    }
    let terminal = try PseudoTerminal(
      [ProgramRun.photogrid, "--motion", "none", folder], columns: ProgramRun.columns,
      rows: ProgramRun.rows)
    terminal.runUntilQuiet(forSeconds: 3, limit: 120)

    print("\(photoCount) photos at 200x60; milliseconds: median, 95th percentile, longest")
    let (seen, written) = rateEach(in: folder, terminal)
    for (name, times) in [
      ("a rating key until it is seen", seen), ("until it is on disk", written),
    ] {
      print(
        name.padding(toLength: 32, withPad: " ", startingAt: 0),
        String(
          format: "%7.1f %7.1f %7.1f", times.median, times.percentile(95), times.max() ?? 0))
    }
    print(String(format: "%d ratings at once: %.2f s", photoCount, rateAll(in: folder, terminal)))
    print(
      String(format: "%d keywords at once: %.2f s", photoCount, writeKeywords(in: folder, terminal))
    )
    terminal.send("q")
    terminal.run(forSeconds: 5)
    try SharpStepBenchmark.run(photo)
  }

  private static func path(_ number: Int, in folder: String) -> String {
    String(format: "%@/%04d.jpg", folder, number)
  }

  /// Rates one photo after the other, in culling mode.
  private static func rateEach(
    in folder: String, _ terminal: PseudoTerminal
  ) -> (seen: [Double], written: [Double]) {
    terminal.send("C")
    terminal.runUntilQuiet(forSeconds: 1, limit: 20)
    var (seen, written) = ([Double](), [Double]())
    for number in 0..<keys {
      let count = terminal.chunks.count
      let (start, clock) = (Double(terminal.elapsed), wallTime())
      terminal.send("4")
      terminal.run(forSeconds: 2) { terminal.chunks.count > count }
      if terminal.chunks.count > count {
        seen.append((Double(terminal.chunks[count].time) - start) / 1e6)
      }
      let sidecar = path(number, in: folder) + ".xmp"
      terminal.run(forSeconds: 5) { changeTime(of: sidecar) != nil }
      terminal.runUntilQuiet(forSeconds: 0.15, limit: 5)
      if let time = changeTime(of: sidecar) { written.append((time - clock) * 1000) }
    }
    terminal.send("C")
    terminal.runUntilQuiet(forSeconds: 1, limit: 20)
    return (seen, written)
  }

  /// Rates all photos with one key; the seconds until the last sidecar is written.
  private static func rateAll(in folder: String, _ terminal: PseudoTerminal) -> Double {
    terminal.send("\u{01}")
    terminal.runUntilQuiet(forSeconds: 1, limit: 20)
    let clock = wallTime()
    terminal.send(";2")
    let last = path(photoCount - 1, in: folder) + ".xmp"
    terminal.run(forSeconds: 120) { changeTime(of: last) != nil }
    let times = (0..<photoCount).compactMap { changeTime(of: path($0, in: folder) + ".xmp") }
    return times.count == photoCount ? (times.max() ?? 0) - clock : .infinity
  }

  /// Gives all photos, which are marked, a keyword; the seconds until the last sidecar is written.
  private static func writeKeywords(in folder: String, _ terminal: PseudoTerminal) -> Double {
    terminal.runUntilQuiet(forSeconds: 2, limit: 20)
    terminal.send("gk")
    terminal.runUntilQuiet(forSeconds: 1, limit: 20)
    terminal.send("bench")
    terminal.runUntilQuiet(forSeconds: 1, limit: 20)
    let clock = wallTime()
    terminal.send("\r")
    let last = path(photoCount - 1, in: folder) + ".xmp"
    terminal.run(forSeconds: 120) { changeTime(of: last) ?? 0 > clock }
    let times = (0..<photoCount).compactMap { changeTime(of: path($0, in: folder) + ".xmp") }
    return times.allSatisfy { $0 > clock } ? (times.max() ?? 0) - clock : .infinity
  }

  private static func wallTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// When a file got its name or contents; nil if there is none.
  private static func changeTime(of path: String) -> Double? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Double(status.st_ctim.tv_sec) + Double(status.st_ctim.tv_nsec) / 1e9
  }
}
