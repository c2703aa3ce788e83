import TerminalIO

/// Everything that is known about the terminal.
struct TerminalCapabilities {
  /// What the process's environment says.
  var environment: TerminalEnvironment
  /// What the terminal has answered so far.
  var responses = TerminalResponses()
  /// The size of a text cell, and how it is known.
  var measurement = CellMeasurement(TerminalResponses(), window: .unknown)
  /// The protocol that did not work, and why; after that only text cells are drawn.
  var failure: (pictures: PictureProtocol, words: String)?
}
