import CLinux
import Glibc

/// Both ends of a pseudo-terminal: the owner plays the terminal, and a program opens its path.
package final class PseudoTerminalPair: Sendable {
  /// The path that a program opens to use this terminal.
  package let path: String

  /// The terminal's end.
  private let master: Int32
  /// Kept open so that output and settings can be read after the program has ended.
  private let slave: Int32

  /// Opens a terminal of the given size, with cells of the given size in pixels.
  package init(
    columns: Int, rows: Int, cell: (width: Int, height: Int) = (10, 20)
  ) throws(ChildProcess.Failure) {
    master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master)
    else {
      let words = String(cString: strerror(errno))
      throw ChildProcess.Failure(description: "no pseudo-terminal: \(words)")
    }
    path = String(cString: name)
    slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    resize(columns: columns, rows: rows, cell: cell)
  }

  deinit {
    close(slave)
    close(master)
  }

  /// Changes the terminal's size; the program gets SIGWINCH.
  package func resize(
    columns: Int, rows: Int, cell: (width: Int, height: Int) = (10, 20)
  ) {
    var size = winsize(
      ws_row: UInt16(clamping: rows), ws_col: UInt16(clamping: columns),
      ws_xpixel: UInt16(clamping: columns * cell.width),
      ws_ypixel: UInt16(clamping: rows * cell.height))
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  // MARK: - The terminal's end

  /// Waits until the program has written something, or reads input.
  ///
  /// - Parameters:
  ///   - milliseconds: How long to wait at most.
  ///   - isSending: Whether to wait for room for input too.
  /// - Returns: Whether the program has written something.
  package func wait(milliseconds: Int32, isSending: Bool = false) -> Bool {
    var request = pollfd(
      fd: master, events: Int16(isSending ? POLLIN | POLLOUT : POLLIN), revents: 0)
    return poll(&request, 1, milliseconds) > 0 && Int32(request.revents) & ~POLLOUT != 0
  }

  /// Reads the program's output; empty if there is none.
  package func read(atMost limit: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = max(Glibc.read(master, buffer.baseAddress, buffer.count), 0)
    }
  }

  /// Sends bytes to the program without waiting.
  ///
  /// - Returns: How many were accepted; nil if the program has closed the terminal.
  package func send(_ bytes: some Collection<UInt8>) -> Int? {
    // The kernel takes far less at once; megabytes that wait must not be copied each time.
    let bytes = Array(bytes.prefix(1 << 16))
    let count = write(master, bytes, bytes.count)
    return count > 0 ? count : errno == EAGAIN || bytes.isEmpty ? 0 : nil
  }

  // MARK: - The program's end

  /// Writes as a program on the terminal does.
  ///
  /// - Returns: Whether all bytes were accepted.
  package func writeAsProgram(_ bytes: [UInt8]) -> Bool {
    write(slave, bytes, bytes.count) == bytes.count
  }

  /// The terminal's current settings.
  package var settings: termios {
    var settings = termios()
    tcgetattr(slave, &settings)
    return settings
  }

  /// Reads input that no program has read, as a shell would.
  package func takeUnreadInput() -> [UInt8] {
    var settings = settings
    var raw = settings
    cfmakeraw(&raw)
    raw.c_cc.6 = 0  // VMIN: reading does not wait
    tcsetattr(slave, TCSANOW, &raw)
    defer { tcsetattr(slave, TCSANOW, &settings) }
    return [UInt8](unsafeUninitializedCapacity: 1 << 12) { buffer, count in
      count = max(Glibc.read(slave, buffer.baseAddress, buffer.count), 0)
    }
  }
}
