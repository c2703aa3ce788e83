import Geometry
import Glibc

/// The deadline of a process's answer, which is postponed while other programs occupy the
/// processors.
///
/// When its timeout is over, a process is watched for a fifth of the timeout. If it was ready to
/// run, but without a processor, for a quarter of that fifth, it is not stuck: it is watched for
/// another fifth, and so on. A process that waits for a disk, or that computes without a pause,
/// times out after the first fifth.
struct ExtendableDeadline {
  /// The current deadline.
  private(set) var end: Instant
  /// The timeout on an idle machine, in seconds.
  private let seconds: Double
  /// The time from which the deadline is not postponed any more.
  private var last: Instant
  /// How long the process had waited for a processor at the end of the last period.
  private var wait: ProcessorWait?

  /// The longest time until `last`, as a multiple of the timeout.
  private static let maxFactor = 8.0
  /// The period for which a process is watched, as a fraction of its timeout.
  private static let step = 0.2
  /// The fraction of a period that a process must wait for a processor to be watched for another
  /// one.
  private static let waitingShare = 0.25

  init(seconds: Double, from now: Instant) {
    self.seconds = seconds
    end = now.advanced(bySeconds: seconds)
    last = now.advanced(bySeconds: seconds * Self.maxFactor)
  }

  /// Begins the timeout again.
  mutating func restart(at now: Instant) { self = Self(seconds: seconds, from: now) }

  /// Postpones the deadline by the seconds for which the program itself was stopped.
  mutating func postpone(bySeconds seconds: Double) {
    end = end.advanced(bySeconds: seconds)
    last = last.advanced(bySeconds: seconds)
  }

  /// Postpones a deadline that has passed, if the process was kept from the processors.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - processorWait: How long the process has waited for a processor so far; nil if unknown.
  /// - Returns: Whether the deadline was postponed.
  mutating func extend(at now: Instant, processorWait: ProcessorWait?) -> Bool {
    guard let processorWait, now < last else { return false }
    let step = seconds * Self.step
    defer { wait = processorWait }
    if let wait, processorWait.seconds(since: wait) < step * Self.waitingShare { return false }
    end = now.advanced(bySeconds: step)
    return true
  }
}

/// A snapshot of how long the threads of a process and of its descendants have been ready to run,
/// but without a processor.
///
/// The kernel's scheduler counts this time for each thread, in `/proc/PID/task/TID/schedstat`.
struct ProcessorWait: Equatable {
  /// The time of each thread by its number, in nanoseconds.
  private let threads: [UInt64: UInt64]
  /// How long all threads have run so far, in nanoseconds.
  private let run: UInt64

  /// The number of threads after which no further process is examined.
  private static let maxThreads = 256

  /// Creates a snapshot of threads that have waited for these times, in nanoseconds, and have run
  /// for some time together.
  init(threads: [UInt64: UInt64], run: UInt64 = 0) {
    self.threads = threads
    self.run = run
  }

  /// Takes a snapshot of a process and its descendants; nil without `/proc`, or on a kernel without
  /// `schedstat`.
  init?(ofFamilyOf process: pid_t) {
    var processes = [process]
    var next = 0
    var threadCount = 0
    var waits: [UInt64: UInt64] = [:]
    var run: UInt64 = 0
    while next < processes.count, threadCount < Self.maxThreads {
      let folder = "/proc/\(processes[next])/task"
      next += 1
      for thread in Self.numbers(inFolder: folder) {
        threadCount += 1
        // "RUN WAIT SLICES", the first two in nanoseconds.
        let times = Self.numbers(inFile: "\(folder)/\(thread)/schedstat")
        waits[thread] = times.dropFirst().first
        run &+= times.first ?? 0
        processes += Self.numbers(inFile: "\(folder)/\(thread)/children").map {
          pid_t(truncatingIfNeeded: $0)
        }
      }
    }
    guard !waits.isEmpty else { return nil }
    self.init(threads: waits, run: run)
  }

  /// Returns how long the threads have run or been ready to run since an earlier snapshot, in
  /// seconds.
  func activeSeconds(since earlier: ProcessorWait) -> Double {
    // Smaller than before if threads have ended: the system then leaves out their time.
    seconds(since: earlier) + Double(run > earlier.run ? run - earlier.run : 0) / 1e9
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

/// Watches whether a process that has not answered waits for a disk instead of computing.
///
/// A process that neither runs nor is ready to run waits for something; a decoder waits for nothing
/// but the files that it reads.
struct DiskWait {
  /// Whether it waited during the last period.
  private(set) var isWaiting = false
  /// Whether it waited during the last period, and did nothing at all: a disk that is slow lets a process
  /// go on now and then.
  private(set) var isStill = false
  /// When to call `check(at:_:)` next.
  private(set) var nextCheck: Instant
  private var earlier: ProcessorWait?

  /// How long a process is watched at a time, in seconds; it is found to wait after two of them at the
  /// earliest.
  private static let period = 1.0
  /// The fraction of a period for which a process that waits may be active.
  private static let activeShare = 0.25
  /// The fraction of a period for which a process that is still may be active.
  private static let stillShare = 0.001

  /// Creates a watch of a process that was just asked.
  init(from now: Instant) { nextCheck = now.advanced(bySeconds: Self.period) }

  /// Postpones the next check by the seconds for which the program itself was stopped.
  mutating func postpone(bySeconds seconds: Double) {
    nextCheck = nextCheck.advanced(bySeconds: seconds)
  }

  /// Finds whether the process waits, once a period is over.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - times: Returns the times of the process's threads so far; nil if unknown.
  mutating func check(at now: Instant, _ times: @autoclosure () -> ProcessorWait?) {
    guard now >= nextCheck else { return }
    nextCheck = now.advanced(bySeconds: Self.period)
    let times = times()
    defer { earlier = times }
    guard let times, let earlier else { return (isWaiting, isStill) = (false, false) }
    let share = times.activeSeconds(since: earlier) / Self.period
    (isWaiting, isStill) = (share < Self.activeShare, share < Self.stillShare)
  }
}
