import Geometry
import Photos
import TestSupport
import Testing

@testable import TerminalIO

struct TerminalResponsesTests {
  /// Recorded responses of real terminals to all queries.
  static let streams: [(terminal: String, input: String)] = [
    (
      "kitty 0.26",
      "\u{1B}P>|kitty(0.26.5)\u{1B}\\\u{1B}[4;480;800t\u{1B}[6;20;10t\u{1B}[?2026;2$y"
        + "\u{1B}[?1016;2$y\u{1B}[?2031;0$y\u{1B}]11;rgb:0000/0000/0000\u{1B}\\"
        + "\u{1B}P1$r38:2:1:2:3m\u{1B}\\\u{1B}P0+r524742\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\"
        + "\u{1B}_Gi=32;OK\u{1B}\\\u{1B}_Gi=33;OK\u{1B}\\\u{1B}[?62;c"
    ),
    (
      "xterm 379",
      "\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}[?2026;0$y\u{1B}[?1016;2$y\u{1B}[?2031;0$y"
        + "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}P1$r0;38:2::1:2:3m\u{1B}\\"
        + "\u{1B}[?1;0;1024S\u{1B}[?2;0;1000;1000S\u{1B}[?63;1;2;4;6;9;15;16;22;28c"
    ),
    (
      "foot 1.13",
      "\u{1B}P>|foot(1.13.1)\u{1B}\\\u{1B}[4;480;800t\u{1B}[6;20;10t\u{1B}[?2026;2$y"
        + "\u{1B}[?1016;2$y\u{1B}]11;rgb:2424/2424/2424\u{07}\u{1B}P1$r0;38:2::1:2:3m\u{1B}\\"
        + "\u{1B}P1+r524742=38\u{1B}\\\u{1B}[?1;0;1024S\u{1B}[?2;0;10000;10000S\u{1B}[?62;4;22c"
    ),
    (
      "mlterm 3.9",
      "\u{1B}[4;480;800t\u{1B}[6;20;10t\u{1B}[?2026;0$y\u{1B}[?1016;0$y"
        + "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}P1$r0;38;5;16m\u{1B}\\"
        + "\u{1B}P0+r524742\u{1B}\\\u{1B}[?1;0;1024S\u{1B}[?2;3;0S\u{1B}[?63;1;2;3;4;7;29c"
    ),
    (
      "urxvt 9.30",
      "\u{1B}[>85;95;0c\u{1B}[4;600;800t\u{1B}[?2026;0$y\u{1B}[?1016;0$y\u{1B}[?2031;0$y"
        + "\u{1B}[?1;2c"
    ),
    ("Alacritty 0.11", "\u{1B}[4;480;800t\u{1B}]11;rgb:1d1d/1f1f/2121\u{1B}\\\u{1B}[?6c"),
    (
      "tmux 3.3 in kitty 0.26",
      "\u{1B}P>|tmux 3.3a\u{1B}\\\u{1B}[?1;2c\u{1B}_Gi=31;OK\u{1B}\\\u{1B}_Gi=32;OK\u{1B}\\"
        + "\u{1B}_Gi=33;OK\u{1B}\\\u{1B}P>|kitty(0.26.5)\u{1B}\\"
        + "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[?62;c"
    ),
  ]

  @Test func `kitty's responses are parsed`() throws {
    let responses = try responses(of: "kitty 0.26")

    #expect(responses.version == "kitty(0.26.5)")
    #expect(responses.attributes == [62])
    #expect(responses.cell == PixelSize(width: 10, height: 20))
    #expect(responses.textArea == PixelSize(width: 800, height: 480))
    #expect(responses.background == .black)
    #expect(responses.keepsDirectColor == true && responses.claimsDirectColor == false)
    #expect(responses.supportsMode(.synchronizedUpdate) == true)
    #expect(responses.supportsMode(.pixelMouse) == true)
    #expect(responses.supportsMode(.colorScheme) == false)
    for query in [TerminalQuery.kittySharedMemory, .kittyFile, .kittyDirect] {
      #expect(responses.supportsGraphics(query))
    }
    #expect(responses.sixelRegisters == nil && responses.sixelLimit == nil)
  }

  @Test func `xterm's responses are parsed`() throws {
    let responses = try responses(of: "xterm 379")

    #expect(responses.version == "XTerm(379)")
    #expect(responses.attributes == [63, 1, 2, 4, 6, 9, 15, 16, 22, 28])
    #expect(responses.cell == nil && responses.textArea == nil)
    #expect(responses.background == RGB(255, 255, 255))
    #expect(responses.keepsDirectColor == true && responses.claimsDirectColor == nil)
    #expect(responses.supportsMode(.synchronizedUpdate) == false)
    #expect(responses.supportsMode(.pixelMouse) == true)
    #expect(responses.sixelRegisters == 1024)
    #expect(responses.sixelLimit == PixelSize(width: 1000, height: 1000))
    #expect(responses.graphicsResponse(.kittyDirect) == nil)
  }

  @Test func `responses of foot, mlterm and Alacritty are parsed`() throws {
    let foot = try responses(of: "foot 1.13")
    #expect(foot.version == "foot(1.13.1)" && foot.attributes == [62, 4, 22])
    #expect(foot.claimsDirectColor == true && foot.background == RGB(0x24, 0x24, 0x24))
    #expect(foot.sixelLimit == PixelSize(width: 10000, height: 10000))

    let mlterm = try responses(of: "mlterm 3.9")
    #expect(mlterm.version == nil && mlterm.keepsDirectColor == false)
    #expect(mlterm.sixelRegisters == 1024 && mlterm.sixelLimit == nil)

    let alacritty = try responses(of: "Alacritty 0.11")
    #expect(alacritty.attributes == [6] && alacritty.supportsMode(.synchronizedUpdate) == nil)
    #expect(alacritty.textArea == PixelSize(width: 800, height: 480))
  }

  @Test func `urxvt, which does not report its name, is recognized by the kind of terminal`() throws
  {
    let responses = try responses(of: "urxvt 9.30")

    #expect(responses.version == nil && responses.keepsDirectColor == nil)
    #expect(responses.secondaryAttributes == [85, 95, 0] && responses.attributes == [1, 2])
  }

  @Test func `tmux's responses are distinguished from those of the terminal around it`() throws {
    let responses = try responses(of: "tmux 3.3 in kitty 0.26")

    #expect(responses.version == "tmux 3.3a" && responses.outerVersion == "kitty(0.26.5)")
    #expect(responses.attributes == [1, 2] && responses.outerAttributes == [62])
    #expect(responses.isComplete && responses.isOuterComplete)
    #expect(responses.supportsGraphics(.kittySharedMemory))
    #expect(responses.background == .black)
  }

  @Test(arguments: streams.indices)
  func `responses may be cut anywhere, with any pause, and are not decoded as keys`(row: Int) throws
  {
    let bytes = Array(Self.streams[row].input.utf8)
    let whole = try responses(of: Self.streams[row].terminal)
    for cut in 1..<bytes.count {
      var decoder = InputDecoder(viewport: Viewport(cells: CellSize(columns: 80, rows: 24)))
      decoder.expectsReplies = true

      for byte in bytes.prefix(cut) { decoder.feed(.byte(byte), at: Instant(seconds: 0)) }
      var events = decoder.flush()
      for byte in bytes.dropFirst(cut) { decoder.feed(.byte(byte), at: Instant(seconds: 1.5)) }
      events += decoder.flush()

      // After this pause the ESC is also decoded as a key, which is not passed to the browser.
      let keys = events.filter { if case .reply = $0 { false } else { true } }
      #expect(
        keys == (bytes[cut - 1] == 0x1B && isStart(cut - 1, of: bytes) ? [.key(.escape)] : []))
      #expect(fold(events) == whole, "cut behind \(cut) bytes")
    }
  }

  @Test(arguments: streams.indices)
  func `responses without a query change nothing`(row: Int) {
    var responses = TerminalResponses()

    for case .reply(let reply) in events(of: Self.streams[row].input) {
      let isHandled = responses.handle(reply)
      #expect(!isHandled)
    }

    #expect(responses == TerminalResponses())
  }

  @Test func `only the first response to a query counts`() {
    var input = ""
    for number in 0..<10_000 { input += "\u{1B}[?62;\(number % 2 == 0 ? 4 : 22)c" }
    input += "\u{1B}P>|kitty(0.26.5)\u{1B}\\\u{1B}P>|kitty(9.9.9)\u{1B}\\"

    let responses = fold(events(of: input), expecting: TerminalQueries(policy: .full))

    #expect(responses.attributes == [62, 4])
    #expect(responses.version == "kitty(0.26.5)")
  }

  /// Implausible and malformed responses.
  static let nonsense = [
    "\u{1B}[6;0;0t", "\u{1B}[6;99999999999;1t", "\u{1B}[6;20;100t", "\u{1B}[6;-20;10t",
    "\u{1B}[6;20t", "\u{1B}[4;0;0t", "\u{1B}[?1;0;1S", "\u{1B}[?1;0;0S", "\u{1B}[?1;3;1024S",
    "\u{1B}[?2;0;0;0S", "\u{1B}[?2;0;1000S", "\u{1B}[?3;0;1S", "\u{1B}[?S", "\u{1B}[S",
    "\u{1B}[?2026y", "\u{1B}[?1;2$y", "\u{1B}[?99999999999;2$y", "\u{1B}[1;2y",
    "\u{1B}]11;\u{07}", "\u{1B}]11;rgb:\u{07}", "\u{1B}]11;rgb:0/0\u{07}",
    "\u{1B}]11;rgb:00000/0/0\u{07}", "\u{1B}]11;rgb:+1/-1/zz\u{07}", "\u{1B}]11;#12345\u{07}",
    "\u{1B}]11;black\u{07}", "\u{1B}]12;rgb:1/1/1\u{07}",
    "\u{1B}]1337;ReportCellSize=0;0\u{07}", "\u{1B}]1337;ReportCellSize=x;y;z\u{07}",
    "\u{1B}]1337;ReportCellSize=nan;nan;nan\u{07}", "\u{1B}]1337;ReportCellSize=20;10;1e9\u{07}",
    "\u{1B}_G\u{1B}\\", "\u{1B}_Gi=31\u{1B}\\", "\u{1B}_Gi=99;OK\u{1B}\\",
    "\u{1B}_Gi=4294967327;OK\u{1B}\\", "\u{1B}_Xi=31;OK\u{1B}\\", "\u{1B}P1$r\u{1B}\\",
    "\u{1B}P$r38:2:1:2:3m\u{1B}\\", "\u{1B}P\u{1B}\\", "\u{1B}[?c", "\u{1B}[?x;yc", "\u{1B}[c",
  ]

  @Test(arguments: nonsense)
  func `implausible responses are ignored`(input: String) {
    var queries = TerminalQueries(policy: .full)
    queries.isITerm = true

    let responses = fold(events(of: input), expecting: queries)

    #expect(responses.cell == nil && responses.textArea == nil && responses.itermCell == nil)
    #expect(responses.background == nil && responses.keepsDirectColor == nil)
    #expect(responses.sixelRegisters == nil && responses.sixelLimit == nil)
    #expect(
      responses.supportsMode(.synchronizedUpdate) == nil
        && !responses.supportsGraphics(.kittyDirect))
    #expect(responses.attributes ?? [] == [])
  }

  @Test func `exaggerated responses are limited`() {
    let long = String(repeating: "v", count: 4000)
    let input =
      "\u{1B}[?1;0;60000S\u{1B}P>|\(long)\u{1B}\\\u{1B}_Gi=33;E:\(long)\u{1B}\\"
      + "\u{1B}P>|\u{1}\u{85}x\u{1B}\\"

    let responses = fold(events(of: input), expecting: TerminalQueries(policy: .tmux))

    #expect(fold(events(of: input), expecting: .init(policy: .full)).sixelRegisters == 1024)
    #expect(responses.outerVersion == String(long.prefix(80)))
    #expect(responses.graphicsResponse(.kittyDirect)?.count == 80)
    #expect(responses.version == "??x")
  }

  @Test(arguments: [
    ("rgb:0/8/f", RGB(0, 136, 255)), ("rgb:00/80/ff", RGB(0, 128, 255)),
    ("rgb:000/800/fff", RGB(0, 128, 255)), ("rgb:0000/8000/ffff", RGB(0, 128, 255)),
    ("rgba:0000/8000/ffff/1234", RGB(0, 128, 255)), ("#0080ff", RGB(0, 128, 255)),
    ("#08f", RGB(0, 136, 255)), ("#00008000ffff", RGB(0, 128, 255)),
  ])
  func `colours are parsed in the formats of XParseColor`(text: String, color: RGB) {
    #expect(RGB(xColor: text) == color)
  }

  @Test func `iTerm2's points are converted to pixels`() {
    var queries = TerminalQueries(policy: .full)
    queries.isITerm = true

    let responses = fold(
      events(of: "\u{1B}]1337;ReportCellSize=17.5;8.0;2.0\u{1B}\\"), expecting: queries)

    #expect(responses.itermCell == PixelSize(width: 16, height: 35))
  }

  @Test(arguments: [21, 22, 23, 24] as [UInt64])
  func `random responses are used only if they are plausible`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let streams = Self.streams.map { Array($0.input.utf8) }
    for _ in 0..<200 {
      var bytes = streams.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        let digits = Array("0123456789;?:$rgbGi=,-".utf8)
        bytes[place] =
          Bool.random(using: &random)
          ? digits.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
      }
      let responses = fold(
        events(of: bytes), expecting: TerminalQueries(policy: .full, isITerm: true))

      #expect(responses.cell.map(CellMetrics.isPlausible) ?? true, "seed \(seed)")
      #expect((2...1024).contains(responses.sixelRegisters ?? 2), "seed \(seed)")
      #expect(!(responses.sixelLimit?.isEmpty ?? false), "seed \(seed)")
      #expect((responses.version?.count ?? 0) <= 80, "seed \(seed)")
      let texts = [responses.version, responses.graphicsResponse(.kittyDirect)].compactMap { $0 }
      #expect(texts.allSatisfy { $0 == PrintableText.from($0.utf8) }, "seed \(seed)")
    }
  }

  // MARK: -

  private func responses(of terminal: String) throws -> TerminalResponses {
    let stream = try #require(Self.streams.first { $0.terminal == terminal })
    return fold(events(of: stream.input), expecting: queries(for: terminal))
  }

  private func queries(for terminal: String) -> TerminalQueries {
    TerminalQueries(policy: terminal.hasPrefix("tmux") ? .tmux : .full)
  }

  /// The responses among events, of a terminal that was sent all its queries.
  private func fold(_ events: [InputEvent]) -> TerminalResponses {
    let isTmux = events.contains { $0 == .reply(TerminalReply(.device, ">|tmux 3.3a")) }
    return fold(events, expecting: TerminalQueries(policy: isTmux ? .tmux : .full))
  }

  private func fold(
    _ events: [InputEvent], expecting queries: TerminalQueries
  ) -> TerminalResponses {
    var responses = TerminalResponses()
    responses.expect(queries.list + queries.media + queries.outer)
    for case .reply(let reply) in events { _ = responses.handle(reply) }
    return responses
  }

  private func events(of input: String) -> [InputEvent] { events(of: Array(input.utf8)) }

  private func events(of input: [UInt8]) -> [InputEvent] {
    var decoder = InputDecoder(viewport: Viewport(cells: CellSize(columns: 80, rows: 24)))
    for byte in input { decoder.feed(.byte(byte), at: Instant(seconds: 0)) }
    return decoder.flush()
  }

  /// Whether the ESC at an index begins a sequence rather than ends one.
  private func isStart(_ place: Int, of bytes: [UInt8]) -> Bool {
    bytes[place + 1] != UInt8(ascii: "\\")
  }
}
