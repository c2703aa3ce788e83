import Glibc
import PhotoGridCore
import TerminalIO

/// Queries the terminal's capabilities without drawing on it.
struct TerminalExamination {
  /// The result.
  private(set) var capabilities: TerminalCapabilities
  /// The terminal's size; nil without one.
  private(set) var cells: CellSize?
  /// Whether queries were sent.
  private(set) var hasSentQueries = false
  /// A message for the user about the responses, or the reason why no queries were sent.
  private(set) var outcome = ""

  /// The time to wait for responses, in seconds; longer than for the first frame of the browser.
  private static let timeout = 1.5
  /// The time to wait for responses of the terminal around tmux, in seconds.
  private static let outerTimeout = 0.5

  /// Queries the process's controlling terminal, if there is one.
  ///
  /// - Parameters:
  ///   - environment: The process's environment.
  ///   - window: The size of the terminal on one of the standard streams; nil if there is none.
  init(_ environment: TerminalEnvironment, window: WindowSize?) {
    capabilities = TerminalCapabilities(environment: environment)
    if let window {
      cells = window.cells
      capabilities.measurement = CellMeasurement(TerminalResponses(), window: window)
    }
    var options = TerminalSession.Options()
    options.usesMouse = false
    options.capturesStandardError = false
    do throws(TerminalError) {
      // A process in the background would be stopped.
      guard try TerminalSession.isInForeground(options) else {
        outcome = "no queries: another program has the terminal"
        return
      }
      let session = try TerminalSession.open(options)
      defer { session.close() }
      query(session)
    } catch {
      outcome = "no queries: \(error.description)"
    }
  }

  private mutating func query(_ session: TerminalSession) {
    hasSentQueries = true
    let start = MonotonicClock.now
    session.sendQueries(capabilities.environment.queries, at: start)
    var now = start
    var isInterrupted = false
    var responseTime: Instant?
    while session.awaitsResponses(at: now), !isInterrupted {
      let limit = session.responses.isComplete ? Self.outerTimeout : Self.timeout
      let end = start.advanced(bySeconds: limit)
      guard now < end else { break }
      Poll.wait(session.pollRequests, until: end)
      now = MonotonicClock.now
      session.writeOutput(at: now)
      for case .terminate in session.readSignals() { isInterrupted = true }
      let events = session.readInput(at: now)
      if responseTime == nil, session.responses.isComplete { responseTime = now }
      if events.contains(.key(.control("c"))) || events.contains(.disconnected) {
        isInterrupted = true
      }
    }
    capabilities.responses = session.responses
    capabilities.measurement = session.measurement
    cells = session.viewport.cells
    let milliseconds = Int(((responseTime ?? now).seconds(since: start) * 1000).rounded())
    outcome =
      responseTime == nil
      ? "the terminal did not respond within \(milliseconds) ms"
      : "the terminal responded within \(milliseconds) ms"
  }
}
