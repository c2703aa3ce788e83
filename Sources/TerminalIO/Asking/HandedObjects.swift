import Glibc

/// Pixels put where a terminal on this machine finds them by name, for kitty's graphics protocol:
/// in shared memory, or in files.
///
/// The terminal removes what it has read. What is left, because it did not, goes with this.
package final class HandedObjects {
  private enum Object {
    case memory(String)
    case file(String)
  }

  private var objects: [Object] = []
  private var count = 0

  /// Nothing handed over yet.
  package init() {}

  deinit { removeAll() }

  /// Puts bytes into a new object of shared memory.
  ///
  /// - Returns: Its name; nil where it could not be made.
  package func addSharedMemory(_ bytes: [UInt8]) -> [UInt8]? {
    count += 1
    // Short, as some systems take 31 characters at most.
    let name = "/photogrid-ask-\(getpid())-\(count)"
    let descriptor = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0o600)
    guard descriptor >= 0 else { return nil }
    objects.append(.memory(name))
    return fill(descriptor, with: bytes) ? Array(name.utf8) : nil
  }

  /// Puts bytes into a new file.
  ///
  /// - Returns: Its path; nil where it could not be made.
  package func addFile(_ bytes: [UInt8]) -> [UInt8]? {
    // Terminals remove files in a temporary folder only, and of this name only. Of those folders
    // the first is in memory.
    for folder in ["/dev/shm", "/tmp"] {
      var template = Array("\(folder)/photogrid-tty-graphics-protocol-XXXXXX".utf8CString)
      let descriptor = mkstemp(&template)
      guard descriptor >= 0 else { continue }
      let path = template.dropLast().map { UInt8(bitPattern: $0) }
      objects.append(.file(String(decoding: path, as: UTF8.self)))
      return fill(descriptor, with: bytes) ? path : nil
    }
    return nil
  }

  /// Removes whatever the terminal has left.
  package func removeAll() {
    for object in objects {
      switch object {
      case .memory(let name): shm_unlink(name)
      case .file(let path): unlink(path)
      }
    }
    objects = []
  }

  /// Writes all of it and closes the descriptor.
  private func fill(_ descriptor: Int32, with bytes: [UInt8]) -> Bool {
    defer { close(descriptor) }
    var start = 0
    while start < bytes.count {
      let written = bytes.withUnsafeBytes {
        write(descriptor, $0.baseAddress?.advanced(by: start), bytes.count - start)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      start += written
    }
    return true
  }
}
