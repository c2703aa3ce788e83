import Glibc
import PhotoGridCore

/// The one place where the program asks what time it is.
enum MonotonicClock {
  /// The present moment.
  static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}

/// Waiting for descriptors and deadlines together.
enum Poll {
  /// Waits until a descriptor is ready or the deadline has come; nil waits for ever.
  ///
  /// - Returns: The requests with their `revents`; empty after a signal.
  static func wait(_ requests: [pollfd], until deadline: Instant?) -> [pollfd] {
    var requests = requests
    var timeout: Int32 = -1
    if let deadline {
      // Rounded up: a wait that ends too early would only be begun again.
      let left = deadline.nanoseconds - MonotonicClock.now.nanoseconds
      timeout = Int32(clamping: max(left + 999_999, 0) / 1_000_000)
    }
    let count = poll(&requests, nfds_t(requests.count), timeout)
    return count < 0 ? [] : requests
  }
}
