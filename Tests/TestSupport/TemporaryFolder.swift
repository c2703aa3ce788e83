import CLinux
import Glibc

/// A folder that is removed with everything in it.
package final class TemporaryFolder: Sendable {
  /// An absolute path without a slash at its end.
  package let path: String

  /// Creates an empty folder.
  package init() {
    var template = Array("/tmp/photogrid-test-XXXXXX".utf8CString)
    path = String(cString: mkdtemp(&template))
  }

  /// Creates an empty folder in another folder; nil if that is not possible.
  package init?(in folder: String) {
    var template = Array("\(folder)/photogrid-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { return nil }
    path = String(cString: made)
  }

  deinit { Self.remove(Array(path.utf8)) }

  /// The path of a name in the folder, in bytes.
  package func path(_ name: String) -> [UInt8] { Array("\(path)/\(name)".utf8) }

  /// Writes a file, creating its parent folders, and returns its path.
  @discardableResult
  package func write(_ bytes: [UInt8] = [], to name: [UInt8], mode: mode_t = 0o644) -> [UInt8] {
    let full = Array("\(path)/".utf8) + name
    for (index, byte) in full.enumerated() where byte == 0x2f && index > 0 {
      mkdir(cString(full[..<index]), 0o755)
    }
    let descriptor = open(cString(full[...]), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    precondition(descriptor >= 0 && Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    fchmod(descriptor, mode)
    close(descriptor)
    waitUntilUnwritten(full)
    return full
  }

  /// `F_SETLEASE` of Linux, which is not among the imported constants.
  private static let setLease: Int32 = 1024

  /// Waits until nobody can write to a file.
  ///
  /// A process that another test starts at this moment inherits the descriptor until it executes
  /// its program, and watchers of the file would see it closed only then.
  private func waitUntilUnwritten(_ path: [UInt8]) {
    let descriptor = open(cString(path[...]), O_RDONLY | O_CLOEXEC)
    // Some tests write files that cannot be read.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // A lease for reading is refused while someone has the file open for writing.
    while fcntl(descriptor, Self.setLease, F_RDLCK) != 0, errno == EAGAIN { usleep(200) }
    _ = fcntl(descriptor, Self.setLease, F_UNLCK)
  }

  /// Writes a file, creating its parent folders, and returns its path.
  @discardableResult
  package func write(_ bytes: [UInt8] = [], to name: String, mode: mode_t = 0o644) -> [UInt8] {
    write(bytes, to: Array(name.utf8), mode: mode)
  }

  private static func remove(_ path: [UInt8]) {
    if let stream = opendir(cString(path[...])) {
      while let entry = readdir(stream) {
        let name = entryName(entry)
        guard name != [0x2e], name != [0x2e, 0x2e] else { continue }
        let child = path + [0x2f] + name
        if Int(entry.pointee.d_type) == DT_DIR {
          remove(child)
        } else {
          unlink(cString(child[...]))
        }
      }
      closedir(stream)
    }
    rmdir(cString(path[...]))
  }
}

/// Bytes as a C string, with a terminating zero.
package func cString(_ bytes: ArraySlice<UInt8>) -> [CChar] {
  bytes.map { CChar(bitPattern: $0) } + [0]
}

/// The bytes of a file that exists.
package func contents(of path: String) -> [UInt8] {
  let descriptor = open(path, O_RDONLY)
  precondition(descriptor >= 0, "\(path) cannot be opened")
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(descriptor, &piece, piece.count)
    guard count > 0 else { return bytes }
    bytes += piece[..<count]
  }
}

/// The name of an entry of a folder.
package func entryName(_ entry: UnsafePointer<dirent>) -> [UInt8] {
  let start = folder_entry_name(entry)
  return Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
}
