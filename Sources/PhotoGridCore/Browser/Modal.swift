/// A prompt, the help, the palette or a question, which receives the keys before the screen behind
/// it.
enum Modal: Equatable, Sendable {
  case prompt(Prompt)
  case help(Help)
  case palette(Palette)
  /// A question before photos go to the trash.
  case confirmation(Confirmation)

  /// Whether neither the information panel nor the mouse reaches the screen behind it.
  var coversScreen: Bool {
    switch self {
    case .help, .palette: true
    case .prompt, .confirmation: false
    }
  }

  /// Whether it is dropped if another one is open.
  var yields: Bool { delaysFiles }

  /// Whether queued file operations wait for an answer.
  var delaysFiles: Bool {
    if case .confirmation(.undo) = self { true } else { false }
  }

  // MARK: - Events

  /// Returns the effect of a key that is the same in all lines and pages; nil for other keys.
  func effect(of key: Key) -> Effect? {
    switch (self, key) {
    case (.confirmation, _): nil
    case (_, .control("c")): .interrupt
    case (_, .control("z")): .suspend
    case (_, .control("l")): .redraw
    default: nil
    }
  }

  /// Whether a mouse event closes it.
  func isClosed(by event: MouseEvent) -> Bool {
    switch (self, event.kind) {
    case (.help, .pressed(.left)), (.palette, .pressed(.left)), (.confirmation, .pressed): true
    default: false
    }
  }

  /// Adapts to photos that have become known.
  mutating func follow(_ album: Album) {
    guard case .prompt(var prompt) = self else { return }
    prompt.follow(album)
    self = .prompt(prompt)
  }

  /// Receives the folders that complete a path.
  ///
  /// - Returns: The path for which others are needed; nil if none are.
  mutating func receive(_ matches: FolderMatches) -> String? {
    guard case .prompt(var prompt) = self else { return nil }
    let isEdited = prompt.receive(matches)
    self = .prompt(prompt)
    return isEdited ? prompt.line.text : nil
  }

  // MARK: - Content

  var prompt: Prompt? { if case .prompt(let prompt) = self { prompt } else { nil } }

  var help: Help? { if case .help(let help) = self { help } else { nil } }

  var palette: Palette? { if case .palette(let palette) = self { palette } else { nil } }

  /// The question that the next key answers; nil if there is none.
  var question: String? {
    if case .confirmation(let confirmation) = self { confirmation.question } else { nil }
  }

  /// The bar with the line that is being typed; nil if the status bar describes it.
  var bar: Bar? {
    switch self {
    case .palette(let palette):
      Bar(left: "", right: palette.status, entry: Bar.Entry(label: ":", line: palette.line))
    case .help(let help): help.typedLine.map { Bar(left: "", right: "", entry: $0) }
    case .prompt, .confirmation: nil
    }
  }
}
