import Foundation
import Geometry
import PseudoTerminal
import WorkerProtocol

/// Measures the whole program while one of its helper processes lies.
///
/// The program finds itself, which it starts as most of its helpers, by a link in `/proc`: here that
/// leads to a script, which lies in place of one of them.
enum HostileReplyBenchmark {
  private static let megabytes = 32
  /// Above what the program accepts.
  private static let maxNames = 6_000_000

  /// Prints for each lie the time from a key to the screen that it asks for, and the program's peak
  /// of resident memory.
  static func run(_ arguments: [String]) throws {
    guard let source = arguments.first else { throw UsageError(message: "needs a folder") }
    let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 300
    let words = arguments.dropFirst(2).first
    print("--memory \(megabytes): \(megabytes + 30) MB allowed; from key to screen, \(count) keys")
    print("median, 99th percentile, most ms; program MB at most; how it ended")
    try measure(nil, in: source, count)
    for lie in HostileReply.allCases where words.map({ lie.rawValue.contains($0) }) ?? true {
      try measure(lie, in: source, count)
    }
  }

  private static func measure(_ lie: HostileReply?, in source: String, _ count: Int) throws {
    let folder = NSTemporaryDirectory() + "photogrid-bench-liars-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(
      atPath: folder + "/photos", withIntermediateDirectories: true)
    for (number, photo) in try ProgramRun.photos(in: source, atMost: 60).enumerated() {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/photos/\(number).jpg",
        withDestinationPath: URL(fileURLWithPath: photo).standardizedFileURL.path)
    }
    try writeScripts(lie, in: folder)
    var session = try Session(folder, options: lie?.argument == "--index-worker")
    if lie?.argument == "--file-worker" { session.trashPhoto() }
    try session.press(count)
    let peak = ProgramRun.kilobytes("VmHWM", of: session.terminal.process) ?? 0
    let times = session.times
    print(
      String(
        format: "%5.1f %6.1f %6.1f  %6.1f ", times.median, times.percentile(99),
        times.max() ?? .nan, Double(peak) * 1024 / 1e6),
      lie?.rawValue ?? "no lie", "·", session.bar(without: folder))
    fflush(nil)
    session.quit()
  }

  /// Writes a script for the program's helpers and one for the worker that decodes.
  private static func writeScripts(_ lie: HostileReply?, in folder: String) throws {
    var bytes: [UInt8] = []
    if let lie { bytes = lie.bytes(most: maxNames) }
    try Data(Hello.current.encoded()).write(to: URL(fileURLWithPath: folder + "/greeting"))
    try Data(bytes).write(to: URL(fileURLWithPath: folder + "/lie"))
    let lying = """
      cat '\(folder)/greeting' >&0
      while cat '\(folder)/lie' >&0; do :; done
      """
    let argument = lie?.argument ?? "no argument"
    for (name, isLiar) in [("photogrid", false), ("photogrid-worker", lie?.argument == nil)] {
      let other = "exec '\(ProgramRun.photogrid.dropLast(9))\(name)' \"$@\""
      let script =
        lie != nil && isLiar && name == "photogrid-worker"
        ? lying : "if [ \"$1\" = '\(argument)' ]; then\n\(lying)\nelse \(other); fi"
      try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      chmod("\(folder)/\(name)", 0o755)
    }
  }

  /// A running program.
  private struct Session {
    let terminal: PseudoTerminal
    private(set) var times: [Double] = []
    private var screen = ScreenReader(columns: ProgramRun.columns, rows: ProgramRun.rows)
    private var seen = 0

    /// Starts the program in a folder of photos and scripts.
    init(_ folder: String, options isSorted: Bool) throws {
      let start = """
        mount -t tmpfs none /proc && mkdir /proc/self && ln -s "$0" /proc/self/exe && exec "$@"
        """
      terminal = try PseudoTerminal(
        ["unshare", "-rm", "sh", "-c", start, folder + "/photogrid", ProgramRun.photogrid]
          + ["--memory", "\(HostileReplyBenchmark.megabytes)", "--motion", "none"]
          + (isSorted ? ["--sort", "date"] : ["--private"]) + [folder + "/photos"],
        columns: ProgramRun.columns, rows: ProgramRun.rows,
        environment: ProgramRun.homes(in: folder + "/home"))
      guard terminal.run(forSeconds: 10, until: { !terminal.chunks.isEmpty }) else {
        throw UsageError(message: "the program shows nothing")
      }
    }

    mutating func trashPhoto() {
      terminal.run(forSeconds: 1)
      terminal.send("d")
    }

    /// Opens and closes the help, and measures how long each takes.
    mutating func press(_ count: Int) throws {
      for key in 0..<count {
        terminal.run(forSeconds: 0.01 + Double(key % 7) / 100)
        let isOpen = showsHelp()
        let start = terminal.elapsed
        terminal.send("?")
        var end = start
        let isObeyed = terminal.run(forSeconds: 30) {
          let isDone = showsHelp() != isOpen
          end = terminal.chunks.last?.time ?? start
          return isDone
        }
        guard isObeyed, terminal.status == nil else {
          throw UsageError(message: "the program ended or ignores keys: \(bar(without: ""))")
        }
        times.append(Double(end - start) / 1e6)
      }
    }

    private mutating func showsHelp() -> Bool {
      for chunk in terminal.chunks[seen...] { screen.feed(chunk.bytes) }
      seen = terminal.chunks.count
      return (0..<ProgramRun.rows).contains { screen.text(ofRow: $0).contains("double click") }
    }

    /// The last line of the screen.
    func bar(without folder: String) -> String {
      screen.text(ofRow: ProgramRun.rows - 1).split(separator: " ").joined(separator: " ")
        .replacingOccurrences(of: folder, with: "")
    }

    func quit() {
      terminal.send("\u{03}")
      terminal.run(forSeconds: 10) { terminal.status != nil }
    }
  }
}
