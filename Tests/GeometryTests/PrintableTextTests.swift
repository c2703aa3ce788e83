import TestSupport
import Testing

@testable import Geometry

struct PrintableTextTests {
  init() { UTF8Locale.use() }

  @Test(arguments: [
    ("plain.jpg", "plain.jpg"),
    ("a\u{1B}]52;c;YQ==\u{07}b", "a?]52;c;YQ==?b"),
    ("line\nbreak\r\t", "line?break??"),
    ("c1\u{9B}31m", "c1?31m"),
    ("rtl\u{202E}gpj.exe", "rtl\u{FFFD}gpj.exe"),
    ("iso\u{2066}late", "iso\u{FFFD}late"),
    ("family👨\u{200D}👩", "family👨👩"),
    ("e\u{301}te\u{301}", "e\u{301}te\u{301}"),
    ("日本語", "日本語"),
  ])
  func `characters that act on a terminal are replaced or removed`(name: String, printed: String) {
    #expect(PrintableText.from(Array(name.utf8)) == printed)
  }

  @Test func `random bytes become printable`() {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      for scalar in PrintableText.from(bytes).unicodeScalars {
        #expect(scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value))
      }
    }
  }
}
