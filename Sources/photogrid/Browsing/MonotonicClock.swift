import CLinux
import Glibc
import PhotoGridCore

/// The only clock of the program by which something happens.
enum MonotonicClock {
  /// The current time.
  static var now: Instant { Instant(nanoseconds: monotonic_nanoseconds()) }
}

/// The time that the program's thread has had a processor, which others do not delay.
enum ProcessorClock {
  /// The time so far, in seconds.
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
