import Geometry
import SceneRendering
import TerminalIO

/// The choice of a protocol for pictures.
extension TerminalTraits {
  /// Chooses the best protocol for pictures that the terminal is known to support.
  static func pictures(
    _ capabilities: TerminalCapabilities, _ identity: TerminalIdentity, _ colors: ColorDepth,
    chosen: PictureProtocol?
  ) -> Choice<PictureProtocol> {
    if let failure = capabilities.failure {
      let name = failure.pictures.rawValue
      return Choice(value: .cells, reason: "\(name) does not work: \(failure.message)")
    }
    if let chosen { return Choice(value: chosen, reason: "--protocol") }
    switch capabilities.environment.multiplexer {
    case .tmux: return picturesInTmux(capabilities, identity, colors)
    case .screen: return Choice(value: .cells, reason: "GNU screen blocks pictures")
    case .zellij, nil: break
    }
    if let choice = itermPictures(capabilities.responses, identity, ifNotKitty: false) {
      return choice
    }
    if capabilities.responses.supportsGraphics(.kittyDirect) {
      return Choice(value: .kitty, reason: "the terminal supports kitty's protocol")
    }
    return itermPictures(capabilities.responses, identity, ifNotKitty: true)
      ?? sixelPictures(capabilities, capabilities.responses.attributes)
      ?? cells(capabilities.responses)
  }

  private static func cells(_ responses: TerminalResponses) -> Choice<PictureProtocol> {
    Choice(
      value: .cells,
      reason: responses.isComplete
        ? "the terminal cannot show pictures"
        : "the terminal has not responded")
  }

  /// Chooses iTerm2's protocol for terminals that are known to support it.
  ///
  /// With `ifNotKitty` false it is chosen only for WezTerm, which supports it better than kitty's
  /// protocol.
  private static func itermPictures(
    _ responses: TerminalResponses, _ identity: TerminalIdentity, ifNotKitty: Bool
  ) -> Choice<PictureProtocol>? {
    guard let program = identity.program else { return nil }
    // The name may be inherited from another terminal.
    let hasSixel = responses.attributes?.contains(sixelAttribute) ?? false
    let shows: Bool
    switch program {
    case .wezterm: shows = identity.isConfirmed
    case .iterm: shows = ifNotKitty && (identity.isConfirmed || responses.itermCell != nil)
    case .mintty: shows = ifNotKitty && (identity.isConfirmed || hasSixel)
    // The same setting turns both protocols on or off.
    case .vscode, .tabby, .hyper: shows = ifNotKitty && hasSixel
    default: shows = false
    }
    guard shows else { return nil }
    return Choice(value: .iterm, reason: "\(program.rawValue) shows pictures the way iTerm2 does")
  }

  /// Chooses sixel pictures, or cells if sixel pictures would not be good enough; nil if the
  /// attributes do not include sixel.
  private static func sixelPictures(
    _ capabilities: TerminalCapabilities, _ attributes: [Int]?
  ) -> Choice<PictureProtocol>? {
    guard attributes?.contains(sixelAttribute) ?? false else { return nil }
    let responses = capabilities.responses
    if let registers = responses.sixelRegisters, registers < minRegisters {
      return Choice(value: .cells, reason: "sixel pictures are limited to \(registers) colors")
    }
    if let limit = responses.sixelLimit, min(limit.width, limit.height) < minLimit {
      let size = "\(Int(limit.width))x\(Int(limit.height))"
      return Choice(value: .cells, reason: "sixel pictures are limited to \(size) pixels")
    }
    if capabilities.measurement.source == .assumption {
      return Choice(
        value: .cells, reason: "sixel pictures need the cell size, which is unknown")
    }
    return Choice(value: .sixel, reason: "the terminal reports sixel support")
  }

  /// The number for sixel graphics among the terminal's attributes (DA1).
  private static let sixelAttribute = 4
  private static let minRegisters = 16
  /// The least limit for a sixel picture's sides at which sixel is used, in pixels.
  private static let minLimit = 64.0

  // MARK: - tmux

  private static func picturesInTmux(
    _ capabilities: TerminalCapabilities, _ identity: TerminalIdentity, _ colors: ColorDepth
  ) -> Choice<PictureProtocol> {
    let responses = capabilities.responses
    let name = identity.description ?? "the terminal"
    if responses.supportsGraphics(.kittyDirect), showsPlaceholders(identity, responses) {
      guard capabilities.environment.isUTF8 else {
        return Choice(value: .cells, reason: "pictures in tmux need a UTF-8 locale")
      }
      // A placeholder's color says which picture it belongs to.
      guard colors == .full else {
        return Choice(value: .cells, reason: "pictures in tmux need 24-bit color")
      }
      return Choice(value: .kitty, reason: "\(name) accepts pictures, and tmux passes them on")
    }
    // tmux reports sixel itself, whatever the terminal around it supports.
    if let outer = responses.outerAttributes, outer.contains(sixelAttribute),
      let choice = sixelPictures(capabilities, responses.attributes)
    {
      return choice
    }
    guard responses.isOuterComplete || responses.supportsGraphics(.kittyDirect) else {
      return Choice(
        value: .cells,
        reason: responses.isComplete
          ? "tmux is not passing anything through to the outer terminal" : "tmux has not responded")
    }
    return Choice(value: .cells, reason: "\(name) cannot show pictures through tmux")
  }

  /// Returns whether the terminal supports kitty's Unicode placeholders, the only way to show its
  /// pictures in a pane of tmux.
  private static func showsPlaceholders(
    _ identity: TerminalIdentity, _ responses: TerminalResponses
  ) -> Bool {
    guard responses.supportsGraphics(.kittyPlaceholders) else { return false }
    switch identity.program {
    // They accept commands with keys that they ignore: Konsole 26.08 shows boxes.
    case .konsole, .wezterm: return false
    default: return true
    }
  }

  /// Whether the terminal is known to show the progress of work (OSC 9;4) rather than a notification.
  static func showsProgress(_ identity: TerminalIdentity, _ multiplexer: Multiplexer?) -> Bool {
    guard multiplexer == nil, let program = identity.program else { return false }
    switch program {
    case .kitty: return identity.isConfirmed && identity.isAtLeast([0, 47])
    case .ghostty: return identity.isAtLeast([1, 2])
    case .vte: return identity.isAtLeast([0, 80])
    case .iterm: return identity.isAtLeast([3, 6, 6])
    case .wezterm, .mintty: return identity.isConfirmed
    case .windowsTerminal: return true
    default: return false
    }
  }

  // MARK: - Kitty

  /// Chooses the fastest transfer of pictures to a terminal with kitty's protocol.
  static func medium(
    _ environment: TerminalEnvironment, _ responses: TerminalResponses
  ) -> Choice<KittyMedium> {
    if responses.supportsGraphics(.kittySharedMemory) {
      return Choice(value: .sharedMemory, reason: "the terminal read a test pixel from it")
    }
    if responses.supportsGraphics(.kittyFile) {
      return Choice(value: .temporaryFile, reason: "the terminal read a test pixel from one")
    }
    if environment.isRemote {
      return Choice(value: .direct, reason: "the terminal is on another machine (SSH)")
    }
    let fault = responses.graphicsResponse(.kittySharedMemory)
    return Choice(
      value: .direct,
      reason: fault.map { "the terminal cannot read shared memory: \($0)" }
        ?? "the terminal did not confirm any other method")
  }
}
