import Geometry
import Glibc
import Photos
import Testing

@testable import TerminalIO

struct TerminalQueriesTests {
  @Test func `device attributes are the last query, and the only one where others would show`() {
    let full = TerminalQueries(policy: .full).list
    let plain = TerminalQueries(policy: .minimal, isITerm: true).list

    #expect(full.last == .attributes)
    #expect(plain == [.attributes])
    #expect(text(of: TerminalQueries(policy: .minimal)) == "\u{1B}[c")
  }

  @Test func `the terminal around screen is asked for its background alone`() {
    let queries = TerminalQueries(policy: .screen, isITerm: true)

    #expect(queries.list == [.outerBackground, .attributes])
    #expect(text(of: queries) == "\u{1B}P\u{1B}]11;?\u{07}\u{1B}\\\u{1B}[c")
    var responses = TerminalResponses()
    responses.expect(queries.list)
    let isHandled = responses.handle(
      TerminalReply(.operatingSystem, "11;rgb:ffff/ffff/f0f0"))
    #expect(isHandled && responses.background == RGB(255, 255, 240))
  }

  @Test func `the queries are those of the protocols`() {
    #expect(
      text(of: TerminalQueries(policy: .full, isLocal: false, isITerm: true))
        == "\u{1B}[>0q\u{1B}[>c\u{1B}[14t\u{1B}[16t\u{1B}[?2026$p\u{1B}[?1016$p\u{1B}[?2031$p"
        + "\u{1B}[?2033$p\u{1B}[?2048$p\u{1B}[?u"
        + "\u{1B}]11;?\u{1B}\\\u{1B}[38;2;1;2;3m\u{1B}P$qm\u{1B}\\\u{1B}[0m"
        + "\u{1B}P+q524742\u{1B}\\\u{1B}[?1;1;0S\u{1B}[?2;4;0S"
        + "\u{1B}_Gi=33,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}]1337;ReportCellSize\u{07}\u{1B}[c")
  }

  @Test func `a local terminal is offered shared memory and a file, which are removed afterwards`()
    throws
  {
    var objects: TransferObjects? = TransferObjects()
    let queries = TerminalQueries(policy: .full)

    let (bytes, asked) = queries.bytes(for: queries.media, objects)
    let text = String(decoding: bytes, as: UTF8.self)
    let payloads = text.matches(of: /_Gi=3[12],s=1,v=1,a=q,t=[st],f=24;([^\u{1B}]*)\u{1B}/).map {
      String($0.1)
    }
    #expect(asked == [.kittySharedMemory, .kittyFile])
    try #require(payloads.count == 2)
    let paths = try ["/dev/shm" + decoded(payloads[0]), decoded(payloads[1])]
    for path in paths {
      #expect(access(path, R_OK) == 0, "\(path)")
      #expect(try contents(of: path) == [0, 0, 0], "\(path)")
    }
    // Terminals remove only files with this in their names.
    #expect(paths[1].contains("tty-graphics-protocol"))
    objects = nil
    for path in paths { #expect(access(path, F_OK) != 0, "\(path) is left") }
  }

  @Test func `an object that the terminal has already removed causes no error`() throws {
    let objects = TransferObjects()
    let name = try #require(objects.addFile([1, 2, 3]))

    unlink(String(decoding: name, as: UTF8.self))
    objects.removeAll()
    objects.removeAll()
  }

  @Test func `a remote terminal is offered no object`() {
    let queries = TerminalQueries(policy: .full, isLocal: false)

    #expect(queries.list.contains(.kittyDirect))
    #expect(queries.media.isEmpty)
  }

  @Test func `in tmux kitty's queries are wrapped, never sent directly`() throws {
    let queries = TerminalQueries(policy: .tmux, isLocal: false)
    let text = text(of: queries.list + queries.outer, queries)

    // Outside of the wrapped sequences tmux finds no string that it would show as a title.
    let wrapper = /\u{1B}Ptmux;((?:[^\u{1B}]|\u{1B}\u{1B})*)\u{1B}\\/
    let wrapped = text.matches(of: wrapper).map {
      $0.1.split(separator: "\u{1B}\u{1B}", omittingEmptySubsequences: false)
        .joined(separator: "\u{1B}")
    }
    #expect(
      wrapped == [
        "\u{1B}_Gi=33,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\", "\u{1B}[>0q", "\u{1B}]11;?\u{1B}\\",
        "\u{1B}[c",
      ])
    #expect(!text.replacing(wrapper, with: "").contains("\u{1B}_"))
  }

  private func text(of queries: TerminalQueries) -> String { text(of: queries.list, queries) }

  private func text(of list: [TerminalQuery], _ queries: TerminalQueries) -> String {
    String(decoding: queries.bytes(for: list, nil).bytes, as: UTF8.self)
  }

  private func decoded(_ base64: String) throws -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var bits = 0
    var count = 0
    var bytes: [UInt8] = []
    for character in base64 where character != "=" {
      bits = bits << 6 | (try #require(digits.firstIndex(of: character)))
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(bits >> count & 255))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func contents(of path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    return [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      count = max(read(descriptor, buffer.baseAddress, 16), 0)
    }
  }
}

struct QueryStateTests {
  @Test func `capabilities can be decided when all responses are there, or have timed out`() {
    var complete = started()
    complete.update(at: Instant(seconds: 10.01))
    #expect(!complete.isReadyToDecide)
    #expect(complete.nextDeadline == Instant(seconds: 10.15))
    expectHandled(TerminalReply(.control, "?62;4c"), by: &complete)
    complete.update(at: Instant(seconds: 10.02))
    #expect(complete.isReadyToDecide && complete.nextDeadline == nil)

    var silent = started()
    silent.update(at: Instant(seconds: 10.149))
    #expect(!silent.isReadyToDecide)
    silent.update(at: Instant(seconds: 10.15))
    #expect(silent.isReadyToDecide && silent.nextDeadline == nil)
  }

  @Test func `late responses count`() {
    var queryState = started()
    queryState.update(at: Instant(seconds: 10.15))

    expectHandled(TerminalReply(.application, "Gi=33;OK"), by: &queryState)
    #expect(queryState.responses.supportsGraphics(.kittyDirect))
  }

  @Test func `before the first queries no responses are awaited`() {
    var queryState = QueryState()

    queryState.update(at: Instant(seconds: 100))

    #expect(!queryState.isReadyToDecide && queryState.nextDeadline == nil)
    #expect(!queryState.awaitsResponses(at: Instant(seconds: 0)))
    let isHandled = queryState.handle(TerminalReply(.control, "?62;4c"))
    let query = queryState.request([.cell], at: Instant(seconds: 100))
    #expect(!isHandled && query.isEmpty)
  }

  @Test func `responses are awaited for a limited time`() {
    let queryState = started()

    #expect(queryState.awaitsResponses(at: Instant(seconds: 12.9)))
    #expect(!queryState.awaitsResponses(at: Instant(seconds: 13.1)))
    #expect(queryState.delaysLeaving(at: Instant(seconds: 11.4)))
    #expect(!queryState.delaysLeaving(at: Instant(seconds: 11.6)))
  }

  @Test func `the terminal around tmux need not respond`() {
    var queryState = started(.tmux)
    let queries = queryState.requestOuter(at: Instant(seconds: 10))
    #expect(!queries.isEmpty)
    expectHandled(TerminalReply(.control, "?1;2c"), by: &queryState)
    #expect(queryState.awaitsResponses(at: Instant(seconds: 10.9)))
    #expect(!queryState.awaitsResponses(at: Instant(seconds: 11.1)))
    #expect(queryState.delaysLeaving(at: Instant(seconds: 10.2)))
    #expect(!queryState.delaysLeaving(at: Instant(seconds: 10.4)))

    expectHandled(TerminalReply(.control, "?62;c"), by: &queryState)
    #expect(!queryState.awaitsResponses(at: Instant(seconds: 10.1)))
  }

  @Test func `media are queried once, of a terminal that takes pictures`() {
    var queryState = QueryState()
    _ = queryState.start(TerminalQueries(policy: .full), at: Instant(seconds: 10))
    let early = queryState.requestMedia(at: Instant(seconds: 10.01))
    expectHandled(TerminalReply(.application, "Gi=33;OK"), by: &queryState)
    let query = queryState.requestMedia(at: Instant(seconds: 10.1))
    let twice = queryState.requestMedia(at: Instant(seconds: 10.11))
    expectHandled(TerminalReply(.control, "?62;c"), by: &queryState)

    // All first queries have responses, but those of media do not.
    queryState.update(at: Instant(seconds: 10.2))
    #expect(!queryState.isReadyToDecide && queryState.nextDeadline == Instant(seconds: 10.25))
    expectHandled(TerminalReply(.application, "Gi=31;OK"), by: &queryState)
    expectHandled(TerminalReply(.application, "Gi=32;ENOENT"), by: &queryState)
    queryState.update(at: Instant(seconds: 10.21))

    #expect(queryState.isReadyToDecide && queryState.nextDeadline == nil)
    #expect(early.isEmpty && twice.isEmpty)
    #expect(String(decoding: query, as: UTF8.self).contains("t=s"))
    #expect(queryState.responses.supportsGraphics(.kittySharedMemory))
    #expect(!queryState.responses.supportsGraphics(.kittyFile))
  }

  @Test func `a terminal that does not respond about media is decided without them`() {
    var queryState = QueryState()
    _ = queryState.start(TerminalQueries(policy: .full), at: Instant(seconds: 10))
    expectHandled(TerminalReply(.control, "?62;c"), by: &queryState)
    queryState.update(at: Instant(seconds: 10.01))
    let judged = queryState.isReadyToDecide
    // Late, after capabilities were decided.
    expectHandled(TerminalReply(.application, "Gi=33;OK"), by: &queryState)
    _ = queryState.requestMedia(at: Instant(seconds: 12))
    let judgedAgain = queryState.isReadyToDecide
    queryState.update(at: Instant(seconds: 12.15))

    #expect(judged && !judgedAgain && queryState.isReadyToDecide)
    #expect(queryState.awaitsResponses(at: Instant(seconds: 12.9)))
    #expect(!queryState.awaitsResponses(at: Instant(seconds: 13.1)))
  }

  @Test func `a query is not sent again before its response`() {
    var queryState = started()

    let early = queryState.request([.background], at: Instant(seconds: 10))
    expectHandled(TerminalReply(.operatingSystem, "11;rgb:0/0/0"), by: &queryState)
    let again = queryState.request([.background], at: Instant(seconds: 11))
    let twice = queryState.request([.background], at: Instant(seconds: 11))
    expectHandled(TerminalReply(.operatingSystem, "11;rgb:f/f/f"), by: &queryState)

    #expect(early.isEmpty && twice.isEmpty)
    #expect(again == Array("\u{1B}]11;?\u{1B}\\".utf8))
    #expect(queryState.responses.background == RGB(255, 255, 255))
  }

  @Test func `the response to a query that was sent again is awaited like the first`() {
    var queryState = started()
    expectHandled(TerminalReply(.control, "6;22;11t"), by: &queryState)
    expectHandled(TerminalReply(.control, "?62;c"), by: &queryState)
    let before = queryState.awaitsResponses(at: Instant(seconds: 50))

    _ = queryState.request([.cell], at: Instant(seconds: 50))

    #expect(!before && queryState.awaitsResponses(at: Instant(seconds: 52.9)))
    #expect(!queryState.awaitsResponses(at: Instant(seconds: 53.1)))
    #expect(queryState.delaysLeaving(at: Instant(seconds: 51.4)))
    #expect(!queryState.delaysLeaving(at: Instant(seconds: 51.6)))
    expectHandled(TerminalReply(.operatingSystem, "11;rgb:0/0/0"), by: &queryState)
    _ = queryState.request([.background], at: Instant(seconds: 50.1))
    expectHandled(TerminalReply(.operatingSystem, "11;rgb:0/0/0"), by: &queryState)
    #expect(queryState.awaitsResponses(at: Instant(seconds: 50.2)), "that about the cell's size")
    expectHandled(TerminalReply(.control, "6;24;12t"), by: &queryState)
    #expect(!queryState.awaitsResponses(at: Instant(seconds: 50.2)))
  }

  private func expectHandled(
    _ reply: TerminalReply, by queryState: inout QueryState,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let isHandled = queryState.handle(reply)
    #expect(isHandled, "\(reply)", sourceLocation: sourceLocation)
  }

  private func started(_ policy: QueryPolicy = .full) -> QueryState {
    var queryState = QueryState()
    _ = queryState.start(
      TerminalQueries(policy: policy, isLocal: false), at: Instant(seconds: 10))
    return queryState
  }
}

struct CellMeasurementTests {
  typealias Case = (
    input: String, pixels: PixelSize, cell: PixelSize, source: CellMeasurement.Source
  )

  static let cases: [Case] = [
    ("", .zero, PixelSize(width: 10, height: 20), .assumption),
    // xterm counts its border.
    ("", PixelSize(width: 724, height: 460), PixelSize(width: 9, height: 19), .window),
    (
      "6;22;11t", PixelSize(width: 800, height: 480), PixelSize(width: 11, height: 22),
      .cellReport
    ),
    ("6;0;0t", PixelSize(width: 800, height: 480), PixelSize(width: 10, height: 20), .window),
    ("4;528;880t", .zero, PixelSize(width: 11, height: 22), .textArea),
    ("4;9;9t", .zero, PixelSize(width: 10, height: 20), .assumption),
    // A window of one pixel, as some systems report.
    ("", PixelSize(width: 1, height: 1), PixelSize(width: 10, height: 20), .assumption),
    ("", PixelSize(width: 65535, height: 65535), PixelSize(width: 10, height: 20), .assumption),
  ]

  @Test(arguments: cases.indices)
  func `the best plausible source is used`(row: Int) {
    let (input, pixels, cell, source) = Self.cases[row]
    var responses = TerminalResponses()
    responses.expect([.cell, .textArea])
    if !input.isEmpty { _ = responses.handle(TerminalReply(.control, input)) }

    let measurement = CellMeasurement(
      responses, window: WindowSize(cells: CellSize(columns: 80, rows: 24), pixels: pixels))

    #expect(measurement.cell == cell && measurement.source == source)
  }

  @Test func `a window without cells has an assumed cell size`() {
    #expect(CellMeasurement(TerminalResponses(), window: .unknown).source == .assumption)
  }
}
