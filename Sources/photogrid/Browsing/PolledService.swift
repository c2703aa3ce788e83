import CLinux
import Glibc
import PhotoGridCore
import PhotoLibrary
import TerminalIO

/// A part of the program whose descriptors and deadlines the run loop waits for.
///
/// No call blocks. The loop polls `pollRequests` until `nextDeadline(after:)`, then calls
/// `service(at:)`.
protocol PolledService<ServiceEvent> {
  /// A report of the service.
  associatedtype ServiceEvent

  var pollRequests: [pollfd] { get }

  /// Returns the latest time for the next call of `service(at:)`, if no descriptor is ready before.
  ///
  /// Nil if only the descriptors matter.
  func nextDeadline(after now: Instant) -> Instant?

  mutating func service(at now: Instant) -> [ServiceEvent]

  mutating func shutDown()
}

/// A service whose next deadline does not depend on the current time.
protocol DeadlineService: PolledService {
  /// The latest time for the next call of `service(at:)`, if no descriptor is ready before.
  var nextDeadline: Instant? { get }
}

extension DeadlineService {
  func nextDeadline(after now: Instant) -> Instant? { nextDeadline }
}

extension PhotoStore: DeadlineService {}
extension FactFinder: DeadlineService {}

extension SideClient: DeadlineService {}

extension DigestFinder: DeadlineService {}

extension RatingClient: DeadlineService {
  /// Waits briefly for ratings to be written.
  func shutDown() { shutDown { MonotonicClock.now } }
}

extension FileOperationClient: DeadlineService {}
extension FolderNamesClient: DeadlineService {}
extension PhotoSource: DeadlineService {}

extension FactRecorder: DeadlineService {
  func service(at now: Instant) -> [Never] {
    advance(at: now)
    return []
  }

  func shutDown() { shutDown(at: MonotonicClock.now) }
}

extension ExternalOpener: PolledService {}

extension LibraryController: PolledService {
  var pollRequests: [pollfd] { source.pollRequests }

  func nextDeadline(after now: Instant) -> Instant? { source.nextDeadline }

  mutating func shutDown() { source.shutDown() }
}

extension Display: PolledService {
  var pollRequests: [pollfd] { terminal.pollRequests }

  /// Returns the time of the next frame, or an earlier deadline of the terminal; the current time
  /// while input waits to be handled.
  func nextDeadline(after now: Instant) -> Instant? {
    guard input.isEmpty || holdsInput else { return now }
    return [terminal.nextDeadline, nextFrame(after: now)].compactMap(\.self).min()
  }

  /// Writes the rest of the last frame, adds what has arrived to `input`, and returns the signals.
  mutating func service(at now: Instant) -> [SignalEvent] {
    terminal.writeOutput(at: now)
    let signals = terminal.readSignals()
    // After a signal that stops the program, the input is for the shell.
    if signals.isEmpty { input.append(terminal.readInput(at: now)) }
    return signals
  }
}

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
