import CLinux
import Geometry
import Glibc

/// Returns unused memory between small pictures in the heap to the system, now and then.
///
/// Otherwise the program grows by half of its memory budget in an hour of browsing.
struct HeapTrimmer {
  /// The earliest time to trim again; nil before the first call.
  private var next: Instant?
  private let report = MemoryReport()

  /// The shortest time between two trims, in seconds.
  private static let interval = 10.0
  /// The shortest wait before which the heap is trimmed, in seconds, so that no frame is delayed.
  private static let pause = 0.1

  /// Whether freed blocks stay in the heap, for the next frames of a film.
  private var keepsBlocks = false

  /// Sets whether freed memory stays in the heap.
  ///
  /// Otherwise large blocks are mapped separately, so that the memory of evicted pictures is returned
  /// to the system immediately. While a film plays, fresh pages for each of its frames would cost as
  /// much time as everything else that is done with them.
  mutating func keepBlocks(_ keeps: Bool) {
    guard keeps != keepsBlocks else { return }
    keepsBlocks = keeps
    mallopt(M_MMAP_THRESHOLD, keeps ? 32 << 20 : Self.mappedByteCount)
    mallopt(M_TRIM_THRESHOLD, keeps ? 64 << 20 : 128 << 10)
    if !keeps { malloc_trim(0) }
  }

  /// The size in bytes from which blocks are mapped separately.
  static let mappedByteCount: Int32 = 128 << 10

  /// Trims the heap before the run loop waits, unless the wait is short or the last trim recent.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - deadline: The end of the wait; nil if there is none.
  ///   - pictures: The memory of the pictures, in bytes.
  mutating func trim(
    at now: Instant, before deadline: Instant?, pictures: @autoclosure () -> Int
  ) {
    guard deadline.map({ $0.seconds(since: now) >= Self.pause }) ?? true else { return }
    guard next.map({ $0 <= now }) ?? true else { return }
    if next != nil { malloc_trim(0) }
    report.log(pictures: pictures())
    next = now.advanced(bySeconds: Self.interval)
  }
}

/// Writes the program's use of memory to a file, for measurements.
///
/// The environment variable `PHOTOGRID_MEMORY_REPORT` has the path of the file.
struct MemoryReport {
  private let path = getenv("PHOTOGRID_MEMORY_REPORT").map { String(cString: $0) }

  /// Replaces the file by a line of three numbers of bytes: the pictures in memory, all blocks in
  /// use in the heap (including these pictures), and the free blocks.
  ///
  /// - Parameter pictures: The memory of the pictures, in bytes.
  func log(pictures: @autoclosure () -> Int) {
    guard let path else { return }
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    let heap = mallinfo2()
    let line = Array("\(pictures()) \(heap.uordblks + heap.hblkhd) \(heap.fordblks)\n".utf8)
    _ = Glibc.write(file, line, line.count)
  }
}
