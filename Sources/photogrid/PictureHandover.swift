import Glibc
import SceneRendering

/// Gives pictures to a terminal on this machine by name, and removes in the end what the terminal
/// did not.
final class PictureHandover {
  /// What may still be there, oldest first.
  private var names: [(medium: KittyMedium, name: String)] = []
  private var count = 0

  /// A terminal that has not taken a picture so many pictures later never will.
  private static let keptNames = 512

  deinit { for entry in names { Self.remove(entry.name, entry.medium) } }

  /// Puts bytes into a new object of shared memory or a new temporary file.
  ///
  /// - Returns: Its name; nil where that failed.
  func give(_ bytes: [UInt8], _ medium: KittyMedium) -> [UInt8]? {
    count += 1
    let name: String
    switch medium {
    case .sharedMemory: name = "/photogrid-\(getpid())-\(count)"
    // The terminal only removes files with these words in their path.
    case .temporaryFile: name = "/tmp/tty-graphics-protocol-photogrid-\(getpid())-\(count)"
    case .direct: return nil
    }
    let flags = O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC
    let file = medium == .sharedMemory ? shm_open(name, flags, 0o600) : open(name, flags, 0o600)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard Self.write(bytes, to: file) else {
      Self.remove(name, medium)
      return nil
    }
    names.append((medium, name))
    if names.count > Self.keptNames {
      let oldest = names.removeFirst()
      Self.remove(oldest.name, oldest.medium)
    }
    return Array(name.utf8)
  }

  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count {
        let written = Glibc.write(file, bytes.baseAddress?.advanced(by: start), bytes.count - start)
        guard written > 0 else {
          if written < 0, errno == EINTR { continue }
          return false
        }
        start += written
      }
      return true
    }
  }

  private static func remove(_ name: String, _ medium: KittyMedium) {
    _ = medium == .sharedMemory ? shm_unlink(name) : unlink(name)
  }
}
