import Geometry
import Glibc
import TerminalIO

/// The process's environment variables and terminal.
enum ProcessContext {
  static var terminal: TerminalEnvironment {
    let variables = environment
    let colors = Terminfo.colors(of: variables["TERM"] ?? "")
    return TerminalEnvironment(
      variables: variables,
      isUTF8: String(cString: nl_langinfo(nl_item(CODESET))) == "UTF-8",
      terminfoColors: colors.count, hasDirectColorEntry: colors.isDirect)
  }

  /// The size of the terminal on one of the standard streams; nil if none is a terminal.
  static var window: WindowSize? {
    for descriptor in [STDOUT_FILENO, STDIN_FILENO, STDERR_FILENO] {
      var size = winsize()
      guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
      else { continue }
      return WindowSize(
        cells: CellSize(columns: Int(size.ws_col), rows: Int(size.ws_row)),
        pixels: PixelSize(width: Double(size.ws_xpixel), height: Double(size.ws_ypixel)))
    }
    return nil
  }

  /// The size of a cell in pixels, from the system or else from the terminal; a common size if both
  /// do not report it.
  static var cell: PixelSize {
    let window = window
    let measurement = CellMeasurement(TerminalResponses(), window: window ?? .unknown)
    let environment = terminal
    guard measurement.source == .assumption, window != nil, !environment.queries.policy.isMinimal
    else { return measurement.cell }
    return TerminalExamination(environment, window: window).capabilities.measurement.cell
  }

  static var environment: [String: String] {
    var result: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1)
      if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return result
  }
}

/// The limit of the stack's size, which the shell may have set below what the program needs.
enum StackSize {
  /// The stack that the program needs, in bytes.
  private static let needed: rlim_t = 1 << 20

  /// Raises the limit as far as the system allows.
  ///
  /// - Returns: A message for the user if the limit is still too low; nil otherwise.
  static func ensure() -> String? {
    var limits = rlimit()
    let stack = __rlimit_resource_t(RLIMIT_STACK.rawValue)
    guard getrlimit(stack, &limits) == 0, limits.rlim_cur < needed else { return nil }
    limits.rlim_cur = min(needed, limits.rlim_max)
    if limits.rlim_cur == needed, setrlimit(stack, &limits) == 0 { return nil }
    return "the stack is limited to \(limits.rlim_max >> 10) kB but needs \(needed >> 10) kB; "
      + "see ulimit -s"
  }
}

enum StandardStream {
  /// Takes the numbers of closed standard streams, so that no file that the program opens gets one of
  /// them, and what is meant for the stream.
  ///
  /// Reading and writing there fail, as they would if the streams were still closed.
  static func occupy() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  @discardableResult
  static func write(_ bytes: [UInt8], to descriptor: Int32 = STDOUT_FILENO) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
        continue
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Writes the program's output to standard output.
  ///
  /// Ends the program silently if the reader has closed its end, as `head` does.
  ///
  /// - Throws: `CommandFailure` with the system's error message.
  static func deliver(_ bytes: [UInt8]) throws(CommandFailure) {
    guard !write(bytes) else { return }
    let code = errno
    if code == EPIPE { exit(ExitStatus.done.code) }
    throw CommandFailure(
      "standard output: \(String(cString: strerror(code)))", status: .nothingShown)
  }

  /// Writes the program's output as text to standard output.
  ///
  /// - Throws: `CommandFailure` with the system's error message.
  static func deliver(_ text: String) throws(CommandFailure) { try deliver(Array(text.utf8)) }

  /// Prints an error message as a line to standard error: `photogrid: what: why`.
  static func printError(_ message: String) {
    write(Array("photogrid: \(CellText(message).string)\n".utf8), to: STDERR_FILENO)
  }
}
