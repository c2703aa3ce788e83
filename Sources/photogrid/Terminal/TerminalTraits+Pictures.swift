import PhotoGridCore
import SceneRendering
import TerminalIO

/// By which protocol pictures are drawn.
extension TerminalTraits {
  /// The best protocol for pictures that the terminal is known to have.
  static func pictures(
    _ capabilities: TerminalCapabilities, _ identity: TerminalIdentity, _ colors: ColorDepth,
    chosen: PictureProtocol?
  ) -> Choice<PictureProtocol> {
    if let failure = capabilities.failure {
      let name = failure.pictures.rawValue
      return Choice(value: .cells, reason: "\(name) does not work: \(failure.words)")
    }
    if let chosen { return Choice(value: chosen, reason: "--protocol") }
    switch capabilities.environment.multiplexer {
    case .tmux: return picturesInTmux(capabilities, identity, colors)
    case .screen: return Choice(value: .cells, reason: "GNU screen lets no pictures through")
    case .zellij, nil: break
    }
    if let choice = itermPictures(capabilities.responses, identity, ifNotKitty: false) {
      return choice
    }
    if capabilities.responses.supportsGraphics(.kittyDirect) {
      return Choice(value: .kitty, reason: "the terminal takes pictures by kitty's protocol")
    }
    return itermPictures(capabilities.responses, identity, ifNotKitty: true)
      ?? sixelPictures(capabilities, capabilities.responses.attributes)
      ?? cells(capabilities.responses)
  }

  private static func cells(_ responses: TerminalResponses) -> Choice<PictureProtocol> {
    Choice(
      value: .cells,
      reason: responses.isComplete
        ? "the terminal answers that it knows no other way"
        : "the terminal has not answered what else it knows")
  }

  /// Pictures as iTerm2 has them, for terminals that are known to show them.
  ///
  /// WezTerm shows them better than kitty's, though it takes those as well.
  private static func itermPictures(
    _ responses: TerminalResponses, _ identity: TerminalIdentity, ifNotKitty: Bool
  ) -> Choice<PictureProtocol>? {
    guard let program = identity.program else { return nil }
    // A name alone may be another terminal's, inherited.
    let hasSixel = responses.attributes?.contains(sixelAttribute) ?? false
    let shows: Bool
    switch program {
    case .wezterm: shows = identity.isConfirmed
    case .iterm: shows = ifNotKitty && (identity.isConfirmed || responses.itermCell != nil)
    case .mintty: shows = ifNotKitty && (identity.isConfirmed || hasSixel)
    // One and the same setting shows both, or neither.
    case .vscode, .tabby, .hyper: shows = ifNotKitty && hasSixel
    default: shows = false
    }
    guard shows else { return nil }
    return Choice(value: .iterm, reason: "\(program.rawValue) shows pictures as iTerm2 does")
  }

  private static func sixelPictures(
    _ capabilities: TerminalCapabilities, _ attributes: [Int]?
  ) -> Choice<PictureProtocol>? {
    guard attributes?.contains(sixelAttribute) ?? false else { return nil }
    let responses = capabilities.responses
    if let registers = responses.sixelRegisters, registers < fewestRegisters {
      return Choice(value: .cells, reason: "sixel pictures would have \(registers) colours only")
    }
    if let limit = responses.sixelLimit, min(limit.width, limit.height) < smallestLimit {
      let size = "\(Int(limit.width))x\(Int(limit.height))"
      return Choice(value: .cells, reason: "sixel pictures could have \(size) pixels only")
    }
    if capabilities.measurement.source == .assumption {
      return Choice(
        value: .cells, reason: "sixel pictures need the size of a cell, which is not known")
    }
    return Choice(value: .sixel, reason: "the terminal answers that it shows sixel pictures")
  }

  /// DA1's number for sixel graphics.
  private static let sixelAttribute = 4
  private static let fewestRegisters = 16
  private static let smallestLimit = 64.0

  // MARK: - tmux

  private static func picturesInTmux(
    _ capabilities: TerminalCapabilities, _ identity: TerminalIdentity, _ colors: ColorDepth
  ) -> Choice<PictureProtocol> {
    let responses = capabilities.responses
    let name = identity.description ?? "the terminal"
    if responses.supportsGraphics(.kittyDirect), showsPlaceholders(identity) {
      guard capabilities.environment.isUTF8 else {
        return Choice(value: .cells, reason: "pictures in tmux need a UTF-8 locale")
      }
      // It is by their colour that placeholders say which picture they are a part of.
      guard colors == .full else {
        return Choice(value: .cells, reason: "pictures in tmux need 24-bit colours")
      }
      return Choice(value: .kitty, reason: "\(name) takes pictures, and tmux passes them on")
    }
    // tmux says so of itself whatever the terminal around it can do.
    if let outer = responses.outerAttributes, outer.contains(sixelAttribute),
      let choice = sixelPictures(capabilities, responses.attributes)
    {
      return choice
    }
    guard responses.isOuterComplete || responses.supportsGraphics(.kittyDirect) else {
      return Choice(
        value: .cells,
        reason: responses.isComplete
          ? "tmux passes nothing on to the terminal around it" : "tmux has not answered yet")
    }
    return Choice(value: .cells, reason: "\(name) around tmux cannot show pictures through it")
  }

  /// Whether pictures can be shown by placeholder characters, which is how they get into a pane.
  private static func showsPlaceholders(_ identity: TerminalIdentity) -> Bool {
    switch identity.program {
    case .kitty: identity.isAtLeast([0, 28])
    case .ghostty: true
    default: false
    }
  }

  // MARK: - Kitty

  /// The quickest way for pictures to a terminal with kitty's protocol.
  static func medium(
    _ environment: TerminalEnvironment, _ responses: TerminalResponses
  ) -> Choice<KittyMedium> {
    if responses.supportsGraphics(.kittySharedMemory) {
      return Choice(value: .sharedMemory, reason: "the terminal read a pixel from it")
    }
    if responses.supportsGraphics(.kittyFile) {
      return Choice(value: .temporaryFile, reason: "the terminal read a pixel from one")
    }
    if environment.isRemote {
      return Choice(value: .direct, reason: "the terminal is on another machine (SSH)")
    }
    let fault = responses.graphicsResponse(.kittySharedMemory)
    return Choice(
      value: .direct,
      reason: fault.map { "the terminal finds no shared memory: \($0)" }
        ?? "nothing else was answered")
  }
}
