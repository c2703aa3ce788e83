import Photos
import Testing
import WorkerProtocol

/// Failure reasons, and the messages that they become.
extension MessageReaderTests {
  @Test func `a failure message that is not printable is malformed`() {
    let words = FailureReason.decoder("plain \u{1b}]52;c;evil\u{07}")

    #expect(throws: ProtocolError.malformed) {
      try Response(payload: Response.failed(words).encoded()[4...])
    }
  }

  @Test func `failure reasons are read back from their bytes, and other bytes are rejected`() {
    for reason in Self.reasons {
      let bytes = reason.encoded

      #expect(FailureReason(encoded: bytes) == reason)
      #expect(FailureReason(encoded: bytes + [0]) == nil)
      #expect(FailureReason(encoded: bytes.dropLast()) == nil)
    }
    #expect(FailureReason(encoded: [102, 1, 0, 0x1b]) == nil)
  }

  @Test func `a decoder's message becomes one printable line of at most 80 bytes`() {
    let message = Array("bad \u{1b}[31m\u{202e}name".utf8) + Array(repeating: 0x41, count: 200)

    let reason = FailureReason.decoder(message: message)

    #expect(
      reason.message == "damaged: bad ?[31m???name" + String(repeating: "A", count: 64))
    #expect(FailureReason.decoder(message: "one\ntwo".utf8) == .decoder("one"))
  }

  @Test(arguments: [
    ("gifload_source: no frames in GIF", "truncated"),
    ("Premature end of JPEG file", "truncated"),
    ("pngload_source: libspng read error", "truncated"),
    (
      "heifload_source: Unsupported feature: Unsupported codec (4.3000)",
      "unsupported: Unsupported codec"
    ),
    ("source: not a known file format", "not an image"),
    ("vips__alloc: out of memory --- size == 3MB", "out of memory"),
    (
      "VipsImage: memory area too small --- should be 4718592 bytes, you passed 18", "truncated"
    ),
    ("webp2vips: unable to read pixels", "damaged: unable to read pixels"),
    ("heifload: 'pitm' box references a non-existing image (2.119)", "damaged"),
    ("heifload: (2.100)", "damaged"),
    ("magickload: unable to open source for input", "damaged"), ("broken file", "damaged"),
    ("raw photo without a preview", "unsupported: raw photo without a preview"),
  ])
  func `a decoder's error becomes a plain message`(complaint: String, words: String) {
    #expect(FailureReason.decoder(complaint).message == words)
  }
}
