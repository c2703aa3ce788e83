import Geometry
import SceneModel
import Testing

@testable import TerminalIO

/// Keys as kitty's keyboard protocol reports them.
struct KeyReportTests {
  /// What follows `CSI`, and the keys.
  static let meanings: [(report: String, keys: [Key])] = [
    ("27u", [.escape]), ("27;1u", [.escape]), ("27;1:1u", [.escape]), ("27;1:2u", [.escape]),
    // A key that is let go.
    ("27;1:3u", []), ("99;5:3u", []),
    ("99;5u", [.control("c")]), ("97;6u", [.control("a")]), ("97:65;6u", [.control("a")]),
    // With Caps Lock, and with Num Lock.
    ("122;69u", [.control("z")]), ("122;133u", [.control("z")]), ("27;129u", [.escape]),
    // What other terminals cannot tell apart stays the same key.
    ("105;5u", [.tab]), ("106;5u", [.enter]), ("109;5u", [.enter]), ("104;5u", [.backspace]),
    ("91;5u", [.escape]), ("32;5u", [.control(" ")]), ("47;5u", [.control("_")]),
    ("45:95;6u", [.control("_")]), ("92;5u", [.control("\\")]), ("43;5u", [.character("+")]),
    ("49;5u", [.character("1")]),
    ("13;2u", [.enter]), ("13;3u", [.enter]), ("13;5u", [.enter]), ("9;2u", [.backTab]),
    ("9;5u", [.tab]), ("127;5u", [.backspace]), ("127;3u", [.backspace]),
    // Alt, with the shifted character, and by its Latin name where that is not told.
    ("120;3u", [.escape, .character("x")]), ("120:88;4u", [.escape, .character("X")]),
    ("97;7u", [.escape, .control("a")]),
    // Ctrl on a Russian and on a Greek keyboard: the key at the place of C, and of Q.
    ("1089::99;5u", [.control("c")]), ("59:58:113;5u", [.character(";")]),
    ("1089;5u", [.character("с")]),
    // Super, Hyper, and Meta are other programs' keys.
    ("99;9u", []), ("99;13u", []), ("99;17u", []), ("99;33u", []),
    // The keypad, and function keys beyond F12.
    ("57399u", [.character("0")]), ("57408;129u", [.character("9")]),
    ("57409u", [.character(".")]), ("57413u", [.character("+")]), ("57414u", [.enter]),
    ("57419;129u", [.up]), ("57424u", [.end]), ("57426u", [.delete]), ("57376u", [.function(13)]),
    ("57398u", [.function(35)]),
    // Menu, a shift key alone, and a key of media.
    ("57363u", []), ("57441;2u", []), ("57428u", []),
    // Keys that are not characters keep their sequences.
    ("P", [.function(1)]), ("1;129Q", [.function(2)]), ("13~", [.function(3)]),
    ("1;2S", [.function(4)]), ("1;129A", [.up]), ("3;133~", [.delete]),
    // Text that belongs to the key.
    ("97;3;97u", [.escape, .character("a")]), ("97;5;97:98u", [.control("a")]),
    ("0;5u", [.control(" ")]), ("1114112u", []), ("55296u", []), ("155u", []),
  ]

  @Test(arguments: meanings.indices)
  func `a report is the key that other terminals send, wherever it is cut`(row: Int) {
    let (report, keys) = Self.meanings[row]
    let bytes = Array("\u{1B}[\(report)j".utf8)
    for cut in 1..<bytes.count {
      var decoder = InputDecoder(viewport: InputDecoderTests.viewport)
      for byte in bytes.prefix(cut) { decoder.feed(.byte(byte), at: Instant(seconds: 0)) }
      var events = cut == 1 ? [] : decoder.flush()
      events += decoder.events(Array(bytes.dropFirst(cut)), at: 0.3)
      #expect(events == (keys + [.character("j")]).map { .key($0) }, "cut behind \(cut) bytes")
    }
  }

  @Test(arguments: [
    "u", ";u", "?0u", "?5;1u", ">1u", "-1u", "a;1u", "99999999u", "1;2;3;4u", "97:1:2:3u", "27:u;1",
    "27 u", "27;1",
  ])
  func `other sequences are no reports`(body: String) {
    #expect(KeyReport(Array(body.utf8)) == nil)
  }

  @Test func `Esc is decoded before anything follows it`() {
    var decoder = InputDecoder(viewport: InputDecoderTests.viewport)
    decoder.expectsReplies = true
    #expect(decoder.events(Array("\u{1B}[27u".utf8)) == [.key(.escape)])
    #expect(decoder.events(Array("[".utf8)) == [.key(.character("["))])
  }
}
