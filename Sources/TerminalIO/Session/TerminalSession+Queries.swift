import CTerminalRestore
import Geometry

/// Queries of the terminal's properties.
extension TerminalSession {
  /// The properties that the terminal has reported about itself so far.
  package var responses: TerminalResponses { queryState.responses }

  /// Whether queries were sent.
  package var hasSentQueries: Bool { queryState.hasStarted }

  /// Whether capabilities can be decided now: all responses have arrived or timed out.
  ///
  /// Responses that arrive later still count.
  package var isReadyToDecide: Bool { queryState.isReadyToDecide }

  /// Whether responses may still arrive; false once they have timed out.
  package func awaitsResponses(at now: Instant) -> Bool { queryState.awaitsResponses(at: now) }

  /// Whether this process is in the terminal's foreground, so that it would read the responses.
  ///
  /// - Parameter options: The terminal's path.
  /// - Returns: False for a job in the background.
  /// - Throws: `TerminalError` if there is no terminal.
  package static func isInForeground(_ options: Options) throws(TerminalError) -> Bool {
    let device = try TerminalDevice(path: options.path)
    defer { device.close() }
    return device.isInForeground
  }

  /// Sends queries after all earlier output, and does not wait for the responses.
  ///
  /// Only the first call has an effect.
  package func sendQueries(_ queries: TerminalQueries, at now: Instant) {
    guard !hasSentQueries else { return }
    paneFocus.begin(at: now)
    send(queryState.start(queries, at: now) + queryState.requestOuter(at: now))
  }

  /// Sends queries with the first frame, before anything is drawn, and does not wait for the
  /// responses.
  ///
  /// Terminals that do not support a query may print parts of it, as qterminal does, or scroll, as
  /// st 0.9 does, so the screen is cleared once more after the queries.
  package func sendQueriesOnEntry(_ queries: TerminalQueries, at now: Instant) {
    guard !hasSentQueries else { return }
    output.expectRedraw()
    paneFocus.begin(at: now)
    entryQueries =
      ControlBytes.saveCursor + queryState.start(queries, at: now) + ControlBytes.restoreCursor
      + ControlBytes.clearScreen
  }

  /// Sends the queries whose responses may change with the window's size.
  func queryCellSize() {
    send(queryState.request([.cell, .textArea, .itermCell], at: TerminalDevice.now()))
  }

  /// Handles a reply that is a response to a query, or a report of new colors or of visibility.
  ///
  /// - Returns: Whether the reply was handled.
  func handleResponse(_ reply: TerminalReply, at now: Instant) -> Bool {
    // `?997;1n` means dark, `?997;2n` light. The background color itself is more precise.
    if reply == TerminalReply(.control, "?997;1n") || reply == TerminalReply(.control, "?997;2n") {
      let reachesOuter = !queryState.isInTmux || passesThrough && paneFocus.isLikely(at: now)
      send(queryState.request([.background] + (reachesOuter ? [.outerBackground] : []), at: now))
      return true
    }
    if let isVisible = reply.visibility, responses.supportsMode(.visibility) == true {
      self.isVisible = isVisible
      if isEntered, !reportsVisibility { send(ControlBytes.visibilityOn) }
      reportsVisibility = true
      return true
    }
    if let window = WindowSize(report: reply), responses.supportsMode(.sizeReports) == true {
      sizeReported(window)
      return true
    }
    let before = responses
    guard queryState.handle(reply) else { return false }
    turnOnModes(newSince: before)
    send(queryState.requestMedia(at: now) + queryState.requestLate(at: now))
    return true
  }
}

extension TerminalReply {
  /// Whether the window is visible, if that is what the terminal reports; nil otherwise.
  fileprivate var visibility: Bool? {
    switch self {
    case TerminalReply(.control, "?999;1n"): true
    case TerminalReply(.control, "?999;2n"): false
    default: nil
    }
  }
}
