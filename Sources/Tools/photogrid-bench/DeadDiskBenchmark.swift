import Foundation
import PseudoTerminal

/// Measures the whole program in a folder on a disk that hangs, is slow, or goes away.
enum DeadDiskBenchmark {
  private static let photoCount = 200

  /// What happens to the disk, as `faulty-disk` takes it, and whether a photo is trashed then.
  private static let faults: [(name: String, command: String, isTrashing: Bool)] = [
    ("none", "clear", false),
    ("photos hang when opened", "hang open 0 0 .jpg", false),
    ("photos hang when read", "hang read 0 0 .jpg", false),
    ("a dead disk: no process ends", "dead read 0 0 .jpg", false),
    ("every request takes 0.2 s", "delay=200 any 0 0", false),
    ("reads fail", "EIO read 0 0 .jpg", false),
    ("every request hangs", "hang any 0 0", false),
    ("every request hangs, while trashing", "hang any 0 0", true),
    ("the disk is gone", "disconnect", false),
  ]

  /// Prints for each fault how long keys take to show, in the grid and with a photo open, and how long
  /// the program takes to leave.
  static func run(_ arguments: [String]) throws {
    guard let source = arguments.first else { throw UsageError(message: "needs a folder") }
    let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 200
    let photos = try ProgramRun.photos(in: source, atMost: photoCount)
    guard !photos.isEmpty else { throw UsageError(message: "there are no JPEGs in \(source)") }
    print("from key to screen, \(count) keys: median, 99th percentile, most ms;")
    print("from q to the end, ms; processes that are left after that and two seconds")
    for fault in faults {
      try measure(fault, photos, count)
    }
  }

  private static func measure(
    _ fault: (name: String, command: String, isTrashing: Bool), _ photos: [String], _ count: Int
  ) throws {
    let folder = NSTemporaryDirectory() + "photogrid-bench-disk-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(
      atPath: folder + "/home", withIntermediateDirectories: true)
    let disks = try FaultyDisks(in: folder)
    defer { disks.end() }
    for index in 0..<photoCount {
      try FileManager.default.copyItem(
        atPath: photos[index % photos.count],
        toPath: disks.stores[0] + String(format: "/%03d.jpg", index))
    }
    let command = disks.running([ProgramRun.photogrid, disks.folders[0]])
    var session = try Session(command, home: folder)
    disks.obey(fault.command)
    if fault.isTrashing { session.terminal.send("d") }
    // The request that hangs, and the first messages about it.
    session.terminal.run(forSeconds: 3)
    try session.move(count / 2)
    session.terminal.send("\r")
    session.terminal.run(forSeconds: 1)
    try session.move(count - count / 2)
    let (time, status) = session.quit()
    sleep(2)
    let left = disks.processes.count
    let times = session.times
    print(
      String(
        format: "%5.1f %6.1f %6.1f  %6.0f %3d ", times.median, times.percentile(99),
        times.max() ?? .nan, time, left),
      fault.name, status == nil ? "(did not end)" : "")
    fflush(nil)
    disks.obey("clear")
  }

  /// A running program.
  private struct Session {
    let terminal: PseudoTerminal
    private(set) var times: [Double] = []
    private var screen = ScreenReader(columns: ProgramRun.columns, rows: ProgramRun.rows)
    private var seen = 0
    private var number = 1

    init(_ words: [String], home: String) throws {
      terminal = try PseudoTerminal(
        words, columns: ProgramRun.columns, rows: ProgramRun.rows,
        environment: [
          "XDG_CACHE_HOME": home + "/home", "XDG_STATE_HOME": home + "/home",
          "XDG_DATA_HOME": home + "/home", "XDG_CONFIG_HOME": "/dev/null/none",
        ])
      guard terminal.run(forSeconds: 20, until: { !terminal.chunks.isEmpty }) else {
        throw UsageError(message: "the program shows nothing")
      }
      terminal.runUntilQuiet(forSeconds: 0.5, limit: 5)
      guard number(showsWithin: 5) == 1 else {
        throw UsageError(message: "the program does not list the photos: \(bar)")
      }
    }

    private var bar: String { screen.text(ofRow: ProgramRun.rows - 1) }

    /// The number of the selected photo by the bar; nil if it shows none.
    private mutating func shownNumber() -> Int? {
      for chunk in terminal.chunks[seen...] { screen.feed(chunk.bytes) }
      seen = terminal.chunks.count
      let word = bar.split(separator: " ").last { $0.contains("/") && $0.first?.isNumber == true }
      return word.flatMap { $0.split(separator: "/").first }.flatMap { Int($0) }
    }

    private mutating func number(showsWithin seconds: Double) -> Int? {
      var shown: Int?
      terminal.run(forSeconds: seconds) {
        shown = shownNumber()
        return shown != nil
      }
      return shown
    }

    /// Selects the next photo and the one before, in turn, and measures how long each takes to be
    /// in the bar.
    mutating func move(_ count: Int) throws {
      guard let first = number(showsWithin: 5) else {
        throw UsageError(message: "there is no number in the bar: \(bar)")
      }
      number = first
      for key in 0..<count {
        terminal.run(forSeconds: 0.01 + Double(key % 7) / 100)
        let step = key % 20 < 10 ? 1 : -1
        let start = terminal.elapsed
        terminal.send(step > 0 ? "l" : "h")
        var end = start
        let isObeyed = terminal.run(forSeconds: 30) {
          guard shownNumber() == number + step else { return false }
          end = terminal.chunks.last?.time ?? start
          return true
        }
        guard isObeyed, terminal.status == nil else {
          throw UsageError(message: "the program ended or ignores keys: \(bar)")
        }
        number += step
        times.append(Double(end - start) / 1e6)
      }
    }

    /// Quits, at once where the program waits for a file operation, and returns the time until it
    /// has ended, in milliseconds.
    mutating func quit() -> (milliseconds: Double, status: Int32?) {
      terminal.send("\u{1B}")
      terminal.run(forSeconds: 1)
      let start = terminal.elapsed
      terminal.send("q")
      terminal.run(forSeconds: 0.3) { terminal.status != nil }
      if terminal.status == nil { terminal.send("q") }
      terminal.run(forSeconds: 30) { terminal.status != nil }
      return (Double(terminal.elapsed - start) / 1e6, terminal.status)
    }
  }
}
