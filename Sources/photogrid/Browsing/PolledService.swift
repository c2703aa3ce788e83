import Geometry
import Glibc
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

extension LibraryClient: DeadlineService {}

extension AnnotationClient: DeadlineService {
  /// Waits briefly for ratings to be written.
  func shutDown() { shutDown { MonotonicClock.now } }
}

extension FileOperationClient: DeadlineService {}
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
