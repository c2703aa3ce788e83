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

  /// The descriptors to poll, with the events to poll for.
  var pollRequests: [pollfd] { get }

  /// Returns the latest time for the next call of `service(at:)`, if no descriptor is ready before.
  ///
  /// Nil if only the descriptors matter.
  func nextDeadline(after now: Instant) -> Instant?

  /// Reads the messages that have arrived, and continues with the remaining work.
  mutating func service(at now: Instant) -> [ServiceEvent]

  /// Ends the service.
  mutating func shutDown()
}

/// A service whose next deadline does not depend on the current time.
protocol DeadlineService: PolledService {
  /// The latest time for the next call of `service(at:)`, if no descriptor is ready before.
  var nextDeadline: Instant? { get }
}

extension DeadlineService {
  /// Returns `nextDeadline`.
  func nextDeadline(after now: Instant) -> Instant? { nextDeadline }
}

extension PhotoStore: DeadlineService {}
extension FactFinder: DeadlineService {}

extension SideClient: DeadlineService {}

extension DigestFinder: DeadlineService {}

extension RatingClient: DeadlineService {
  /// Waits briefly for ratings to be written; the process completes its requests in any case.
  func shutDown() { shutDown { MonotonicClock.now } }
}

extension FileOperationClient: DeadlineService {}
extension FolderNamesClient: DeadlineService {}
extension PhotoSource: DeadlineService {}

extension FactRecorder: DeadlineService {
  /// Sends more facts; returns no events.
  func service(at now: Instant) -> [Never] {
    advance(at: now)
    return []
  }

  /// Sends the remaining facts to the process that records them, which may outlive the program.
  func shutDown() { shutDown(at: MonotonicClock.now) }
}

extension ExternalOpener: PolledService {}

extension LibraryController: PolledService {
  /// The descriptors of the lister, or of the list of paths and its look-ups.
  var pollRequests: [pollfd] { source.pollRequests }

  /// Returns the next deadline of the lister.
  func nextDeadline(after now: Instant) -> Instant? { source.nextDeadline }

  /// Ends the listing.
  mutating func shutDown() { source.shutDown() }
}

extension Display: PolledService {
  /// A signal, or input from the terminal.
  enum TerminalEvent {
    /// A signal.
    case signal(SignalEvent)
    /// Input from the terminal.
    case input(InputEvent)
  }

  /// The descriptors of signals, input and output.
  var pollRequests: [pollfd] { terminal.pollRequests }

  /// Returns the time of the next frame, or an earlier deadline of the terminal.
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
