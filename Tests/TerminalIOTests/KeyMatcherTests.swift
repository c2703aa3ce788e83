import Geometry
import TestSupport
import Testing

@testable import TerminalIO

/// Keys of the terminfo entry in input that is cut anywhere.
struct KeyMatcherTests {
  private static let sequences: [(bytes: [UInt8], meaning: KeyMatcher.Meaning)] = [
    (Array("\u{1B}[A".utf8), .key(.up)), (Array("\u{1B}OP".utf8), .key(.function(1))),
    (Array("\u{1B}[5~".utf8), .key(.pageUp)), (Array("\u{1B}[5;2~".utf8), .nothing),
    (Array("\u{1B}[<".utf8), .bytes), ([0x7F], .key(.backspace)),
  ]

  /// Input that nothing follows, and its keys and bytes; a string stands for its bytes.
  static let inputs: [(input: String, units: [InputDecoder.Unit])] = [
    ("ab", bytes("ab")), ("", []),
    ("\u{1B}[A", [.key(.up)]), ("\u{1B}[A\u{1B}[A", [.key(.up), .key(.up)]),
    ("\u{7F}x", [.key(.backspace)] + bytes("x")),
    ("\u{1B}", bytes("\u{1B}")), ("\u{1B}[", bytes("\u{1B}[")), ("\u{1B}[5", bytes("\u{1B}[5")),
    // After a sequence that is not a key the search starts again at its second byte.
    ("\u{1B}\u{1B}[A", bytes("\u{1B}") + [.key(.up)]),
    ("\u{1B}[5\u{7F}", bytes("\u{1B}[5") + [.key(.backspace)]),
    ("\u{1B}[5;2~x", bytes("x")), ("\u{1B}[<0;1;1M", bytes("\u{1B}[<0;1;1M")),
    ("\u{1B}[<\u{1B}[5~", bytes("\u{1B}[<") + [.key(.pageUp)]),
    ("é\u{1B}OPq", bytes("é") + [.key(.function(1))] + bytes("q")),
  ]

  private static func bytes(_ text: String) -> [InputDecoder.Unit] { text.utf8.map { .byte($0) } }

  @Test(arguments: inputs.indices)
  func `keys are found, and all other bytes are left as they are`(row: Int) {
    var matcher = KeyMatcher(Self.sequences)
    matcher.feed(Self.inputs[row].input.utf8)

    #expect(matcher.rest() == Self.inputs[row].units)
    #expect(!matcher.isWaiting)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `input that is cut anywhere gives the same keys`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let input = (0..<Int.random(in: 1...6, using: &random)).flatMap { _ in
        Array((Self.inputs.randomElement(using: &random)?.input ?? "").utf8)
      }
      var whole = KeyMatcher(Self.sequences)
      whole.feed(input)
      var pieces = KeyMatcher(Self.sequences)
      var units: [InputDecoder.Unit] = []
      var left = input[...]
      while !left.isEmpty {
        let count = min(Int.random(in: 1...4, using: &random), left.count)
        pieces.feed(left.prefix(count))
        left = left.dropFirst(count)
        while let unit = pieces.next() { units.append(unit) }
      }

      #expect(units + pieces.rest() == whole.rest(), "seed \(seed), \(input)")
    }
  }

  @Test func `only an incomplete sequence is held back`() {
    var matcher = KeyMatcher(Self.sequences)
    matcher.feed("x\u{1B}[".utf8)

    #expect(matcher.next() == .byte(UInt8(ascii: "x")))
    #expect(matcher.next() == nil)
    #expect(matcher.isWaiting)
    matcher.feed("5~y".utf8)
    #expect(matcher.next() == .key(.pageUp))
    #expect(matcher.next() == .byte(UInt8(ascii: "y")))
    #expect(matcher.next() == nil)
    #expect(!matcher.isWaiting)
  }
}

extension KeyMatcher {
  /// The remaining keys and bytes when nothing follows.
  fileprivate mutating func rest() -> [InputDecoder.Unit] {
    var units: [InputDecoder.Unit] = []
    while let unit = next(isFlushing: true) {
      units.append(unit)
      while let more = next() { units.append(more) }
    }
    return units
  }
}
