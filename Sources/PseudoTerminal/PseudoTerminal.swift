import CLinux
import Glibc

/// A pseudo-terminal with a program in it: what benchmarks and end-to-end tests hold in place of a
/// person's terminal.
///
/// It takes what the program writes as fast as it can and answers the questions that terminals
/// answer.
package final class PseudoTerminal {
  /// Something the program wrote, and when.
  package struct Chunk: Sendable {
    /// Nanoseconds on the monotonic clock since the program was started.
    package var time: Int64
    package var bytes: [UInt8]
  }

  /// The program's process, which leads a session of its own.
  package let process: pid_t
  /// The terminal's settings before the program was started; compare with `settings`.
  package let settingsBefore: [UInt8]
  /// Everything written so far.
  package private(set) var chunks: [Chunk] = []
  /// How the program ended, as `waitpid` reports it; nil while it runs.
  package private(set) var status: Int32?
  /// What the program and the children it waited for used; complete once it ended.
  package private(set) var usage = rusage()
  /// Whether questions are answered.
  package var answers = true
  /// How they are answered.
  package var model = TerminalModel.modest

  private let master: Int32
  private let slave: Int32
  private let start: Int64
  private var scanner = SequenceScanner()
  /// Private modes that the program has switched on.
  private var modes: Set<Substring> = []
  /// Answers on their way, the earliest first, each with when it is due.
  private var letters: [(due: Int64, bytes: [UInt8])] = []

  /// Starts a program on a terminal of its own.
  ///
  /// - Parameters:
  ///   - arguments: The program and what it gets; found by `PATH`.
  ///   - columns: Width in text cells of 10 by 20 pixels.
  ///   - rows: Height in text cells.
  ///   - environment: Variables that differ from this process's; an empty value unsets.
  /// - Throws: `ChildProcess.Failure` with what the system said.
  package init(
    _ arguments: [String], columns: Int, rows: Int, environment: [String: String] = [:]
  ) throws(ChildProcess.Failure) {
    master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master)
    else {
      let words = String(cString: strerror(errno))
      throw ChildProcess.Failure(description: "no pseudo-terminal: \(words)")
    }
    let path = String(cString: name)
    // Kept open so that what the program leaves behind can still be read, and settings looked at.
    slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: UInt16(columns * 10),
      ws_ypixel: UInt16(rows * 20))
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    settingsBefore = Self.settings(of: slave)

    var variables = ["TERM": "xterm-256color", "COLORTERM": "truecolor", "TMUX": ""]
    variables.merge(environment) { $1 }
    start = Self.now
    process = try ChildProcess.start(arguments, .terminal(path), environment: variables)
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    close(slave)
    close(master)
  }

  /// Nanoseconds since the program was started.
  package var elapsed: Int64 { Self.now - start }

  /// All bytes written so far.
  package var output: [UInt8] { chunks.flatMap(\.bytes) }

  /// Types bytes as a person or a mouse would send them; what the program does not take within
  /// five seconds is lost.
  package func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      if count < 0, errno == EAGAIN {
        var request = pollfd(fd: master, events: Int16(POLLOUT), revents: 0)
        guard poll(&request, 1, 5000) > 0 else { return }
        continue
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Types text.
  package func send(_ text: String) { send(Array(text.utf8)) }

  /// Gives the terminal another size; the program is told by SIGWINCH.
  package func resize(columns: Int, rows: Int) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: UInt16(clamping: columns * 10),
      ws_ypixel: UInt16(clamping: rows * 20))
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// The terminal's settings now.
  package var settings: [UInt8] { Self.settings(of: slave) }

  private static func settings(of terminal: Int32) -> [UInt8] {
    var settings = termios()
    tcgetattr(terminal, &settings)
    return withUnsafeBytes(of: &settings) { Array($0) }
  }

  /// Takes output and answers until a condition holds, the program ends or time is up.
  ///
  /// - Returns: Whether the condition holds.
  @discardableResult
  package func run(forSeconds limit: Double, until isDone: () -> Bool = { false }) -> Bool {
    let end = Self.now + Int64(limit * 1e9)
    while true {
      if isDone() { return true }
      let left = end - Self.now
      guard left > 0 else { return false }
      if pump(milliseconds: Int32(min(left / 1_000_000 + 1, 10))) == 0, hasEnded {
        return isDone()
      }
    }
  }

  /// Runs until nothing was written for a while, or time is up.
  package func runUntilQuiet(forSeconds quiet: Double, limit: Double) {
    run(forSeconds: limit) {
      elapsed - (chunks.last?.time ?? 0) > Int64(quiet * 1e9)
    }
  }

  /// Sends a signal to the program.
  package func signal(_ number: Int32) { kill(process, number) }

  /// Takes a little of what the program wrote, as a slow line does; answers as ever.
  package func take(atMost limit: Int) { _ = pump(milliseconds: 0, limit: limit) }

  /// What was sent and the program did not read: a shell would take it for typed.
  package var unreadInput: [UInt8] {
    var settings = termios()
    tcgetattr(slave, &settings)
    var raw = settings
    cfmakeraw(&raw)
    raw.c_cc.6 = 0  // VMIN: reading does not wait
    tcsetattr(slave, TCSANOW, &raw)
    defer { tcsetattr(slave, TCSANOW, &settings) }
    return [UInt8](unsafeUninitializedCapacity: 1 << 12) { buffer, count in
      count = max(read(slave, buffer.baseAddress, buffer.count), 0)
    }
  }

  /// Reads what is there; returns how many bytes.
  private func pump(milliseconds: Int32, limit: Int = 1 << 16) -> Int {
    sendDueLetters()
    var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, letters.isEmpty ? milliseconds : min(milliseconds, 1)) > 0 else {
      return 0
    }
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = max(read(master, buffer.baseAddress, buffer.count), 0)
    }
    guard !bytes.isEmpty else { return 0 }
    chunks.append(Chunk(time: elapsed, bytes: bytes))
    if answers { answer(bytes) }
    sendDueLetters()
    return bytes.count
  }

  private var hasEnded: Bool {
    if status != nil { return true }
    var code: Int32 = 0
    guard wait4(process, &code, WNOHANG, &usage) == process else { return false }
    status = code
    return true
  }

  /// Answers the questions in what was written, in their order.
  private func answer(_ bytes: [UInt8]) {
    for question in scanner.sequences(in: bytes) {
      let reply = Array(reply(to: question).utf8)
      guard !reply.isEmpty else { continue }
      let size = model.pieceSize ?? reply.count
      var due = max(elapsed + model.delay, letters.last?.due ?? 0)
      for start in stride(from: 0, to: reply.count, by: size) {
        letters.append((due, Array(reply[start..<min(start + size, reply.count)])))
        if model.pieceSize != nil { due += 2_000_000 }
      }
    }
  }

  /// What the model answers, with the modes that are on reported as such.
  private func reply(to question: String) -> String {
    let reply = model.reply(to: question)
    let name = question.dropFirst(3)
    guard question.hasPrefix("\u{1B}[?") else { return reply }
    if question.hasSuffix("h") { modes.insert(name.dropLast()) }
    if question.hasSuffix("l") { modes.remove(name.dropLast()) }
    return question.hasSuffix("$p") && modes.contains(name.dropLast(2))
      ? reply.replacing(";2$y", with: ";1$y") : reply
  }

  private func sendDueLetters() {
    let now = elapsed
    while let letter = letters.first, letter.due <= now {
      // Not waiting, so that what the program writes meanwhile is read.
      let count = letter.bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      guard count == letter.bytes.count || count < 0 && errno != EAGAIN else {
        letters[0].bytes.removeFirst(max(count, 0))
        return
      }
      letters.removeFirst()
    }
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
