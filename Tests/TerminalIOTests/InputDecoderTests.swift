import Geometry
import SceneModel
import TestSupport
import Testing

@testable import TerminalIO

struct InputDecoderTests {
  /// A window of 80 by 24 cells of 10 by 20 pixels.
  static let viewport = Viewport(
    cells: CellSize(columns: 80, rows: 24), metrics: .standard)

  /// Input of a terminal whose cells are 10 by 20 pixels, and its events.
  static let meanings: [(input: String, events: [InputEvent])] = [
    ("a", [.key(.character("a"))]),
    ("é", [.key(.character("é"))]),
    ("😀", [.key(.character("😀"))]),
    ("\u{01}\u{06}\u{1A}", [.key(.control("a")), .key(.control("f")), .key(.control("z"))]),
    ("\u{00}\u{1C}", [.key(.control(" ")), .key(.control("\\"))]),
    ("\r\n", [.key(.enter), .key(.enter)]),
    ("\u{08}\u{7F}", [.key(.backspace), .key(.backspace)]),
    ("\t\u{1B}[Z", [.key(.tab), .key(.backTab)]),
    ("\u{1B}[A\u{1B}OB\u{1B}[1;5C\u{1B}[D", [.key(.up), .key(.down), .key(.right), .key(.left)]),
    (
      "\u{1B}[H\u{1B}[4~\u{1B}[5~\u{1B}[6;2~",
      [
        .key(.home), .key(.end), .key(.pageUp), .key(.pageDown),
      ]
    ),
    (
      "\u{1B}OP\u{1B}[15~\u{1B}[24~\u{1B}[3~",
      [
        .key(.function(1)), .key(.function(5)), .key(.function(12)), .key(.delete),
      ]
    ),
    (
      "\u{1B}Ok\u{1B}Om\u{1B}Op\u{1B}OM",
      [
        .key(.character("+")), .key(.character("-")), .key(.character("0")), .key(.enter),
      ]
    ),
    ("\u{1B}x", [.key(.escape), .key(.character("x"))]),
    ("\u{1B}[I\u{1B}[O", [.focusGained, .focusLost]),
    (
      "\u{1B}[200~rm -rf \u{1B}[A *\r\u{1B}[201~q",
      [
        .paste(Array("rm -rf \u{1B}[A *\r".utf8)), .key(.character("q")),
      ]
    ),
    ("\u{1B}[201~", []),
    ("\u{1B}[0n", [.reply(.ready)]),
    ("\u{1B}[?62;4c", [.reply(TerminalReply(.control, "?62;4c"))]),
    ("\u{1B}[1;2R", [.reply(TerminalReply(.control, "1;2R"))]),
    ("\u{1B}[6;20;10t", [.reply(TerminalReply(.control, "6;20;10t"))]),
    ("\u{1B}_Gi=31;OK\u{1B}\\", [.reply(TerminalReply(.application, "Gi=31;OK"))]),
    ("\u{1B}]11;rgb:1/2/3\u{07}", [.reply(TerminalReply(.operatingSystem, "11;rgb:1/2/3"))]),
    ("\u{1B}P>|kitty(0.35)\u{1B}\\", [.reply(TerminalReply(.device, ">|kitty(0.35)"))]),
    ("\u{1B}^secret\u{1B}\\\u{1B}Xsecret\u{1B}\\", []),
    ("\u{1B}[99999999999;-1R", [.reply(TerminalReply(.control, "99999999999;-1R"))]),
    ("\u{1B}[12\u{18}j", [.key(.character("j"))]),
    ("\u{1B}[12\u{1B}[A", [.key(.up)]),
    ("\u{1B}]11;rgb\u{1B}[Aj", [.key(.up), .key(.character("j"))]),
    ("\u{1B}]11;rgb\u{1B}\u{1B}[Aj", [.key(.up), .key(.character("j"))]),
    ("\u{1B}]11;rgb\u{1B}j", [.key(.escape), .key(.character("j"))]),
    // Ctrl-C gets through whatever was never ended.
    ("\u{1B}]11;rgb\u{03}j", [.key(.control("c")), .key(.character("j"))]),
    ("\u{1B}_G\u{03}\u{1B}[12\u{03}", [.key(.control("c")), .key(.control("c"))]),
    (
      "\u{1B}[<0;1;1M\u{1B}[<0;1;1m",
      [
        .mouse(MouseEvent(.pressed(.left), at: PixelPoint(x: 5, y: 10))),
        .mouse(MouseEvent(.released(.left), at: PixelPoint(x: 5, y: 10))),
      ]
    ),
    (
      "\u{1B}[<18;80;24M",
      [
        .mouse(MouseEvent(.pressed(.right), at: PixelPoint(x: 795, y: 470), modifiers: .control))
      ]
    ),
    (
      "\u{1B}[<66;3;2M\u{1B}[<66;3;2m",
      [
        .mouse(MouseEvent(.wheel(.left), at: PixelPoint(x: 25, y: 30)))
      ]
    ),
    ("\u{1B}[<1:2;3;4M\u{1B}[<1;2M\u{1B}[<128;1;1M\u{1B}[<;;M", []),
    // The first mouse format does not name the released button.
    (
      "\u{1B}[M\"!!\u{1B}[M#\"\"",
      [
        .mouse(MouseEvent(.pressed(.right), at: PixelPoint(x: 5, y: 10))),
        .mouse(MouseEvent(.released(.right), at: PixelPoint(x: 15, y: 30))),
      ]
    ),
  ]

  @Test(arguments: meanings.indices)
  func `input decodes to the events in the table`(row: Int) {
    var decoder = InputDecoder(viewport: Self.viewport)

    let events = decoder.events(Array(Self.meanings[row].input.utf8))

    #expect(events == Self.meanings[row].events)
  }

  @Test(arguments: meanings.indices)
  func `input may be cut anywhere`(row: Int) {
    let bytes = Array(Self.meanings[row].input.utf8)
    for cut in 1..<max(2, bytes.count) {
      var decoder = InputDecoder(viewport: Self.viewport)

      for byte in bytes.prefix(cut) { decoder.feed(.byte(byte), at: Instant(seconds: 0)) }
      // ncurses holds an ESC back until its timeout.
      var events = bytes[cut - 1] == 0x1B ? [] : decoder.flush()
      events += decoder.events(Array(bytes.dropFirst(cut)), at: 0.3)

      #expect(events == Self.meanings[row].events, "cut behind \(cut) bytes")
    }
  }

  @Test
  func `an ESC without anything after it is the Escape key`() {
    var decoder = InputDecoder(viewport: Self.viewport)

    let alone = decoder.events([0x1B])
    let later = decoder.events(Array("[".utf8))

    #expect(alone == [.key(.escape)])
    #expect(later == [.key(.character("["))])
  }

  @Test
  func `a terminfo key ends an incomplete sequence`() {
    var decoder = InputDecoder(viewport: Self.viewport)

    for byte in "\u{1B}[12".utf8 { decoder.feed(.byte(byte), at: Instant(seconds: 0)) }
    decoder.feed(.key(.up), at: Instant(seconds: 0))
    let events = decoder.flush() + decoder.events(Array("j".utf8))

    #expect(events == [.key(.up), .key(.character("j"))])
  }

  @Test
  func `bytes of keys are text within a string`() {
    var decoder = InputDecoder(viewport: Self.viewport)

    for byte in "\u{1B}]2;a".utf8 { decoder.feed(.byte(byte), at: Instant(seconds: 0)) }
    decoder.feed(.key(.backspace), at: Instant(seconds: 0))
    let events = decoder.events(Array("b\u{07}".utf8))

    #expect(events == [.reply(TerminalReply(.operatingSystem, "2;ab"))])
  }

  @Test
  func `an endless string is dropped, keeps to the limit, and ends with an ESC`() {
    var decoder = InputDecoder(viewport: Self.viewport)
    var maxHeldCount = 0

    for byte in "\u{1B}]11;rgb:".utf8 { decoder.feed(.byte(byte), at: Instant(seconds: 0)) }
    for _ in 0..<70_000 {
      decoder.feed(.byte(UInt8(ascii: "q")), at: Instant(seconds: 0))
      maxHeldCount = max(maxHeldCount, decoder.heldByteCount)
    }
    let during = decoder.flush()
    let after = decoder.events(Array("\u{1B}[Aj".utf8))

    #expect(during.isEmpty)
    #expect(maxHeldCount == SequenceParser.byteLimit)
    #expect(after == [.key(.up), .key(.character("j"))])
  }

  @Test
  func `a string longer than the limit is not a reply even if it ends`() {
    var decoder = InputDecoder(viewport: Self.viewport)

    let events = decoder.events(
      Array("\u{1B}]11;".utf8) + [UInt8](repeating: 0x66, count: 5000) + Array("\u{07}j".utf8))

    #expect(events == [.key(.character("j"))])
  }

  @Test
  func `little of a reply of a million bytes is stored, and the key after it is decoded`() {
    var decoder = InputDecoder(viewport: Self.viewport)
    for byte in Array("\u{1B}]11;".utf8) { decoder.feed(.byte(byte), at: Instant(seconds: 0)) }
    for _ in 0..<1_000_000 { decoder.feed(.byte(0x71), at: Instant(seconds: 0)) }

    #expect(decoder.heldByteCount <= SequenceParser.byteLimit)
    #expect(decoder.events([0x07, 0x6A]) == [.key(.character("j"))])
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `random bytes never exceed the limit of held bytes`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var decoder = InputDecoder(viewport: Self.viewport)
    // Bytes that begin and end sequences are more frequent than by chance.
    let framing = Array("\u{1B}[]P_O\\<;0~Mm\u{07}".utf8)

    for step in 0..<50_000 {
      let byte =
        Bool.random(using: &random)
        ? UInt8.random(in: 0...255, using: &random)
        : framing.randomElement(using: &random) ?? 0
      decoder.feed(.byte(byte), at: Instant(nanoseconds: Int64(step)))
      if step % 64 == 0 { _ = decoder.flush() }

      guard decoder.heldByteCount <= SequenceParser.byteLimit + 64 else {
        Issue.record("\(decoder.heldByteCount) bytes held, seed \(seed), step \(step)")
        return
      }
    }
    // Whatever state that left, typing works again.
    let later = decoder.events(Array("j".utf8), at: 10)
    #expect(later.last == .key(.character("j")), "seed \(seed)")
  }

  @Test(arguments: [11, 12, 13] as [UInt64])
  func `text in a reply is never decoded as a key`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let introducers = ["\u{1B}P", "\u{1B}]", "\u{1B}_", "\u{1B}^", "\u{1B}X"]
    for _ in 0..<60 {
      var decoder = InputDecoder(viewport: Self.viewport)
      let length = Int.random(in: 0...6000, using: &random)
      let text = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        .filter { ![0x03, 0x07, 0x18, 0x1A, 0x1B].contains($0) }
      let introducer = introducers.randomElement(using: &random) ?? ""

      let events = decoder.events(Array(introducer.utf8) + text + Array("\u{1B}\\".utf8))

      let isReply = events.allSatisfy { if case .reply = $0 { true } else { false } }
      #expect(isReply, "seed \(seed), \(introducer.debugDescription), \(length) bytes")
    }
  }
}
