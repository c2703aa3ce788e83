import Glibc

/// Standard error redirected to a file in memory, so that messages of libraries and of the runtime
/// do not appear on the screen.
struct StandardErrorCapture {
  /// A duplicate of the original standard error; -1 if it was closed.
  let original: Int32
  /// The descriptor of the file in memory.
  let file: Int32

  /// The size in bytes above which the file is cut to its last `tailByteCount` bytes.
  private static let byteLimit: off_t = 1 << 20
  private static let tailByteCount = 4096

  /// Redirects standard error to a new file; returns nil if the file cannot be created.
  init?() {
    file = openMemoryFile("photogrid-messages")
    // Appending, so that every writer, workers too, continues at the end after the file was cut.
    guard file >= 0, fcntl(file, F_SETFL, O_APPEND) == 0 else {
      if file >= 0 { close(file) }
      return nil
    }
    original = duplicate(STDERR_FILENO)
    dup2(file, STDERR_FILENO)
  }

  /// Cuts the file to its last bytes if it has grown beyond the limit.
  func limitSize() {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_size > Self.byteLimit else { return }
    var tail = [UInt8](repeating: 0, count: Self.tailByteCount)
    let count = pread(file, &tail, tail.count, status.st_size - off_t(tail.count))
    ftruncate(file, 0)
    if count > 0 { write(file, tail, count) }
  }

  func end() {
    if original >= 0 {
      dup2(original, STDERR_FILENO)
      close(original)
    } else {
      close(STDERR_FILENO)
    }
    close(file)
  }
}
