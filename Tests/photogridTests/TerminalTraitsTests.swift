import Geometry
import Photos
import PseudoTerminal
import SceneRendering
import Testing

@testable import TerminalIO
@testable import photogrid

/// Choices for terminals, by their recorded or documented responses.
struct TerminalTraitsTests {
  /// The variables in most terminals.
  static let xterm = ["TERM": "xterm-256color"]
  /// The variables in tmux.
  static let tmux = ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"]

  /// The variables in tmux with 24-bit colors.
  static let tmuxInColor = tmux.merging(["COLORTERM": "truecolor"]) { $1 }

  @Test(arguments: [
    (["TERM": "xterm-256color"], GlyphSet.quadrant, ColorDepth.palette256),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .quadrant, .full),
    (["TERM": "xterm-kitty", "COLORTERM": "truecolor"], .sextant, .full),
    (["TERM": "foot"], .sextant, .full),
    (
      ["TERM": "xterm-ghostty", "TERM_PROGRAM": "ghostty", "TERM_PROGRAM_VERSION": "1.2.0"],
      .octant, .full
    ),
    (
      ["TERM": "xterm-ghostty", "TERM_PROGRAM": "ghostty", "TERM_PROGRAM_VERSION": "1.1.3"],
      .sextant, .full
    ),
    (["TERM": "xterm-256color", "VTE_VERSION": "7802", "COLORTERM": "truecolor"], .octant, .full),
    (["TERM": "tmux-256color", "TMUX": "/tmp/x", "VTE_VERSION": "7802"], .quadrant, .palette256),
    (["TERM": "xterm-kitty", "NO_COLOR": "1"], .sextant, .none),
    (["TERM": "xterm-direct"], .quadrant, .full),
    (["TERM": "rxvt-unicode"], .quadrant, .palette256),
    (["TERM": "linux"], .half, .palette256),
    (["TERM": "screen.linux"], .quadrant, .palette256),
  ])
  func `before any response the environment decides`(
    environment: [String: String], glyphs: GlyphSet, colors: ColorDepth
  ) throws {
    let traits = try traits(environment, nil)

    #expect(traits.pictures.value == .cells)
    #expect(traits.glyphs.value == glyphs)
    #expect(traits.colors.value == colors)
  }

  @Test(arguments: [
    ["TERM": "rxvt-unicode-256color"], ["TERM": "xterm-256color", "COLORTERM": "rxvt-xpm"],
  ])
  func `urxvt, which would print it, gets no query of kitty's protocol`(
    environment: [String: String]
  ) throws {
    let queries = capabilities(environment, nil).environment.queries

    #expect(queries.list.contains(.version) && queries.list.last == .attributes)
    #expect(!queries.list.contains { $0.graphicsID != nil })
    let xterm = capabilities(Self.xterm, nil).environment.queries
    #expect(xterm.list.contains(.kittyDirect))
  }

  @Test func `kitty gets no query that it logs as an error, unless something is in between`() {
    let logged: Set<TerminalQuery> = [.directColor, .sixelRegisters, .sixelLimit]
    for (variables, isAsked) in [
      (["TERM": "xterm-kitty"], false), (Self.xterm, true), (Self.tmux, true),
      (["TERM": "xterm-kitty", "ZELLIJ": "0"], true),
    ] {
      let list = capabilities(variables, nil).environment.queries.list
      #expect(list.last == .attributes && list.contains(.kittyDirect) != (variables == Self.tmux))
      #expect(logged.isSubset(of: list) == isAsked, "\(variables)")
      #expect(logged.isDisjoint(with: list) == !isAsked, "\(variables)")
    }
  }

  @Test(arguments: [
    ("kitty(0.48.2)", true), ("kitty(0.46.0)", false), ("ghostty 1.2.0", true),
    ("ghostty 1.1.3", false), ("VTE(8000)", true), ("VTE(7802)", false), ("WezTerm 20240203", true),
    ("iTerm2 3.6.6", true), ("iTerm2 3.5.4", false), ("foot(1.28.0)", false), ("XTerm(412)", false),
  ])
  func `progress is shown where it is known not to be a notification`(
    name: String, isShown: Bool
  ) throws {
    let model = TerminalModel.modest.adding(["\u{1B}[>0q": "\u{1B}P>|\(name)\u{1B}\\"])
    #expect(try traits(Self.xterm, model).showsProgress == isShown)
    #expect(try !traits(Self.tmuxInColor, .tmux(in: model)).showsProgress)
  }

  @Test func `frames are transient in a kitty that says that it is new enough`() throws {
    func isKnown(_ environment: [String: String], _ model: TerminalModel) throws -> Bool {
      try traits(environment, model).pictureTraits(for: .kitty).knowsTransientImages
    }
    #expect(try isKnown(Self.xterm, .kittyOfToday))
    #expect(try isKnown(Self.tmuxInColor, .tmux(in: .kittyOfToday)))
    #expect(try !isKnown(Self.xterm, .kittyWithPlaceholders))
    #expect(try !isKnown(["TERM": "xterm-kitty"], .modest))
  }

  @Test(arguments: [
    ([], "screen-256color", false), (["--mouse", "on"], "screen-256color", true),
    ([], "xterm-256color", true), (["--mouse", "off"], "xterm-256color", false),
  ])
  func `GNU screen, which would hold Esc back, gets no mouse unless requested`(
    arguments: [String], type: String, isUsed: Bool
  ) throws {
    let configuration = try configuration(arguments)
    let capabilities = capabilities(["TERM": type], nil)

    #expect(configuration.session.usesMouse(in: capabilities.environment) == isUsed)
    let reason = TerminalTraits(capabilities, configuration: configuration).hasPixelMouse.reason
    #expect(reason.contains("--mouse") != isUsed)
  }

  @Test func `unsupported features are not used`() throws {
    #expect(try traits(["TERM": "foot"], nil, isUTF8: false).glyphs.value == .ascii)
    #expect(try traits(["TERM": "linux"], nil, terminfoColors: 8).colors.value == .palette16)
    #expect(try traits(["TERM": "vt100"], nil, terminfoColors: 0).colors.value == .none)
    let placeholders = TerminalModel.tmux(in: Self.ghostty)
    #expect(try traits(Self.tmuxInColor, placeholders, isUTF8: false).pictures.value == .cells)
  }

  @Test func `options take precedence`() throws {
    let traits = try traits(
      ["TERM": "foot"], .foot, isUTF8: false, terminfoColors: 0,
      "--symbols", "octant", "--colors", "16", "--protocol", "iterm", "--mouse", "off")

    #expect(traits.glyphs.value == .octant)
    #expect(traits.colors.value == .palette16)
    #expect(traits.pictures.value == .iterm)
    #expect(!traits.hasPixelMouse.value)
    #expect(try self.traits(["TERM": "foot"], .foot, "--protocol", "auto").pictures.value == .sixel)
  }

  @Test func `a protocol that failed is not used again, whatever the options`() throws {
    var capabilities = capabilities(["TERM": "xterm-kitty"], .kitty)
    capabilities.failure = (.kitty, "no room")

    let traits = TerminalTraits(
      capabilities, configuration: try configuration(["--protocol", "kitty"]))

    #expect(traits.pictures.value == .cells)
    #expect(traits.pictures.reason == "kitty does not work: no room")
  }

  @Test(arguments: [
    ("OK" as String?, "OK" as String?, KittyMedium.sharedMemory), (nil, "OK", .temporaryFile),
    ("ENOENT:no such object", "OK", .temporaryFile), (nil, nil, .direct),
    ("EPERM", "EPERM", .direct),
  ])
  func `kitty's pictures are transferred in the fastest way that works`(
    memory: String?, file: String?, medium: KittyMedium
  ) throws {
    var model = TerminalModel.kitty
    model.graphics = ["d": "OK"]
    model.graphics["s"] = memory
    model.graphics["t"] = file

    let traits = try traits(["TERM": "xterm-kitty"], model)

    #expect(traits.pictures.value == .kitty)
    #expect(traits.medium.value == medium)
    #expect(traits.pictureTraits(for: .kitty).kittyMedium == medium)
    #expect(traits.pictureTraits(for: .kitty).hasKittyAnswered)
  }

  @Test func `over SSH no object is offered to the terminal`() throws {
    let environment = ["TERM": "xterm-kitty", "SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"]

    let traits = try traits(environment, .kitty)

    #expect(traits.pictures.value == .kitty)
    #expect(traits.medium.value == .direct)
    #expect(traits.medium.reason.contains("SSH"))
  }

  @Test(arguments: [
    ("\u{1B}[?1;0;4S", "\u{1B}[?2;0;1000;1000S", PictureProtocol.cells, 4),
    ("\u{1B}[?1;0;16S", "\u{1B}[?2;0;1000;1000S", .sixel, 16),
    ("\u{1B}[?1;0;60000S", "\u{1B}[?2;0;1000;1000S", .sixel, 1024),
    ("\u{1B}[?1;3;0S", "", .sixel, 256), ("", "\u{1B}[?2;0;6;6S", .cells, 256),
  ])
  func `sixel is used if the terminal has enough registers and a large enough limit`(
    registers: String, limit: String, pictures: PictureProtocol, count: Int
  ) throws {
    let model = TerminalModel.xterm.adding([
      "\u{1B}[?1;1;0S": registers, "\u{1B}[?2;4;0S": limit,
    ])

    let traits = try traits(Self.xterm, model)

    #expect(traits.pictures.value == pictures, "\(traits.pictures.reason)")
    #expect(traits.pictureTraits(for: .sixel).sixelRegisters == count)
  }

  @Test func `sixel and the mouse in pixels need the size of a cell`() throws {
    var capabilities = capabilities(Self.xterm, .xterm)
    capabilities.measurement = CellMeasurement(capabilities.responses, window: .unknown)

    let traits = TerminalTraits(capabilities, configuration: try configuration([]))

    #expect(traits.pictures.value == .cells)
    #expect(!traits.hasPixelMouse.value)
  }

  @Test func `colours around photos follow the terminal's background`() throws {
    let light = try traits(Self.xterm, .xterm).pictureTraits(for: .cells)
    let silent = try traits(Self.xterm, .modest).pictureTraits(for: .cells)

    var white = Appearance(background: RGB(255, 255, 255))
    white.hasFontBlocks = true
    white.hasShortUpperBlock = true
    #expect(light.appearance == white)
    #expect(light.appearance.isLight)
    #expect(silent.appearance.background == nil)
  }

  @Test(arguments: [
    ("0;15", RGB(255, 255, 255)), ("0;default;15", RGB(255, 255, 255)), ("15;0", .black),
    ("15;default;0", .black), ("0;7", RGB(229, 229, 229)), ("12;default", nil),
    ("default;default", nil), ("15", nil), ("", nil), ("0;16", nil), ("0;-1", nil), ("0;15;x", nil),
  ])
  func `a terminal that does not report its background may tell it in COLORFGBG`(
    text: String, background: RGB?
  ) throws {
    let variables = ["TERM": "rxvt-unicode", "COLORFGBG": text]
    #expect(try traits(variables, nil).background.value == background)
    #expect(try traits(variables, nil, "--theme", "dark").background.value == .black)
  }

  @Test func `upper blocks of fonts are too short, which matters where the background is known`()
    throws
  {
    func isShort(
      _ model: TerminalModel, _ options: String..., variables: [String: String] = Self.xterm
    ) throws -> Bool {
      let traits = TerminalTraits(
        capabilities(variables, model), configuration: try configuration(options))
      return traits.pictureTraits(for: .cells).appearance.hasShortUpperBlock
    }
    #expect(try isShort(.xterm))
    #expect(try isShort(.xterm, variables: ["TERM": "st-256color"]))
    #expect(try !isShort(.xterm, "--theme", "dark"), "the background may be another")
    #expect(try !isShort(.kitty))
    #expect(try !isShort(.modest))
  }

  @Test func `the traits of cells change only with the background`() throws {
    let kitty = try traits(["TERM": "xterm-kitty"], .kitty)
    var capabilities = capabilities(["TERM": "xterm-kitty"], .kitty)
    capabilities.responses = TerminalResponses()
    let before = TerminalTraits(capabilities, configuration: try configuration([]))

    // Cells depend on nothing else, except for the background.
    var traits = before.pictureTraits(for: .cells)
    traits.appearance = Appearance(background: .black)
    #expect(kitty.pictureTraits(for: .cells) == traits)
  }

  @Test func `hints name the settings that improve a terminal`() throws {
    let cutOff = capabilities(Self.tmux, .tmux(in: nil))
    let xterm = capabilities(Self.xterm, .xterm.adding(["\u{1B}[c": "\u{1B}[?64;1;2c"]))
    let fine = capabilities(["TERM": "xterm-kitty"], .kitty)

    func hints(_ capabilities: TerminalCapabilities) throws -> [String] {
      TerminalTraits(capabilities, configuration: try configuration([])).hints(capabilities)
    }
    #expect(try hints(cutOff).first?.hasSuffix("run: tmux set -g allow-passthrough on") == true)
    #expect(try hints(xterm) == ["xterm -ti vt340 shows sixel pictures"])
    #expect(try hints(fine) == [])
  }

  // MARK: -

  /// The choices after all responses of a terminal.
  func traits(
    _ environment: [String: String], _ model: TerminalModel?, isUTF8: Bool = true,
    terminfoColors: Int = 256, _ options: String...
  ) throws -> TerminalTraits {
    let capabilities = capabilities(
      environment, model, isUTF8: isUTF8, terminfoColors: terminfoColors)
    return TerminalTraits(capabilities, configuration: try configuration(options))
  }

  /// The configuration by the options of a command line.
  func configuration(_ options: [String]) throws -> Configuration {
    try Configuration(ParsedArguments(options.map { Array($0.utf8) }))
  }

  /// The capabilities after all responses of a terminal.
  func capabilities(
    _ variables: [String: String], _ model: TerminalModel?, isUTF8: Bool = true,
    terminfoColors: Int = 256
  ) -> TerminalCapabilities {
    let environment = TerminalEnvironment(
      variables: variables, isUTF8: isUTF8, terminfoColors: terminfoColors)
    let now = Instant(seconds: 0)
    var queryState = QueryState()
    var decoder = InputDecoder(viewport: Viewport(cells: CellSize(columns: 80, rows: 24)))
    var asked = queryState.start(environment.queries, at: now) + queryState.requestOuter(at: now)
    while !asked.isEmpty {
      for byte in model?.replies(to: asked) ?? [] { decoder.feed(.byte(byte), at: now) }
      for case .reply(let reply) in decoder.flush() { _ = queryState.handle(reply) }
      asked = queryState.requestMedia(at: now)
    }
    let window = WindowSize(
      cells: CellSize(columns: 80, rows: 24), pixels: PixelSize(width: 800, height: 480))
    return TerminalCapabilities(
      environment: environment, responses: queryState.responses,
      measurement: CellMeasurement(queryState.responses, window: window))
  }
}
