import PhotoGridCore
import SceneRendering
import TerminalIO

/// With which glyphs and colours cells are drawn.
extension TerminalTraits {
  /// The finest glyphs that the terminal is known to have.
  static func glyphs(
    _ environment: TerminalEnvironment, _ identity: TerminalIdentity, chosen: GlyphSet?
  ) -> Choice<GlyphSet> {
    if let chosen { return Choice(value: chosen, reason: "--symbols") }
    guard environment.isUTF8 else {
      return Choice(value: .ascii, reason: "the locale is not UTF-8")
    }
    if environment.multiplexer == nil, environment.type == "linux" {
      // None of the 456 fonts in Debian 12 has quadrants, 139 have half blocks.
      return Choice(value: .half, reason: "fonts of the Linux console have no quadrants")
    }
    let known = knownGlyphs(identity)
    guard let multiplexer = environment.multiplexer else {
      return known
        ?? Choice(value: .quadrant, reason: "every UTF-8 font has quadrants; more is not known")
    }
    // Octants are younger than what most multiplexers take for a character.
    guard known != nil, let name = identity.description else {
      return Choice(
        value: .quadrant, reason: "inside \(multiplexer.rawValue), which hides the terminal")
    }
    return Choice(value: .sextant, reason: "\(name) around \(multiplexer.rawValue) draws sextants")
  }

  /// The finest glyphs of terminals that draw them themselves, whatever the font.
  private static func knownGlyphs(_ identity: TerminalIdentity) -> Choice<GlyphSet>? {
    guard let program = identity.program, let name = identity.description else { return nil }
    let firstWithOctants: [Int]
    switch program {
    case .kitty: firstWithOctants = [0, 40]
    case .foot: firstWithOctants = [1, 20]
    case .ghostty: firstWithOctants = [1, 2]
    case .vte: firstWithOctants = [0, 78]
    // Its versions are dates.
    case .wezterm: firstWithOctants = [20_250_301]
    case .windowsTerminal, .contour:
      return Choice(value: .sextant, reason: "\(name) draws sextants")
    case .st, .urxvt, .xterm, .mlterm, .mintty, .konsole, .iterm, .alacritty, .rio, .vscode, .tabby,
      .hyper,
      .appleTerminal:
      return nil
    }
    return identity.isAtLeast(firstWithOctants)
      ? Choice(value: .octant, reason: "\(name) draws octants")
      : Choice(value: .sextant, reason: "\(name) draws sextants")
  }

  /// The most colours that the terminal is known to have.
  static func colors(
    _ environment: TerminalEnvironment, _ identity: TerminalIdentity, _ answers: TerminalAnswers,
    chosen: ColorDepth?
  ) -> Choice<ColorDepth> {
    if let chosen { return Choice(value: chosen, reason: "--colors") }
    if !environment["NO_COLOR"].isEmpty {
      return Choice(value: .none, reason: "NO_COLOR is set")
    }
    // What surrounds GNU screen and Apple's Terminal is no evidence of what they themselves show.
    let isLimited = environment.multiplexer == .screen || identity.program == .appleTerminal
    if !isLimited, let choice = fullColors(environment, identity, answers) { return choice }
    let type = environment.type
    if answers.keepsDirectColor == false {
      return Choice(value: .palette256, reason: "the terminal takes colours from a palette")
    }
    if type.hasPart("256color") || environment.terminfoColors >= 256 {
      return Choice(value: .palette256, reason: "TERM is \(type), and nothing says more")
    }
    if environment.terminfoColors >= 8 {
      return Choice(
        value: .palette16, reason: "terminfo knows \(environment.terminfoColors) colours")
    }
    return Choice(value: .none, reason: "terminfo knows no colours")
  }

  private static func fullColors(
    _ environment: TerminalEnvironment, _ identity: TerminalIdentity, _ answers: TerminalAnswers
  ) -> Choice<ColorDepth>? {
    let colorTerm = environment["COLORTERM"]
    if ["truecolor", "24bit"].contains(colorTerm) {
      return Choice(value: .full, reason: "COLORTERM is \(colorTerm)")
    }
    if environment.hasDirectColorEntry || environment.type.hasSuffix("-direct") {
      return Choice(value: .full, reason: "terminfo says so for \(environment.type)")
    }
    if answers.claimsDirectColor == true {
      return Choice(value: .full, reason: "the terminal answers that it has 24-bit colours")
    }
    if answers.keepsDirectColor == true {
      return Choice(value: .full, reason: "the terminal kept a 24-bit colour as it was")
    }
    guard answers.keepsDirectColor == nil else { return nil }
    switch identity.program {
    case .kitty, .foot, .ghostty, .wezterm, .konsole, .iterm, .alacritty, .vte, .contour, .rio,
      .windowsTerminal, .vscode, .tabby, .hyper, .mintty,
      // Debian 12's st 0.9 shows 24-bit colours as they are.
      .st:
      // Through tmux only what it knows of the terminal gets.
      guard environment.multiplexer != .tmux, let name = identity.description else { return nil }
      return Choice(value: .full, reason: "\(name) has 24-bit colours")
    // urxvt 9.30 takes 24-bit colours into few slots: a photo comes out in those of another.
    case .urxvt, .xterm, .mlterm, .appleTerminal, nil: return nil
    }
  }
}
