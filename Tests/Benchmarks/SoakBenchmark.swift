import Foundation
import PseudoTerminal

/// Runs the program with random keys, mouse events, window sizes and changes of a folder, for a
/// given time.
enum SoakBenchmark {
  /// Prints memory, descriptors, zombies and the slowest response to a key, once a minute.
  ///
  /// Of the program's memory it prints what it knows itself: the pictures, what else is in the heap,
  /// and the gaps in it.
  static func run(_ arguments: [String]) throws {
    guard let source = arguments.first else {
      throw UsageError(message: "needs a folder of photos, perhaps seconds, a seed and options")
    }
    let seconds = arguments.dropFirst().first.flatMap { Double($0) } ?? 60
    let seed = arguments.dropFirst(2).first.flatMap { UInt64($0) } ?? 1
    let folder = NSTemporaryDirectory() + "photogrid-bench-soak-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let account = folder + ".memory"
    setenv("PHOTOGRID_MEMORY_REPORT", account, 1)
    defer {
      try? FileManager.default.removeItem(atPath: folder)
      unlink(account)
    }
    let photos = try FileManager.default.contentsOfDirectory(atPath: source).sorted()
    for name in photos.prefix(400) { link("\(source)/\(name)", into: folder, name) }
    for name in ["XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"] {
      setenv(name, folder + "/.home", 1)
    }
    var soak = Soak(
      terminal: try PseudoTerminal(
        [ProgramRun.photogrid] + arguments.dropFirst(3) + [folder], columns: ProgramRun.columns,
        rows: ProgramRun.rows),
      folder: folder, account: account, photos: photos.map { "\(source)/\($0)" },
      random: Generator(state: seed))
    print("seed \(seed); program MB (pictures, rest of the heap, gaps), workers MB,")
    print("descriptors, zombies, slowest answer ms, events")
    try soak.run(forSeconds: seconds)
  }

  fileprivate static func link(_ photo: String, into folder: String, _ name: String) {
    let path = URL(fileURLWithPath: photo).standardizedFileURL.path
    try? FileManager.default.createSymbolicLink(
      atPath: "\(folder)/\(name)", withDestinationPath: path)
  }

  /// Returns the report of a random button, wheel or motion at a random cell.
  static func mouseReport(
    columns: Int, rows: Int, using random: inout Generator
  ) -> String {
    let column = Int.random(in: 1...columns, using: &random)
    let row = Int.random(in: 1...rows, using: &random)
    let button = [0, 0, 0, 32, 32, 2, 64, 65, 35].randomElement(using: &random) ?? 0
    let end = Bool.random(using: &random) ? "M" : "m"
    return "\u{1B}[<\(button);\(column);\(row)\(end)"
  }

  /// A random number generator with a seed (SplitMix64).
  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= .mixingStep
      return state.mixed
    }
  }
}

/// A running program that receives random events.
private struct Soak {
  let terminal: PseudoTerminal
  let folder: String
  /// The file in which the program says what its memory is used for.
  let account: String
  let photos: [String]
  var random: SoakBenchmark.Generator
  var columns = ProgramRun.columns
  var rows = ProgramRun.rows
  var slowest = 0.0
  var eventCount = 0
  /// The last input, for a line about a slow answer.
  var recent: [String] = []

  /// Answers above this are reported with the input before, in milliseconds.
  private static let slow = 1000.0

  // No key that quits, runs other programs or suspends, and none that leaves the folder, whose files
  // alone may be trashed and rated.
  private static let keys = Array("hjkl HJKL+-0=wfzcCtbAi?an.spGg\r\u{1B}\tmvU<>|_,nduRF[]")

  mutating func run(forSeconds seconds: Double) throws {
    terminal.runUntilQuiet(forSeconds: 1, limit: 30)
    let start = terminal.elapsed
    var nextReport = 0.0
    var now = 0.0
    while now < seconds {
      act()
      terminal.run(forSeconds: Double.random(in: 0...0.05, using: &random))
      if eventCount % 25 == 0 { measureAnswer() }
      guard terminal.status == nil else {
        throw UsageError(message: "the program ended: \(terminal.status ?? 0)")
      }
      now = Double(terminal.elapsed - start) / 1e9
      if now >= nextReport {
        report()
        nextReport += 60
      }
    }
    report()
    // In the grid, the first one copies.
    for _ in 0..<3 where terminal.status == nil {
      terminal.send("\u{03}")
      terminal.run(forSeconds: 5) { terminal.status != nil }
    }
    if terminal.status == nil { throw UsageError(message: "Ctrl-C does not end the program") }
  }

  private mutating func act() {
    eventCount += 1
    switch Int.random(in: 0..<40, using: &random) {
    case 0:
      columns = Int.random(in: 1...220, using: &random)
      rows = Int.random(in: 1...70, using: &random)
      terminal.resize(columns: columns, rows: rows)
      note("\(columns)x\(rows)")
    case 1...6:
      send(SoakBenchmark.mouseReport(columns: columns, rows: rows, using: &random))
    case 7:
      let photo = photos.randomElement(using: &random) ?? ""
      let name = "\(Int.random(in: 0..<50, using: &random)).jpg"
      if Bool.random(using: &random) {
        SoakBenchmark.link(photo, into: folder, name)
      } else {
        unlink("\(folder)/\(name)")
      }
    default: send(String(Self.keys.randomElement(using: &random) ?? "l"))
    }
  }

  private mutating func send(_ text: String) {
    terminal.send(text)
    note(text.debugDescription)
    // The next key must not turn it into the start of a reply, which swallows keys: Esc ] is OSC.
    if text == "\u{1B}" { terminal.run(forSeconds: 0.2) }
  }

  private mutating func note(_ input: String) {
    recent.append(input)
    if recent.count > 40 { recent.removeFirst() }
  }

  /// Measures the time until a redraw that is asked for by a key begins to arrive.
  private mutating func measureAnswer() {
    terminal.send("\u{1B}")
    terminal.runUntilQuiet(forSeconds: 0.3, limit: 2)
    let (chunks, start) = (terminal.chunks.count, terminal.elapsed)
    terminal.send("\u{0C}")
    terminal.run(forSeconds: 5) { terminal.chunks.count > chunks }
    let time = Double(terminal.elapsed - start) / 1e6
    slowest = max(slowest, time)
    guard time > Self.slow else { return }
    print(
      String(format: "%.0f ms after", time), recent.joined(separator: " "),
      "in \(columns)x\(rows) cells")
    explainSilence()
  }

  /// Asks for a redraw once more, and prints the state of the process and the screen.
  private func explainSilence() {
    let stat = try? String(contentsOfFile: "/proc/\(terminal.process)/stat", encoding: .utf8)
    let call = try? String(contentsOfFile: "/proc/\(terminal.process)/wchan", encoding: .utf8)
    let state = stat?.split(separator: ")").last?.prefix(2) ?? ""
    let (chunks, start) = (terminal.chunks.count, terminal.elapsed)
    terminal.send("\u{0C}")
    terminal.run(forSeconds: 5) { terminal.chunks.count > chunks }
    print(
      String(format: "  asked again: %.0f ms", Double(terminal.elapsed - start) / 1e6),
      "state\(state), in \(call ?? "")")
    terminal.runUntilQuiet(forSeconds: 0.3, limit: 2)
    var screen = ScreenReader(columns: columns, rows: rows)
    for chunk in terminal.chunks[chunks...] { screen.feed(chunk.bytes) }
    for row in 0..<rows {
      let text = screen.text(ofRow: row).trimmingCharacters(in: .whitespaces)
      if !text.isEmpty { print("  |\(text)") }
    }
  }

  /// What the program's memory was used for at the last report, in megabytes.
  private var parts: (pictures: Double, rest: Double, gaps: Double) {
    let text = (try? String(contentsOfFile: account, encoding: .utf8)) ?? ""
    let numbers = text.split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
    guard numbers.count == 3 else { return (.nan, .nan, .nan) }
    return (numbers[0] / 1e6, (numbers[1] - numbers[0]) / 1e6, numbers[2] / 1e6)
  }

  private func report() {
    let workers = ProgramRun.descendants(of: terminal.process)
    func megabytes(_ process: Int32) -> Double {
      Double(ProgramRun.proportionalKilobytes(of: process)) * 1024 / 1e6
    }
    let descriptors =
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(terminal.process)/fd"))?.count
      ?? 0
    let zombies = workers.count {
      let stat = (try? String(contentsOfFile: "/proc/\($0)/stat", encoding: .utf8)) ?? ""
      return (stat.split(separator: ")").last ?? "").hasPrefix(" Z")
    }
    print(
      String(
        format: "%6.1f (%5.1f %5.1f %5.1f) %6.1f %4d %3d %7.1f %7d",
        megabytes(terminal.process), parts.pictures, parts.rest, parts.gaps,
        workers.map(megabytes).reduce(0, +), descriptors, zombies, slowest, eventCount))
    fflush(nil)
  }
}
