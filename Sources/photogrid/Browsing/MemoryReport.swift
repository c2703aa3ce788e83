import CLinux
import Glibc

/// Writes what the program's memory is used for into a file, for measurements.
///
/// The file is named by the environment variable `PHOTOGRID_MEMORY_REPORT`.
struct MemoryReport {
  private let path = getenv("PHOTOGRID_MEMORY_REPORT").map { String(cString: $0) }

  /// Replaces the file by a line of three numbers of bytes: the pictures in memory, all blocks of
  /// the heap that are in use, these pictures among them, and the gaps between blocks.
  ///
  /// - Parameter pictures: The memory of the pictures, in bytes.
  func write(pictures: @autoclosure () -> Int) {
    guard let path else { return }
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    let heap = mallinfo2()
    let line = Array("\(pictures()) \(heap.uordblks + heap.hblkhd) \(heap.fordblks)\n".utf8)
    _ = Glibc.write(file, line, line.count)
  }
}
