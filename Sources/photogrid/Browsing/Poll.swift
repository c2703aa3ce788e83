import Glibc
import PhotoGridCore
import PhotoLibrary

/// Waiting for descriptors and deadlines together.
enum Poll {
  /// Waits until a descriptor is ready, a signal or the deadline comes; nil is no deadline.
  static func wait(_ requests: [pollfd], until deadline: Instant?) {
    var requests = requests
    var timeout: Int32 = -1
    if let deadline {
      // Rounded up: a wait that ends too early has to be repeated.
      let left = deadline.nanoseconds - MonotonicClock.now.nanoseconds
      timeout = Int32(clamping: max(left + 999_999, 0) / 1_000_000)
    }
    poll(&requests, nfds_t(requests.count), timeout)
  }

  /// Whether reading from a descriptor would not wait: there are bytes, or the end.
  static func isReadable(_ descriptor: Int32) -> Bool {
    var request = pollfd(reading: descriptor)
    return poll(&request, 1, 0) > 0
  }
}
