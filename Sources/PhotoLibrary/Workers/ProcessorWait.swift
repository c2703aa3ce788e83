import Glibc

/// A snapshot of how long the threads of a process and of its descendants have been ready to run,
/// but without a processor.
///
/// The kernel's scheduler counts this time for each thread, in `/proc/PID/task/TID/schedstat`.
struct ProcessorWait: Equatable {
  /// The time of each thread by its number, in nanoseconds.
  private let threads: [UInt64: UInt64]

  /// The number of threads after which no further process is examined.
  private static let mostThreads = 256

  /// Creates a snapshot of threads that have waited for these times, in nanoseconds.
  init(threads: [UInt64: UInt64]) { self.threads = threads }

  /// Takes a snapshot of a process and its descendants; nil without `/proc`, or on a kernel without
  /// `schedstat`.
  init?(ofFamilyOf process: pid_t) {
    var processes = [process]
    var next = 0
    var threadCount = 0
    var waits: [UInt64: UInt64] = [:]
    while next < processes.count, threadCount < Self.mostThreads {
      let folder = "/proc/\(processes[next])/task"
      next += 1
      for thread in Self.numbers(inFolder: folder) {
        threadCount += 1
        // "RUN WAIT SLICES", the first two in nanoseconds.
        waits[thread] = Self.numbers(inFile: "\(folder)/\(thread)/schedstat").dropFirst().first
        processes += Self.numbers(inFile: "\(folder)/\(thread)/children").map {
          pid_t(truncatingIfNeeded: $0)
        }
      }
    }
    guard !waits.isEmpty else { return nil }
    threads = waits
  }

  /// Returns the sum of the times that the threads have waited since an earlier snapshot, in
  /// seconds.
  ///
  /// New threads count from their start. Threads that have ended are left out of both snapshots: a
  /// decoder ends threads all the time, and the sum does not shrink by their waits.
  func seconds(since earlier: ProcessorWait) -> Double {
    let waits = threads.map { thread, wait in
      let before = earlier.threads[thread] ?? 0
      // A new thread may have the number of one that has ended.
      return wait >= before ? wait - before : wait
    }
    return Double(waits.reduce(0, &+)) / 1e9
  }

  /// Returns the names in a folder that are numbers.
  private static func numbers(inFolder path: String) -> [UInt64] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var found: [UInt64] = []
    while let entry = readdir(stream) {
      // Only the start of `d_name` exists: entries are shorter than their declared type.
      let name = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
      if let number = UInt64(String(cString: name.assumingMemoryBound(to: CChar.self))) {
        found.append(number)
      }
    }
    return found
  }

  /// Returns the numbers in the first 4 kB of a file; empty if it cannot be read.
  private static func numbers(inFile path: String) -> [UInt64] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      count = max(read(descriptor, buffer.baseAddress, buffer.count), 0)
    }
    return bytes.split { $0 == 0x20 || $0 == 0x0A }.compactMap {
      UInt64(String(decoding: $0, as: UTF8.self))
    }
  }
}
