/// A prompt, the help, the palette or a question, which receives the keys before the screen behind
/// it.
enum Modal: Equatable, Sendable {
  case prompt(Prompt)
  case help(Help)
  case palette(Palette)
  /// A question before photos go to the trash.
  case confirmation(Confirmation)

  /// Whether neither the information panel nor the mouse reaches the screen behind it; a press
  /// closes it.
  var coversScreen: Bool {
    switch self {
    case .help, .palette: true
    case .prompt, .confirmation: false
    }
  }
}

extension Browser {
  package var prompt: Prompt? {
    if case .prompt(let prompt)? = modal { prompt } else { nil }
  }

  /// The open help; nil if it is closed.
  package var help: Help? {
    if case .help(let help)? = modal { help } else { nil }
  }

  /// The open prompt for commands; nil if it is closed.
  package var palette: Palette? {
    if case .palette(let palette)? = modal { palette } else { nil }
  }
}
