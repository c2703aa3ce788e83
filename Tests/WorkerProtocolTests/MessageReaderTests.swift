import Foundation
import Photos
import Testing
import WorkerProtocol

@Suite struct MessageReaderTests {
  /// A request to a decoder.
  typealias Request = DecodeProtocol.Request
  /// A response of a decoder.
  typealias Response = DecodeProtocol.Response

  /// Appends pieces to a reader, and returns the messages that are read.
  static func read<Message: WireMessage>(
    _ type: Message.Type, _ pieces: [ArraySlice<UInt8>]
  ) throws -> [Message] {
    var reader = MessageReader<Message>()
    var messages: [Message] = []
    for piece in pieces {
      piece.withUnsafeBytes { reader.feed($0) }
      while let message = try reader.next() { messages.append(message) }
    }
    return messages
  }

  private static func expectWhole<Message: WireMessage & Equatable>(_ messages: [Message]) throws {
    let stream = messages.enumerated().flatMap { $1.encoded(token: UInt32($0)) }

    for cut in 0...stream.count {
      let read = try Self.read(Message.self, [stream[..<cut], stream[cut...]])

      #expect(read == messages, "cut at \(cut)")
    }
  }

  @Test func `all requests are read from a stream that is cut in two anywhere`() throws {
    try Self.expectWhole(Self.requests)
    try Self.expectWhole(Self.fileRequests)
    try Self.expectWhole(
      Self.listRequests + [
        .complete(path: Self.oddPath), .describe(PhotoBatch(root: 0, path: Self.oddPath)),
        .describe(PhotoBatch(root: 0, path: [1])), .digest(path: Self.oddPath),
        .record(Self.recordedBatch, indexFolder: Self.oddPath),
      ])
  }

  @Test func `all responses are read from a stream that is cut in two anywhere`() throws {
    try Self.expectWhole([Hello.current])
    try Self.expectWhole(Self.responses)
    try Self.expectWhole(Self.fileResponses)
    try Self.expectWhole(
      Self.news.map { LibraryProtocol.Response.listing($0) } + Self.factResponses + [
        .names([Self.oddPath, [0xFF]], isFolder: true), .names([], isFolder: false),
        .digest(ContentDigest(0..<32)), .digest(nil), .recorded(7), .recorded(0, failure: "full"),
      ])
  }

  @Test(arguments: [1, 2, 3, 7, 64])
  func `all responses are read from a stream in pieces of any size`(size: Int) throws {
    let stream = Self.responses.flatMap { $0.encoded() }
    let pieces = stride(from: 0, to: stream.count, by: size).map {
      stream[$0..<min($0 + size, stream.count)]
    }

    #expect(try Self.read(Response.self, pieces) == Self.responses)
  }

  @Test func `entries of the index arrive as they were sent`() throws {
    var photos = Self.recordedBatch
    var facts = InfoBlock([Self.info, .plain])
    var row = PackedInfo()
    row.rating = Rating(stars: 3, label: .red)
    facts.append(row, ratingStamp: .max)
    photos.append(Array("c".utf8))
    photos.facts = facts
    for batch in [Self.recordedBatch, photos] {
      let sent = LibraryProtocol.Request.record(batch, indexFolder: Self.oddPath)
      #expect(try LibraryProtocol.Request(payload: sent.encoded()[4...]) == sent)
    }
  }

  @Test func `the message of a picture is its head followed by its pixels`() {
    let bitmap = Bitmap(width: 1, height: 2, pixels: Array(0..<8), isOpaque: true)
    let message = Response.decoded(Self.info, bitmap)
    let (head, tail) = message.frame(token: 9)

    #expect(head + tail == message.encoded(token: 9) && tail == bitmap.pixels)
  }

  @Test func `each message brings the token that it was sent with`() throws {
    var reader = MessageReader<Response>()
    let messages: [(Response, UInt32)] = [(.noPreview, 7), (.encoded([1]), .max), (.noPreview, 0)]
    for (message, token) in messages {
      message.encoded(token: token).withUnsafeBytes { reader.feed($0) }
      #expect(try reader.next() == message && reader.token == token)
    }
    #expect(Response.noPreview.encoded(token: 0x0102) == [5, 0, 0, 0, 0x18, 2, 1, 0, 0])
  }

  @Test func `the bytes of a greeting are the same in every version`() {
    let hello = Hello(wireFormat: 0x0201, programVersion: "9.8").encoded()

    #expect(
      hello == [24, 0, 0, 0, 0x10] + Array("photogrid-worker".utf8) + [1, 2, 3, 0]
        + Array("9.8".utf8))
  }

  /// Fuzzing that begins with bytes which no reader takes any more reaches little.
  @Test func `the seeds of the fuzz targets are messages`() throws {
    func seed(_ name: String) throws -> ArraySlice<UInt8> {
      let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      let file = tests.appendingPathComponent("../Fuzzing/Seeds/\(name)")
      return [UInt8](try Data(contentsOf: file))[...]
    }
    #expect(try Self.read(Request.self, [seed("requests/1")]).count == 3)
    #expect(try Self.read(LibraryProtocol.Request.self, [seed("requests/2")]).count == 1)
    #expect(try Self.read(FileProtocol.Request.self, [seed("requests/3")]).count == 1)
    #expect(try Self.read(Request.self, [seed("requests/4")]).count == 1)
    #expect(try Self.read(Hello.self, [seed("responses/1")]) == [.current])
    #expect(try Self.read(Response.self, [seed("responses/2")]).count == 2)
    #expect(try Self.read(FileProtocol.Response.self, [seed("responses/3")]).count == 1)
  }

  @Test func `deliveries and what is stored arrive as they were sent`() throws {
    var delivery = FileDelivery(number: 7)
    delivery.stamp = FileStamp(byteCount: 1 << 40, modified: -1, identity: .max)
    delivery.failure = .noPermission
    delivery.hasPhoto = true
    delivery.filmByteCount = 1 << 33
    delivery.thumbnailCount = 4
    delivery.knownFailure = .decoder("damaged")
    delivery.knownOutcome = .refused(28)
    delivery.acceptsThumbnail = true
    for sent in [delivery, FileDelivery(number: 0)] {
      #expect(try FileDelivery(payload: sent.encoded()[4...]) == sent)
    }
    let dot = Bitmap(width: 1, height: 1, pixels: [0, 0, 0, 0], isOpaque: false)
    let wide = Bitmap(
      width: 129, height: 1, pixels: Array(repeating: 0, count: 129 * 4), isOpaque: false)
    for sent: StorageRequest in [
      .thumbnail(number: 1, Self.plainInfo, dot, .normal, replacing: true),
      .thumbnail(number: 1, Self.plainInfo, wide, .large, replacing: false),
      .failure(number: 2, .truncated),
    ] {
      #expect(try StorageRequest(payload: sent.encoded()[4...]) == sent)
    }
    let tooWide = StorageRequest.thumbnail(
      number: 1, Self.plainInfo, wide, .normal, replacing: false)
    #expect(throws: ProtocolError.malformed) {
      try StorageRequest(payload: tooWide.encoded()[4...])
    }
    #expect(try StorageResponse(payload: StorageResponse(.made).encoded()[4...]).outcome == .made)
  }

  @Test func `durations of up to ten milliseconds become a hundred, as in browsers`() {
    #expect([-1, 0, 10, 11, 40].map(FrameRun.seconds) == [0.1, 0.1, 0.1, 0.011, 0.04])
  }

  @Test func `roots that do not fit in one message are sent in several`() throws {
    let roots = (0..<5000).map { Array("folder with a longish name, number \($0)".utf8) }
    let request = ListingRequest(roots: roots + [[]], isRecursive: true)

    let pieces = request.pieces()
    let frames = pieces.flatMap { LibraryProtocol.Request.list($0).encoded() }

    #expect(pieces.count > 1)
    #expect(try Self.read(LibraryProtocol.Request.self, [frames[...]]) == pieces.map { .list($0) })
    #expect(pieces.flatMap(\.roots) == request.roots)
    #expect(pieces.allSatisfy { request.roots[$0.firstRoot] == $0.roots.first })
    #expect(pieces.allSatisfy { $0.isRecursive })
    #expect(ListingRequest(roots: []).pieces() == [ListingRequest(roots: [])])
  }

  @Test func `the summaries of several pieces add up`() {
    var first = ListingSummary()
    first.skipped = 1
    for _ in 0..<15 { first.add(.init(path: [0x61], reason: .vanished)) }
    var second = ListingSummary()
    second.wentDeeper = true
    second.unreadableFolders = 2
    for _ in 0..<3 { second.add(.init(path: [0x62], reason: .noPermission)) }
    for _ in 0..<20 { second.add(missing: .init(path: [0x63], reason: .vanished)) }

    first.add(second)

    #expect(first.skipped == 1 && first.wentDeeper && first.unreadableFolders == 2)
    #expect(first.problemCount == 18)
    #expect(first.problems.count == 16)
    #expect(first.problems.last?.path == [0x62])
    #expect(first.missing.count == 16 && first.missingCount == 20)
  }
}
