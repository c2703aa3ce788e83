import Geometry
import Testing

@testable import TerminalIO

/// Timeouts: how long the decoder waits for the rest of an incomplete sequence.
extension InputDecoderTests {
  @Test
  func `an incomplete sequence times out after half a second`() {
    var decoder = InputDecoder(viewport: Self.viewport)

    // Alt-P has the same bytes as a string's introducer.
    let pressed = decoder.events(Array("\u{1B}P".utf8))
    let later = decoder.events(Array("j".utf8), at: 0.6)

    #expect(pressed.isEmpty)
    #expect(later == [.key(.character("j"))])
  }

  @Test(arguments: ["\u{1B}P1$r38:2:1:2:3m", "\u{1B}[?62;4", "\u{1B}]11;rgb:"])
  func `an incomplete response times out after three seconds`(answer: String) {
    for (pause, isObeyed) in [(2.9, false), (3.1, true)] {
      var decoder = InputDecoder(viewport: Self.viewport)
      decoder.expectsReplies = true

      let answered = decoder.events(Array(answer.utf8))
      let typed = decoder.events(Array("5".utf8), at: pause)

      #expect(answered.isEmpty)
      #expect(typed == (isObeyed ? [.key(.character("5"))] : []), "after \(pause) s")
    }
  }

  @Test
  func `a long response that stalls for two seconds is not decoded as keys`() {
    var decoder = InputDecoder(viewport: Self.viewport)

    let first = decoder.events(Array("\u{1B}]11;".utf8) + [UInt8](repeating: 0x71, count: 1_000))
    let second = decoder.events([UInt8](repeating: 0x71, count: 1_000) + [0x07, 0x6A], at: 2)

    #expect(first.isEmpty)
    #expect(second.count == 2 && second.last == .key(.character("j")))
  }

  @Test
  func `a paste without an end times out after two seconds`() {
    var decoder = InputDecoder(viewport: Self.viewport)

    let first = decoder.events(Array("\u{1B}[200~qqq".utf8))
    let second = decoder.events(Array("qq".utf8), at: 1.5)
    let third = decoder.events(Array("j".utf8), at: 3.6)

    #expect(first.isEmpty)
    #expect(second.isEmpty)
    #expect(third == [.paste(Array("qqqqq".utf8)), .key(.character("j"))])
  }

  @Test
  func `a response whose ESC arrived long before is not decoded as keys`() {
    var decoder = InputDecoder(viewport: Self.viewport)
    decoder.expectsReplies = true

    let first = decoder.events([0x1B])
    let rest = decoder.events(Array("]11;rgb:q/q/q\u{07}j".utf8), at: 1.4)

    #expect(first == [.key(.escape)])
    #expect(
      rest == [.reply(TerminalReply(.operatingSystem, "11;rgb:q/q/q")), .key(.character("j"))])
  }

  @Test
  func `keys after Escape are keys even while responses are pending`() {
    var decoder = InputDecoder(viewport: Self.viewport)
    decoder.expectsReplies = true

    let first = decoder.events([0x1B])
    let second = decoder.events(Array("jO".utf8), at: 0.5)
    _ = decoder.events([0x1B], at: 1)
    let muchLater = decoder.events(Array("]j".utf8), at: 5)

    #expect(first == [.key(.escape)])
    #expect(second == [.key(.character("j")), .key(.character("O"))])
    #expect(muchLater == [.key(.character("]")), .key(.character("j"))])
  }
}
