import Foundation
import PseudoTerminal

/// Measures how long the whole program takes to read a megabyte of input, compared with a program
/// that only reads.
enum InputBenchmark {
  private static let runs = 5
  private static let photoCount = 6

  /// Prints for each kind of input the time until the key after it takes effect, the same for a
  /// program that only reads, and how often the key was lost.
  static func run(_ arguments: [String]) throws {
    if arguments.first == "--read", let count = arguments.dropFirst().first.flatMap({ Int($0) }) {
      return read(count)
    }
    let folder = NSTemporaryDirectory() + "photogrid-bench-input-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for index in 0..<photoCount { close(open("\(folder)/\(index).jpg", O_CREAT | O_WRONLY, 0o600)) }

    print("a megabyte of input and a key behind it, seconds, medians of \(runs) runs")
    print("               photogrid  bare reader  keys lost")
    for (name, bytes) in [("pasted text", paste), ("mouse motion", motion), ("a reply", reply)] {
      let own = try (0..<runs).map { _ in try photogrid(reading: bytes, in: folder) }
      let bare = try (0..<runs).map { _ in try bareReader(reading: bytes) }
      print(
        name.padding(toLength: 14, withPad: " ", startingAt: 0),
        String(
          format: "%9.3f  %11.3f  %9d", own.compactMap { $0 }.median, bare.median,
          own.count { $0 == nil }))
    }
  }

  // MARK: - The input

  private static let byteCount = 1_000_000

  private static var paste: [UInt8] {
    let text = Array("Text that somebody pastes: q, l and j are no keys here.\r".utf8)
    return Array("\u{1B}[200~".utf8) + (0..<byteCount).map { text[$0 % text.count] }
      + Array("\u{1B}[201~".utf8)
  }

  private static var motion: [UInt8] {
    var bytes: [UInt8] = []
    var step = 0
    while bytes.count < byteCount {
      bytes +=
        "\u{1B}[<35;\(step % ProgramRun.columns + 1);\(step % (ProgramRun.rows - 1) + 1)M".utf8
      step += 1
    }
    return bytes
  }

  private static var reply: [UInt8] {
    Array("\u{1B}]11;".utf8) + Array(repeating: UInt8(ascii: "q"), count: byteCount) + [0x07]
  }

  // MARK: - The readers

  /// Returns the time until the key after the input has taken effect, in seconds; nil if it never
  /// does.
  private static func photogrid(reading bytes: [UInt8], in folder: String) throws -> Double? {
    let terminal = try PseudoTerminal(
      [ProgramRun.photogrid, "--motion", "none", folder], columns: ProgramRun.columns,
      rows: ProgramRun.rows, environment: ["XDG_CACHE_HOME": "/dev/null/none"])
    var screen = ScreenReader(columns: ProgramRun.columns, rows: ProgramRun.rows)
    var seen = 0
    func shows(_ number: String) -> Bool {
      for chunk in terminal.chunks[seen...] { screen.feed(chunk.bytes) }
      seen = terminal.chunks.count
      return screen.text(ofRow: ProgramRun.rows - 1).contains(" \(number)/\(photoCount)")
    }
    guard terminal.run(forSeconds: 10, until: { shows("1") }) else {
      throw UsageError(message: "photogrid shows no grid")
    }
    terminal.run(forSeconds: 0.5)
    let start = terminal.elapsed
    terminal.send(bytes)
    terminal.send("l")
    let isObeyed = terminal.run(forSeconds: 20) { shows("2") }
    let end = terminal.chunks.last?.time ?? 0
    terminal.send("q")
    terminal.run(forSeconds: 5) { terminal.status != nil }
    return isObeyed ? Double(end - start) / 1e9 : nil
  }

  /// Returns the time until a program that does nothing else has read as much, in seconds.
  private static func bareReader(reading bytes: [UInt8]) throws -> Double {
    let terminal = try PseudoTerminal(
      [CommandLine.arguments[0], "input", "--read", "\(bytes.count + 1)"],
      columns: ProgramRun.columns, rows: ProgramRun.rows)
    terminal.run(forSeconds: 10) { !terminal.chunks.isEmpty }
    let (start, before) = (terminal.elapsed, terminal.chunks.count)
    terminal.send(bytes)
    terminal.send("l")
    terminal.run(forSeconds: 20) { terminal.chunks.count > before }
    return Double((terminal.chunks.last?.time ?? 0) - start) / 1e9
  }

  /// Reads the given number of bytes from a raw terminal; writes a letter before and after.
  private static func read(_ count: Int) {
    var settings = termios()
    tcgetattr(STDIN_FILENO, &settings)
    cfmakeraw(&settings)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    write(STDOUT_FILENO, "r", 1)
    var left = count
    var buffer = [UInt8](repeating: 0, count: 4096)
    while left > 0 {
      let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      guard count > 0 else { return }
      left -= count
    }
    write(STDOUT_FILENO, "d", 1)
  }
}
