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

  /// What may still be there, oldest first.
  private var objects: [Object] = []

  /// A terminal that has not taken an object so many objects later never will.
  private static let keptCount = 512

  /// Nothing handed over yet.
  package init() {}

  deinit { removeAll() }

  /// Puts bytes into a new object of shared memory.
  ///
  /// - Returns: Its name; nil where it could not be made.
  package func addSharedMemory(_ bytes: [UInt8]) -> [UInt8]? {
    // Short, as some systems take 31 characters at most.
    let name = "/photogrid-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
    let descriptor = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0o600)
    guard descriptor >= 0, fill(descriptor, with: bytes, as: .memory(name)) else { return nil }
    return Array(name.utf8)
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
      let path = template.dropLast().map { UInt8(bitPattern: $0) }
      let object = Object.file(String(decoding: path, as: UTF8.self))
      if descriptor >= 0, fill(descriptor, with: bytes, as: object) { return path }
    }
    return nil
  }

  /// Removes whatever the terminal has left.
  package func removeAll() {
    for object in objects { remove(object) }
    objects = []
  }

  /// Writes all of an object and closes it; removes it where that fails.
  private func fill(_ descriptor: Int32, with bytes: [UInt8], as object: Object) -> Bool {
    defer { close(descriptor) }
    var start = 0
    while start < bytes.count {
      let written = bytes.withUnsafeBytes {
        write(descriptor, $0.baseAddress?.advanced(by: start), bytes.count - start)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        remove(object)
        return false
      }
      start += written
    }
    objects.append(object)
    if objects.count > Self.keptCount { remove(objects.removeFirst()) }
    return true
  }

  private func remove(_ object: Object) {
    switch object {
    case .memory(let name): shm_unlink(name)
    case .file(let path): unlink(path)
    }
  }
}
