import Geometry
import Testing

@testable import TerminalIO

/// Pictures for the clipboard, in the bytes that kitty's documentation gives.
@Suite struct ClipboardPacketTests {
  @Test func `a picture is announced, sent in pieces, and ended`() {
    let pieces: [ClipboardPacket] = [
      .start, .data([1, 2, 3], type: "image/png"), .data([255], type: "image/png"), .end,
    ]
    let text = String(decoding: pieces.flatMap(\.bytes), as: UTF8.self)
    #expect(
      text == "\u{1B}]5522;type=write\u{1B}\\"
        + "\u{1B}]5522;type=wdata:mime=aW1hZ2UvcG5n;AQID\u{1B}\\"
        + "\u{1B}]5522;type=wdata:mime=aW1hZ2UvcG5n;/w==\u{1B}\\"
        + "\u{1B}]5522;type=wdata\u{1B}\\")
    #expect(ClipboardPacket.maxPieceLength <= 4096 && ClipboardPacket.maxPieceLength % 3 == 0)
  }

  @Test(arguments: [
    ("5522;type=write:status=DONE", "DONE"), ("5522;type=write:status=EPERM", "EPERM"),
    ("5522;type=write:status=EBUSY:id=a;", "EBUSY"), ("5522;status=EIO:type=write", "EIO"),
    ("5522;type=write:status=\u{7}\u{1B}x", "??x"), ("5522;type=read:status=OK", nil),
    ("5522;type=write", nil), ("52;c;AQID", nil), ("5522", nil), ("", nil),
  ])
  func `the status in a reply`(body: String, status: String?) {
    let found = ClipboardPacket.status(in: TerminalReply(.operatingSystem, body))
    // What is not printable is shown in some way, but never as it is.
    #expect(found == status || (status == "??x" && found?.contains("\u{1B}") == false))
    #expect(ClipboardPacket.status(in: TerminalReply(.device, body)) == nil)
  }
}
