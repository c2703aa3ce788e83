import Geometry
import SceneRendering
import TerminalIO

/// The choice of glyphs and colors for cells.
extension TerminalTraits {
  /// Chooses the finest glyphs that the terminal is known to draw.
  static func glyphs(
    _ environment: TerminalEnvironment, _ identity: TerminalIdentity, chosen: GlyphSet?
  ) -> Choice<GlyphSet> {
    if let chosen { return Choice(value: chosen, reason: "--symbols") }
    guard environment.isUTF8 else {
      return Choice(value: .ascii, reason: "the locale is not UTF-8")
    }
    if environment.multiplexer == nil, environment.type == "linux" {
      // None of the 456 fonts in Debian 12 has quadrants, 139 have half blocks.
      return Choice(value: .half, reason: "Linux console fonts have no quadrants")
    }
    let known = knownGlyphs(identity)
    guard let multiplexer = environment.multiplexer else {
      return known
        ?? Choice(
          value: .quadrant, reason: "Unicode fonts have quadrants but may lack finer characters")
    }
    // Octants are newer than the Unicode tables of most multiplexers.
    guard known != nil, let name = identity.description else {
      return Choice(
        value: .quadrant,
        reason: "inside \(multiplexer.rawValue), which hides what the terminal supports")
    }
    return Choice(
      value: .sextant, reason: "\(name) draws sextants, even in \(multiplexer.rawValue)")
  }

  /// Returns the finest glyphs of a terminal that draws them itself instead of using a font; nil
  /// for other terminals.
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

  /// Chooses the most colors that the terminal is known to support.
  static func colors(
    _ environment: TerminalEnvironment, _ identity: TerminalIdentity,
    _ responses: TerminalResponses,
    chosen: ColorDepth?
  ) -> Choice<ColorDepth> {
    if let chosen { return Choice(value: chosen, reason: "--colors") }
    if !environment["NO_COLOR"].isEmpty {
      return Choice(value: .none, reason: "NO_COLOR is set")
    }
    // Variables inherited from another terminal say nothing about GNU screen and Apple's Terminal.
    // urxvt 9.30 keeps 24-bit colors in 245 slots, one for each of 7 by 7 by 5 levels of red, green
    // and blue. A new color takes the slot of an older one, in all cells that show it: of a picture
    // of 11,189 colors 77 were on the screen, most of them in wrong places.
    let isLimited =
      environment.multiplexer == .screen || identity.program == .appleTerminal
      || identity.program == .urxvt
    if !isLimited, let choice = fullColors(environment, identity, responses) { return choice }
    let type = environment.type
    if responses.keepsDirectColor == false {
      return Choice(value: .palette256, reason: "the terminal substitutes palette colors")
    }
    if type.containsText("256color") || environment.terminfoColors >= 256 {
      let reason =
        identity.program == .urxvt
        ? "rxvt-unicode shows at most 245 24-bit colors at once"
        : "TERM is \(type); nothing else indicates color support"
      return Choice(value: .palette256, reason: reason)
    }
    if environment.terminfoColors >= 8 {
      return Choice(
        value: .palette16, reason: "terminfo lists \(environment.terminfoColors) colors")
    }
    return Choice(value: .none, reason: "terminfo lists no colors")
  }

  /// Chooses 24-bit colors if there is a reason to; nil otherwise.
  private static func fullColors(
    _ environment: TerminalEnvironment, _ identity: TerminalIdentity, _ responses: TerminalResponses
  ) -> Choice<ColorDepth>? {
    let colorTerm = environment["COLORTERM"]
    if ["truecolor", "24bit"].contains(colorTerm) {
      return Choice(value: .full, reason: "COLORTERM is \(colorTerm)")
    }
    if environment.hasDirectColorEntry || environment.type.hasSuffix("-direct") {
      return Choice(value: .full, reason: "terminfo lists 24-bit color for \(environment.type)")
    }
    if responses.claimsDirectColor == true {
      return Choice(value: .full, reason: "the terminal reports 24-bit color")
    }
    if responses.keepsDirectColor == true {
      return Choice(value: .full, reason: "the terminal showed a 24-bit test color exactly")
    }
    guard responses.keepsDirectColor == nil else { return nil }
    switch identity.program {
    case .kitty, .foot, .ghostty, .wezterm, .konsole, .iterm, .alacritty, .vte, .contour, .rio,
      .windowsTerminal, .vscode, .tabby, .hyper, .mintty,
      // Debian 12's st 0.9 shows 24-bit colors as they are.
      .st:
      // Only colors that tmux itself supports reach the terminal.
      guard environment.multiplexer != .tmux, let name = identity.description else { return nil }
      return Choice(value: .full, reason: "\(name) has 24-bit color")
    case .urxvt, .xterm, .mlterm, .appleTerminal, nil: return nil
    }
  }
}

extension TerminalIdentity {
  /// Whether the terminal is known to draw wedges itself, with their corners at thirds of the cell.
  var drawsWedges: Bool {
    switch program {
    // Earlier versions draw them with corners at quarters.
    case .kitty: isAtLeast([0, 34])
    case .foot: isAtLeast([1, 9])
    case .vte: isAtLeast([0, 62])
    case .ghostty, .wezterm: true
    case .windowsTerminal, .contour, .konsole, .alacritty, .st, .urxvt, .xterm, .mlterm, .mintty,
      .iterm, .rio, .vscode, .tabby, .hyper, .appleTerminal, nil:
      false
    }
  }

  /// Whether the terminal is known to draw blocks itself, so that they fill their parts of a cell.
  var drawsBlocks: Bool {
    switch program {
    case .kitty, .foot, .ghostty, .vte, .wezterm, .windowsTerminal, .contour, .konsole, .alacritty:
      true
    case .st, .urxvt, .xterm, .mlterm, .mintty, .iterm, .rio, .vscode, .tabby, .hyper,
      .appleTerminal, nil:
      false
    }
  }
}
