import CLinux
import Glibc

package enum ProcessLimits {
  /// Address space, in bytes: enough for a photo of 100 megapixels, too little to make the system
  /// swap.
  static let addressSpace: rlim_t = 1536 << 20
  /// The most threads, where the kernel counts them for this process alone: more than decoders
  /// start.
  static let threads: rlim_t = 256
  /// The number of descriptors that a process can have; all are smaller.
  package static let descriptors: Int32 = 512
  /// The largest file, in bytes: no thumbnail is larger.
  private static let maxFileByteCount: rlim_t = 8 << 20
  /// The largest copy of a photo, in bytes.
  package static let maxCopyByteCount: rlim_t = 512 << 20
  /// Processor time for one request, in seconds.
  package static let secondsPerRequest = 10
  /// Processor time of the whole process, in seconds, which the process itself cannot extend.
  private static let secondsOfLife: rlim_t = 4 * 3600

  static func begin() {
    limit(RLIMIT_CORE, to: 0)
    // Nothing can be written before `allowFiles()` or `allowCopies()`.
    limit(RLIMIT_FSIZE, to: 0, atMost: maxCopyByteCount)
    // All descriptors in flight between the user's processes count toward this limit too.
    limit(RLIMIT_NOFILE, to: rlim_t(descriptors))
    limit(RLIMIT_CPU, to: secondsOfLife)
    signal(SIGXFSZ, SIG_IGN)
    // The shadow memory of a sanitizer is larger than any sensible limit.
    if !isExceeded { limit(RLIMIT_AS, to: addressSpace) }
    // Every arena reserves 64 MiB of address space.
    mallopt(M_ARENA_MAX, 2)
    // The memory of pictures is returned as soon as they are freed; by default the C library would
    // keep up to 32 MB of each.
    mallopt(M_MMAP_THRESHOLD, 4 << 20)
    // Up to 1 MB stays allocated, so that the buffers of each request cost no system calls and no
    // fresh pages.
    mallopt(M_TRIM_THRESHOLD, 1 << 20)
  }

  /// Keeps freed memory for the next large frames of a film: fresh pages for thirty of them a second
  /// would cost as much time as decoding.
  package static func keepMemory() {
    mallopt(M_MMAP_THRESHOLD, 32 << 20)
    mallopt(M_TRIM_THRESHOLD, 64 << 20)
  }

  /// Returns freed memory to the system.
  package static func returnMemory() { malloc_trim(0) }

  /// Grants the processor time of one more request; SIGXCPU ends the process when it is used up.
  package static func grantTime(seconds: Int = secondsPerRequest) {
    var usage = rusage()
    var limits = rlimit()
    guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0,
      getrlimit(processorTime, &limits) == 0
    else { return }
    let used = rlim_t(clamping: usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    limits.rlim_cur = min(used + rlim_t(clamping: seconds) + 1, limits.rlim_max)
    setrlimit(processorTime, &limits)
  }

  private static let processorTime = __rlimit_resource_t(RLIMIT_CPU.rawValue)

  /// Limits the processor time of a command, whatever it does.
  package static func limitCommand(seconds: Int) { limit(RLIMIT_CPU, to: rlim_t(seconds)) }

  /// Allows files to be written that are no larger than a thumbnail.
  package static func allowFiles() { limit(RLIMIT_FSIZE, to: maxFileByteCount) }

  /// Allows copies of photos, in memory or beside them.
  static func allowCopies() { limit(RLIMIT_FSIZE, to: maxCopyByteCount) }

  /// Sets the soft limit of a resource, and lowers its hard limit.
  static func limit(
    _ resource: __rlimit_resource, to value: rlim_t, atMost most: rlim_t? = nil
  ) {
    var limits = rlimit()
    // A hard limit is never raised, not even by root, who could do so.
    guard getrlimit(__rlimit_resource_t(resource.rawValue), &limits) == 0 else { return }
    limits.rlim_max = min(limits.rlim_max, most ?? value)
    limits.rlim_cur = min(value, limits.rlim_max)
    setrlimit(__rlimit_resource_t(resource.rawValue), &limits)
  }

  /// Whether the process has more address space than its limit from the start, as with a sanitizer.
  static let isExceeded = currentAddressSpace >= addressSpace

  /// The address space of this process in bytes; 0 if unknown.
  private static var currentAddressSpace: rlim_t {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var text = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &text, text.count)
    let digits = text.prefix(max(0, count)).prefix { (0x30...0x39).contains($0) }
    return (rlim_t(String(decoding: digits, as: UTF8.self)) ?? 0)
      * rlim_t(sysconf(Int32(_SC_PAGESIZE)))
  }
}
