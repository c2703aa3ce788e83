import Foundation
import Testing

/// Both ends of a pseudo-terminal: the test is the terminal, the session gets its path.
final class PseudoTerminal {
  /// What a program opens to be on this terminal.
  let path: String
  /// All that the program has written so far.
  private(set) var received = ""

  private let terminalEnd: Int32
  /// Kept open so that what was written stays readable after the program has closed its end.
  private let programEnd: Int32

  /// A terminal of the given size, with cells of 10 by 20 pixels.
  init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
    terminalEnd = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(terminalEnd >= 0)
    // TIOCSPTLCK and TIOCGPTN of Linux, which the Glibc module does not show.
    var (unlocked, number) = (0 as Int32, 0 as Int32)
    try #require(ioctl(terminalEnd, 0x4004_5431, &unlocked) == 0)
    try #require(ioctl(terminalEnd, 0x8004_5430, &number) == 0)
    path = "/dev/pts/\(number)"
    programEnd = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(programEnd >= 0)
    resize(columns: columns, rows: rows)
  }

  deinit {
    close(terminalEnd)
    close(programEnd)
  }

  func resize(columns: UInt16, rows: UInt16, cell: (width: UInt16, height: UInt16) = (10, 20)) {
    var size = winsize(
      ws_row: rows, ws_col: columns, ws_xpixel: columns &* cell.width,
      ws_ypixel: rows &* cell.height)
    _ = ioctl(programEnd, UInt(TIOCSWINSZ), &size)
  }

  /// Types, or answers.
  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(terminalEnd, bytes, bytes.count)
  }

  /// Answers later, meanwhile the program goes on.
  func send(_ text: String, afterMilliseconds delay: UInt32) {
    let bytes = Array(text.utf8)
    Thread.detachNewThread { [terminalEnd] in
      usleep(delay * 1000)
      _ = write(terminalEnd, bytes, bytes.count)
    }
  }

  /// Takes what the program writes until it contains a text, which has to come within 30 s.
  ///
  /// - Parameters:
  ///   - text: What is waited for; usually the fence behind a frame.
  ///   - writeOn: Called where the program writes only when asked to.
  /// - Returns: What was written since the last call.
  @discardableResult
  func receive(until text: String = "\u{1B}[5n", writeOn: () -> Void = {}) -> String {
    var bytes: [UInt8] = []
    let wanted = Array(text.utf8)
    while !bytes.contains(wanted) {
      writeOn()
      var request = pollfd(fd: terminalEnd, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, 30_000) > 0 else {
        Issue.record("\(text.debugDescription) did not come")
        break
      }
      var buffer = [UInt8](repeating: 0, count: 65536)
      let count = read(terminalEnd, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    let more = String(decoding: bytes, as: UTF8.self)
    received += more
    return more
  }

  /// The settings that a shell would find.
  var settings: Settings {
    var attributes = termios()
    tcgetattr(programEnd, &attributes)
    return Settings(
      input: attributes.c_iflag, output: attributes.c_oflag, control: attributes.c_cflag,
      local: attributes.c_lflag)
  }

  struct Settings: Equatable {
    var input, output, control, local: tcflag_t

    var isRaw: Bool { local & tcflag_t(ICANON | ECHO | ISIG) == 0 && output & tcflag_t(OPOST) == 0 }
  }

  /// How much was sent that a shell would find typed.
  var unreadByteCount: Int {
    var attributes = termios()
    tcgetattr(programEnd, &attributes)
    var raw = attributes
    cfmakeraw(&raw)
    tcsetattr(programEnd, TCSANOW, &raw)
    defer { tcsetattr(programEnd, TCSANOW, &attributes) }
    var count: Int32 = 0
    _ = ioctl(programEnd, UInt(FIONREAD), &count)
    return Int(count)
  }

  /// The private modes that are on after all that was written.
  var modesLeftOn: Set<Int> {
    var modes: Set<Int> = []
    for match in received.matches(of: /\u{1B}\[\?([0-9]+)([hl])/) {
      guard let mode = Int(match.1) else { continue }
      if match.2 == "h" { modes.insert(mode) } else { modes.remove(mode) }
    }
    // Wrapping, and the cursor, are on in a shell.
    return modes.subtracting([7, 25])
  }

  /// Whether the cursor was last shown rather than hidden.
  var showsCursor: Bool {
    let switches = received.matches(of: /\u{1B}\[\?25([hl])/).map(\.1)
    return switches.last.map { $0 == "h" } ?? true
  }
}
