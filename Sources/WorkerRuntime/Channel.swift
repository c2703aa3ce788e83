import Glibc
import WorkerProtocol

/// The worker's end of the socket pair; its calls block.
package struct Channel {
  package let descriptor: Int32

  /// The channel of a worker process: the socket in place of its standard input.
  package static let inherited = Channel(0)

  /// The in-memory file in place of standard output in which the program leaves requests when it
  /// ends; nil if there is none.
  package static var rest: Channel? {
    var status = stat()
    guard fstat(STDOUT_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Channel(STDOUT_FILENO)
  }

  /// Whether the process was started as a worker, with a socket in place of standard input.
  package static var isInherited: Bool {
    var status = stat()
    return fstat(inherited.descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  /// Creates a channel over an open descriptor, which stays open.
  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Sends the greeting.
  ///
  /// Errors are ignored: a closed connection is noticed when the first request is read.
  package func greet() { offer(Hello.current) }

  /// Sends a message, or ends the process if the program has closed its end.
  package func send(_ message: some WireMessage, token: UInt32 = 0) {
    if !offer(message, token: token) { exit(0) }
  }

  /// Sends a message.
  ///
  /// - Returns: Whether the program still has its end open.
  @discardableResult
  package func offer(_ message: some WireMessage, token: UInt32 = 0) -> Bool {
    let (head, tail) = message.frame(token: token)
    return offer(head) && offer(tail)
  }

  package func send(_ bytes: [UInt8]) {
    if !offer(bytes) { exit(0) }
  }

  package func offer(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = write(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
        if count > 0 {
          sent += count
        } else if errno != EINTR {
          return false
        }
      }
      return true
    }
  }

  /// Blocks until bytes arrive.
  ///
  /// - Returns: The number of bytes that arrived; 0 or less at the end of the connection.
  package func receive(into piece: inout [UInt8]) -> Int {
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }
}
