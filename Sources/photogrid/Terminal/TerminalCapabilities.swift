import TerminalIO

/// Everything that is known about the terminal.
struct TerminalCapabilities {
  var environment: TerminalEnvironment
  var responses = TerminalResponses()
  var measurement = CellMeasurement(TerminalResponses(), window: .unknown)
  /// The protocol that failed, and the reason; cells are drawn after that.
  var failure: (pictures: PictureProtocol, message: String)?

  /// Whether the terminal puts pictures on the clipboard (OSC 5522): kitty since 0.27, unless a
  /// multiplexer is in between.
  var takesPicturesForClipboard: Bool {
    let identity = TerminalIdentity(environment, responses)
    return environment.multiplexer == nil && identity.program == .kitty
      && identity.isAtLeast([0, 27])
  }
}
