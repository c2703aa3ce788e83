@testable import Geometry
import Testing

struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"), ("\u{1B}\n\u{FF}", "GwrDvw=="),
  ])
  func `text is encoded as in the examples of RFC 4648`(text: String, letters: String) {
    #expect(Base64.text(Array(text.utf8)) == letters)
  }

  @Test(
    arguments: [
      ([], ""), ([0], "AA=="), ([255, 254], "//4="), ([1, 2, 3], "AQID"),
      (Array("photogrid".utf8), "cGhvdG9ncmlk"), (Array("path.1".utf8) + [10], "cGF0aC4xCg=="),
    ] as [([UInt8], String)])
  func `arbitrary bytes are encoded`(bytes: [UInt8], text: String) {
    #expect(Base64.text(bytes) == text)
  }

  @Test(arguments: 0..<100)
  func `every length gets its padding`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ 31) }
    var text: [UInt8] = []

    Base64.encode(bytes[...], to: &text)

    // The expected text, six bits at a time.
    let bits = bytes.flatMap { byte in (0..<8).map { byte >> UInt8(7 - $0) & 1 } }
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var expected = stride(from: 0, to: bits.count, by: 6).map { start in
      let group = bits[start..<min(start + 6, bits.count)]
      let padded = group + Array(repeating: 0, count: 6 - group.count)
      return digits[padded.reduce(0) { $0 * 2 + Int($1) }]
    }
    while expected.count % 4 != 0 { expected.append(UInt8(ascii: "=")) }
    #expect(text == expected)
  }

  @Test(arguments: 0..<100)
  func `every length is decoded, with padding and without`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ 31) }
    let text = Array(Base64.text(bytes).utf8)
    #expect(Base64.decode(text) == bytes)
    #expect(Base64.decode(text.filter { $0 != UInt8(ascii: "=") }) == bytes)
    #expect(Base64.decode(text + text) == bytes + bytes, "padding between texts")
  }

  @Test(arguments: ["Zg==\n", "Z g", "Zm9-", "Zm9\u{1B}", "Zmé"])
  func `other characters are no Base64`(text: String) {
    #expect(Base64.decode(text.utf8) == nil)
  }

  @Test(arguments: [
    ("", ""), ("/a%20b", "/a b"), ("%41%4a%4A", "AJJ"), ("100%", "100%"), ("%4", "%4"),
    ("%zz", "%zz"), ("%+1", "%+1"), ("%%41", "%A"), ("%2525", "%25"),
  ])
  func `percent signs are decoded where two digits follow`(text: String, expected: String) {
    #expect(String(decoding: Array(text.utf8).percentDecoded, as: UTF8.self) == expected)
  }

  @Test func `every byte survives percent encoding`() {
    let bytes = (0...255).map { UInt8($0) }
    #expect(bytes.percentEncoded.percentDecoded == bytes)
  }
}
