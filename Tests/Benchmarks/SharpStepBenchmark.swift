import Foundation
import PseudoTerminal

/// How soon the next photo of 60 megapixels is sharp at 100 %, and the memory that takes.
enum SharpStepBenchmark {
  private static let fileCount = 12
  private static let photoCount = 40
  private static let steps = 30
  /// The time between two keys, in seconds.
  private static let interval = 0.2
  private static let (columns, rows) = (ProgramRun.columns, ProgramRun.rows)
  /// The memory for pictures that the program has by default, in megabytes.
  private static let budget = 256

  /// Makes large JPEGs of a small one, and prints the times and the memory.
  static func run(_ sample: String) throws {
    let files = try CameraPhotos.make(
      fileCount, from: [sample], width: 9504, height: 6336, quality: 95)
    let folder = try ProgramRun.linkedFolder(of: files, count: photoCount)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try goOn(in: folder)
    try compareFour(in: folder)
  }

  private static func opened(_ folder: String, keys: [String]) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      [ProgramRun.photogrid, "--motion", "none", "--protocol", "kitty", folder],
      columns: columns, rows: rows, environment: ["TERM": "xterm-kitty"])
    terminal.model = .kitty.adding(["\u{1B}[14t": "\u{1B}[4;1200;2000t"])
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

  /// Goes on five times a second, and prints how soon the terminal had each photo's pixels.
  private static func goOn(in folder: String) throws {
    let slow = try uploads(in: folder) { $0.run(forSeconds: 2, until: $1) }
    let fast = try uploads(in: folder) { $0.run(forSeconds: interval, until: $1) }
    // What comes last after a while is as sharp as it gets. A photo that is not sharp before the next
    // key never was, and counts as one that takes for ever.
    let times = zip(slow.steps, fast.steps).map { reference, step in
      step.first { $0.content == reference.last?.content }?.milliseconds ?? .infinity
    }
    print("60 megapixels at 100 %, \(steps) photos, five a second, kitty's protocol, 2000x1180;")
    print(
      String(
        format:
          "  milliseconds from a key until the terminal has the next photo sharp: first %.0f, "
          + "median %.0f, 95th percentile %.0f, longest %.0f; not before the next key: %d",
        times[0], times.median, times.percentile(95), times.max() ?? 0,
        times.count { $0.isInfinite }))
    print("  peak memory: program \(fast.memory.program) MB, workers \(fast.memory.workers)")
  }

  /// Goes through photos at 100 %, and returns the pictures as large as the screen after each key.
  private static func uploads(
    in folder: String, wait: (PseudoTerminal, () -> Bool) -> Void
  ) throws -> (steps: [[Upload]], memory: (program: Int, workers: String)) {
    let terminal = try opened(folder, keys: ["\r", "z"])
    defer { quit(terminal) }
    terminal.runUntilQuiet(forSeconds: 3, limit: 60)
    var reader = UploadReader(after: terminal.chunks.count)
    var result: [[Upload]] = []
    for _ in 0..<steps {
      let key = Double(terminal.elapsed) / 1e6
      terminal.send("n")
      reader.uploads = []
      wait(terminal) {
        // At once, as a terminal does: what it does not take in time is removed.
        reader.read(terminal.chunks, since: key)
        return false
      }
      result.append(reader.uploads)
    }
    return (result, peak(of: terminal))
  }

  /// A picture that was sent to the terminal.
  private struct Upload {
    /// The time since the last key.
    var milliseconds: Double
    /// A hash of its pixels.
    var content: Int
  }

  /// The pictures as large as the screen in a program's output.
  private struct UploadReader {
    var uploads: [Upload] = []
    private var scanner = SequenceScanner()
    private var taken: Int

    init(after count: Int) { taken = count }

    mutating func read(_ chunks: [PseudoTerminal.Chunk], since key: Double) {
      for chunk in chunks[taken...] {
        for sequence in scanner.sequences(in: chunk.bytes) {
          guard let content = Self.content(of: sequence) else { continue }
          uploads.append(Upload(milliseconds: Double(chunk.time) / 1e6 - key, content: content))
        }
      }
      taken = chunks.count
    }

    /// The hash of a picture's pixels in shared memory, which is removed as a terminal does; nil
    /// for other commands and for pictures smaller than the screen.
    private static func content(of command: String) -> Int? {
      guard command.hasPrefix("\u{1B}_G") else { return nil }
      let parts = command.dropFirst(3).dropLast(2).split(separator: ";", maxSplits: 1)
      guard parts.count == 2, parts[0].contains("t=s"), !parts[0].contains("a=q"),
        let name = Data(base64Encoded: String(parts[1]))
      else { return nil }
      let path = "/dev/shm/" + String(decoding: name, as: UTF8.self).drop { $0 == "/" }
      defer { unlink(path) }
      let pixels = (try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped))
      guard let pixels, pixels.count >= columns * 10 * (rows - 1) * 20 * 4 else { return nil }
      var hasher = Hasher()
      for index in stride(from: 0, to: pixels.count, by: 997) { hasher.combine(pixels[index]) }
      return hasher.finalize()
    }
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
