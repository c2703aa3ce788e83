import PseudoTerminal
import SceneRendering
import Testing

@testable import photogrid

/// Known terminals: the choices for each, and the hint that it gets.
extension TerminalTraitsTests {
  /// A terminal, and the expected choices.
  struct Case: CustomTestStringConvertible {
    var name: String
    var environment: [String: String]
    var model: TerminalModel?
    var pictures: PictureProtocol
    var glyphs: GlyphSet
    var colors: ColorDepth

    init(
      _ name: String, _ environment: [String: String], _ model: TerminalModel?,
      _ pictures: PictureProtocol, _ glyphs: GlyphSet, _ colors: ColorDepth
    ) {
      self.name = name
      self.environment = environment
      self.model = model
      self.pictures = pictures
      self.glyphs = glyphs
      self.colors = colors
    }

    var testDescription: String { name }
  }

  /// The same terminal with another name.
  private static func named(_ name: String, like model: TerminalModel) -> TerminalModel {
    model.adding(["\u{1B}[>0q": "\u{1B}P>|\(name)\u{1B}\\"])
  }

  /// The responses of Ghostty 1.2.
  static let ghostty = named("ghostty 1.2.0", like: .kittyWithPlaceholders)
    .adding(["\u{1B}[c": "\u{1B}[?62;22;52c"])
  private static let wezterm = named("WezTerm 20240203-110809-5046fc22", like: .kitty)
    .adding(["\u{1B}[c": "\u{1B}[?65;4;6;18;22c"])
  private static let iterm = named("iTerm2 3.5.4", like: .modest)
    .adding(["\u{1B}]1337;ReportCellSize\u{07}": "\u{1B}]1337;ReportCellSize=17.5;8.0;2.0\u{1B}\\"])
  /// A version of tmux that supports sixel, whatever is around it.
  private static func tmuxWithSixel(in outer: TerminalModel?) -> TerminalModel {
    TerminalModel.tmux(in: outer).adding([
      "\u{1B}[c": "\u{1B}[?1;2;4c", "\u{1B}[16t": "\u{1B}[6;20;10t",
    ])
  }

  static let cases: [Case] = [
    // Recorded.
    Case("kitty 0.26", ["TERM": "xterm-kitty"], .kitty, .kitty, .sextant, .full),
    Case("xterm 379 as a VT340", ["TERM": "xterm-256color"], .xterm, .sixel, .quadrant, .full),
    Case(
      "xterm 379", ["TERM": "xterm-256color"],
      .xterm.adding([
        "\u{1B}[c": "\u{1B}[?64;1;2;6;9;15;16;17;18;21;22;28c", "\u{1B}[?1;1;0S": "",
        "\u{1B}[?2;4;0S": "",
      ]), .cells, .quadrant, .full),
    Case("foot 1.13", ["TERM": "foot"], .foot, .sixel, .sextant, .full),
    Case("mlterm 3.9", ["TERM": "mlterm"], .mlterm, .sixel, .quadrant, .palette256),
    Case("Alacritty 0.11", ["TERM": "alacritty"], .alacritty, .cells, .quadrant, .full),
    Case("tmux 3.3", tmux, .tmux(in: nil), .cells, .quadrant, .palette256),
    Case("tmux 3.3 in kitty 0.26", tmux, .tmux(in: .kitty), .cells, .sextant, .palette256),
    Case("nobody answers", xterm, nil, .cells, .quadrant, .palette256),
    // Documented.
    Case(
      "kitty 0.40", ["TERM": "xterm-kitty"], named("kitty(0.40.1)", like: .kitty), .kitty, .octant,
      .full),
    Case("Ghostty 1.2", ["TERM": "xterm-ghostty"], ghostty, .kitty, .octant, .full),
    Case(
      "Ghostty 1.1", ["TERM": "xterm-ghostty"], named("ghostty 1.1.3", like: ghostty), .kitty,
      .sextant, .full),
    Case(
      "foot 1.20", ["TERM": "foot"], named("foot(1.20.0)", like: .foot), .sixel, .octant, .full),
    Case(
      "VTE 0.78", ["TERM": "xterm-256color", "VTE_VERSION": "7802"],
      named("VTE(7802)", like: .modest), .cells, .octant, .full),
    Case(
      "WezTerm", xterm.merging(["TERM_PROGRAM": "WezTerm"]) { $1 }, wezterm, .iterm, .sextant, .full
    ),
    Case(
      "WezTerm of 2025", xterm, named("WezTerm 20250601-000000-00000000", like: wezterm), .iterm,
      .octant, .full),
    Case(
      "Konsole", xterm.merging(["KONSOLE_VERSION": "230801"]) { $1 },
      {
        var model = named("Konsole 23.08.1", like: .kitty)
        model.graphics = ["d": "OK"]
        return model.adding(["\u{1B}[c": "\u{1B}[?62;1;4c"])
      }(), .kitty, .quadrant, .full),
    Case(
      "iTerm2 3.5.4", xterm.merging(["TERM_PROGRAM": "iTerm.app"]) { $1 }, iterm, .iterm,
      .quadrant, .full),
    Case(
      "iTerm2 that speaks kitty's protocol", xterm.merging(["LC_TERMINAL": "iTerm2"]) { $1 },
      named("iTerm2 3.6.0", like: .kitty), .kitty, .quadrant, .full),
    Case(
      "VS Code with pictures", xterm.merging(["TERM_PROGRAM": "vscode"]) { $1 },
      .modest.adding(["\u{1B}[c": "\u{1B}[?62;4;9;22c"]), .iterm, .quadrant, .full),
    Case(
      "VS Code without", xterm.merging(["TERM_PROGRAM": "vscode"]) { $1 },
      .modest.adding(["\u{1B}[c": "\u{1B}[?1;2c"]), .cells, .quadrant, .full),
    Case(
      "mintty", xterm.merging(["TERM_PROGRAM": "mintty"]) { $1 },
      named("mintty 3.6.1", like: .modest).adding(["\u{1B}[c": "\u{1B}[?64;1;2;4;6;9c"]), .iterm,
      .quadrant, .full),
    Case(
      "Windows Terminal 1.22", xterm.merging(["WT_SESSION": "x"]) { $1 },
      .modest.adding(["\u{1B}[c": "\u{1B}[?61;4;6;7;14;21;22;23;24;28;32;42c"]), .sixel, .sextant,
      .full),
    Case(
      "contour", ["TERM": "contour"],
      named("contour 0.3.12", like: .modest).adding(["\u{1B}[c": "\u{1B}[?64;4c"]), .sixel,
      .sextant, .full),
    Case(
      "Terminal.app",
      xterm.merging(["TERM_PROGRAM": "Apple_Terminal", "COLORTERM": "truecolor"]) { $1 },
      .modest, .cells, .quadrant, .palette256),
    // tmux.
    Case(
      "tmux in kitty 0.40", tmuxInColor, .tmux(in: .kittyWithPlaceholders), .kitty,
      .sextant, .full),
    // They accept any key: Konsole shows boxes.
    Case(
      "tmux in Konsole", tmuxInColor,
      .tmux(in: named("Konsole 26.08.2", like: .kittyWithPlaceholders)), .cells, .quadrant, .full),
    // Whatever its name.
    Case(
      "tmux in a new terminal", tmuxInColor,
      .tmux(in: named("Nova 1.0", like: .kittyWithPlaceholders)), .kitty, .quadrant, .full),
    Case("tmux in Ghostty", tmuxInColor, .tmux(in: ghostty), .kitty, .sextant, .full),
    Case(
      "tmux of few colors in Ghostty", tmux, .tmux(in: ghostty), .cells, .sextant, .palette256),
    Case("tmux in WezTerm", tmux, .tmux(in: wezterm), .cells, .sextant, .palette256),
    Case(
      "tmux with sixel in foot", tmuxInColor,
      tmuxWithSixel(in: .foot), .sixel, .sextant, .full),
    Case(
      "tmux with sixel in Alacritty", tmux, tmuxWithSixel(in: .alacritty), .cells, .quadrant,
      .palette256),
    Case("tmux with sixel, cut off", tmux, tmuxWithSixel(in: nil), .cells, .quadrant, .palette256),
    Case(
      "tmux in tmux in kitty 0.40", tmux,
      .tmux(in: .tmux(in: named("kitty(0.40.1)", like: .kitty))),
      .cells, .quadrant, .palette256),
    // Inherited variables do not count.
    Case(
      "kitty started from VS Code",
      ["TERM": "xterm-kitty", "TERM_PROGRAM": "vscode", "VTE_VERSION": "7802"], .kitty, .kitty,
      .sextant, .full),
    Case(
      "xterm started from GNOME",
      xterm.merging(["VTE_VERSION": "7802", "TERM_PROGRAM": "iTerm.app"]) { $1 }, .xterm, .sixel,
      .quadrant, .full),
    Case(
      "silent, started from iTerm2", xterm.merging(["TERM_PROGRAM": "iTerm.app"]) { $1 },
      .modest, .cells, .quadrant, .full),
    Case(
      "Alacritty started from iTerm2", ["TERM": "alacritty", "TERM_PROGRAM": "iTerm.app"],
      .alacritty, .cells, .quadrant, .full),
    Case(
      "GNU screen in kitty",
      ["TERM": "screen-256color", "STY": "1.pts", "COLORTERM": "truecolor"], .kitty, .cells,
      .quadrant, .palette256),
    Case("Linux console", ["TERM": "linux"], .modest, .cells, .half, .palette16),
    Case("st 0.9", ["TERM": "st-256color"], nil, .cells, .quadrant, .full),
    Case(
      "urxvt 9.30", ["TERM": "rxvt-unicode-256color", "COLORTERM": "rxvt-xpm"], .urxvt, .cells,
      .quadrant, .palette256),
    Case(
      "urxvt 9.30 with another's variables", xterm.merging(["COLORTERM": "truecolor"]) { $1 },
      .urxvt, .cells, .quadrant, .palette256),
    Case(
      "another terminal with urxvt's type",
      ["TERM": "rxvt-unicode-256color", "COLORTERM": "truecolor"],
      named("kitty(0.40.1)", like: .kitty), .cells, .octant, .full),
    Case(
      "zellij in foot", ["TERM": "foot", "ZELLIJ": "0"],
      .modest.adding(["\u{1B}[c": "\u{1B}[?62;4c"]), .sixel, .sextant, .full),
  ]

  @Test(arguments: cases)
  func `each terminal gets the best choices that it supports`(terminal: Case) throws {
    let colors = terminal.environment["TERM"] == "linux" ? 8 : 256

    let traits = try traits(terminal.environment, terminal.model, terminfoColors: colors)

    #expect(traits.pictures.value == terminal.pictures, "\(traits.pictures.reason)")
    #expect(traits.glyphs.value == terminal.glyphs, "\(traits.glyphs.reason)")
    #expect(traits.colors.value == terminal.colors, "\(traits.colors.reason)")
    let reasons = [
      traits.pictures.reason, traits.medium.reason, traits.glyphs.reason, traits.colors.reason,
      traits.cell.reason, traits.background.reason, traits.hasPixelMouse.reason,
      traits.synchronizesUpdates.reason,
    ]
    #expect(reasons.allSatisfy { !$0.isEmpty && $0.count < 100 })
  }

  /// The setting that would improve most for a named terminal; nil for none.
  static let settings: [(terminal: String, hint: String?)] = [
    ("kitty 0.26", nil), ("xterm 379 as a VT340", nil), ("foot 1.13", nil), ("WezTerm", nil),
    ("xterm 379", "For real pixels, start xterm -ti vt340"),
    ("Alacritty 0.11", "This terminal cannot show real pixels; kitty, foot and WezTerm can"),
    ("VTE 0.78", "This terminal cannot show real pixels; kitty, foot and WezTerm can"),
    ("tmux 3.3", "For real pixels, run tmux set -g allow-passthrough on"),
    ("tmux 3.3 in kitty 0.26", "For real pixels in tmux, use kitty 0.28 or later"),
    ("nobody answers", nil),
  ]

  @Test(arguments: settings)
  func `the setting that would improve most is the first hint`(terminal: String, hint: String?)
    throws
  {
    let known = try #require(Self.cases.first { $0.name == terminal })
    let capabilities = self.capabilities(known.environment, known.model)
    let traits = TerminalTraits(capabilities, configuration: try configuration([]))
    #expect(traits.firstHint(capabilities) == hint)

    let plain = self.capabilities(known.environment, known.model, isUTF8: false)
    let plainTraits = TerminalTraits(plain, configuration: try configuration([]))
    #expect(plainTraits.firstHint(plain) == "For sharper pictures, set LC_ALL=C.UTF-8")
  }
}
