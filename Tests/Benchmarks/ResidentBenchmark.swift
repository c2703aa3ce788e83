import Foundation
import PseudoTerminal

/// Measures the memory of the program and its workers together while a whole folder is browsed.
enum ResidentBenchmark {
  /// Pages through a folder, opens some photos, and prints the peaks of resident memory.
  static func run(_ arguments: [String]) throws {
    guard let folder = arguments.first else { throw UsageError(message: "needs a folder") }
    let options = Array(arguments.dropFirst())
    setenv("XDG_CACHE_HOME", "/dev/null/none", 1)
    let terminal = try PseudoTerminal(
      [ProgramRun.photogrid] + options + [folder], columns: ProgramRun.columns,
      rows: ProgramRun.rows)
    var peak = Peak()
    peak.watch(terminal, untilQuietFor: 2)
    for page in 0..<200 {
      let chunks = terminal.chunks.count
      // Scroll by a page; every fourth time, open and close a photo.
      terminal.send(page % 4 == 3 ? "\u{06}\r" : "\u{06}")
      peak.watch(terminal, untilQuietFor: 0.7)
      if page % 4 == 3 {
        terminal.send("\u{1B}")
        peak.watch(terminal, untilQuietFor: 0.7)
      }
      guard terminal.chunks.count > chunks, terminal.status == nil else { break }
    }
    let settled = Peak.sample(terminal.process)
    print("\(folder) \(options.joined(separator: " "))")
    print("  program and workers together: \(megabytes(peak.all)) at most")
    print("  program: \(megabytes(peak.program)) at most, \(megabytes(settled.program)) at the end")
    print("  largest worker: \(megabytes(peak.worker)) at most")
    terminal.send("q")
    terminal.run(forSeconds: 5) { terminal.status != nil }
  }

  private static func megabytes(_ kilobytes: Int) -> String {
    String(format: "%.1f MB", Double(kilobytes) * 1024 / 1e6)
  }

  /// The peaks of resident memory, in kilobytes.
  private struct Peak {
    var all = 0
    var program = 0
    var worker = 0

    /// Samples every few milliseconds until the program has been silent for some seconds.
    mutating func watch(_ terminal: PseudoTerminal, untilQuietFor seconds: Double) {
      let start = terminal.elapsed
      while terminal.status == nil, terminal.elapsed - start < 120_000_000_000 {
        terminal.run(forSeconds: 0.005)
        let now = Self.sample(terminal.process)
        (all, program, worker) = (
          max(all, now.all), max(program, now.program), max(worker, now.worker)
        )
        if terminal.isQuiet(forSeconds: seconds, since: start), !now.isBusy { return }
      }
    }

    /// Whether a worker is running rather than waiting.
    var isBusy = false

    static func sample(_ program: Int32) -> Peak {
      let own = ProgramRun.proportionalKilobytes(of: program)
      let workers = ProgramRun.descendants(of: program)
      let sizes = workers.map { ProgramRun.proportionalKilobytes(of: $0) }
      var peak = Peak(all: own + sizes.reduce(0, +), program: own, worker: sizes.max() ?? 0)
      peak.isBusy = workers.contains { worker in
        let stat = (try? String(contentsOfFile: "/proc/\(worker)/stat", encoding: .utf8)) ?? ""
        return (stat.split(separator: ")").last ?? "").hasPrefix(" R")
      }
      return peak
    }
  }
}
