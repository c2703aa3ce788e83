import Glibc
import PhotoGridCore
import TerminalIO

/// Asks the terminal what it can do, without drawing on it.
struct TerminalExamination {
  /// What was found.
  private(set) var capabilities: TerminalCapabilities
  /// The size of the terminal; nil without one.
  private(set) var cells: CellSize?
  /// Whether it was asked at all.
  private(set) var hasSentQueries = false
  /// How the asking went, in words.
  private(set) var outcome = ""

  /// Seconds to wait for answers: longer than before a first frame.
  private static let patience = 1.5
  /// Seconds for what tmux may pass on.
  private static let outerPatience = 0.5

  /// Asks the terminal that controls this process, if there is one.
  ///
  /// - Parameters:
  ///   - environment: What is known before.
  ///   - window: The size of the terminal that one of the standard streams is.
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
      // From the background one may not.
      guard try TerminalSession.isInForeground(options) else {
        outcome = "not asked: another program has the terminal"
        return
      }
      let session = try TerminalSession.open(options)
      defer { session.close() }
      ask(session)
    } catch {
      outcome = "not asked: \(error.description)"
    }
  }

  private mutating func ask(_ session: TerminalSession) {
    hasSentQueries = true
    let start = MonotonicClock.now
    session.sendQueries(capabilities.environment.queries, at: start)
    var now = start
    var isInterrupted = false
    var answered: Instant?
    while session.awaitsResponses(at: now), !isInterrupted {
      let limit = session.responses.isComplete ? Self.outerPatience : Self.patience
      let end = start.advanced(bySeconds: limit)
      guard now < end else { break }
      Poll.wait(session.pollRequests, until: end)
      now = MonotonicClock.now
      session.writeOutput(at: now)
      for case .terminate in session.readSignals() { isInterrupted = true }
      let events = session.readInput(at: now)
      if answered == nil, session.responses.isComplete { answered = now }
      if events.contains(.key(.control("c"))) || events.contains(.disconnected) {
        isInterrupted = true
      }
    }
    capabilities.responses = session.responses
    capabilities.measurement = session.measurement
    cells = session.viewport.cells
    let milliseconds = Int(((answered ?? now).seconds(since: start) * 1000).rounded())
    outcome =
      answered == nil
      ? "the terminal did not answer within \(milliseconds) ms"
      : "the terminal answered within \(milliseconds) ms"
  }
}
