import Glibc

/// The worker's end of the socket pair; blocking, since there is nothing else to do.
package struct Channel {
  /// What to poll for requests.
  package let descriptor: Int32

  /// The descriptor that a worker is started with its end at.
  package static let inherited: Int32 = 0

  /// Whether the program was started as a worker: with a socket in place of standard input.
  package static var isInherited: Bool {
    var status = stat()
    return fstat(inherited, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  /// The socket of a descriptor.
  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Sends everything, or ends the process if nobody is there to take it.
  package func send(_ bytes: [UInt8]) {
    if !offer(bytes) { exit(0) }
  }

  /// Sends everything; false if nobody is there to take it.
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

  /// Waits for bytes; returns how many came, 0 or less at the end.
  package func receive(into piece: inout [UInt8]) -> Int {
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }
}
