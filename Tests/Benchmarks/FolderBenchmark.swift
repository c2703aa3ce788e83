import CLinux
import Foundation
import Geometry
import PhotoGridCore
import PhotoLibrary
import Photos
import PseudoTerminal
import WorkerProtocol

/// Measures how large folders are listed and browsed, compared with `ls` of the same folder.
enum FolderBenchmark {
  private static let runs = 9

  /// Prints, for a folder of 100,000 names or another number, the times of `ls` and of the first
  /// screen, those of going to the last photo, and the program's memory.
  static func run(_ arguments: [String]) throws {
    guard let source = arguments.first else {
      throw UsageError(message: "needs a folder of small JPEGs")
    }
    let count = arguments.count > 1 ? Int(arguments[1]) ?? 0 : 100_000
    guard count > 0 else { throw UsageError(message: "'\(arguments[1])' is no number of names") }
    let photos = try ProgramRun.photos(in: source, atMost: 50)
    guard !photos.isEmpty else { throw UsageError(message: "\(source): no JPEGs") }

    // In memory if possible, so that no disk is measured.
    let memory = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm/" : nil
    let base = (memory ?? NSTemporaryDirectory()) + "photogrid-bench-folder-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: base) }
    let large = try folder(of: photos, count: count, in: base + "/large")
    let small = try folder(of: photos, count: 100, in: base + "/small")

    print("\(count) photos at 200x60, seconds, medians of \(runs) runs in turn (slowest)")
    var runsOfList: [Double] = []
    var visits: [Visit] = []
    for _ in 0..<runs {
      runsOfList.append(try list(large))
      visits.append(try visit(large, count: count))
    }
    let ls = runsOfList.median
    row("ls", runsOfList)
    row("first names in their tiles", visits.map(\.firstNames), over: ls)
    row("first screen full of pictures", visits.map(\.firstScreen), over: ls)
    row("all names listed", visits.map(\.listed), over: ls)
    row("G to the frame of the last photo", visits.map(\.lastFrame))
    row("G to its screen full of pictures", visits.map(\.lastScreen))

    try measureAnswers(in: large)
    report(visits, smallest: try visit(small, count: 100), count: count)
    try measureFacts(of: large, count: count)
  }

  /// Prints how long keys take while a folder is listed.
  private static func measureAnswers(in folder: String) throws {
    let answers = try typeWhileListing(folder)
    print(
      String(
        format: "key to frame while listing: %d keys, median %.1f ms, p99 %.1f ms, slowest %.1f ms",
        answers.count, answers.median * 1000, answers.percentile(99) * 1000,
        (answers.max() ?? 0) * 1000))
  }

  /// Prints the memory of the program, in all and by photo.
  private static func report(_ visits: [Visit], smallest: Visit, count: Int) {
    let resident = visits.map { Double($0.resident) }.median
    let least = Double(smallest.resident)
    print(
      String(
        format: "program in memory %.1f MB, at most %.1f MB; with 100 photos %.1f MB: ",
        resident / 1e6, visits.map { Double($0.peak) / 1e6 }.max() ?? 0, least / 1e6)
        + String(format: "%.0f bytes a photo", (resident - least) / Double(count)))
  }

  /// Prints the memory that photos take once all their files have been read.
  private static func measureFacts(of folder: String, count: Int) throws {
    let worker = URL(fileURLWithPath: ProgramRun.photogrid).path + "-worker"
    let store = PhotoStore(worker: WorkerExecutable(path: worker))
    var batch = PhotoBatch(root: 0, folder: Array("\(folder)/".utf8))
    let cells = CellSize(columns: ProgramRun.columns, rows: ProgramRun.rows)
    var browser = Browser(options: Browser.Options(), cells: cells, metrics: .standard)
    let before = ProgramRun.kilobytes("VmRSS", of: getpid()) ?? 0
    for number in 0..<count { batch.append(String(format: "IMG_%07d.jpg", number).utf8) }
    store.index.append(batch)
    batch = PhotoBatch(root: 0, folder: [])
    let photos = (0..<count).map { Photo.ID($0) }
    var now: Instant {
      Instant(nanoseconds: monotonic_nanoseconds())
    }
    let start = now
    _ = browser.handle(.found(photos), at: now)
    for first in stride(from: 0, to: count, by: 1000) {
      store.describe(photos[first..<min(first + 1000, count)], at: now)
      while !store.isIdle {
        var polled = store.pollRequests
        poll(&polled, nfds_t(polled.count), 100)
        for case .described(let photo) in store.service(at: now) {
          if let size = store.info(of: photo)?.size {
            _ = browser.handle(.measured(photo, size), at: now)
          }
        }
      }
    }
    let after = ProgramRun.kilobytes("VmRSS", of: getpid()) ?? 0
    print(
      String(
        format: "with the facts of all files, read in %.1f s: %.0f bytes a photo",
        now.seconds(since: start), Double((after - before) * 1024) / Double(count)))
    store.shutDown()
  }

  private static func row(_ name: String, _ times: [Double], over ls: Double? = nil) {
    let ratio = ls.map { String(format: "  %5.2f of ls", times.median / $0) } ?? ""
    print(
      name.padding(toLength: 40, withPad: " ", startingAt: 0)
        + String(format: "%8.4f (%.4f)", times.median, times.max() ?? 0) + ratio)
  }

  /// Makes a folder with the given number of hard links to small copies of photos, under a camera's
  /// names.
  private static func folder(of photos: [String], count: Int, in path: String) throws -> String {
    let originals = path + "-originals"
    for folder in [path, originals] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    for (number, photo) in photos.enumerated() {
      try shrink(photo, to: "\(originals)/\(number).jpg")
    }
    for number in 0..<count {
      // Not in the order of their names, as cards and synchronizing programs leave them.
      let name = String(format: "IMG_%07d.jpg", number * 7919 % count)
      guard link("\(originals)/\(number % photos.count).jpg", "\(path)/\(name)") == 0 else {
        throw UsageError(message: "\(name): \(String(cString: strerror(errno)))")
      }
    }
    return path
  }

  private static func shrink(_ photo: String, to copy: String) throws {
    let vips = Process()
    vips.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    vips.arguments = ["vips", "thumbnail", photo, copy, "400"]
    try vips.run()
    vips.waitUntilExit()
    guard vips.terminationStatus == 0 else { throw UsageError(message: "vips: cannot resize") }
  }

  /// Returns the time that `ls` takes with its output discarded, in seconds.
  private static func list(_ folder: String) throws -> Double {
    let start = Date()
    let ls = Process()
    ls.executableURL = URL(fileURLWithPath: "/bin/ls")
    ls.arguments = [folder]
    ls.standardOutput = FileHandle.nullDevice
    try ls.run()
    ls.waitUntilExit()
    guard ls.terminationStatus == 0 else { throw UsageError(message: "ls failed") }
    return Date().timeIntervalSince(start)
  }

  /// The measurements of a run, in seconds from its start or from the key.
  private struct Visit {
    var firstNames = 0.0
    var firstScreen = 0.0
    var listed = 0.0
    var lastFrame = 0.0
    var lastScreen = 0.0
    /// The memory at the end and at its peak, in bytes.
    var resident = 0
    var peak = 0
  }

  private static func visit(_ folder: String, count: Int) throws -> Visit {
    let terminal = try PseudoTerminal(
      [ProgramRun.photogrid, folder], columns: ProgramRun.columns, rows: ProgramRun.rows)
    terminal.run(forSeconds: 0.2)
    var screen = Screen()
    // The listing has ended when the bar shows a number without an ellipsis.
    guard
      terminal.run(
        forSeconds: 120,
        until: {
          screen.take(terminal.chunks)
          return screen.bar.contains("1/\(count) ") || screen.bar.hasSuffix("1/\(count)")
        })
    else { throw UsageError(message: "the listing does not end") }
    terminal.runUntilQuiet(forSeconds: 1, limit: 60)
    let opening = terminal.chunks.count
    let key = Double(terminal.elapsed) / 1e9
    terminal.send("G")
    terminal.run(forSeconds: 5) { terminal.chunks.count > opening }
    terminal.runUntilQuiet(forSeconds: 1, limit: 60)
    var visit = Visit()
    visit.resident = (ProgramRun.kilobytes("VmRSS", of: terminal.process) ?? 0) * 1024
    visit.peak = (ProgramRun.kilobytes("VmHWM", of: terminal.process) ?? 0) * 1024
    let chunks = terminal.chunks
    terminal.send("q")
    terminal.run(forSeconds: 5)

    var replay = Screen()
    let start = replay.states(of: chunks[..<opening])
    visit.firstNames = start.first { $0.bar.contains("1/") }?.time ?? .nan
    visit.listed = start.first { $0.bar.contains("1/\(count)") && !$0.bar.contains("…") }?.time ?? 0
    visit.firstScreen = fullScreen(start)
    let end = replay.states(of: chunks[opening...])
    visit.lastFrame = (end.first { $0.bar.contains("\(count)/\(count)") }?.time ?? .nan) - key
    visit.lastScreen = fullScreen(end) - key
    return visit
  }

  /// Returns the times from keys that move the selection to the ends of the next frames, while
  /// names arrive.
  private static func typeWhileListing(_ folder: String) throws -> [Double] {
    var answers: [Double] = []
    for _ in 0..<3 {
      let terminal = try PseudoTerminal(
        [ProgramRun.photogrid, folder], columns: ProgramRun.columns, rows: ProgramRun.rows)
      var screen = Screen()
      func bar() -> String {
        screen.take(terminal.chunks)
        return screen.bar
      }
      terminal.run(forSeconds: 60) { bar().contains("1/") }
      var keys: [Double] = []
      while bar().contains("…"), keys.count < 1000 {
        keys.append(Double(terminal.elapsed) / 1e9)
        terminal.send(keys.count % 2 == 0 ? "h" : "l")
        terminal.run(forSeconds: 0.033)
      }
      terminal.run(forSeconds: 0.5)
      let frames = ProgramRun.frameTimes(of: terminal.chunks)
      terminal.send("q")
      terminal.run(forSeconds: 5)
      answers += keys.compactMap { key in frames.first { $0 > key }.map { $0 - key } }
    }
    return answers
  }

  /// Returns when all tiles that showed a picture at the end first did.
  private static func fullScreen(_ states: [Screen.State]) -> Double {
    let most = states.last?.pictures ?? 0
    return states.first { $0.pictures >= most }?.time ?? .nan
  }
}

/// The contents of the terminal's screen, frame by frame.
private struct Screen {
  /// The screen after a frame.
  struct State {
    /// The time since the start, in seconds.
    var time: Double
    var bar: String
    /// The number of blocks of cells, each smaller than a tile, with more colors than a waiting
    /// tile has.
    var pictures: Int
  }

  private var reader = ScreenReader(columns: ProgramRun.columns, rows: ProgramRun.rows)
  private var taken = 0

  /// The text of the bar.
  var bar: String {
    reader.text(ofRow: ProgramRun.rows - 1).trimmingCharacters(in: .whitespaces)
  }

  /// Reads the new chunks.
  mutating func take(_ chunks: [PseudoTerminal.Chunk]) {
    for chunk in chunks[taken...] { reader.feed(chunk.bytes) }
    taken = chunks.count
  }

  /// Returns the screen after each frame of the chunks.
  mutating func states(of chunks: ArraySlice<PseudoTerminal.Chunk>) -> [State] {
    let frames = ProgramRun.frameTimes(of: Array(chunks))
    var states: [State] = []
    for chunk in chunks {
      reader.feed(chunk.bytes)
      let time = Double(chunk.time) / 1e9
      guard frames.contains(time) else { continue }
      states.append(State(time: time, bar: bar, pictures: pictures))
    }
    return states
  }

  private var pictures: Int {
    var count = 0
    for top in stride(from: 0, to: ProgramRun.rows - 4, by: 4) {
      for left in stride(from: 0, to: ProgramRun.columns - 8, by: 8) {
        var colors: Set<UInt32> = []
        for row in top..<top + 4 {
          for column in left..<left + 8 {
            colors.insert(reader[column, row].foreground ?? 0)
          }
        }
        if colors.count > 6 { count += 1 }
      }
    }
    return count
  }
}
