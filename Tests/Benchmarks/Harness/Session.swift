import Foundation
import Geometry
import PseudoTerminal

/// A program in a pseudo-terminal of 200 by 60 cells, and the screen that it draws.
///
/// Times are in seconds since the program was started.
final class Session {
  /// The measured program, which is built in the same folder as this one.
  static let photogrid: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return (own as NSString).deletingLastPathComponent + "/photogrid"
  }()

  let terminal: PseudoTerminal
  /// The screen after all output that was looked at.
  private(set) var screen: ScreenReader
  /// The speed of the line to the terminal; nil for as fast as it can be.
  var bytesPerSecond: Double?
  private let size: CellSize
  private var seen = 0

  /// Starts a program; `environment` has the variables that differ from this process's.
  init(
    _ command: [String], size: CellSize = CellSize(columns: 200, rows: 60),
    environment: [String: String] = [:], model: TerminalModel = .modest
  ) throws {
    self.size = size
    terminal = try PseudoTerminal(
      command, columns: size.columns, rows: size.rows, environment: environment)
    terminal.model = model
    screen = ScreenReader(columns: size.columns, rows: size.rows)
  }

  /// Starts photogrid with some arguments.
  convenience init(
    photogrid arguments: [String], environment: [String: String] = [:],
    model: TerminalModel = .modest
  ) throws { try self.init([Self.photogrid] + arguments, environment: environment, model: model) }

  var process: RunningProcess { RunningProcess(id: terminal.process) }

  var time: Double { Double(terminal.elapsed) / 1e9 }

  var hasEnded: Bool { terminal.status != nil }

  /// The text of the last row, without spaces around it.
  var bar: String {
    look()
    return screen.bar
  }

  /// Types keys, and returns when.
  @discardableResult
  func press(_ keys: String) -> Double {
    defer { terminal.send(keys) }
    return time
  }

  /// Types the keys that end the program, and waits for its end.
  func quit(_ keys: String = "q") {
    press(keys)
    run(30)
  }

  /// Lets the program run for some seconds, or until it ends, or a condition is true; returns whether it is.
  @discardableResult
  func run(_ limit: Double, until isDone: () -> Bool = { false }) -> Bool {
    guard let rate = bytesPerSecond else { return terminal.run(forSeconds: limit, until: isDone) }
    let end = time + limit
    var (last, credit) = (time, 0.0)
    while !isDone(), time < end {
      // Time without bytes does not speed up the line later.
      credit = min(credit + (time - last) * rate, rate * 0.002)
      last = time
      let count = terminal.chunks.count
      if credit >= 1 { terminal.take(atMost: Int(credit)) }
      credit -= terminal.chunks[count...].reduce(0) { $0 + Double($1.bytes.count) }
      usleep(500)
    }
    return isDone()
  }

  /// Runs until nothing was written for some seconds.
  func settle(_ quiet: Double = 1, limit: Double = 120) {
    terminal.runUntilQuiet(forSeconds: quiet, limit: limit)
  }

  /// Runs until the screen is as it should be; returns when the output arrived that made it so.
  ///
  /// - Throws: If it does not become so within some seconds.
  @discardableResult
  func wait(
    _ limit: Double = 30, for what: String, _ isShown: (ScreenReader) -> Bool
  ) throws -> Double {
    var found = isShown(screen) ? time : nil
    run(limit) {
      if found == nil { found = look(until: isShown) }
      return found != nil
    }
    guard let found else {
      throw UsageError("\(what): not shown in \(figure(limit)) s, but: \(screen.bar)")
    }
    return found
  }

  /// Types keys, and returns the milliseconds until the screen is as it should be.
  func milliseconds(
    from keys: String, atMost limit: Double = 30, for what: String,
    _ isShown: (ScreenReader) -> Bool
  ) throws -> Double {
    let start = press(keys)
    return (try wait(limit, for: what, isShown) - start) * 1000
  }

  /// Types keys, and returns the milliseconds until anything is written; nil if nothing is.
  func millisecondsToOutput(from keys: String, atMost limit: Double) -> Double? {
    let (count, start) = (terminal.chunks.count, press(keys))
    guard run(limit, until: { terminal.chunks.count > count }) else { return nil }
    return (terminal.chunks[count].seconds - start) * 1000
  }

  /// Draws what has arrived, up to a state of the screen; returns when that arrived.
  @discardableResult
  func look(until isShown: (ScreenReader) -> Bool = { _ in false }) -> Double? {
    while seen < terminal.chunks.count {
      let chunk = terminal.chunks[seen]
      seen += 1
      screen.feed(chunk.bytes)
      if isShown(screen) { return chunk.seconds }
    }
    return nil
  }

  /// Leaves out what was not looked at yet.
  func skip() { seen = terminal.chunks.count }

  /// Changes the terminal's size, and fills the screen with question marks.
  func resize(_ columns: Int, _ rows: Int) {
    look()
    terminal.resize(columns: columns, rows: rows)
    screen.resize(columns: columns, rows: rows)
  }

  /// When synchronized updates ended, one for each frame.
  var frameTimes: [Double] { terminal.chunks.frameTimes }

  /// When the picture area last changed.
  var lastPictureChange: Double {
    var (last, before) = (0.0, [ScreenReader.Cell]())
    replay { screen, time in
      let cells = Array(screen.cells.dropLast(size.columns))
      if !before.isEmpty, cells != before { last = time }
      before = cells
    }
    return last
  }

  /// Shows the screen after each piece of output so far, beginning with the empty one.
  func replay(_ body: (ScreenReader, Double) -> Void) {
    var screen = ScreenReader(columns: size.columns, rows: size.rows)
    body(screen, 0)
    for chunk in terminal.chunks {
      screen.feed(chunk.bytes)
      body(screen, chunk.seconds)
    }
  }
}

extension ScreenReader {
  /// The text of the last row, without spaces around it.
  var bar: String { text(ofRow: rows - 1).trimmingCharacters(in: .whitespaces) }

  /// The number of the selected item, of how many; nil if the bar shows none.
  var position: (number: Int, count: Int)? {
    let words = bar.split(separator: " ").map { $0.split(separator: "/").map { Int($0) ?? -1 } }
    guard let last = words.last(where: { $0.count == 2 && !$0.contains(-1) }) else { return nil }
    return (last[0], last[1])
  }

  /// The number of blocks of cells, each smaller than a tile, with more colors than a waiting tile has.
  var pictureCount: Int {
    var count = 0
    for top in stride(from: 0, to: rows - 4, by: 4) {
      for left in stride(from: 0, to: columns - 8, by: 8) {
        let colors = (0..<32).map { self[left + $0 % 8, top + $0 / 8].foreground ?? 0 }
        if Set(colors).count > 6 { count += 1 }
      }
    }
    return count
  }
}

extension PseudoTerminal.Chunk {
  /// The time since the program's start, in seconds.
  var seconds: Double { Double(time) / 1e9 }
}

extension Sequence<PseudoTerminal.Chunk> {
  /// When synchronized updates ended, in seconds.
  var frameTimes: [Double] {
    let mark = Array("\u{1B}[?2026l".utf8)
    var (times, tail) = ([Double](), [UInt8]())
    for chunk in self {
      let bytes = tail + chunk.bytes
      let ends = bytes.ranges(of: mark).map(\.upperBound)
      times += ends.map { _ in chunk.seconds }
      tail = Array(bytes[Swift.max(ends.last ?? 0, bytes.count - mark.count + 1)...])
    }
    return times
  }
}
