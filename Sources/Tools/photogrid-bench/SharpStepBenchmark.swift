import Foundation
import PseudoTerminal

/// How soon the next photo of 60 megapixels is sharp at 100 %, and the memory that takes.
enum SharpStepBenchmark {
  private static let fileCount = 12
  private static let photoCount = 40
  private static let steps = 25
  /// The time between two keys, in seconds.
  private static let interval = 0.2
  private static let (columns, rows) = (ProgramRun.columns, ProgramRun.rows)
  /// The memory for pictures that the program has by default, in megabytes.
  private static let budget = 256

  /// Makes large JPEGs of a small one, and prints the times and the memory.
  static func run(_ sample: String) throws {
    let files = try CameraPhotos.make(fileCount, from: [sample], width: 9504, height: 6336)
    let folder = try ProgramRun.linkedFolder(of: files, count: photoCount)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let references = try sharpScreens(in: folder)
    try goOn(in: folder, references)
    try compareFour(in: folder)
  }

  private static func opened(_ folder: String, keys: [String]) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      [ProgramRun.photogrid, "--symbols", "half", "--motion", "none", folder], columns: columns,
      rows: rows)
    terminal.runUntilQuiet(forSeconds: 3, limit: 120)
    for key in keys {
      terminal.send(key)
      terminal.runUntilQuiet(forSeconds: 2, limit: 60)
    }
    return terminal
  }

  private static func quit(_ terminal: PseudoTerminal) {
    terminal.send("q")
    terminal.run(forSeconds: 5)
  }

  // MARK: - Going on

  /// The screen of each photo at 100 %, waited for.
  private static func sharpScreens(in folder: String) throws -> [[ScreenReader.Cell]] {
    let terminal = try opened(folder, keys: ["\r", "z"])
    defer { quit(terminal) }
    var screen = ScreenReader(columns: columns, rows: rows)
    var taken = 0
    return (0...steps).map { step in
      if step > 0 {
        terminal.send("n")
        terminal.runUntilQuiet(forSeconds: 1, limit: 30)
      }
      for chunk in terminal.chunks[taken...] { screen.feed(chunk.bytes) }
      taken = terminal.chunks.count
      return picture(on: screen)
    }
  }

  private static func picture(on screen: ScreenReader) -> [ScreenReader.Cell] {
    Array(screen.cells[..<(columns * (rows - 1))])
  }

  /// Goes on five times a second, and prints how soon each photo was as sharp as it gets.
  private static func goOn(in folder: String, _ references: [[ScreenReader.Cell]]) throws {
    let terminal = try opened(folder, keys: ["\r", "z"])
    defer { quit(terminal) }
    var keyTimes: [Double] = []
    for _ in 0..<steps {
      keyTimes.append(Double(terminal.elapsed) / 1e6)
      terminal.send("n")
      terminal.run(forSeconds: interval)
    }
    terminal.runUntilQuiet(forSeconds: 2, limit: 30)
    let times = sharpTimes(of: terminal.chunks, keyTimes, references)
    let known = times.compactMap(\.self)
    print("60 megapixels at 100 %, \(steps) photos, five a second, at 200x60; milliseconds:")
    print(
      String(
        format: "  a key until the next photo is sharp: median %.0f, 95th percentile %.0f, "
          + "longest %.0f; too late for the next key: %d",
        known.median, known.percentile(95), known.max() ?? 0, times.count - known.count))
    let memory = peak(of: terminal)
    print("  peak memory: program \(memory.program) MB, workers \(memory.workers)")
  }

  /// The time from each key until its photo was sharp; nil if that was after the next key.
  private static func sharpTimes(
    of chunks: [PseudoTerminal.Chunk], _ keyTimes: [Double], _ references: [[ScreenReader.Cell]]
  ) -> [Double?] {
    var screen = ScreenReader(columns: columns, rows: rows)
    var result = [Double?](repeating: nil, count: keyTimes.count)
    for chunk in chunks {
      screen.feed(chunk.bytes)
      let time = Double(chunk.time) / 1e6
      guard let step = keyTimes.lastIndex(where: { $0 <= time }), result[step] == nil,
        isLike(picture(on: screen), references[step + 1])
      else { continue }
      result[step] = time - keyTimes[step]
    }
    return result
  }

  /// Whether nearly all cells have the same colours; a coarser picture has hardly any.
  private static func isLike(
    _ cells: [ScreenReader.Cell], _ reference: [ScreenReader.Cell]
  ) -> Bool {
    func isClose(_ one: UInt32?, _ other: UInt32?) -> Bool {
      guard let one, let other else { return one == other }
      return [16, 8, 0].allSatisfy { shift in
        abs(Int(one >> shift & 255) - Int(other >> shift & 255)) <= 6
      }
    }
    let equal = zip(cells, reference).count {
      isClose($0.foreground, $1.foreground) && isClose($0.background, $1.background)
    }
    return equal * 100 >= cells.count * 95
  }

  // MARK: - Comparing

  /// Compares four photos, all of them zoomed, and prints the memory.
  private static func compareFour(in folder: String) throws {
    let terminal = try opened(folder, keys: ["    gg="])
    defer { quit(terminal) }
    for key in ["z", "j", "l"] {
      terminal.send(key)
      terminal.runUntilQuiet(forSeconds: 2, limit: 60)
    }
    let memory = peak(of: terminal)
    print(
      "comparing four at 100 %: peak memory: program \(memory.program) MB, workers "
        + "\(memory.workers); budget for pictures \(budget) MB")
  }

  /// The largest memory that the program and each of its workers had, in megabytes.
  private static func peak(of terminal: PseudoTerminal) -> (program: Int, workers: String) {
    func megabytes(_ process: Int32) -> Int {
      (ProgramRun.kilobytes("VmHWM", of: process) ?? 0) / 977
    }
    let workers = ProgramRun.descendants(of: terminal.process).map(megabytes).filter { $0 > 0 }
      .sorted(by: >)
    return (
      megabytes(terminal.process),
      workers.map(String.init).joined(separator: " + ") + " = \(workers.reduce(0, +)) MB"
    )
  }
}
