import Geometry

/// The pane of tmux that the program may be in, and the terminal around tmux.
extension TerminalSession {
  /// Whether tmux passes on what is wrapped for the terminal around it: not while it has to redraw its
  /// window, which it has done when it responds to a fence after the cause.
  package var passesThrough: Bool { output.hasRedrawn && (!needsEntry || frameCount == 0) }

  /// Whether responses of the terminal around tmux reach the program, rather than another pane.
  package func receivesResponses(at now: Instant) -> Bool { paneFocus.isLikely(at: now) }

  /// Follows what happens to the pane of tmux that the program is in.
  func followTmux(_ events: [InputEvent], at now: Instant) {
    paneFocus.update(events, at: now)
    if events.contains(.focusGained) { output.expectRedraw() }
    if paneFocus.lastSign == now { queryState.checkOuter(at: now) }
    // The next frame's fence tells when tmux has redrawn its window.
    if !output.hasRedrawn, !output.awaitsReply { needsFrame = true }
    guard passesThrough else { return }
    if paneFocus.isLikely(at: now) {
      send(queryState.requestOuter(at: now))
    } else {
      queryState.cancelOuter()
    }
  }

  /// The number of times that the terminal around tmux responded to all queries.
  package var outerResponseCount: Int { queryState.outer.responseCount }

  /// The number of times that the terminal around tmux responded again after a silence, or that
  /// another one took its place.
  package var outerChangeCount: Int { queryState.outer.changeCount }
}
