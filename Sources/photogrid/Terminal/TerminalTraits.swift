import Geometry
import Photos
import SceneRendering
import TerminalIO

/// The choices for drawing pictures and text on the terminal, each with its reason.
///
/// The choices are made again for each new response of the terminal.
struct TerminalTraits: Equatable {
  struct Choice<Value: Equatable>: Equatable {
    var value: Value
    /// The reason, for `--doctor`.
    var reason: String
  }

  let identity: TerminalIdentity
  /// The multiplexer that the program runs in, if there is one.
  let multiplexer: Multiplexer?
  let pictures: Choice<PictureProtocol>
  /// The medium by which kitty's protocol transfers pictures.
  let medium: Choice<KittyMedium>
  /// The glyphs that cells are drawn with.
  let glyphs: Choice<GlyphSet>
  let colors: Choice<ColorDepth>
  /// Whether the terminal supports synchronized updates; nil if it did not respond.
  let synchronizesUpdates: Choice<Bool?>
  let hasPixelMouse: Choice<Bool>
  let cell: Choice<PixelSize>
  /// The background color; nil if the terminal does not report it.
  let background: Choice<RGB?>
  /// The configured colors of rings.
  private let accent: RGB?
  private let mark: RGB?
  /// Whether the terminal shows the progress of work.
  let showsProgress: Bool
  private let hasShortUpperBlock: Bool
  private let hasKittyAnswered: Bool
  private let sixelRegisters: Int
  private let sixelLimit: PixelSize?

  init(_ capabilities: TerminalCapabilities, configuration: Configuration) {
    let environment = capabilities.environment
    let responses = capabilities.responses
    let identity = TerminalIdentity(environment, responses)
    self.identity = identity
    multiplexer = environment.multiplexer
    showsProgress = Self.showsProgress(identity, environment.multiplexer)
    medium = Self.medium(environment, responses)
    glyphs = Self.glyphs(environment, identity, chosen: configuration.drawing.glyphs)
    let colors = Self.colors(environment, identity, responses, chosen: configuration.drawing.colors)
    self.colors = colors
    pictures = Self.pictures(
      capabilities, identity, colors.value, chosen: configuration.drawing.pictures)
    synchronizesUpdates = Self.synchronizesUpdates(responses)
    cell = Self.cell(capabilities.measurement)
    hasPixelMouse = Self.hasPixelMouse(capabilities, configuration)
    accent = configuration.drawing.accent
    mark = configuration.drawing.markColor
    background =
      configuration.drawing.background.map { Choice(value: $0, reason: "--theme") }
      ?? responses.background.map { Choice(value: $0, reason: "the terminal's report") }
      ?? environment.background.map { Choice(value: $0, reason: "COLORFGBG") }
      ?? Choice(value: nil, reason: "not reported, so pictures fade without changing color")
    hasShortUpperBlock =
      !identity.drawsBlocks && responses.background != nil
      && responses.background == background.value
    hasKittyAnswered = responses.supportsGraphics(.kittyDirect)
    sixelRegisters = responses.sixelRegisters ?? 256
    sixelLimit = responses.sixelLimit
  }

  /// Returns the properties of the terminal that a protocol depends on.
  ///
  /// All other properties have default values, so that changes of them do not replace the renderer.
  func pictureTraits(for pictures: PictureProtocol) -> PictureTraits {
    var appearance = Appearance(background: background.value)
    if let accent { appearance.accent = accent }
    if let mark { appearance.mark = mark }
    appearance.hasFontBlocks = !identity.drawsBlocks
    appearance.hasShortUpperBlock = hasShortUpperBlock
    appearance.hasWedges = identity.drawsWedges
    var traits = PictureTraits(
      appearance: appearance, glyphs: glyphs.value, depth: colors.value)
    switch pictures {
    case .kitty:
      traits.kittyMedium = medium.value
      traits.isMultiplexed = multiplexer == .tmux
      traits.hasKittyAnswered = hasKittyAnswered
      traits.knowsTransientImages =
        identity.program == .kitty && identity.isConfirmed && identity.isAtLeast([0, 48])
    case .sixel:
      traits.sixelRegisters = sixelRegisters
      traits.sixelLimit = sixelLimit
    case .iterm, .cells: break
    }
    return traits
  }

  private static func synchronizesUpdates(_ responses: TerminalResponses) -> Choice<Bool?> {
    switch responses.supportsMode(.synchronizedUpdate) {
    case true: Choice(value: true, reason: "the terminal supports mode 2026")
    case false: Choice(value: false, reason: "the terminal does not support mode 2026")
    case nil: Choice(value: nil, reason: "mode 2026 was not reported but is used anyway")
    }
  }

  private static func cell(_ measurement: CellMeasurement) -> Choice<PixelSize> {
    let reason =
      switch measurement.source {
      case .cellReport: "the terminal's report"
      case .window: "the window's pixels divided by its cells"
      case .textArea: "the text area's pixels divided by its cells"
      case .itermReport: "iTerm2's report"
      case .assumption: "assumed: no plausible size was reported"
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
          ? "--mouse off" : "off: GNU screen would delay Esc; --mouse on overrides this")
    }
    switch capabilities.responses.supportsMode(.pixelMouse) {
    case true where capabilities.measurement.source == .assumption:
      return Choice(value: false, reason: "the cell size is unknown")
    case true: return Choice(value: true, reason: "the terminal supports mode 1016")
    case false: return Choice(value: false, reason: "the terminal does not support mode 1016")
    case nil: return Choice(value: false, reason: "not reported")
    }
  }
}

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

  /// Whether the terminal may support drag and drop (OSC 72), which it is then asked: kitty since 0.47 and
  /// iTerm2 since 3.7, unless a multiplexer is in between.
  var mayDragAndDrop: Bool {
    let identity = TerminalIdentity(environment, responses)
    guard environment.multiplexer == nil else { return false }
    return switch identity.program {
    case .kitty: identity.isAtLeast([0, 47])
    case .iterm: identity.isAtLeast([3, 7])
    default: false
    }
  }
}

/// The ways to show pictures on a terminal.
enum PictureProtocol: String, CaseIterable, Sendable {
  /// The graphics protocol of kitty.
  case kitty
  /// Sixel graphics, as on DEC's VT340.
  case sixel
  case iterm
  /// Cells: glyphs in two colors.
  case cells

  func renderer(_ traits: PictureTraits) -> any SceneRenderer {
    switch self {
    case .kitty: Self.kittyRenderer(traits)
    case .sixel: SixelRenderer(traits)
    case .iterm: ITermRenderer(traits)
    case .cells:
      CellRenderer(glyphs: traits.glyphs, depth: traits.depth, appearance: traits.appearance)
    }
  }

  private static func kittyRenderer(_ traits: PictureTraits) -> any SceneRenderer {
    let objects = TransferObjects()
    // A random start avoids the IDs of other programs' images in the same terminal.
    let firstID = UInt32.random(in: 1...0xFF_FFFF)
    let handover: KittyHandover = { bytes, medium in
      switch medium {
      case .sharedMemory: objects.addSharedMemory(bytes)
      case .temporaryFile: objects.addFile(bytes)
      case .direct: nil
      }
    }
    return traits.isMultiplexed
      ? PlaceholderRenderer(traits, firstID: firstID, handover: handover)
      : KittyRenderer(traits, firstID: firstID, handover: handover)
  }
}
