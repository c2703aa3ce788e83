import Glibc
import PhotoGridCore

/// The terminal's two open file descriptions.
struct TerminalDevice {
  /// For reading and settings.
  let control: Int32
  /// For writing, without blocking.
  ///
  /// One of its own, as not to block is a property of the description, which would otherwise be
  /// shared with the shell.
  let output: Int32

  /// Opens the terminal at a path.
  init(path: String) throws(TerminalError) {
    let control = raised(open(path, O_RDWR | O_NOCTTY | O_CLOEXEC))
    guard control >= 0 else {
      throw errno == ENXIO || errno == ENOENT
        ? .noControllingTerminal : .failed("opening \(path)", code: errno)
    }
    let output = raised(open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK))
    guard output >= 0 else {
      let code = errno
      Glibc.close(control)
      throw .failed("opening \(path)", code: code)
    }
    (self.control, self.output) = (control, output)
  }

  /// What the system tells of the terminal's size.
  func window() -> WindowSize {
    var size = winsize()
    guard ioctl(control, UInt(TIOCGWINSZ), &size) == 0 else { return .unknown }
    return WindowSize(
      cells: CellSize(columns: Int(size.ws_col), rows: Int(size.ws_row)),
      pixels: PixelSize(width: Double(size.ws_xpixel), height: Double(size.ws_ypixel)))
  }

  /// Whether the terminal's input is this process's at present, rather than that of a job in the
  /// foreground.
  var isInForeground: Bool { tcgetpgrp(control) == getpgrp() }

  /// Reads what has arrived.
  ///
  /// - Parameters:
  ///   - limit: The most bytes to read.
  ///   - milliseconds: How long to wait if there is nothing.
  /// - Returns: The bytes; none if nothing has arrived, or nothing will any more.
  func read(atMost limit: Int, milliseconds: Int32) -> [UInt8] {
    var request = pollfd(fd: control, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, milliseconds) > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = max(Glibc.read(control, buffer.baseAddress, buffer.count), 0)
    }
  }

  /// Whether the other side is closed.
  func isHungUp() -> Bool {
    var request = pollfd(fd: control, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 0) > 0 else { return false }
    return Int32(request.revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
  }

  /// Calls `isDone` at once and whenever the terminal is ready, until it is or the time is up.
  ///
  /// - Parameters:
  ///   - seconds: The time there is.
  ///   - isWriting: Whether the terminal taking bytes is waited for, beside its sending some.
  ///   - isDone: What is waited for; gets the present time.
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

  /// Writes all of it, or as much as the terminal takes in the given seconds.
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

  /// Drops what was written and not yet read by the terminal; it may have read half a sequence.
  func discardUnread() { tcflush(output, TCOFLUSH) }

  func close() {
    Glibc.close(control)
    Glibc.close(output)
  }

  static func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
