import Glibc

/// How long processes have waited for a processor, as the kernel's scheduler counts it.
enum ProcessorWait {
  /// The most processes and threads of a family that are counted.
  private static let mostThreads = 256

  /// Returns the time that the threads of a process and of its descendants were ready to run without
  /// a processor, in seconds.
  ///
  /// - Returns: Nil if the system does not tell: no `/proc`, or a kernel without `schedstat`.
  static func seconds(ofFamilyOf process: pid_t) -> Double? {
    var processes = [process]
    var next = 0
    var threadCount = 0
    var total: UInt64?
    while next < processes.count, threadCount < mostThreads {
      let folder = "/proc/\(processes[next])/task"
      next += 1
      for thread in numbers(inFolder: folder) {
        threadCount += 1
        // "RUN WAIT SLICES", the first two in nanoseconds.
        if let wait = numbers(inFile: "\(folder)/\(thread)/schedstat").dropFirst().first {
          total = (total ?? 0) &+ wait
        }
        processes += numbers(inFile: "\(folder)/\(thread)/children").map {
          pid_t(truncatingIfNeeded: $0)
        }
      }
    }
    return total.map { Double($0) / 1e9 }
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
