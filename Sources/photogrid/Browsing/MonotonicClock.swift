import CLinux
import Glibc
import PhotoGridCore

/// The clock that decides when things happen; the program has no other for that.
enum MonotonicClock {
  /// The current time.
  static var now: Instant { Instant(nanoseconds: monotonic_nanoseconds()) }
}

/// The processor time of the program's thread, in which other programs' work does not count.
enum ProcessorClock {
  /// The time so far, in seconds.
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
