import Glibc
import PhotoGridCore

/// How the program ends.
enum ExitStatus: Equatable {
  case done
  case nothingShown
  case badOption
  case noTerminal
  case signal(Int32)

  /// The number that the shell sees.
  var code: Int32 {
    switch self {
    case .done: 0
    case .nothingShown: 1
    case .badOption: 2
    case .noTerminal: 3
    case .signal(let number): 128 + number
    }
  }
}

/// Why the program cannot do what it was asked for.
struct CommandFailure: Error {
  /// What and why, printable, without the program's name.
  let message: String
  let status: ExitStatus

  /// A failure with its message and the status to end with.
  init(_ message: String, status: ExitStatus) {
    self.message = message
    self.status = status
  }
}

/// The standard streams of the process.
enum StandardStream {
  /// Writes all bytes to a descriptor, standard output unless told otherwise.
  ///
  /// - Returns: Whether somebody took them; `errno` says why not.
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

  /// Writes what was asked for to standard output.
  ///
  /// A reader that has gone away, as `head` does, ends the program without a word.
  ///
  /// - Throws: Why it could not be written.
  static func deliver(_ bytes: [UInt8]) throws(CommandFailure) {
    guard !write(bytes) else { return }
    let code = errno
    if code == EPIPE { exit(ExitStatus.done.code) }
    throw CommandFailure(
      "standard output: \(String(cString: strerror(code)))", status: .nothingShown)
  }

  /// Writes text that was asked for to standard output.
  ///
  /// - Throws: Why it could not be written.
  static func deliver(_ text: String) throws(CommandFailure) { try deliver(Array(text.utf8)) }

  /// Writes a line for a person to standard error: `photogrid: what: why`.
  static func complain(_ message: String) {
    write(Array("photogrid: \(CellText(message).string)\n".utf8), to: STDERR_FILENO)
  }
}
