import PhotoGridCore
import SceneRendering
import TerminalIO

/// How the terminal is drawn on, each choice with its reason.
///
/// A value: made again whenever the terminal has answered something new.
struct TerminalTraits: Equatable {
  /// A choice and the words that explain it.
  struct Choice<Value: Equatable>: Equatable {
    /// What was chosen.
    var value: Value
    /// Why, for `--doctor`.
    var reason: String
  }

  /// The terminal program, or the one around tmux.
  let identity: TerminalIdentity
  /// The multiplexer around the program, if there is one.
  let multiplexer: Multiplexer?
  /// How pictures reach the terminal.
  let pictures: Choice<PictureProtocol>
  /// How kitty's pictures get to the terminal, if its protocol is chosen.
  let medium: Choice<KittyMedium>
  /// The glyphs that cells are drawn with.
  let glyphs: Choice<GlyphSet>
  /// The number of colours.
  let colors: Choice<ColorDepth>
  /// Whether the terminal shows a frame all at once; nil if it did not answer.
  let synchronizesUpdates: Choice<Bool?>
  /// Whether the mouse is reported in pixels.
  let hasPixelMouse: Choice<Bool>
  /// The size of a text cell in pixels.
  let cell: Choice<PixelSize>
  /// Nil if the terminal does not tell.
  let background: Choice<RGB?>
  /// The colours of rings that were asked for.
  private let accent: RGB?
  private let mark: RGB?
  private let sixelRegisters: Int
  private let sixelLimit: PixelSize?

  /// The choices for a terminal; options of the command line take precedence.
  init(_ capabilities: TerminalCapabilities, configuration: Configuration) {
    let environment = capabilities.environment
    let answers = capabilities.answers
    let identity = TerminalIdentity(environment, answers)
    self.identity = identity
    multiplexer = environment.multiplexer
    medium = Self.medium(environment, answers)
    glyphs = Self.glyphs(environment, identity, chosen: configuration.drawing.glyphs)
    let colors = Self.colors(environment, identity, answers, chosen: configuration.drawing.colors)
    self.colors = colors
    pictures = Self.pictures(
      capabilities, identity, colors.value, chosen: configuration.drawing.pictures)
    synchronizesUpdates = Self.synchronizesUpdates(answers)
    cell = Self.cell(capabilities.measurement)
    hasPixelMouse = Self.hasPixelMouse(capabilities, configuration)
    accent = configuration.drawing.accent
    mark = configuration.drawing.markColor
    background =
      configuration.drawing.background.map { Choice(value: $0, reason: "--theme") }
      ?? answers.background.map { Choice(value: $0, reason: "the terminal's answer") }
      ?? Choice(value: nil, reason: "the terminal does not tell; taken to be black")
    sixelRegisters = answers.sixelRegisters ?? 256
    sixelLimit = answers.sixelLimit
  }

  /// The properties of the terminal that matter for a protocol.
  ///
  /// Others have their defaults, so that a change of them does not replace the renderer.
  func pictureTraits(for pictures: PictureProtocol) -> PictureTraits {
    var appearance = Appearance(background: background.value)
    if let accent { appearance.accent = accent }
    if let mark { appearance.mark = mark }
    var traits = PictureTraits(
      appearance: appearance, glyphs: glyphs.value, depth: colors.value)
    switch pictures {
    case .kitty:
      traits.kittyMedium = medium.value
      traits.isMultiplexed = multiplexer == .tmux
    case .sixel:
      traits.sixelRegisters = sixelRegisters
      traits.sixelLimit = sixelLimit
    case .iterm, .cells: break
    }
    return traits
  }

  private static func synchronizesUpdates(_ answers: TerminalAnswers) -> Choice<Bool?> {
    switch answers.knowsMode(.synchronizedUpdate) {
    case true: Choice(value: true, reason: "the terminal knows mode 2026")
    case false: Choice(value: false, reason: "the terminal does not know mode 2026")
    case nil: Choice(value: nil, reason: "the terminal does not tell; asked for all the same")
    }
  }

  private static func cell(_ measurement: CellMeasurement) -> Choice<PixelSize> {
    let reason =
      switch measurement.source {
      case .cellReport: "the terminal's answer"
      case .window: "the window's pixels by its cells"
      case .textArea: "the text area's pixels by its cells"
      case .itermReport: "iTerm2's report"
      case .assumption: "assumed: nothing that can be true was told"
      }
    return Choice(value: measurement.cell, reason: reason)
  }

  private static func hasPixelMouse(
    _ capabilities: TerminalCapabilities, _ configuration: Configuration
  ) -> Choice<Bool> {
    guard configuration.session.usesMouse(in: capabilities.environment) else {
      return Choice(
        value: false,
        reason: configuration.session.mouse == false
          ? "--mouse off" : "off, as GNU screen would hold Esc back; --mouse on")
    }
    switch capabilities.answers.knowsMode(.pixelMouse) {
    case true where capabilities.measurement.source == .assumption:
      return Choice(value: false, reason: "the size of a cell is not known")
    case true: return Choice(value: true, reason: "the terminal knows mode 1016")
    case false: return Choice(value: false, reason: "the terminal does not know mode 1016")
    case nil: return Choice(value: false, reason: "the terminal does not tell")
    }
  }
}
