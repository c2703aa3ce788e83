import Foundation
import PseudoTerminal

/// Measures how soon the first frame is on the terminal: the grid's skeleton and the bar, whatever
/// the folder.
enum StartBenchmark {
  /// Prints the time from the program's start to the end of its first frame, for several folders,
  /// and that of other builds of it, which run in turns.
  static func run(_ arguments: [String]) throws {
    let (folders, others) = try parse(arguments)
    let folder = NSTemporaryDirectory() + "photogrid-bench-start-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let empty = folder + "/empty"
    let large = folder + "/large"
    for path in [empty, large] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    for index in 0..<100_000 { close(open("\(large)/\(index).jpg", O_CREAT | O_WRONLY, 0o600)) }
    let cases =
      folders.map { ("folder given", $0) } + [
        ("empty folder", empty), ("100,000 names", large),
      ]
    print("first frame at 200x60, seconds since the start, 20 runs each")
    print("folder             median      p99      max")
    let programs = [ProgramRun.photogrid] + others
    for (name, path) in cases {
      var times = programs.map { _ in [Double]() }
      for _ in 0..<20 {
        for (index, program) in programs.enumerated() {
          times[index].append(try firstFrame(of: program, in: path))
        }
      }
      for (program, times) in zip(programs, times) {
        print(
          name.padding(toLength: 16, withPad: " ", startingAt: 0),
          String(
            format: "%8.4f %8.4f %8.4f", times.median, times.percentile(99), times.max() ?? 0),
          others.isEmpty ? "" : "  \(program)")
      }
    }
  }

  /// Returns the folders among the arguments, and the programs that follow `--beside`.
  private static func parse(
    _ arguments: [String]
  ) throws -> (folders: [String], programs: [String]) {
    var folders: [String] = []
    var programs: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument == "--beside" else {
        folders.append(argument)
        continue
      }
      guard let program = rest.popFirst() else {
        throw UsageError(message: "--beside: needs a program")
      }
      programs.append(program)
    }
    return (folders, programs)
  }

  private static func firstFrame(of program: String, in folder: String) throws -> Double {
    let terminal = try PseudoTerminal(
      [program, folder], columns: ProgramRun.columns, rows: ProgramRun.rows)
    terminal.run(forSeconds: 5) { !ProgramRun.frameTimes(of: terminal.chunks).isEmpty }
    terminal.send("q")
    terminal.run(forSeconds: 5)
    guard let first = ProgramRun.frameTimes(of: terminal.chunks).first else {
      throw UsageError(message: "no frame within 5 s")
    }
    return first
  }
}
