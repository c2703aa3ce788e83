import CLinux
import Glibc

/// A pseudo-terminal with a program in it, which benchmarks and end-to-end tests use as a user
/// uses a terminal.
///
/// It reads the program's output as fast as it can, and responds to the queries that terminals
/// respond to.
package final class PseudoTerminal {
  /// A piece of output, and its time.
  package struct Chunk: Sendable {
    /// Nanoseconds on the monotonic clock since the program was started.
    package var time: Int64
    package var bytes: [UInt8]
  }

  /// The program's process, which leads a session of its own.
  package let process: pid_t
  /// The terminal's settings before the program was started; compare with `settings`.
  package let settingsBefore: [UInt8]
  /// The output so far.
  package private(set) var chunks: [Chunk] = []
  /// How the program ended, as `waitpid` reports it; nil while it runs.
  package private(set) var status: Int32?
  /// The resources that the program and the children it waited for used; complete once it has
  /// ended.
  package private(set) var usage = rusage()
  /// Whether queries get responses.
  package var answers = true
  /// The responses.
  package var model = TerminalModel.modest
  /// What tmux passes on, if the terminal is tmux, and the images of a terminal that counts them.
  package var pane = TmuxPane()
  /// Whether placing an image that was not sent is an error.
  package var countsImages = false

  /// When there was last nothing to read, in nanoseconds since the start.
  private var lastSilence: Int64 = 0

  private let ends: PseudoTerminalPair
  private let start: Int64
  private var hasTakenLastOutput = false
  private var scanner = SequenceScanner()
  /// The private modes that the program has turned on.
  private var modes: Set<Substring> = []
  /// Keys and responses that are not sent yet.
  private var queue = InputQueue()

  /// Starts a program in a new terminal.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments; found by `PATH`.
  ///   - columns: Width in text cells of 10 by 20 pixels.
  ///   - rows: Height in text cells.
  ///   - cell: A cell's size in pixels by the system; zero if the system does not know it.
  ///   - environment: Variables that differ from this process's; an empty value unsets.
  /// - Throws: `ChildProcess.Failure` with the system's error.
  package init(
    _ arguments: [String], columns: Int, rows: Int, cell: (width: Int, height: Int) = (10, 20),
    environment: [String: String] = [:]
  ) throws(ChildProcess.Failure) {
    ends = try PseudoTerminalPair(columns: columns, rows: rows, cell: cell)
    settingsBefore = ends.settingsBytes

    var variables = ["TERM": "xterm-256color", "COLORTERM": "truecolor", "TMUX": ""]
    variables.merge(environment) { $1 }
    start = Self.now
    process = try ChildProcess.start(arguments, .terminal(ends.path), environment: variables)
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
  }

  /// Whether all keys and responses so far were sent.
  package var isInputSent: Bool { queue.isEmpty }

  /// Nanoseconds since the program was started.
  package var elapsed: Int64 { Self.now - start }

  /// The whole output so far.
  package var output: [UInt8] { chunks.flatMap(\.bytes) }

  /// Types bytes as a user or a mouse would, after everything that is due; what the program does
  /// not accept at once is sent while output is read.
  package func send(_ bytes: [UInt8]) {
    queue.append(bytes, at: elapsed)
    sendDueInput()
  }

  /// Types text.
  package func send(_ text: String) { send(Array(text.utf8)) }

  /// Changes the terminal's size; the program gets SIGWINCH.
  package func resize(columns: Int, rows: Int) {
    if !model.outer.isEmpty { pane.resize() }
    ends.resize(columns: columns, rows: rows)
  }

  /// The terminal's current settings.
  package var settings: [UInt8] { ends.settingsBytes }

  /// Reads output and responds until a condition is true, the program ends or time is up.
  ///
  /// - Returns: Whether the condition is true.
  @discardableResult
  package func run(forSeconds limit: Double, until isDone: () -> Bool = { false }) -> Bool {
    let end = Self.now + Int64(limit * 1e9)
    while true {
      if isDone() { return true }
      let left = end - Self.now
      guard left > 0 else {
        // On a busy machine, what arrived in time may not have been read yet.
        for _ in 0..<16 where pump(milliseconds: 0) == 0 { break }
        return isDone()
      }
      if pump(milliseconds: Int32(min(left / 1_000_000 + 1, 10))) == 0, hasEnded {
        takeLastOutput()
        return isDone()
      }
    }
  }

  /// Runs until nothing was written for a while, which begins now at the earliest, or time is up.
  package func runUntilQuiet(forSeconds quiet: Double, limit: Double) {
    let start = elapsed
    run(forSeconds: limit) { isQuiet(forSeconds: quiet, since: start) }
  }

  /// Returns whether nothing was written for a while.
  ///
  /// On a busy machine, time in which nothing was read is not silence.
  ///
  /// - Parameters:
  ///   - quiet: The while, in seconds.
  ///   - start: When it begins at the earliest, in nanoseconds since the program was started.
  /// - Returns: Whether it was silent until now, or until output was last looked for.
  package func isQuiet(forSeconds quiet: Double, since start: Int64 = 0) -> Bool {
    lastSilence - max(chunks.last?.time ?? 0, start) > Int64(quiet * 1e9)
  }

  /// Sends a signal to the program.
  package func signal(_ number: Int32) { kill(process, number) }

  /// Reads a little of the program's output, as a slow link does, and responds as always.
  package func take(atMost limit: Int) { _ = pump(milliseconds: 0, limit: limit) }

  /// Reads input that the program has not read, as a shell would.
  package var unreadInput: [UInt8] { ends.takeUnreadInput() }

  /// Reads available output; returns the number of bytes.
  private func pump(milliseconds: Int32, limit: Int = 1 << 16) -> Int {
    sendDueInput()
    let isSending = queue.isDue(at: elapsed)
    let limitOfWait = queue.isEmpty ? milliseconds : min(milliseconds, 1)
    let isReady = ends.wait(milliseconds: limitOfWait, isSending: isSending)
    let bytes = isReady ? ends.read(atMost: limit) : []
    guard !bytes.isEmpty else {
      lastSilence = elapsed
      return 0
    }
    chunks.append(Chunk(time: elapsed, bytes: bytes))
    if answers { answer(bytes) }
    sendDueInput()
    return bytes.count
  }

  /// Reads the program's output from before its end, which may still arrive.
  ///
  /// A mark that is written after it shows when all of it has arrived.
  private func takeLastOutput() {
    guard !hasTakenLastOutput else { return }
    hasTakenLastOutput = true
    while pump(milliseconds: 0) > 0 {}
    let mark: [UInt8] = [0, 4, 0, 4, 0]
    let first = chunks.count
    guard ends.writeAsProgram(mark) else { return }
    let end = Self.now + 5_000_000_000
    while Self.now < end {
      _ = pump(milliseconds: 100)
      let last = chunks[first...].flatMap(\.bytes)
      guard let place = last.firstRange(of: mark) else { continue }
      let time = chunks[first].time
      chunks.removeSubrange(first...)
      let rest = Array(last[..<place.lowerBound] + last[place.upperBound...])
      if !rest.isEmpty { chunks.append(Chunk(time: time, bytes: rest)) }
      return
    }
  }

  private var hasEnded: Bool {
    if status != nil { return true }
    var code: Int32 = 0
    guard wait4(process, &code, WNOHANG, &usage) == process else { return false }
    status = code
    return true
  }

  /// Responds to the queries in some output, in order.
  private func answer(_ bytes: [UInt8]) {
    for question in scanner.sequences(in: bytes) {
      let reply = Array(reply(to: question).utf8)
      guard !reply.isEmpty else { continue }
      queue.append(reply, at: elapsed + model.delay, pieceSize: model.pieceSize)
    }
    pane.endRead(bytes, at: elapsed)
  }

  /// The responses of the model, with the current modes reported as on.
  private func reply(to question: String) -> String {
    guard let question = pane.passed(question, isInTmux: !model.outer.isEmpty) else { return "" }
    var reply = model.reply(to: question)
    if countsImages, pane.isLost(question) {
      reply = reply.replacing(";OK", with: ";ENOENT:no such image")
    }
    let name = question.dropFirst(3)
    guard question.hasPrefix("\u{1B}[?") else { return reply }
    if question.hasSuffix("h") { modes.insert(name.dropLast()) }
    if question.hasSuffix("l") { modes.remove(name.dropLast()) }
    return question.hasSuffix("$p") && modes.contains(name.dropLast(2))
      ? reply.replacing(";2$y", with: ";1$y") : reply
  }

  /// Sends what is due without waiting, so that output is read meanwhile.
  private func sendDueInput() {
    let now = elapsed
    while let bytes = queue.due(at: now) {
      guard let count = ends.send(bytes) else {
        // The program has closed the terminal.
        queue.removeAll()
        return
      }
      guard count > 0 else { return }
      queue.removeFirst(count)
    }
  }

  private static var now: Int64 { monotonic_nanoseconds() }
}

extension PseudoTerminalPair {
  /// The settings as bytes, to be compared.
  fileprivate var settingsBytes: [UInt8] { withUnsafeBytes(of: settings) { Array($0) } }
}
