import Foundation
import PseudoTerminal
import Testing

/// A terminal for a session in this process; the test plays the terminal.
final class SessionTerminal {
  /// The path that a program opens to use this terminal.
  var path: String { ends.path }
  /// All bytes that the program has written.
  private(set) var received = ""

  private let ends: PseudoTerminalPair

  /// Creates a terminal of the given size, with cells of 10 by 20 pixels.
  init(columns: Int = 80, rows: Int = 24) throws {
    ends = try PseudoTerminalPair(columns: columns, rows: rows)
  }

  func resize(columns: Int, rows: Int, cell: (width: Int, height: Int) = (10, 20)) {
    ends.resize(columns: columns, rows: rows, cell: cell)
  }

  /// Sends keys or responses, fewer bytes than the system buffers for a terminal.
  func send(_ text: String) { _ = ends.send(text.utf8) }

  /// Sends keys or responses after a delay, while the program continues.
  func send(_ text: String, afterMilliseconds delay: UInt32) {
    Thread.detachNewThread { [ends] in
      usleep(delay * 1000)
      _ = ends.send(text.utf8)
    }
  }

  /// Reads output of the program until it contains a text, for at most 30 s.
  ///
  /// - Parameters:
  ///   - text: The text to wait for; usually the fence after a frame.
  ///   - writeOn: Called repeatedly, for a program that writes only when asked to.
  /// - Returns: The output since the last call.
  @discardableResult
  func receive(until text: String = "\u{1B}[5n", writeOn: () -> Void = {}) -> String {
    var bytes: [UInt8] = []
    let wanted = Array(text.utf8)
    while !bytes.contains(wanted) {
      writeOn()
      guard ends.wait(milliseconds: 30_000) else {
        Issue.record("\(text.debugDescription) did not come")
        break
      }
      let more = ends.read(atMost: 65_536)
      guard !more.isEmpty else { break }
      bytes += more
    }
    let more = String(decoding: bytes, as: UTF8.self)
    received += more
    return more
  }

  /// The terminal's settings.
  var settings: Settings {
    let attributes = ends.settings
    return Settings(
      input: attributes.c_iflag, output: attributes.c_oflag, control: attributes.c_cflag,
      local: attributes.c_lflag)
  }

  struct Settings: Equatable {
    var input, output, control, local: tcflag_t

    var isRaw: Bool { local & tcflag_t(ICANON | ECHO | ISIG) == 0 && output & tcflag_t(OPOST) == 0 }
  }

  /// Returns the number of bytes that a shell would read as input, and drops them.
  var unreadByteCount: Int { ends.takeUnreadInput().count }

  /// The private modes that are on after all output.
  var modesLeftOn: Set<Int> {
    var modes: Set<Int> = []
    for match in received.matches(of: /\u{1B}\[\?([0-9]+)([hl])/) {
      guard let mode = Int(match.1) else { continue }
      if match.2 == "h" { modes.insert(mode) } else { modes.remove(mode) }
    }
    // A shell starts with wrapping and a visible cursor.
    return modes.subtracting([7, 25])
  }

  /// Whether the output showed the cursor last, rather than hid it.
  var showsCursor: Bool {
    let switches = received.matches(of: /\u{1B}\[\?25([hl])/).map(\.1)
    return switches.last.map { $0 == "h" } ?? true
  }
}
