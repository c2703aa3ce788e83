import CLinux
import Glibc
import Photos

package struct SidecarFile {
  /// Belongs to whoever holds this value.
  package let descriptor: Int32
  package let stamp: FileStamp

  /// Opens the first sidecar that a photo has; nil if it has none, or that cannot be read.
  ///
  /// A named pipe or a device is not even opened.
  ///
  /// - Parameters:
  ///   - path: The path of the photo.
  ///   - folder: The descriptor of the folder from which the path leads.
  package init?(ofPhoto path: [UInt8], in folder: Int32 = AT_FDCWD) {
    for path in Sidecar.paths(ofPhoto: path) {
      let path = path.terminated
      var status = stat()
      guard fstatat(folder, path, &status, 0) == 0 else { continue }
      guard status.st_mode & S_IFMT == S_IFREG,
        case let opened = openat(folder, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY),
        opened >= 0
      else { return nil }
      guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        Glibc.close(opened)
        return nil
      }
      descriptor = opened
      stamp = FileStamp(status)
      return
    }
    return nil
  }

  /// Returns the stamp of the first sidecar that a photo has, without opening it; nil if there is none.
  package static func stamp(ofPhoto path: [UInt8]) -> FileStamp? {
    for path in Sidecar.paths(ofPhoto: path) {
      var status = stat()
      guard stat(path.terminated, &status) == 0 else { continue }
      return status.st_mode & S_IFMT == S_IFREG ? FileStamp(status) : nil
    }
    return nil
  }

  package func close() { _ = Glibc.close(descriptor) }
}

/// Whether a folder has sidecars, so that they need not be looked for photo by photo.
package struct SidecarFolder {
  /// Whether it has none.
  package private(set) var isEmpty = false
  private var folder: [UInt8]?
  private var changed = timespec()

  package init() {}

  /// Looks into a folder, unless it is the last one and has not changed since.
  ///
  /// - Parameter folder: Its path with a slash at its end; empty for the current folder.
  package mutating func enter(_ folder: [UInt8]) {
    let path = (folder.isEmpty ? [0x2e] : folder).terminated
    var status = stat()
    guard stat(path, &status) == 0 else {
      (isEmpty, self.folder) = (false, nil)
      return
    }
    let now = status.st_mtim
    if self.folder == folder, now.tv_sec == changed.tv_sec, now.tv_nsec == changed.tv_nsec {
      return
    }
    (self.folder, changed) = (folder, now)
    isEmpty = Self.isEmpty(path)
  }

  private static func isEmpty(_ path: [CChar]) -> Bool {
    guard let stream = opendir(path) else { return false }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let start = folder_entry_name(entry)
      let count = strlen(start)
      // Hardly any other name ends so, and a folder may have a hundred thousand.
      if count > 4, UInt8(bitPattern: start[count - 1]) | 0x20 == UInt8(ascii: "p"),
        Sidecar.isSidecar(
          UnsafeRawBufferPointer(start: start, count: count).bindMemory(to: UInt8.self))
      {
        return false
      }
    }
    return true
  }
}
