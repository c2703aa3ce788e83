import CLinux
import Geometry
import Glibc

enum Poll {
  /// Waits until a descriptor is ready, a signal arrives, or the deadline passes; a nil deadline
  /// never passes.
  static func wait(_ requests: [pollfd], until deadline: Instant?) {
    var requests = requests
    var timeout: Int32 = -1
    if let deadline {
      // Rounded up, because after a wait that is too short the loop would wait again.
      let left = deadline.nanoseconds - MonotonicClock.now.nanoseconds
      timeout = Int32(clamping: max(left + 999_999, 0) / 1_000_000)
    }
    poll(&requests, nfds_t(requests.count), timeout)
  }

  /// Returns whether a descriptor can be read without blocking: it has bytes, or is at its end.
  static func isReadable(_ descriptor: Int32) -> Bool {
    var request = pollfd(reading: descriptor)
    return poll(&request, 1, 0) > 0
  }
}

/// The clock for all deadlines and animations, which never jumps.
enum MonotonicClock {
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
