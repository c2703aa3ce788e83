import Glibc

/// Pixels that a terminal on this machine reads by name, as kitty's graphics protocol allows:
/// objects of shared memory, and files.
///
/// The terminal removes the objects that it has read; this object's deinitializer removes the
/// others.
package final class TransferObjects {
  private enum Object {
    case memory(String)
    case file(String)
  }

  /// The objects that may still exist, oldest first.
  private var objects: [Object] = []

  /// The most objects kept: a terminal that has not read an object after so many others never will.
  private static let maxCount = 512

  package init() {}

  deinit { removeAll() }

  package func addSharedMemory(_ bytes: [UInt8]) -> [UInt8]? {
    // Short, as some systems take 31 characters at most.
    let name = "/photogrid-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
    let descriptor = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0o600)
    guard descriptor >= 0, fill(descriptor, with: bytes, as: .memory(name)) else { return nil }
    return Array(name.utf8)
  }

  package func addFile(_ bytes: [UInt8]) -> [UInt8]? {
    // Terminals only remove files in temporary folders whose names contain "tty-graphics-protocol".
    // The first folder is in memory.
    for folder in ["/dev/shm", "/tmp"] {
      var template = Array("\(folder)/photogrid-tty-graphics-protocol-XXXXXX".utf8CString)
      let descriptor = mkstemp(&template)
      let path = template.dropLast().map { UInt8(bitPattern: $0) }
      let object = Object.file(String(decoding: path, as: UTF8.self))
      if descriptor >= 0, fill(descriptor, with: bytes, as: object) { return path }
    }
    return nil
  }

  package func removeAll() {
    for object in objects { remove(object) }
    objects = []
  }

  /// Writes an object and closes it; removes it if that fails.
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
    if objects.count > Self.maxCount { remove(objects.removeFirst()) }
    return true
  }

  private func remove(_ object: Object) {
    switch object {
    case .memory(let name): shm_unlink(name)
    case .file(let path): unlink(path)
    }
  }
}
