import Glibc

/// How long the threads of a process and of its descendants had been ready to run without a
/// processor when they were looked at, as the kernel's scheduler counts it.
struct ProcessorWait: Equatable {
  /// The time of each thread by its number, in nanoseconds.
  private let threads: [UInt64: UInt64]

  /// The most processes and threads of a family that are counted.
  private static let mostThreads = 256

  /// Threads that have waited for these times, in nanoseconds.
  init(threads: [UInt64: UInt64]) { self.threads = threads }

  /// The threads of a process and of its descendants; nil if the system does not tell: no `/proc`,
  /// or a kernel without `schedstat`.
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

  /// Returns how long the threads have waited since they were looked at before, in seconds.
  ///
  /// New threads count from their beginning. Those that have ended do not count, so their time is not
  /// missing in the sum either: a decoder ends threads all the time.
  func seconds(since earlier: ProcessorWait) -> Double {
    let waits = threads.map { thread, wait in
      let before = earlier.threads[thread] ?? 0
      // The number of a thread that has ended may be that of another.
      return wait >= before ? wait - before : wait
    }
    return Double(waits.reduce(0, &+)) / 1e9
  }

  /// The names in a folder that are numbers.
  private static func numbers(inFolder path: String) -> [UInt64] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var found: [UInt64] = []
    while let entry = readdir(stream) {
      // At the start of the name, whose length the entry's type overstates.
      let name = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
      if let number = UInt64(String(cString: name.assumingMemoryBound(to: CChar.self))) {
        found.append(number)
      }
    }
    return found
  }

  /// The numbers at the start of a file, up to 4 kB; empty if it cannot be read.
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
