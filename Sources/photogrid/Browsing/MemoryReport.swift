import CLinux
import Glibc

/// Writes the program's use of memory to a file, for measurements.
///
/// The environment variable `PHOTOGRID_MEMORY_REPORT` has the path of the file.
struct MemoryReport {
  private let path = getenv("PHOTOGRID_MEMORY_REPORT").map { String(cString: $0) }

  /// Replaces the file by a line of three numbers of bytes: the pictures in memory, all blocks in
  /// use in the heap (including these pictures), and the free blocks.
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
