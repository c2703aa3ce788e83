import Foundation
import Geometry
import PseudoTerminal

/// A random number generator with a seed (SplitMix64).
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= .mixingStep
    return state.mixed
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func one<Value>(of values: [Value]) -> Value { values[number(0...values.count - 1)] }
}

/// Sends random keys, mouse events and sizes, and changes the folder; the program says what its memory is used for.
func soak(_ arguments: Arguments) throws {
  let (seconds, seed) = (try arguments.number(1, usually: 60), try arguments.count(2, usually: 1))
  let scratch = try Scratch()
  let (photos, folder) = (try files(in: arguments.all[0]), try scratch.folder("photos"))
  for photo in photos.prefix(400) { addLink(to: photo, "\(folder)/\(name(ofFile: photo))") }
  let account = scratch.file("memory")
  var environment = try scratch.homes()
  environment["XDG_CONFIG_HOME"] = nil
  environment["PHOTOGRID_MEMORY_REPORT"] = account
  var run = RandomRun(
    try Session(photogrid: arguments.all.dropFirst(3) + [folder], environment: environment),
    Generator(state: UInt64(seed)), keys: "hjkl HJKL+-0=wfzcCtbAi?an.spGg\r\u{1B}\tmvU<>|_,nduRF[]")
  let (session, start) = (run.session, run.session.time)
  let table = Table(
    "seed \(seed), MB and ms",
    "program,pictures,rest of heap,gaps,workers,descriptors,zombies,slowest,events"
      .components(separatedBy: ","), labels: 8)
  var (slowest, eventCount, nextReport) = (0.0, 0, start)
  while session.time - start < seconds || nextReport < .infinity {
    run.act { random in
      let file = "\(folder)/\(random.number(0...49)).jpg"
      if random.number(0...1) == 0 {
        addLink(to: random.one(of: photos), file)
      } else {
        unlink(file)
      }
    }
    eventCount += 1
    if eventCount % 25 == 0 {
      run.press("\u{1B}")
      session.settle(0.3, limit: 2)
      let time = session.millisecondsToOutput(from: "\u{0C}", atMost: 5) ?? 5000
      slowest = max(slowest, time)
      if time > 1000 {
        print("\(figure(time)) ms after", run.recent.joined(separator: " "))
        print("state \(session.process.state), in", session.process.text("wchan"), session.screen)
      }
    }
    guard !session.hasEnded else { throw UsageError("it ended: \(session.terminal.status ?? 0)") }
    let isOver = session.time - start >= seconds
    guard isOver || session.time >= nextReport else { continue }
    nextReport = isOver ? .infinity : nextReport + 60
    let workers = session.process.descendants
    let parts = String(decoding: contents(account), as: UTF8.self)
      .split { $0 == " " || $0 == "\n" }.compactMap { Double($0).map { $0 / 1e6 } }
    let heap = parts.count == 3 ? [parts[0], parts[1] - parts[0], parts[2]] : [.nan, .nan, .nan]
    let memory = workers.map(\.proportionalMegabytes).reduce(0, +)
    let counts = [session.process.descriptorCount, workers.count { $0.state == "Z" }]
    table.row(
      "",
      [session.process.proportionalMegabytes] + heap + [memory] + counts.map(Double.init)
        + [slowest, Double(eventCount)])
  }
  try run.interrupt()
}

/// Gives a file a symbolic link, if that is possible.
private func addLink(to file: String, _ name: String) {
  let path = URL(fileURLWithPath: file).standardizedFileURL.path
  try? FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: path)
}

/// Compares what is drawn bit by bit with what is drawn at once, in terminals whose responses and sizes are random.
func soakHostileTerminals(_ arguments: Arguments) throws {
  let (seconds, seed) = (try arguments.number(1, usually: 60), try arguments.count(2, usually: 1))
  let scratch = try Scratch()
  let folder = try scratch.links(to: try jpegs(in: arguments[0], atMost: 60), 120)
  let table = Table(
    "seed \(seed), --memory 64: 94 MB allowed",
    ["minutes", "sessions", "screens", "torn ones", "program MB at most", "slowest answer ms"],
    labels: 8)
  var (found, sessions, nextReport) = (HostileRun.Findings(), 0, 60.0)
  let start = now
  while now.seconds(since: start) < seconds {
    let own = UInt64(seed) &+ UInt64(sessions) &* 7919
    sessions += 1
    do {
      var run = try HostileRun(in: folder, seed: own)
      try run.run(forSeconds: 20, &found)
    } catch { throw UsageError("seed \(own): \(error)") }
    let elapsed = now.seconds(since: start)
    guard elapsed >= nextReport || elapsed >= seconds else { continue }
    nextReport = elapsed + 60
    table.row(
      "",
      [elapsed / 60, Double(sessions), found.screens, found.torn, found.megabytes, found.slowest])
  }
  if found.torn > 0 { throw UsageError("\(figure(found.torn)) screens are torn") }
}

/// A program that receives random events.
private struct RandomRun {
  let session: Session
  var random: Generator
  /// None that quits, runs other programs, suspends, or leaves the folder, whose files alone may be changed.
  private let keys: [String]
  /// The last input, for a line about a slow answer.
  private(set) var recent: [String] = []

  init(_ session: Session, _ random: Generator, keys: String) {
    (self.session, self.random, self.keys) = (session, random, keys.map(String.init))
    // What an unfinished response swallows ends by itself.
    session.settle(0.5, limit: 8)
  }

  mutating func press(_ text: String) {
    session.press(text)
    recent = recent.suffix(39) + [text.debugDescription]
    // The next key must not turn it into the start of a response, which swallows keys: Esc ] is OSC.
    if text == "\u{1B}" { session.run(0.2) }
  }

  mutating func resize() {
    session.resize(random.number(1...220), random.number(1...70))
    recent.append("\(session.screen.columns)x\(session.screen.rows)")
  }

  /// Sends a random event, which may be one of another kind.
  mutating func act(_ other: (inout Generator) -> Void) {
    let (columns, rows) = (session.screen.columns, session.screen.rows)
    switch random.number(0...39) {
    case 0: resize()
    case 1...6:
      let (column, row) = (random.number(1...columns), random.number(1...rows))
      let button = random.one(of: [0, 0, 0, 32, 32, 2, 64, 65, 35])
      press("\u{1B}[<\(button);\(column);\(row)\(random.one(of: ["M", "m"]))")
    case 7, 8: other(&random)
    default: press(random.one(of: keys))
    }
    session.run(Double(random.number(0...50)) / 1000)
  }

  /// Ends the program by Ctrl-C, of which the first one may close or copy something.
  func interrupt() throws {
    for _ in 0..<5 where !session.hasEnded {
      session.press("\u{03}")
      session.run(4)
    }
    if !session.hasEnded { throw UsageError("Ctrl-C does not end the program") }
  }
}

/// A run of the program in a terminal that lies.
private struct HostileRun {
  /// The screens that were checked, and those that differed; the most memory of the program, in megabytes; the longest
  /// time from a request to redraw to the first byte, in milliseconds.
  struct Findings { var (screens, torn, megabytes, slowest) = (0.0, 0.0, 0.0, 0.0) }

  private var run: RandomRun
  private let session: Session
  /// The protocol of pictures that is chosen.
  private let pictures: String

  init(in folder: String, seed: UInt64) throws {
    var random = Generator(state: seed)
    var model = random.one(of: [
      TerminalModel.kitty, .xterm, .foot, .mlterm, .alacritty, .urxvt, .tmux(in: .kitty), .modest,
    ])
    // Without an answer to any there is nothing to wait for, which is another test.
    for (query, reply) in model.replies.sorted(by: { $0.key < $1.key })
    where random.number(0...2) == 0 { model.replies[query] = Self.lie(about: reply, &random) }
    if random.number(0...3) == 0 { model.delay = Int64(random.number(0...2_000_000_000)) }
    if random.number(0...3) == 0 { model.pieceSize = 3 }
    // Keys come after a response, and it after the one to the next frame; in pieces, it takes two seconds.
    let most = model.pieceSize == nil ? 40_000 : 3000
    model.replies = model.replies.mapValues { String($0.prefix(most)) }
    pictures = random.one(of: ["cells", "cells", "kitty", "sixel", "auto"])
    session = try Session(
      [Session.photogrid, "--private", "--memory", "64", "--protocol", pictures, folder],
      size: CellSize(columns: 80, rows: 24),
      environment: [
        "TERM": model.graphics.isEmpty ? "xterm-256color" : "xterm-kitty",
        "XDG_CONFIG_HOME": "/dev/null/none",
      ], model: model)
    run = RandomRun(session, random, keys: "hjklHJKL+-0=wfzcCtbAi?an.spGg\r\u{1B}\tmvU<>|_,nF[]")
  }

  /// A response with other numbers, cut off, repeated, without end, or empty.
  private static func lie(about reply: String, _ random: inout Generator) -> String {
    switch random.number(0...6) {
    case 0: return ""
    case 1: return String(repeating: reply, count: random.number(2...2000))
    case 2: return String(reply.prefix(random.number(0...max(reply.count, 1))))
    case 3: return reply.prefix(3) + String(repeating: "1;", count: random.number(1...200_000))
    default:
      let numbers = [
        "0", "-1", "1", "65536", "2147483648", "99999999999999999999", "", "1e9", ";;;",
      ]
      return reply.replacing(#/[0-9]+/#) { _ in random.one(of: numbers) }
    }
  }

  /// Sends random events, checks the screen now and then, and ends the program.
  mutating func run(forSeconds seconds: Double, _ found: inout Findings) throws {
    let end = session.time + seconds
    var count = 0
    while session.time < end {
      count += 1
      run.act { [session] in Self.disturb(session, &$0) }
      if count % 40 == 0 { check(&found) }
      guard !session.hasEnded else { throw UsageError("it ended: \(session.terminal.status ?? 0)") }
    }
    found.megabytes = max(found.megabytes, session.process.peakMegabytes)
    try run.interrupt()
  }

  /// Drags the window in the middle of whatever moves, makes it huge, or sends a response that nobody asked for.
  private static func disturb(_ session: Session, _ random: inout Generator) {
    switch random.number(0...49) {
    case 0...9:
      for _ in 0..<random.number(1...1000) {
        session.terminal.resize(columns: random.number(1...220), rows: random.number(1...70))
        if random.number(0...1) == 0 { session.run(0.001) }
      }
    case 10:
      session.terminal.resize(
        columns: random.one(of: [1, 1000, 10_000, 32_767]), rows: random.one(of: [1, 1000, 10_000]))
      session.run(0.2)
    default:
      let replies = session.terminal.model.replies.values.sorted()
      session.press(lie(about: random.one(of: replies), &random))
      // Ends a response that has no end.
      session.press("\u{1B}\\")
      session.run(0.2)
      return
    }
    // The model of the screen would take too long.
    session.skip()
    session.resize(80, 24)
  }

  /// Waits until nothing is drawn for a while, and longer in a terminal that answers late: the program draws the next
  /// frame only when it has answered the one before, or has not for a second.
  ///
  /// Keys of a flood that change nothing on the screen draw nothing either, so that the program must also have stopped
  /// working.
  private func becomesQuiet() -> Bool {
    let start = session.terminal.elapsed
    let quiet = 1.5 + 2 * Double(session.terminal.model.delay) / 1e9
    for _ in 0..<10 {
      session.settle(quiet, limit: 6 * quiet)
      let seconds = session.process.processorSeconds
      session.run(0.3)
      guard session.process.processorSeconds - seconds > 0.1 else { break }
    }
    return session.terminal.isQuiet(forSeconds: quiet, since: start)
  }

  /// Compares the screen, as it was drawn bit by bit, with the one that is drawn when asked for all of it.
  private func check(_ found: inout Findings) {
    // A button that is held down is a motion, which is drawn with fewer glyphs.
    session.press("\u{1B}[<0;1;1m")
    // A message in a box, which the request to redraw ends too, may come after the first key.
    for _ in 0..<2 {
      session.press("\u{1B}")
      guard becomesQuiet() else { return }
    }
    session.look()
    let (before, count) = (session.screen, session.terminal.chunks.count)
    guard let time = session.millisecondsToOutput(from: "\u{0C}", atMost: 10) else { return }
    found.slowest = max(found.slowest, time)
    // Sixels replace cells, which the model of the screen leaves as they were.
    guard becomesQuiet(), ["cells", "kitty"].contains(pictures) else { return }
    var fresh = ScreenReader(columns: before.columns, rows: before.rows)
    for chunk in session.terminal.chunks[count...] { fresh.feed(chunk.bytes) }
    session.look()
    found.screens += 1
    // The request itself ends a notice in the bar.
    let torn = before.cells.indices.prefix(before.columns * (before.rows - 1)).filter {
      !before.cells[$0].looksLike(fresh.cells[$0])
    }
    guard let first = torn.first else { return }
    found.torn += 1
    let (row, column) = first.quotientAndRemainder(dividingBy: before.columns)
    print(
      "\(pictures), \(before.columns)x\(before.rows): \(torn.count) cells torn, the first in row",
      "\(row), column \(column):", before.cells[first], "not", fresh.cells[first])
    print("  |\(before.text(ofRow: row))|\n  |\(fresh.text(ofRow: row))|")
  }
}

extension ScreenReader.Cell {
  fileprivate func looksLike(_ other: ScreenReader.Cell) -> Bool {
    if glyph == other.glyph {
      return Self.isNear(background, other.background)
        && (glyph == " " || Self.isNear(foreground, other.foreground))
    }
    // The inverse glyph in exchanged colors is the same picture.
    return CellArt.areInverse(glyph, other.glyph)
      && Self.isNear(background, other.foreground) && Self.isNear(foreground, other.background)
  }

  /// Whether nobody sees the difference, so that the cell is not drawn again.
  private static func isNear(_ one: UInt32?, _ other: UInt32?) -> Bool {
    guard let one, let other else { return one == other }
    return [0, 8, 16].allSatisfy { abs(Int(one >> $0 & 255) - Int(other >> $0 & 255)) <= 12 }
  }
}
