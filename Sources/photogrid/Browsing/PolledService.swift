import Glibc
import PhotoGridCore
import PhotoLibrary
import TerminalIO

/// A part of the program that the run loop waits for.
///
/// No call blocks. The loop polls `pollRequests` until `nextDeadline(after:)`, then calls
/// `service(at:)`.
protocol PolledService<ServiceEvent> {
  /// What the service reports.
  associatedtype ServiceEvent

  /// Descriptors to poll, and for what.
  var pollRequests: [pollfd] { get }

  /// The time by which `service(at:)` has to be called, whatever the descriptors report.
  func nextDeadline(after now: Instant) -> Instant?

  /// Reads what has arrived, and goes on with what is left to do.
  mutating func service(at now: Instant) -> [ServiceEvent]

  /// Ends the service.
  mutating func shutDown()
}

extension PhotoStore: PolledService {
  func nextDeadline(after now: Instant) -> Instant? { nextDeadline }
}

extension FactFinder: PolledService {
  func nextDeadline(after now: Instant) -> Instant? { nextDeadline }
}

extension MetadataFinder: PolledService {
  func nextDeadline(after now: Instant) -> Instant? { nextDeadline }
}

extension PictureFiles: PolledService {
  func nextDeadline(after now: Instant) -> Instant? { nextDeadline }
}

extension FileOperationClient: PolledService {
  func nextDeadline(after now: Instant) -> Instant? { nextDeadline }
}

extension PhotoSource: PolledService {}

extension ExternalOpener: PolledService {}

extension LibraryController: PolledService {
  var pollRequests: [pollfd] { source.pollRequests }

  func nextDeadline(after now: Instant) -> Instant? { source.nextDeadline(after: now) }

  mutating func shutDown() { source.shutDown() }
}

extension Display: PolledService {
  /// A signal, or input of the terminal.
  enum TerminalEvent {
    case signal(SignalEvent)
    case input(InputEvent)
  }

  var pollRequests: [pollfd] { terminal.pollRequests }

  func nextDeadline(after now: Instant) -> Instant? {
    [terminal.nextDeadline, nextFrame(after: now)].compactMap(\.self).min()
  }

  mutating func service(at now: Instant) -> [TerminalEvent] {
    terminal.writeOutput(at: now)
    let signals = terminal.readSignals()
    // After a signal that stops the program, the input is the shell's.
    guard signals.isEmpty else { return signals.map { .signal($0) } }
    return terminal.readInput(at: now).map { .input($0) }
  }
}
