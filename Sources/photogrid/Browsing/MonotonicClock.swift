import CLinux
import Glibc
import PhotoGridCore

/// The clock for all deadlines and animations, which never jumps.
enum MonotonicClock {
  /// The current time.
  static var now: Instant { Instant(nanoseconds: monotonic_nanoseconds()) }
}

/// The clock for the CPU time of the program's thread, which excludes the work of other programs.
enum ProcessorClock {
  /// The CPU time used so far, in seconds.
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
