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
    print("from key to screen, \(count) keys, in the grid and with a photo open:")
    print("median, 99th percentile, most ms; median, 99th percentile, most ms;")
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
    var session = try Session(command, home: folder + "/home")
    disks.obey(fault.command)
    if fault.isTrashing { session.terminal.send("d") }
    // The request that hangs, and the first messages about it.
    session.terminal.run(forSeconds: 3)
    let inGrid = try session.move(count)
    session.terminal.send("\r")
    session.terminal.run(forSeconds: 1)
    let open = try session.move(count)
    let (time, status) = session.quit()
    sleep(2)
    let left = disks.processes.count
    for times in [inGrid, open] {
      print(
        String(
          format: "%5.1f %6.1f %6.1f ", times.median, times.percentile(99), times.max() ?? .nan),
        terminator: "")
    }
    print(
      String(format: " %6.0f %3d ", time, left), fault.name, status == nil ? "(did not end)" : "")
    fflush(nil)
    disks.obey("clear")
  }

  /// A running program.
  private struct Session {
    let terminal: PseudoTerminal
    private var screen = ScreenReader(columns: ProgramRun.columns, rows: ProgramRun.rows)
    private var seen = 0

    init(_ words: [String], home: String) throws {
      terminal = try PseudoTerminal(
        words, columns: ProgramRun.columns, rows: ProgramRun.rows,
        environment: ProgramRun.homes(in: home))
      guard terminal.run(forSeconds: 20, until: { !terminal.chunks.isEmpty }) else {
        throw UsageError(message: "the program shows nothing")
      }
      terminal.runUntilQuiet(forSeconds: 0.5, limit: 5)
      guard number(showsWithin: 5) == 1 else {
        throw UsageError(message: "the program does not list the photos: \(bar)")
      }
    }

    private var bar: String { screen.text(ofRow: ProgramRun.rows - 1) }

    /// The number of the selected photo in the bar; nil if the bar shows no number.
    private var barNumber: Int? {
      let word = bar.split(separator: " ").last { $0.contains("/") && $0.first?.isNumber == true }
      return word.flatMap { $0.split(separator: "/").first }.flatMap { Int($0) }
    }

    private mutating func number(showsWithin seconds: Double) -> Int? {
      var shown: Int?
      terminal.run(forSeconds: seconds) {
        for chunk in terminal.chunks[seen...] { screen.feed(chunk.bytes) }
        seen = terminal.chunks.count
        shown = barNumber
        return shown != nil
      }
      return shown
    }

    /// Selects the next photos and those before, in turn.
    ///
    /// - Returns: How long each takes to be in the bar, in milliseconds.
    mutating func move(_ count: Int) throws -> [Double] {
      guard var number = number(showsWithin: 5) else {
        throw UsageError(message: "the bar shows no number: \(bar)")
      }
      var keys: [(time: Int64, number: Int)] = []
      for key in 0..<count {
        let step = key % 20 < 10 ? 1 : -1
        number += step
        keys.append((terminal.elapsed, number))
        terminal.send(step > 0 ? "l" : "h")
        // What arrives is looked at later, since that takes time.
        terminal.run(forSeconds: 0.1 + Double(key % 7) / 40)
      }
      terminal.run(forSeconds: 2)
      var times: [Double] = []
      while seen < terminal.chunks.count, times.count < count {
        let chunk = terminal.chunks[seen]
        screen.feed(chunk.bytes)
        seen += 1
        let shown = barNumber
        // A frame may show the effect of two keys.
        guard
          let last = (times.count..<min(times.count + 2, count)).last(where: {
            keys[$0].number == shown && keys[$0].time < chunk.time
          })
        else { continue }
        times += keys[times.count...last].map { Double(chunk.time - $0.time) / 1e6 }
      }
      guard times.count == count, terminal.status == nil else {
        throw UsageError(message: "the program ended or ignores keys: \(bar)")
      }
      return times
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
