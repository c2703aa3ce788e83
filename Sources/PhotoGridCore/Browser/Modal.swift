import Photos
import SceneModel

/// A prompt, the help, the palette or a question, which receives the keys before the screen behind
/// it.
enum Modal: Equatable, Sendable {
  case prompt(Prompt)
  case help(Help)
  case palette(Palette)
  /// A question before files are changed.
  case confirmation(Confirmation)

  /// Whether the information panel is hidden behind it.
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

  /// Whether the user types the path of a folder.
  var completesFolders: Bool {
    switch self {
    case .prompt(let prompt): prompt.kind.isFolder
    case .palette(let palette): palette.folderText != nil
    case .help, .confirmation: false
    }
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

  /// Adapts to photos that have become known.
  mutating func follow(_ album: Album) {
    guard case .prompt(var prompt) = self else { return }
    prompt.follow(album)
    self = .prompt(prompt)
  }

  // MARK: - Content

  /// Returns the photos whose files must be read for what is typed; nil if none need to be read.
  func missingFacts(in album: Album) -> [Photo.ID]? {
    if case .prompt(let prompt) = self { prompt.missingFacts(in: album) } else { nil }
  }

  /// Returns the photos whose ratings must be read for what is typed.
  func missingRatings(in album: Album) -> [Photo.ID] {
    if case .prompt(let prompt) = self { prompt.missingRatings(in: album) } else { [] }
  }

  /// Adds to the status bar what is typed.
  func describe(_ content: inout StatusBar.Content, over screen: any Screen, in gallery: Gallery) {
    guard case .prompt(let prompt) = self else { return }
    content.prompt = prompt
    content.isExplained = prompt.isExplained(in: gallery.viewport)
    if prompt.kind == .command {
      content.commandPhotoCount = screen.chosenFiles(in: gallery).count
    }
  }

  /// Returns the panel with help, a list, or text that does not fit in the bar; nil without a panel.
  func panel(_ layout: HelpLayout, _ statusBar: StatusBar, in gallery: Gallery) -> Panel? {
    let (viewport, collection) = (gallery.viewport, gallery.collection)
    return switch self {
    case .help(let help): layout.panel(of: help)
    case .palette(let palette):
      palette.panel(in: viewport.pictureCells, hasBar: statusBar.isVisible)
    case .prompt(let prompt):
      prompt.panel(in: viewport)
        ?? collection.emptyPanel(way: "Esc clears the filter.", in: viewport)
    case .confirmation: Panel(question, in: viewport) ?? collection.emptyPanel(in: viewport)
    }
  }

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
