import Geometry
import SceneModel
import Testing

@testable import TerminalIO

/// Drag and drop by kitty's protocol, in the bytes that its documentation gives and that kitty 0.48 sends.
@Suite struct DragReportTests {
  private static let cell = CellPoint(column: 22, row: 11)
  private static let list = ["text/uri-list"]

  static let reports: [(body: String, report: DragReport?)] = [
    ("t=o:x=22:y=11:X=204:Y=199", .offered),
    ("t=E:m=0;OK", .started),
    ("t=E:m=0;EINVAL:error while decoding base64", .refused("EINVAL")),
    ("t=E;EPERM", .refused("EPERM")), ("t=E", .refused("")),
    ("t=E;\u{1B}]2;x", .refused("?]2;x")),
    ("t=e:x=4:y=0", .ended), ("t=e:x=4:y=1", .ended), ("t=e:x=5:y=0", .listRequested),
    ("t=e:x=1:y=0", nil), ("t=e:x=2:o=1", nil), ("t=e:x=3", nil), ("t=k:x=1", .fileRequested),
    ("t=m:x=22:y=11:X=298:Y=198:o=1:m=0;text/uri-list ", .hovered(cell, types: list)),
    ("t=m:x=22:y=11:X=298:Y=198:o=1", .hovered(cell, types: [])),
    ("t=m:x=-1:y=-1", .left),
    ("t=M:x=22:y=11:o=3;text/plain text/uri-list", .dropped(cell, types: ["text/plain"] + list)),
    ("t=M", .dropped(CellPoint(column: 0, row: 0), types: [])),
    ("t=r:x=1:m=0;ZmlsZQ", .data("ZmlsZQ", isRemote: false)),
    ("t=r:x=1:X=1:m=1;ZmlsZQ", .data("ZmlsZQ", isRemote: true)),
    ("m=1;ZmlsZQ", .data("ZmlsZQ", isRemote: false)), ("m=1;", .data("", isRemote: false)),
    ("t=r:x=1", .dataEnded), ("t=r:x=1:m=0;", .dataEnded), ("m=0;", .dataEnded),
    ("t=R:x=1;ENOENT:gone", .dataFailed),
    ("", nil), (";", nil), ("x=1", nil), ("t=", nil), ("t=q:i=1", nil), ("t=a", nil),
    ("t=m:x=99999999999:y=z", .hovered(CellPoint(column: 0, row: 0), types: [])),
  ]

  @Test(arguments: reports.indices) func `a report`(row: Int) {
    let (body, report) = Self.reports[row]
    #expect(DragReport(TerminalReply(.operatingSystem, "72;" + body)) == report)
    #expect(DragReport(TerminalReply(.device, "72;" + body)) == nil)
    #expect(DragReport(TerminalReply(.operatingSystem, "52;" + body)) == nil)
  }

  @Test(arguments: reports.indices) func `a report cut anywhere is the same`(row: Int) {
    let (body, _) = Self.reports[row]
    guard !body.contains("\u{1B}") else { return }
    let bytes = Array("\u{1B}]72;\(body)\u{1B}\\".utf8)
    let viewport = Viewport(cells: CellSize(columns: 80, rows: 24), metrics: .standard)
    for cut in 1..<bytes.count {
      var decoder = InputDecoder(viewport: viewport)
      decoder.expectsReplies = true
      let events = decoder.events(Array(bytes[..<cut])) + decoder.events(Array(bytes[cut...]))
      // An ESC alone may be the key.
      let replies = events.filter { $0 != .key(.escape) }
      #expect(replies == [.reply(TerminalReply(.operatingSystem, "72;" + body))], "cut at \(cut)")
    }
  }

  @Test func `the longest part of data is received whole`() {
    let payload = String(repeating: "A", count: 4096)
    let body = "72;t=r:x=2147483647:y=2147483647:Y=2147483647:X=1:i=4294967295:m=1;" + payload
    var decoder = InputDecoder(
      viewport: Viewport(cells: CellSize(columns: 80, rows: 24), metrics: .standard))
    let events = decoder.events(Array("\u{1B}]\(body)\u{1B}\\".utf8))
    #expect(events == [.reply(TerminalReply(.operatingSystem, body))])
  }

  // MARK: - What the program sends

  static let packets: [(packet: DragPacket, text: String)] = [
    (.start(allowsMove: true), "t=o:o=3;text/uri-list"),
    (.start(allowsMove: false), "t=o:o=1;text/uri-list"),
    (.list(Array("file:///a\r\n".utf8)), "t=p:x=0:m=1;ZmlsZTovLy9hDQo|t=p:x=0:m=0;"),
    (.list([]), "t=p:x=0:m=0;"),
    (
      .picture(width: 2, height: 1, pixels: [255, 0, 0, 0, 0, 255]),
      "t=p:x=-1:y=24:X=2:Y=1:m=1;/wAAAAD/|t=p:x=-1:y=24:X=2:Y=1:m=0;"
    ),
    (.begin, "t=P:x=-1"), (.listAgain([1]), "t=e:y=0:m=1;AQ|t=e:y=0:m=0;"),
    (.fileUnavailable, "t=E;EOPNOTSUPP"), (.accept(true), "t=m:o=1;text/uri-list"),
    (.accept(false), "t=m:o=0"), (.request(2), "t=r:x=2"), (.finish(isTaken: true), "t=r:o=1"),
    (.finish(isTaken: false), "t=r:o=0"),
  ]

  @Test(arguments: packets.indices) func `a packet`(row: Int) {
    let (packet, text) = Self.packets[row]
    let expected = text.split(separator: "|").map { "\u{1B}]72;\($0)\u{1B}\\" }.joined()
    #expect(String(decoding: packet.bytes, as: UTF8.self) == expected)
  }

  @Test(arguments: [3071, 3072, 3073, 6144, 100_001])
  func `no part of a long list is longer than the protocol allows`(count: Int) throws {
    let list = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let text = String(decoding: DragPacket.list(list).bytes, as: UTF8.self)
    let payloads = text.split(separator: "\u{1B}\\").map {
      $0.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false)[2]
    }
    #expect(payloads.allSatisfy { $0.utf8.count <= 4096 && !$0.contains("=") })
    #expect(payloads.last == "" && payloads.dropLast().allSatisfy { !$0.isEmpty })
    #expect(Base64.decode(payloads.joined().utf8) == list)
  }
}
