import CProcessLimits
import Glibc

/// What keeps a decoder that was fooled by a file from harming more than one photo.
package enum Confinement {
  /// Address space, in bytes: enough for a photo of 100 megapixels, too little to push others out
  /// of the memory.
  private static let addressSpace: rlim_t = 1536 << 20
  /// In bytes: no thumbnail is larger.
  private static let largestFile: rlim_t = 8 << 20
  /// Processor time for one request, in seconds: as long as the program waits for a photo that took
  /// too long and was opened.
  private static let secondsPerRequest: rlim_t = 60

  /// Gives up what decoding does not need; for the rest of the process's life.
  package static func begin() {
    _ = process_dies_with_parent()
    _ = process_gains_no_privileges()
    _ = process_closes_descriptors()
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    limit(RLIMIT_CORE, to: 0)
    // Nothing is written until thumbnails are to be kept.
    limit(RLIMIT_FSIZE, to: 0, atMost: largestFile)
    limit(RLIMIT_NOFILE, to: 64)
    // The shadow memory of a sanitizer is larger than any sensible limit.
    if currentAddressSpace < addressSpace { limit(RLIMIT_AS, to: addressSpace) }
    // Every arena reserves 64 MiB of address space.
    mallopt(M_ARENA_MAX, 2)
  }

  /// Grants the time for one more request; SIGXCPU ends the process after that.
  package static func grantTime() {
    var usage = rusage()
    var limits = rlimit()
    guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0,
      getrlimit(processorTime, &limits) == 0
    else { return }
    let used = rlim_t(clamping: usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    limits.rlim_cur = min(used + secondsPerRequest + 1, limits.rlim_max)
    setrlimit(processorTime, &limits)
  }

  private static let processorTime = __rlimit_resource_t(RLIMIT_CPU.rawValue)

  /// Allows files to be written that are no larger than a thumbnail.
  package static func allowFiles() { limit(RLIMIT_FSIZE, to: largestFile) }

  private static func limit(
    _ resource: __rlimit_resource, to value: rlim_t, atMost most: rlim_t? = nil
  ) {
    var limits = rlimit()
    // What was limited before stays so, also for root, who could raise it.
    guard getrlimit(__rlimit_resource_t(resource.rawValue), &limits) == 0 else { return }
    limits.rlim_max = min(limits.rlim_max, most ?? value)
    limits.rlim_cur = min(value, limits.rlim_max)
    setrlimit(__rlimit_resource_t(resource.rawValue), &limits)
  }

  /// In bytes; 0 if the system does not tell.
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
