import Geometry
import Photos
import TerminalIO
import Testing

@testable import photogrid

/// Drags and drops, by the reports of a terminal.
@Suite struct DragExchangeTests {
  private static let start = Instant(seconds: 0)
  private static let cell = CellPoint(column: 3, row: 4)
  private static let types = ["text/plain", "text/uri-list"]

  private var drags = DragExchange(host: "here")

  /// What a report means, and what is sent for it.
  private mutating func handle(
    _ report: DragReport, takesDrops: Bool = true, at now: Instant = start
  ) -> (outcome: DragExchange.Outcome?, sent: [DragPacket]) {
    let outcome = drags.handle(report, takesDrops: takesDrops, at: now)
    return (outcome, drags.takePackets())
  }

  private static func data(_ list: String) -> DragReport {
    .data(Substring(Base64.text(Array(list.utf8))), isRemote: false)
  }

  // MARK: - Dropping

  @Test mutating func `files that are dropped are requested, and the drop is ended`() throws {
    #expect(handle(.hovered(Self.cell, types: Self.types)).sent == [.accept(true)])
    #expect(handle(.hovered(Self.cell, types: [])).sent == [], "told already")
    #expect(handle(.dropped(Self.cell, types: Self.types)).sent == [.request(2)])
    #expect(handle(Self.data("file:///a\r\nfile://there/b\r\n")).sent == [])
    let (outcome, sent) = handle(.dataEnded)
    guard case .dropped(let files, Self.cell)? = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    #expect(files.paths == [Array("/a".utf8)] && files.remoteCount == 1)
    #expect(sent == [.finish(isTaken: true)])
    #expect(drags.nextDeadline(after: Self.start) == nil)
    #expect(handle(.dataEnded).outcome == nil, "once")
  }

  @Test mutating func `what cannot be dropped is refused while it is over the window`() {
    #expect(handle(.hovered(Self.cell, types: ["text/plain"])).sent == [.accept(false)])
    #expect(handle(.left).sent == [])
    #expect(
      handle(.hovered(Self.cell, types: Self.types), takesDrops: false).sent == [.accept(false)])
    #expect(
      handle(.dropped(Self.cell, types: Self.types), takesDrops: false).sent
        == [.finish(isTaken: false)])
    #expect(handle(Self.data("file:///a")).outcome == nil)
    #expect(handle(.dataEnded).outcome == nil)
  }

  @Test mutating func `photos of the own window are refused until the drag is over`() {
    #expect(drags.begin([Array("/a".utf8)], picture: nil, allowsMove: true) == nil)
    _ = drags.takePackets()
    #expect(handle(.hovered(Self.cell, types: Self.types)).sent == [.accept(false)])
    #expect(handle(.dropped(Self.cell, types: Self.types)).sent == [.finish(isTaken: false)])
    _ = handle(.ended)
    #expect(handle(.hovered(Self.cell, types: Self.types)).sent == [.accept(true)])
    // The end of a drag was not reported, but a button was pressed since.
    #expect(drags.begin([Array("/a".utf8)], picture: nil, allowsMove: true) == nil)
    drags.endDrag()
    _ = drags.takePackets()
    #expect(handle(.dropped(Self.cell, types: Self.types)).sent == [.request(2)])
  }

  @Test(arguments: [
    (DragReport.dataFailed, "cannot be read"),
    (.data("Zm9v", isRemote: true), "on another computer"),
    (.data("%%%%", isRemote: false), "cannot be read"),
  ])
  mutating func `a drop that fails is said once, and nothing is copied`(
    report: DragReport, words: String
  ) {
    _ = handle(.dropped(Self.cell, types: Self.types))
    var results = [handle(report), handle(.dataEnded)]
    results += [handle(.dataEnded), handle(Self.data("file:///a")), handle(.dataEnded)]
    let messages = results.compactMap { result -> String? in
      if case .failed(let message)? = result.outcome { message } else { nil }
    }
    #expect(messages.count == 1 && messages[0].contains(words), "\(messages)")
    #expect(messages[0].contains("nothing was copied"))
    #expect(results.flatMap(\.sent) == [.finish(isTaken: false)])
  }

  @Test mutating func `a million names are given up at the limit`() {
    _ = handle(.dropped(Self.cell, types: Self.types))
    let names = String(repeating: "file:///tmp/photo.jpg\r\n", count: 130)
    var outcomes: [DragExchange.Outcome] = []
    for number in 0..<8_000 {
      if let outcome = handle(Self.data("file:///tmp/\(number)\r\n" + names)).outcome {
        outcomes.append(outcome)
      }
    }
    if let outcome = handle(.dataEnded).outcome { outcomes.append(outcome) }
    #expect(
      outcomes == [.failed("Nothing was copied: at most 10000 files can be dropped at once")])
  }

  @Test(arguments: [3072, 3073, 4000, 6144, 9000])
  mutating func `a list of which the terminal repeats the beginning is not taken`(count: Int) {
    let list = DroppedFiles.list(of: (0..<1000).map { Array("/tmp/photo \($0).jpg".utf8) })
    var outcomes: [DragExchange.Outcome?] = []
    for isGarbled in [true, false] {
      _ = handle(.dropped(Self.cell, types: Self.types))
      for start in stride(from: 0, to: count, by: 3072) {
        let length = min(3072, count - start)
        let part = Array(list[(isGarbled ? 0 : start)...].prefix(length))
        let text = Base64.text(part).replacing("=", with: "")
        outcomes.append(handle(.data(Substring(text), isRemote: false)).outcome)
      }
      outcomes.append(handle(.dataEnded).outcome)
    }
    let messages = outcomes.compactMap { outcome -> String? in
      if case .failed(let message)? = outcome { message } else { nil }
    }
    // A last byte alone tells nothing, and adds no name.
    #expect(messages.count == (count > 3073 ? 1 : 0), "\(messages)")
    #expect(messages.allSatisfy { $0.contains("garbles") })
  }

  @Test mutating func `a drop whose files never arrive is given up`() throws {
    _ = handle(.dropped(Self.cell, types: Self.types))
    let later = Self.start.advanced(bySeconds: 8)
    _ = handle(Self.data("file:///a"), at: later)
    #expect(drags.service(at: Self.start.advanced(bySeconds: 12)) == [], "it has just sent a part")
    let deadline = try #require(drags.nextDeadline(after: later))
    #expect(drags.service(at: deadline).count == 1)
    #expect(drags.takePackets() == [.finish(isTaken: false)])
    #expect(handle(.dataEnded).outcome == nil)
  }

  @Test mutating func `a flood of movements is answered once`() {
    var sent: [DragPacket] = []
    for _ in 0..<10_000 { sent += handle(.hovered(Self.cell, types: Self.types)).sent }
    #expect(sent == [.accept(true)])
  }

  // MARK: - Dragging out

  @Test mutating func `a drag is a list, a picture, and its start`() {
    let picture = Bitmap(
      width: 2, height: 1, pixels: [1, 2, 3, 255, 4, 5, 6, 255], isOpaque: true)
    let paths = [Array("/a b".utf8), Array("/é".utf8)]
    #expect(drags.begin(paths, picture: picture, allowsMove: true) == nil)
    let list = Array("file:///a%20b\r\nfile:///%C3%A9\r\n".utf8)
    #expect(
      drags.takePackets() == [
        .start(allowsMove: true), .list(list),
        .picture(width: 2, height: 1, pixels: [1, 2, 3, 4, 5, 6]), .begin,
      ])
    #expect(handle(.started).outcome == nil)
    #expect(handle(.listRequested).sent == [.listAgain(list)])
    #expect(handle(.ended).outcome == nil)
    #expect(handle(.listRequested).sent == [])
  }

  @Test mutating func `more photos than can be dropped are not dragged`() {
    let paths = Array(repeating: Array("/a".utf8), count: DroppedFiles.maxCount + 1)
    let fault = drags.begin(paths, picture: nil, allowsMove: true)
    #expect(fault == "Too many to drag: 10001 files; the limit is 10000")
    #expect(drags.takePackets() == [])
  }

  @Test mutating func `why a drag fails is said, unless the button was released`() {
    #expect(handle(.refused("EINVAL")).outcome == nil, "nothing is dragged")
    for (name, isSaid) in [("EPERM", false), ("EFBIG", true)] {
      #expect(drags.begin([Array("/a".utf8)], picture: nil, allowsMove: false) == nil)
      #expect((handle(.refused(name)).outcome != nil) == isSaid)
      #expect(handle(.refused(name)).outcome == nil, "twice")
    }
    #expect(drags.begin([Array("/a".utf8)], picture: nil, allowsMove: false) == nil)
    _ = drags.takePackets()
    let (outcome, sent) = handle(.fileRequested)
    #expect(
      outcome == .failed("Photos can only be dragged to programs on the same computer"))
    #expect(sent == [.fileUnavailable])
    #expect(handle(.fileRequested).sent == [], "ended")
  }

  // MARK: - The computer's name

  @Test(arguments: ["2d8b0b3e6a3f4f0f9a4c6a2f8d1c7e55", "2d8b0b3e6a3f4f0f9a4c6a2f8d1c7e55\n \n"])
  func `the name is the hash that kitty computes`(contents: String) {
    // printf %s ID | openssl dgst -sha256 -hmac tty-dnd-protocol-machine-id
    let expected =
      "1:24bd1ce8fc527c7137f8dacaf133f642"
      + "806b31df8a01522121af5df148833070"
    #expect(MachineID.text(of: Array(contents.utf8)) == expected)
  }
}
