import Glibc
import PhotoGridCore
import PhotoLibrary
import TerminalIO

/// A part of the program that the run loop waits for.
///
/// No call blocks. The loop polls `pollRequests` until `nextDeadline(after:)`, then calls
/// `service(at:)`.
protocol PolledService<ServiceEvent> {
  /// A report of the service.
  associatedtype ServiceEvent

  /// The descriptors to poll, with the events to poll for.
  var pollRequests: [pollfd] { get }

  /// The time at which to call `service(at:)` at the latest, whatever the descriptors report.
  func nextDeadline(after now: Instant) -> Instant?

  /// Reads the messages that have arrived, and continues with the remaining work.
  mutating func service(at now: Instant) -> [ServiceEvent]

  /// Ends the service.
  mutating func shutDown()
}

/// A service whose next deadline does not depend on the current time.
protocol DeadlineService: PolledService {
  /// The time at which to call `service(at:)` at the latest, whatever the descriptors report.
  var nextDeadline: Instant? { get }
}

extension DeadlineService {
  /// Returns `nextDeadline`.
  func nextDeadline(after now: Instant) -> Instant? { nextDeadline }
}

extension PhotoStore: DeadlineService {}
extension FactFinder: DeadlineService {}
extension MetadataFinder: DeadlineService {}

extension RatingClient: DeadlineService {
  /// Writes what is left.
  func shutDown() { shutDown { MonotonicClock.now } }
}

extension PictureFileEncoder: DeadlineService {}
extension FileOperationClient: DeadlineService {}
extension FolderNamesFinder: DeadlineService {}
extension PhotoSource: DeadlineService {}

extension FactRecorder: DeadlineService {
  /// Sends more facts; nothing is reported.
  func service(at now: Instant) -> [Never] {
    advance(at: now)
    return []
  }

  /// Leaves the remaining facts to the process that records them, which may outlive the program.
  func shutDown() { shutDown(at: MonotonicClock.now) }
}

extension ExternalOpener: PolledService {}

extension LibraryController: PolledService {
  /// The descriptor of the lister or of the list of paths.
  var pollRequests: [pollfd] { source.pollRequests }

  /// The time at which the lister will have been silent for too long.
  func nextDeadline(after now: Instant) -> Instant? { source.nextDeadline }

  /// Ends the listing.
  mutating func shutDown() { source.shutDown() }
}

extension Display: PolledService {
  /// A signal, or input of the terminal.
  enum TerminalEvent {
    /// A signal.
    case signal(SignalEvent)
    /// Input of the terminal.
    case input(InputEvent)
  }

  /// The descriptors of signals, input and output.
  var pollRequests: [pollfd] { terminal.pollRequests }

  /// The time of the next frame, or of the terminal's own deadlines.
  func nextDeadline(after now: Instant) -> Instant? {
    [terminal.nextDeadline, nextFrame(after: now)].compactMap(\.self).min()
  }

  /// Writes the rest of the last frame, and reads signals and input.
  mutating func service(at now: Instant) -> [TerminalEvent] {
    terminal.writeOutput(at: now)
    let signals = terminal.readSignals()
    // After a signal that stops the program, the input is for the shell.
    guard signals.isEmpty else { return signals.map { .signal($0) } }
    return terminal.readInput(at: now).map { .input($0) }
  }
}
