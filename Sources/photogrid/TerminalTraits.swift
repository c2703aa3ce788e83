import PhotoGridCore
import SceneRendering

/// What the environment tells of the terminal, each choice with its reason.
struct TerminalTraits {
  /// A choice and the words that explain it.
  struct Choice<Value> {
    var value: Value
    var reason: String
  }

  let glyphs: Choice<GlyphSet>
  let colors: Choice<ColorDepth>
  /// The multiplexer around the program, if there is one.
  let multiplexer: String?

  /// Judges by the environment, the locale and the terminfo entry's number of colours.
  init(
    environment: [String: String], isUTF8: Bool, terminfoColors: Int, configuration: Configuration
  ) {
    let term = environment["TERM"] ?? ""
    multiplexer = Self.multiplexer(term, environment)
    if let chosen = configuration.glyphs {
      glyphs = Choice(value: chosen, reason: "--symbols")
    } else if !isUTF8 {
      glyphs = Choice(value: .ascii, reason: "the locale is not UTF-8")
    } else if let multiplexer {
      glyphs = Choice(value: .quadrant, reason: "inside \(multiplexer), which hides the terminal")
    } else {
      glyphs = Self.knownGlyphs(term, environment)
    }
    if let chosen = configuration.colors {
      colors = Choice(value: chosen, reason: "--colors")
    } else {
      colors = Self.knownColors(term, environment, terminfoColors)
    }
  }

  private static func multiplexer(_ term: String, _ environment: [String: String]) -> String? {
    if environment["TMUX"] != nil || term.hasPrefix("tmux") { return "tmux" }
    if environment["STY"] != nil || term.hasPrefix("screen") { return "screen" }
    if environment["ZELLIJ"] != nil { return "zellij" }
    return nil
  }

  /// Terminals that draw the finer block glyphs themselves, whatever the font.
  private static func knownGlyphs(
    _ term: String, _ environment: [String: String]
  ) -> Choice<GlyphSet> {
    let program = environment["TERM_PROGRAM"] ?? ""
    let version = environment["TERM_PROGRAM_VERSION"] ?? ""
    if program == "ghostty" || term == "xterm-ghostty" {
      return isVersion(version, atLeast: [1, 2])
        ? Choice(value: .octant, reason: "Ghostty \(version) draws octants")
        : Choice(value: .sextant, reason: "Ghostty draws sextants")
    }
    if let vte = environment["VTE_VERSION"].flatMap({ Int($0) }) {
      return vte >= 7800
        ? Choice(value: .octant, reason: "VTE \(vte) draws octants")
        : Choice(value: .sextant, reason: "VTE \(vte) draws sextants")
    }
    if term == "xterm-kitty" { return Choice(value: .sextant, reason: "kitty draws sextants") }
    if term == "foot" || term.hasPrefix("foot-") {
      return Choice(value: .sextant, reason: "foot draws sextants")
    }
    if program == "WezTerm" { return Choice(value: .sextant, reason: "WezTerm draws sextants") }
    if term.hasPrefix("contour") {
      return Choice(value: .sextant, reason: "contour draws sextants")
    }
    if environment["WT_SESSION"] != nil {
      return Choice(value: .sextant, reason: "Windows Terminal draws sextants")
    }
    return Choice(value: .quadrant, reason: "every UTF-8 font has quadrants; more is not known")
  }

  private static func isVersion(_ text: String, atLeast wanted: [Int]) -> Bool {
    let parts = text.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
    return !wanted.lexicographicallyPrecedes(parts) ? parts == wanted : true
  }

  private static func knownColors(
    _ term: String, _ environment: [String: String], _ terminfoColors: Int
  ) -> Choice<ColorDepth> {
    if let refused = environment["NO_COLOR"], !refused.isEmpty {
      return Choice(value: .none, reason: "NO_COLOR is set")
    }
    if let colorTerm = environment["COLORTERM"], ["truecolor", "24bit"].contains(colorTerm) {
      return Choice(value: .full, reason: "COLORTERM is \(colorTerm)")
    }
    let trueColor = ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour"]
    if trueColor.contains(where: { term == $0 || term.hasPrefix($0 + "-") })
      || term.hasSuffix("-direct")
    {
      return Choice(value: .full, reason: "TERM is \(term)")
    }
    if term.contains("256color") || terminfoColors >= 256 {
      return Choice(value: .palette256, reason: "TERM is \(term), COLORTERM does not say more")
    }
    if terminfoColors >= 8 {
      return Choice(value: .palette16, reason: "terminfo knows \(terminfoColors) colours")
    }
    return Choice(value: .none, reason: "terminfo knows no colours")
  }
}
