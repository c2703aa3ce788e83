import Foundation
import Geometry
import PseudoTerminal

/// Runs the program in a terminal whose responses and sizes are random, with random keys, and checks
/// that what it draws bit by bit is what it draws at once.
enum HostileTerminalBenchmark {
  /// The memory for pictures that the program gets, in megabytes.
  private static let megabytes = 64
  /// How long one terminal lasts, in seconds.
  private static let sessionSeconds = 20.0

  /// Prints a line every minute: sessions, checked screens, those that differed, the most memory
  /// and the slowest answer so far.
  static func run(_ arguments: [String]) throws {
    guard let source = arguments.first else {
      throw UsageError(message: "needs a folder of photos, perhaps seconds and a seed")
    }
    let seconds = arguments.dropFirst().first.flatMap { Double($0) } ?? 60
    let seed = arguments.dropFirst(2).first.flatMap { UInt64($0) } ?? 1
    let folder = try ProgramRun.linkedFolder(
      of: ProgramRun.photos(in: source, atMost: 60), count: 120)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    print("seed \(seed), --memory \(megabytes): \(megabytes + 30) MB allowed;")
    print("minutes, sessions, screens, torn ones; program MB at most; slowest answer ms")
    var totals = Totals()
    let start = Date()
    var nextReport = 60.0
    while Date().timeIntervalSince(start) < seconds {
      var session = try HostileSession(
        in: folder, seed: seed &+ UInt64(totals.sessions) &* 7919, megabytes: megabytes)
      try session.run(forSeconds: sessionSeconds, &totals)
      let elapsed = Date().timeIntervalSince(start)
      guard elapsed >= nextReport || elapsed >= seconds else { continue }
      nextReport = elapsed + 60
      print(
        String(
          format: "%5.1f %5d %6d %4d  %6.1f  %6.0f", elapsed / 60, totals.sessions,
          totals.screens, totals.torn, totals.megabytes, totals.slowest))
      fflush(nil)
    }
    if totals.torn > 0 { throw UsageError(message: "\(totals.torn) screens are torn") }
  }

  /// What all sessions had together.
  fileprivate struct Totals {
    var sessions = 0
    var screens = 0
    var torn = 0
    /// The most resident memory of the program.
    var megabytes = 0.0
    /// The longest time from a request to redraw to the first byte, in milliseconds.
    var slowest = 0.0
  }
}

/// A run of the program in a terminal that lies.
private struct HostileSession {
  private let terminal: PseudoTerminal
  private let seed: UInt64
  private var random: SoakBenchmark.Generator
  private var columns = 80
  private var rows = 24
  /// The largest size so far.
  private var largest = (columns: 80, rows: 24)
  private let megabytes: Int
  /// The protocol of pictures that is chosen.
  private let pictures: String
  private var screen = ScreenReader(columns: 80, rows: 24)
  private var seen = 0

  // No key that quits, suspends, opens programs, or changes files.
  private static let keys = Array("hjklHJKL+-0=wfzcCtbAi?an.spGg\r\u{1B}\tmvU<>|_,nF[]")
  /// The most characters of a response, since keys come after it, and after the one to the next frame;
  /// and of one that comes in pieces, which takes two seconds.
  private static let (maxReply, maxSlowReply) = (40_000, 3000)
  /// The most cells of a screen that is checked: larger ones take the model too long.
  private static let maxCheckedCells = 40_000

  init(in folder: String, seed: UInt64, megabytes: Int) throws {
    (self.seed, self.megabytes) = (seed, megabytes)
    random = SoakBenchmark.Generator(state: seed)
    let models: [TerminalModel] = [
      .kitty, .xterm, .foot, .mlterm, .alacritty, .urxvt, .tmux(in: .kitty), .modest,
    ]
    var model = models.randomElement(using: &random) ?? .modest
    // Without an answer to these there is nothing to wait for, which is another test.
    for (query, reply) in model.replies.sorted(by: { $0.key < $1.key })
    where Int.random(in: 0..<3, using: &random) == 0 {
      model.replies[query] = Self.lie(about: reply, &random)
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      model.delay = Int64.random(in: 0...2_000_000_000, using: &random)
    }
    if Int.random(in: 0..<4, using: &random) == 0 { model.pieceSize = 3 }
    let most = model.pieceSize == nil ? Self.maxReply : Self.maxSlowReply
    model.replies = model.replies.mapValues { String($0.prefix(most)) }
    let pictures = ["cells", "cells", "kitty", "sixel", "auto"].randomElement(using: &random)
    self.pictures = pictures ?? "auto"
    terminal = try PseudoTerminal(
      [
        ProgramRun.photogrid, "--private", "--memory", "\(megabytes)", "--protocol", self.pictures,
        folder,
      ], columns: columns, rows: rows,
      environment: [
        "TERM": model.graphics.isEmpty ? "xterm-256color" : "xterm-kitty",
        "XDG_CONFIG_HOME": "/dev/null/none",
      ])
    terminal.model = model
  }

  /// Returns a response with other numbers, cut off, repeated, without end, or empty.
  private static func lie(about reply: String, _ random: inout SoakBenchmark.Generator) -> String {
    let numbers = ["0", "-1", "1", "65536", "2147483648", "99999999999999999999", "", "1e9", ";;;"]
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return ""
    case 1: return String(repeating: reply, count: Int.random(in: 2...2000, using: &random))
    case 2: return String(reply.prefix(Int.random(in: 0...max(reply.count, 1), using: &random)))
    case 3:
      let count = Int.random(in: 1...200_000, using: &random)
      return reply.prefix(3) + String(repeating: "1;", count: count)
    default:
      var result = ""
      var isInNumber = false
      for character in reply {
        if character.isNumber {
          if !isInNumber { result += numbers.randomElement(using: &random) ?? "0" }
          isInNumber = true
        } else {
          result.append(character)
          isInNumber = false
        }
      }
      return result
    }
  }

  /// Sends random events, checks the screen now and then, and ends the program.
  mutating func run(
    forSeconds seconds: Double, _ totals: inout HostileTerminalBenchmark.Totals
  ) throws {
    totals.sessions += 1
    // What an unfinished response swallows ends by itself.
    terminal.runUntilQuiet(forSeconds: 0.5, limit: 8)
    let end = terminal.elapsed + Int64(seconds * 1e9)
    var count = 0
    while terminal.elapsed < end {
      count += 1
      act()
      terminal.run(forSeconds: Double.random(in: 0...0.05, using: &random))
      if count % 40 == 0 { check(&totals) }
      guard terminal.status == nil else {
        throw UsageError(message: "seed \(seed): the program ended: \(terminal.status ?? 0)")
      }
    }
    let peak = Double(ProgramRun.kilobytes("VmHWM", of: terminal.process) ?? 0) * 1024 / 1e6
    if peak > max(totals.megabytes, Double(megabytes + 30)) {
      print(
        String(format: "seed %llu: %.1f MB;", seed, peak),
        "at most \(largest.columns)x\(largest.rows);",
        terminal.model.replies.values.map { String($0.debugDescription.prefix(60)) }.sorted())
    }
    totals.megabytes = max(totals.megabytes, peak)
    for _ in 0..<5 where terminal.status == nil {
      terminal.send("\u{03}")
      terminal.run(forSeconds: 3) { terminal.status != nil }
    }
    guard terminal.status != nil else {
      throw UsageError(message: "seed \(seed): Ctrl-C does not end the program")
    }
  }

  private mutating func act() {
    switch Int.random(in: 0..<60, using: &random) {
    case 0: resize(Int.random(in: 1...220, using: &random), Int.random(in: 1...70, using: &random))
    case 1:
      // A window that is dragged, in the middle of whatever moves.
      for _ in 0..<Int.random(in: 1...1000, using: &random) {
        terminal.resize(
          columns: Int.random(in: 1...220, using: &random),
          rows: Int.random(in: 1...70, using: &random))
        if Bool.random(using: &random) { terminal.run(forSeconds: 0.001) }
      }
      resize(Int.random(in: 1...220, using: &random), Int.random(in: 1...70, using: &random))
    case 2 where Int.random(in: 0..<20, using: &random) == 0:
      resize(
        [1, 1000, 10_000, 32_767].randomElement(using: &random) ?? 1,
        [1, 1000, 10_000].randomElement(using: &random) ?? 1)
      terminal.run(forSeconds: 0.2)
      resize(80, 24)
    case 3...5:
      let replies = terminal.model.replies.values.sorted()
      terminal.send(Self.lie(about: replies.randomElement(using: &random) ?? "", &random))
      // Ends a response that has no end.
      terminal.send("\u{1B}\\")
      terminal.run(forSeconds: 0.2)
    case 6...14:
      terminal.send(SoakBenchmark.mouseReport(columns: columns, rows: rows, using: &random))
    default:
      let key = String(Self.keys.randomElement(using: &random) ?? "l")
      terminal.send(key)
      // The next key must not turn it into the start of a response.
      if key == "\u{1B}" { terminal.run(forSeconds: 0.1) }
    }
  }

  private mutating func resize(_ newColumns: Int, _ newRows: Int) {
    read()
    (columns, rows) = (newColumns, newRows)
    if columns * rows > largest.columns * largest.rows { largest = (columns, rows) }
    terminal.resize(columns: columns, rows: rows)
    if columns * rows <= Self.maxCheckedCells { screen.resize(columns: columns, rows: rows) }
  }

  private mutating func read() {
    if columns * rows <= Self.maxCheckedCells {
      for chunk in terminal.chunks[seen...] { screen.feed(chunk.bytes) }
    }
    seen = terminal.chunks.count
  }

  /// Waits until nothing is drawn for a while, and longer in a terminal that answers late: the program
  /// draws the next frame only when it has answered the one before, or has not for a second.
  ///
  /// Keys of a flood that change nothing on the screen draw nothing either, so that the program must
  /// also have stopped working.
  private func becomesQuiet() -> Bool {
    let start = terminal.elapsed
    let quiet = 1.5 + 2 * Double(terminal.model.delay) / 1e9
    for _ in 0..<10 {
      terminal.runUntilQuiet(forSeconds: quiet, limit: 6 * quiet)
      let seconds = ProgramRun.processorSeconds(of: terminal.process)
      terminal.run(forSeconds: 0.3)
      guard ProgramRun.processorSeconds(of: terminal.process) - seconds > 0.1 else { break }
    }
    return terminal.isQuiet(forSeconds: quiet, since: start)
  }

  /// Compares the screen, as it was drawn bit by bit, with the one that is drawn when asked for all of
  /// it.
  private mutating func check(_ totals: inout HostileTerminalBenchmark.Totals) {
    // A button that is held down is a motion, which is drawn with fewer glyphs.
    terminal.send("\u{1B}[<0;1;1m")
    // A message in a box, which the request to redraw ends too, may come after the first key.
    for _ in 0..<2 {
      terminal.send("\u{1B}")
      guard becomesQuiet() else { return }
    }
    read()
    let before = screen.cells
    let (count, start) = (terminal.chunks.count, terminal.elapsed)
    terminal.send("\u{0C}")
    terminal.run(forSeconds: 10) { terminal.chunks.count > count }
    let milliseconds = Double((terminal.chunks.last?.time ?? start) - start) / 1e6
    guard terminal.chunks.count > count else { return }
    totals.slowest = max(totals.slowest, milliseconds)
    // Sixels replace cells, which the model of the screen leaves as they were.
    guard becomesQuiet(), columns * rows <= Self.maxCheckedCells,
      ["cells", "kitty"].contains(pictures)
    else { return }
    var fresh = ScreenReader(columns: columns, rows: rows)
    for chunk in terminal.chunks[seen...] { fresh.feed(chunk.bytes) }
    read()
    totals.screens += 1
    // The request itself ends a notice in the bar.
    let pictureCells = before.indices.prefix(columns * max(rows - 1, 0))
    let torn = pictureCells.filter { !before[$0].looksLike(fresh.cells[$0]) }
    guard let first = torn.first else { return }
    totals.torn += 1
    print(
      "seed \(seed), \(pictures), \(columns)x\(rows): \(torn.count) cells torn, the first in row",
      "\(first / columns), column \(first % columns):", before[first], "not", fresh.cells[first])
    let row = first / columns
    print("  |\(String(before[row * columns..<(row + 1) * columns].map(\.glyph)))|")
    print("  |\(fresh.text(ofRow: row))|")
  }
}

extension ScreenReader.Cell {
  /// The largest difference of a channel that is not drawn again, since nobody sees it.
  private static let tolerance = 12

  fileprivate func looksLike(_ other: ScreenReader.Cell) -> Bool {
    if glyph == other.glyph {
      return Self.isNear(background, other.background)
        && (glyph == " " || Self.isNear(foreground, other.foreground))
    }
    // The inverse glyph in exchanged colors is the same picture.
    return CellArtReader.areInverse(glyph, other.glyph)
      && Self.isNear(background, other.foreground) && Self.isNear(foreground, other.background)
  }

  private static func isNear(_ one: UInt32?, _ other: UInt32?) -> Bool {
    guard let one, let other else { return one == other }
    return [0, 8, 16].allSatisfy {
      abs(Int(one >> $0 & 255) - Int(other >> $0 & 255)) <= tolerance
    }
  }
}
