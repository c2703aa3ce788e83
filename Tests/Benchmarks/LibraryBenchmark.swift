import Foundation
import PseudoTerminal

/// Measures how soon a large library is grouped by month: at the first start, which reads every
/// file, and at the second, which knows their facts; compared with `ls`, a bare loop of reads and
/// exiftool.
enum LibraryBenchmark {
  private static let runs = 5

  /// Prints times, ratios and memory for libraries of 100,000 and 1,000,000 photos, or other
  /// numbers; with `keywords`, three keywords are in each photo.
  static func run(_ arguments: [String]) throws {
    guard let photo = arguments.first else { throw UsageError(message: "needs a JPEG") }
    let hasKeywords = arguments.contains("keywords")
    let numbers = arguments.dropFirst().filter { $0 != "keywords" }
    let counts = try numbers.map { text in
      guard let count = Int(text), count > 0 else {
        throw UsageError(message: "'\(text)' is no number of photos")
      }
      return count
    }
    // In memory if possible, so that no disk is measured.
    let memory = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm/" : nil
    let base = (memory ?? NSTemporaryDirectory()) + "photogrid-bench-library-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: base) }
    try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
    let small = try shrink(photo, to: base + "/small.jpg")
    for count in counts.isEmpty ? [100_000, 1_000_000] : counts {
      let folder = "\(base)/\(count)"
      defer { try? FileManager.default.removeItem(atPath: folder) }
      setenv("XDG_CACHE_HOME", folder + "/cache", 1)
      let tree = try LibraryTree(count, of: small, hasKeywords: hasKeywords, in: folder)
      try measure(tree, cache: folder + "/cache")
    }
  }

  private static func measure(_ tree: LibraryTree, cache: String) throws {
    print("\(tree.count) photos at 200x60, --recursive --group month; seconds")
    let photos = tree.photos
    let firsts = try firstStarts(tree, photos, cache: cache)
    var lists: [Double] = []
    var visits: [Visit] = []
    for _ in 0..<runs {
      lists.append(try list(tree.path))
      visits.append(try visit(tree))
    }
    let ls = lists.median
    row("ls -R, median of \(runs) in turn with second starts", ls)
    try printFirstStarts(firsts, photos, of: ls)
    row(
      "second start: grouped", visits.map(\.grouped).median, of: ls, "ls",
      goal: tree.count > 300_000 ? 1.5 : 2)
    row("  slowest", visits.map(\.grouped).max() ?? 0, of: ls, "ls")
    row("  processor time of the program", visits.map(\.processor).median)
    row("  processor time of the process that lists", visits.map(\.listing).median)
    let opened = visits.map(\.readCount).max() ?? 0
    print("  files read for their facts: \(opened)")
    let goal: Double = tree.count > 300_000 ? 170 : tree.hasKeywords ? 50 : 45
    printMemory("second start", visits, goal: goal)
    printMemory("first start", firsts.visits, goal: goal)
    let size =
      (try? FileManager.default.attributesOfItem(atPath: cache + "/photogrid/index.sqlite"))?[.size]
      as? Int ?? 0
    print(String(format: "the index: %.1f MB", Double(size) / 1e6))
  }

  /// First starts, the loops in turn with them in seconds, and the ratios of the two.
  private typealias FirstStarts = (visits: [Visit], loops: [Double], ratios: [Double])

  private static func printFirstStarts(
    _ firsts: FirstStarts, _ photos: [String], of ls: Double
  ) throws {
    row("first start: names", firsts.visits.map(\.named).median, of: ls, "ls")
    let read = firsts.loops.median
    let first = firsts.visits.map(\.grouped).median
    row("a loop of open, read 64 kB, close, in turn with them", read)
    row("first start: all read and grouped", first, of: read, "the loop", goal: 1.3)
    print(
      String(
        format: "  ratios of %d pairs: least %.2f, median %.2f", firsts.ratios.count,
        firsts.ratios.min() ?? 0, firsts.ratios.median))
    row("  processor time of all processes", firsts.visits.map(\.allProcessors).median)
    if let exiftool = try exiftoolSeconds(photos) {
      row("exiftool -fast2, from a sample", exiftool)
      row("first start beside it", first, of: exiftool, "exiftool", goal: 0.05)
    } else {
      print("exiftool is not installed")
    }
  }

  /// Starts the program without an index, in turn with the loop that it is compared with.
  ///
  /// That is done several times, unless it takes long. The last start leaves an index.
  private static func firstStarts(
    _ tree: LibraryTree, _ photos: [String], cache: String
  ) throws -> FirstStarts {
    var (visits, loops, ratios): ([Visit], [Double], [Double]) = ([], [], [])
    for _ in 0..<(tree.count > 300_000 ? 1 : runs) {
      try? FileManager.default.removeItem(atPath: cache)
      loops.append(readAll(photos))
      visits.append(try visit(tree))
      waitForWriter(cache)
      ratios.append((visits.last?.grouped ?? 0) / (loops.last ?? 1))
    }
    return (visits, loops, ratios)
  }

  private static func printMemory(_ name: String, _ visits: [Visit], goal: Double) {
    print(
      String(
        format: "memory of the program, %@: %.1f MB, at most %.1f MB (goal %.0f)", name,
        visits.map(\.resident).median / 1e3, (visits.map(\.peak).max() ?? 0) / 1e3, goal))
  }

  private static func row(
    _ name: String, _ seconds: Double, of other: Double? = nil, _ what: String = "",
    goal: Double? = nil
  ) {
    let ratio = other.map { String(format: "  %6.3f of ", seconds / $0) + what } ?? ""
    print(
      name.padding(toLength: 52, withPad: " ", startingAt: 0) + String(format: "%8.3f", seconds)
        + ratio + (goal.map { " (goal \($0))" } ?? ""))
  }

  // MARK: - The program

  /// The measurements of a start of the program: times in seconds since then, memory in kilobytes.
  private struct Visit {
    /// When the first frame with photos was shown.
    var named = 0.0
    /// When all photos were listed, and the first screen was that of the first month.
    var grouped = 0.0
    /// The largest number of files read that the bar showed.
    var readCount = 0
    var processor = 0.0
    var listing = 0.0
    /// The processor time of all processes until then.
    var allProcessors = 0.0
    var resident = 0.0
    var peak = 0.0

    /// Measures processor time and memory of the program that runs.
    mutating func measure(_ terminal: PseudoTerminal) {
      let lister = ProgramRun.children(of: terminal.process).first {
        LibraryBenchmark.name(of: $0) == "photogrid-read"
      }
      listing = lister.map(ProgramRun.processorSeconds) ?? 0
      processor = ProgramRun.processorSeconds(of: terminal.process)
      // Meanwhile pictures arrive, and changed files would be found.
      terminal.runUntilQuiet(forSeconds: 1, limit: 60)
      resident = Double(ProgramRun.kilobytes("VmRSS", of: terminal.process) ?? 0) * 1.024
      peak = Double(ProgramRun.kilobytes("VmHWM", of: terminal.process) ?? 0) * 1.024
    }
  }

  private static func visit(_ tree: LibraryTree) throws -> Visit {
    let command = [
      // The names of the folders would date the photos without a date.
      ProgramRun.photogrid, "--no-config", "-r", "--motion", "none", "--group", "month", "--dates",
      "taken", tree.path,
    ]
    let terminal = try PseudoTerminal(
      command, columns: ProgramRun.columns, rows: ProgramRun.rows)
    var screen = ScreenReader(columns: ProgramRun.columns, rows: ProgramRun.rows)
    var visit = Visit()
    var taken = 0
    var meter = ProcessorMeter(terminal.process)
    terminal.run(forSeconds: 1800) {
      meter.sample()
      while taken < terminal.chunks.count {
        let chunk = terminal.chunks[taken]
        taken += 1
        screen.feed(chunk.bytes)
        let bar = screen.text(ofRow: ProgramRun.rows - 1)
        let time = Double(chunk.time) / 1e9
        if visit.named == 0, bar.contains("1/") { visit.named = time }
        visit.readCount = max(visit.readCount, readCount(in: bar) ?? 0)
        if bar.contains("/\(tree.count) "), !bar.contains("read "),
          screen.text(ofRow: 0).contains(" · \(tree.firstMonthCount) photo")
        {
          visit.grouped = time
        }
        if visit.grouped > 0 { return true }
      }
      return false
    }
    guard visit.grouped > 0 else {
      throw UsageError(
        message:
          "never grouped: \(screen.text(ofRow: 0)) \(screen.text(ofRow: ProgramRun.rows - 1))")
    }
    visit.allProcessors = meter.total()
    visit.measure(terminal)
    terminal.send("q")
    terminal.run(forSeconds: 30) { terminal.status != nil }
    return visit
  }

  /// Returns the number of files read according to the bar; nil if it shows none.
  private static func readCount(in bar: String) -> Int? {
    bar.firstRange(of: "read ").flatMap { Int(bar[$0.upperBound...].prefix { $0.isNumber }) }
  }

  fileprivate static func name(of process: Int32) -> String? {
    (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8))?
      .trimmingCharacters(in: .newlines)
  }

  /// Waits until the process that records the facts of the ended session has ended.
  private static func waitForWriter(_ cache: String) {
    let log = cache + "/photogrid/index.sqlite-wal"
    for _ in 0..<3000 {
      let size = (try? FileManager.default.attributesOfItem(atPath: log))?[.size] as? Int
      if size == 0 { return }
      usleep(20_000)
    }
  }

  // MARK: - Others

  /// Returns the time that `ls` takes with its output discarded, in seconds.
  private static func list(_ folder: String) throws -> Double {
    guard let times = try MeasuredProcess.run(["ls", "-R", folder]) else {
      throw UsageError(message: "ls failed")
    }
    return times.clock
  }

  /// Returns the time of a loop that opens all files, reads 64 kB of each and closes them, in
  /// seconds.
  private static func readAll(_ paths: [String]) -> Double {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let start = ProcessInfo.processInfo.systemUptime
    for path in paths {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      _ = read(descriptor, &buffer, buffer.count)
      close(descriptor)
    }
    return ProcessInfo.processInfo.systemUptime - start
  }

  /// Returns the time that exiftool would take for all files, in seconds, extrapolated from some of
  /// them; nil if it is not installed.
  private static func exiftoolSeconds(_ photos: [String]) throws -> Double? {
    let sample = stride(from: 0, to: photos.count, by: max(photos.count / 500, 1)).map {
      photos[$0]
    }
    let options = ["exiftool", "-fast2", "-q", "-DateTimeOriginal", "-ImageSize", "-Model"]
    guard let one = try MeasuredProcess.run(options + sample.prefix(1)),
      let all = try MeasuredProcess.run(options + sample)
    else { return nil }
    // Its start is counted only once.
    return one.clock + (all.clock - one.clock) / Double(sample.count - 1) * Double(photos.count - 1)
  }

  private static func shrink(_ photo: String, to copy: String) throws -> [UInt8] {
    guard
      try MeasuredProcess.run(["vips", "thumbnail", photo, copy + "[Q=75,strip]", "900"]) != nil
    else { throw UsageError(message: "vips: cannot resize \(photo)") }
    return try Array(Data(contentsOf: URL(fileURLWithPath: copy)))
  }
}
