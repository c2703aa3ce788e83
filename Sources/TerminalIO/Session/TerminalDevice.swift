import CLinux
import CTerminalRestore
import Geometry
import Glibc

struct TerminalDevice {
  /// The descriptor for reading and settings.
  let control: Int32
  /// The descriptor for writing, which does not block.
  ///
  /// It is opened separately because `O_NONBLOCK` belongs to the open file description, which the
  /// other descriptor would share with the shell.
  let output: Int32

  /// Opens the terminal at a path.
  ///
  /// - Throws: `TerminalError.noControllingTerminal`, or `.failed` with the `errno`.
  init(path: String) throws(TerminalError) {
    let control = movedAboveStandard(open(path, O_RDWR | O_NOCTTY | O_CLOEXEC))
    guard control >= 0 else {
      throw errno == ENXIO || errno == ENOENT
        ? .noControllingTerminal : .failed("opening \(path)", code: errno)
    }
    let output = movedAboveStandard(open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK))
    guard output >= 0 else {
      let code = errno
      Glibc.close(control)
      throw .failed("opening \(path)", code: code)
    }
    (self.control, self.output) = (control, output)
  }

  func window() -> WindowSize {
    var size = winsize()
    guard ioctl(control, UInt(TIOCGWINSZ), &size) == 0 else { return .unknown }
    return WindowSize(
      cells: CellSize(columns: Int(size.ws_col), rows: Int(size.ws_row)),
      pixels: PixelSize(width: Double(size.ws_xpixel), height: Double(size.ws_ypixel)))
  }

  /// Whether this process is in the terminal's foreground, and may read its input.
  var isInForeground: Bool { tcgetpgrp(control) == getpgrp() }

  /// Reads available input.
  ///
  /// - Returns: The bytes; empty if none has arrived, or the terminal was closed.
  func read(atMost limit: Int, milliseconds: Int32) -> [UInt8] {
    var request = pollfd(fd: control, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, milliseconds) > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = max(Glibc.read(control, buffer.baseAddress, buffer.count), 0)
    }
  }

  func isHungUp() -> Bool {
    var request = pollfd(fd: control, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 0) > 0 else { return false }
    return Int32(request.revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
  }

  /// Waits until `isDone` returns true, the time has passed or the terminal was closed.
  ///
  /// `isDone` is called first and whenever the terminal is ready.
  ///
  /// - Parameters:
  ///   - seconds: The longest time to wait.
  ///   - isWriting: Returns whether to wait for room for output too, not only for input.
  ///   - isDone: Returns whether to stop; its argument is the current time.
  func wait(atMost seconds: Double, isWriting: () -> Bool, until isDone: (Instant) -> Bool) {
    let end = Self.now().advanced(bySeconds: seconds)
    while true {
      let now = Self.now()
      if isDone(now) || now >= end { return }
      var requests = [pollfd(fd: control, events: Int16(POLLIN), revents: 0)]
      if isWriting() { requests.append(pollfd(fd: output, events: Int16(POLLOUT), revents: 0)) }
      let milliseconds = Int32((end.seconds(since: now) * 1000).rounded(.up))
      poll(&requests, nfds_t(requests.count), max(1, milliseconds))
      let failures = Int16(POLLHUP | POLLERR | POLLNVAL)
      if requests.contains(where: { $0.revents & failures != 0 }) { return }
    }
  }

  /// Writes as many of the bytes as the terminal accepts within a number of seconds.
  func write(_ bytes: [UInt8], atMost seconds: Double) {
    var start = 0
    let end = Self.now().advanced(bySeconds: seconds)
    while start < bytes.count {
      let written = bytes.withUnsafeBytes {
        Glibc.write(output, $0.baseAddress?.advanced(by: start), bytes.count - start)
      }
      if written > 0 {
        start += written
        continue
      }
      guard written == 0 || errno == EAGAIN || errno == EINTR else { return }
      let left = end.seconds(since: Self.now())
      guard left > 0 else { return }
      var request = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
      poll(&request, 1, max(1, Int32((left * 1000).rounded(.up))))
    }
  }

  /// Drops output that the terminal has not read yet.
  ///
  /// The terminal may already have read half of a control sequence.
  func discardUnread() { tcflush(output, TCOFLUSH) }

  func close() {
    Glibc.close(control)
    Glibc.close(output)
  }

  static func now() -> Instant { Instant(nanoseconds: monotonic_nanoseconds()) }
}

/// Duplicates a descriptor to a number above the three standard ones, with close-on-exec set.
///
/// - Returns: The new descriptor; -1 if there is none left.
func duplicate(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }

/// Moves a descriptor above the three standard ones, if it is one of them.
///
/// `open` returns such a number if the program was started with a standard descriptor closed.
///
/// - Returns: The new descriptor, or the same one if it was not moved; -1 if there is none left.
func movedAboveStandard(_ descriptor: Int32) -> Int32 {
  guard (0...2).contains(descriptor) else { return descriptor }
  defer { close(descriptor) }
  return duplicate(descriptor)
}

/// Creates an empty file in memory, which has no path (`memfd_create`).
///
/// - Returns: Its descriptor; -1 if it could not be created.
func openMemoryFile(_ name: String) -> Int32 {
  movedAboveStandard(terminal_restore_memory_file(name))
}
