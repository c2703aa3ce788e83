import Glibc
import PhotoGridCore

enum StandardStream {
  /// Writes all bytes to a descriptor, by default standard output.
  ///
  /// - Returns: Whether all bytes were written; if not, `errno` is set.
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
