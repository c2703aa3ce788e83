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
  /// The same as `nextDeadline`, whatever the time.
  func nextDeadline(after now: Instant) -> Instant? { nextDeadline }
}

extension FactFinder: PolledService {
  /// The same as `nextDeadline`, whatever the time.
  func nextDeadline(after now: Instant) -> Instant? { nextDeadline }
}

extension MetadataFinder: PolledService {
  /// The same as `nextDeadline`, whatever the time.
  func nextDeadline(after now: Instant) -> Instant? { nextDeadline }
}

extension PictureFileEncoder: PolledService {
  /// The same as `nextDeadline`, whatever the time.
  func nextDeadline(after now: Instant) -> Instant? { nextDeadline }
}

extension FileOperationClient: PolledService {
  /// The same as `nextDeadline`, whatever the time.
  func nextDeadline(after now: Instant) -> Instant? { nextDeadline }
}

extension PhotoSource: PolledService {
  /// The same as `nextDeadline`, whatever the time.
  func nextDeadline(after now: Instant) -> Instant? { nextDeadline }
}

extension ExternalOpener: PolledService {}

extension LibraryController: PolledService {
  /// The lister's descriptors, or the list's.
  var pollRequests: [pollfd] { source.pollRequests }

  /// The time at which the lister has been silent for too long.
  func nextDeadline(after now: Instant) -> Instant? { source.nextDeadline }

  /// Ends the listing.
  mutating func shutDown() { source.shutDown() }
}

extension Display: PolledService {
  /// A signal, or input of the terminal.
  enum TerminalEvent {
    case signal(SignalEvent)
    case input(InputEvent)
  }

  /// The descriptors of signals, input and output.
  var pollRequests: [pollfd] { terminal.pollRequests }

  /// The time of the next frame, or of the terminal's own deadlines.
  func nextDeadline(after now: Instant) -> Instant? {
    [terminal.nextDeadline, nextFrame(after: now)].compactMap(\.self).min()
  }

  /// Writes what is left of the last frame, and reads signals and input.
  mutating func service(at now: Instant) -> [TerminalEvent] {
    terminal.writeOutput(at: now)
    let signals = terminal.readSignals()
    // After a signal that stops the program, the input is the shell's.
    guard signals.isEmpty else { return signals.map { .signal($0) } }
    return terminal.readInput(at: now).map { .input($0) }
  }
}
