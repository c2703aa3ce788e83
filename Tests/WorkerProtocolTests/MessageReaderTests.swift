import PhotoGridCore
import TestSupport
import Testing
import WorkerProtocol

@Suite struct MessageReaderTests {
  private typealias Request = DecodeProtocol.Request
  private typealias Response = DecodeProtocol.Response

  static let (info, plainInfo) = (PhotoInfo.full, PhotoInfo.plain)
  static let oddPath: [UInt8] = [0x2f, 0xff, 0x0a, 0x1b, 0x5d, 0xc3]

  private static let requests: [Request] = [
    .describe(token: 0, path: oddPath),
    .decode(
      token: .max, path: oddPath, size: PixelSize(width: 100.5, height: 1), mode: .fill),
    .decode(token: 7, path: [0x61], size: PixelSize(width: 1, height: 9000), mode: .fit),
    .decodeRegion(
      token: 8, path: oddPath, region: PhotoRegion(x: 0, y: 1, width: 2, height: 3, reduction: 64)),
    .frames(
      token: 8, path: oddPath, size: PixelSize(width: 9, height: 0.5), mode: .fit,
      FrameRange(start: 70_000, count: 1)),
    .encode(
      token: 8, Bitmap(width: 1, height: 2, pixels: Array(0..<8), isOpaque: false), .png),
    .preview(token: 8, path: oddPath, size: PixelSize(width: 72, height: 72), mode: .fill),
    .useThumbnails(ThumbnailAccess(folder: oddPath, mayWrite: true)),
    .cacheThumbnail(token: 9, path: oddPath, size: .extraLarge), .clean, .allowTime(seconds: 60),
    .allowMemory(700_000_000), .allowOtherDecoder,
    .inspect(token: 10, path: oddPath),
  ]

  static let listRequests: [ListProtocol.Request] = [
    .list(ListingRequest(roots: [])),
    .list(
      ListingRequest(
        roots: [[], oddPath, Array("photos".utf8)], isRecursive: true, maxDepth: 3,
        includesHidden: true)),
    .list(repeatedRequest),
    .preview([oddPath, [0x2f]], includesHidden: true), .preview([], includesHidden: false),
    .lookUp(
      PhotoBatch(root: 7, folder: oddPath + [0x2f], names: Array("a\0b\0".utf8), facts: nil),
      indexFolder: Array("/cache".utf8)),
    .check([]), .check([PhotoPath(root: 3, path: oddPath), PhotoPath(root: 0, path: [1])]),
  ]

  static let fileRequests: [FileProtocol.Request] = [
    .init(token: 1, .trash([oddPath], home: [])),
    .init(token: 2, .trash([oddPath, [0x61]], home: Array("/home/u/.local/share/Trash".utf8))),
    .init(
      token: 3, .restore([TrashedFile(trash: oddPath, name: [0xFF, 0x0A], originalPath: oddPath)])),
    .init(token: 4, .rename([MovedFile(from: oddPath, to: [0x1B, 0xFF])], isUndo: true)),
    .init(token: 5, operation: 7, journal: oddPath, .undoRecorded),
    .init(token: 6, .move([oddPath], into: FileDestination(folder: oddPath, isCreated: true))),
    .init(token: 7, .copy([oddPath], into: FileDestination(folder: oddPath, isCreated: false))),
    .init(token: 8, folders: [oddPath], .removeCopies([MovedFile(from: oddPath, to: oddPath)])),
  ]

  static let repeatedRequest = {
    var request = ListingRequest(roots: [oddPath])
    (request.firstRoot, request.isWatched, request.isRepeated) = (700, true, true)
    (request.namesFolders, request.includesPlaces) = (true, true)
    return request
  }()

  static let news: [FolderEvent] = {
    var summary = ListingSummary()
    summary.skipped = 12
    summary.wentDeeper = true
    summary.unreadableFolders = 3
    summary.unwatchedFolders = 70_000
    for _ in 0..<20 { summary.add(.init(path: oddPath, reason: .noPermission)) }
    var batch = PhotoBatch(root: 3, folder: [0x2f, 0xff, 0x2f])
    for name in [[0xff, 0x0a], Array("a.jpg".utf8), [0x1b]] { batch.append(name) }
    let path = PhotoPath(root: 9, path: oddPath)
    return [
      .found(batch), .found(PhotoBatch(root: 0, folder: [])),
      .found(PhotoBatch(root: 1, path: [1])),
      .relisting(ListedPlace(root: 2, folder: oddPath, isDeep: true)), .relisted(isComplete: false),
      .changed([], isLast: true),
      .changed(
        [.present(path), .absent(path), .renamed(path, to: path), .annotated(path)], isLast: false),
      .checked([]), .checked([.present(path), .absent(path)]),
      .lost(root: 4, .vanished), .listed(ListingSummary()), .listed(summary),
      .previewed(FolderSamples(folder: oddPath, samples: [oddPath, [1]])),
      .previewed(FolderSamples(folder: [0x2f], failure: .noPermission)),
      .found(recordedBatch),
    ]
  }()

  /// Two photos with facts, hashes, a place and a camera.
  private static let recordedBatch: PhotoBatch = {
    var (first, second) = (PackedFacts(), PackedFacts())
    (first.isKnown, first.hasPlace, first.orientation, first.camera) = (true, true, 6, 0)
    (first.width, first.height, first.takenDigits) = (40, 30, 20_240_501_123_000)
    second.setHash(DifferenceHash(bits: .max))
    var pools = TextPools()
    _ = pools.camera.number(of: "Canon A1")
    var block = FactBlock([first, second], hashBits: [0, .max], pools)
    let place = PhotoMetadata.Place(latitude: -89.5, longitude: 179.25)
    block.setPlaces(place.map { [0: $0] } ?? [:])
    return PhotoBatch(root: 1, folder: oddPath + [0x2f], names: Array("a\0b\0".utf8), facts: block)
  }()

  static let reasons: [FailureReason] = [
    .needsMemory(3_000_000_000),
    .notAnImage, .noPermission, .vanished, .isFolder, .isNamedPipe, .isSocket, .isDevice,
    .emptyFile, .truncated, .fileTooLong, .tooLarge(width: 65500, height: 65500),
    .tooManyFrames(70_000, width: 16_000, height: 9000),
    .unreadable(40), .decoder("Unsupported marker type 0x04"),
  ]

  private static let hashedInfo: PhotoInfo = {
    var info = plainInfo
    info.hash = DifferenceHash(bits: 0x8000_0000_0000_0001)
    return info
  }()

  private static let responses: [Response] = {
    let bitmap = Bitmap(width: 2, height: 1, pixels: [1, 2, 3, 4, 5, 6, 7, 8], isOpaque: false)
    var cleaning = ThumbnailCleaning()
    cleaning.removed = 3
    cleaning.removedBytes = 5_000_000_000
    cleaning.examined = 70_000
    cleaning.stuck = 1
    var metadata = PhotoMetadata()
    metadata.camera = "Caméra \u{FFFD} 漢字"
    metadata.lens = String(repeating: "漢", count: PhotoMetadata.maximumTextLength)
    metadata.profile = "sRGB"
    (metadata.exposureTime, metadata.aperture, metadata.focalLength) = (0.004, 2.8, 35)
    metadata.sensitivity = 102_400
    metadata.place = PhotoMetadata.Place(latitude: -89.5, longitude: 179.25)
    let run = FrameRun(
      start: 70_000, loopCount: nil,
      frames: [11, 70_000].map { FrameRun.Frame(milliseconds: $0, bitmap: bitmap) },
      endsEarly: false)
    return [
      .described(token: 1, info),
      .described(token: 2, plainInfo), .decoded(token: 3, info, bitmap),
      .frames(token: 5, info, run),
      .frames(
        token: 6, plainInfo, FrameRun(start: 3, loopCount: 2, frames: [], endsEarly: true)),
      .decodedRegion(
        token: 5, PhotoRegion(x: -7, y: 70_000, width: 16, height: 8, reduction: 8), bitmap),
      .encoded(token: 5, []), .encoded(token: 6, [0xff, 0xd8]),
      .previewed(token: 5, plainInfo, bitmap), .noPreview(token: 6),
      .thumbnailCached(token: 7, .made),
      .thumbnailCached(token: 7, .wasThere), .thumbnailCached(token: 7, .tooNew),
      .thumbnailCached(token: 7, .isThumbnail),
      .thumbnailCached(token: 7, .made, hashedInfo), .previewed(token: 7, hashedInfo, bitmap),
      .thumbnailCached(token: 7, .refused(28)), .cleaned(cleaning, isOver: true),
      .cleaned(ThumbnailCleaning(), isOver: false), .inspected(token: 8, metadata),
      .inspected(token: 8, PhotoMetadata()),
    ] + reasons.map { .failed(token: 4, $0) }
  }()

  static let fileResponses: [FileProtocol.Response] = [
    .init(
      token: 1, .trashed([TrashedFile(trash: [0x2F], name: [0xFF, 0x0A], originalPath: oddPath)])),
    .init(token: 8, .moved([MovedFile(from: oddPath, to: [0x61])])), .init(token: 9, percent: 61),
    .init(token: 2, .done), .init(token: 3, .refused("no trash at /\u{1B}é")),
    .init(token: 4, .lost), .init(token: 5, .unknown("it stopped")),
    .init(token: 6, .undone(RecordedUndo())),
    .init(
      token: 7,
      .undone(
        RecordedUndo(count: 3, name: [0xFF], folder: oddPath, failureCount: 2, reason: "é"))),
  ]

  /// Appends pieces to a reader, and returns the messages that are read.
  static func read<Message: WireMessage>(
    _ type: Message.Type, _ pieces: [ArraySlice<UInt8>]
  ) throws -> [Message] {
    var reader = MessageReader<Message>()
    var messages: [Message] = []
    for piece in pieces {
      piece.withUnsafeBytes { reader.append($0) }
      while let message = try reader.next() { messages.append(message) }
    }
    return messages
  }

  private static func expectWhole<Message: WireMessage & Equatable>(_ messages: [Message]) throws {
    let stream = messages.flatMap { $0.encoded() }

    for cut in 0...stream.count {
      let read = try Self.read(Message.self, [stream[..<cut], stream[cut...]])

      #expect(read == messages, "cut at \(cut)")
    }
  }

  @Test func `all requests are read from a stream that is cut in two anywhere`() throws {
    try Self.expectWhole(Self.requests)
    try Self.expectWhole(Self.listRequests)
    try Self.expectWhole(Self.fileRequests)
    try Self.expectWhole([FolderNamesProtocol.Request(token: 1, path: Self.oddPath)])
  }

  @Test func `all responses are read from a stream that is cut in two anywhere`() throws {
    try Self.expectWhole([Hello.current])
    try Self.expectWhole(Self.responses)
    try Self.expectWhole(Self.news)
    try Self.expectWhole(Self.fileResponses)
    try Self.expectWhole([
      FolderNamesProtocol.Response(token: 1, names: [Self.oddPath, [0xFF]], isFolder: true),
      FolderNamesProtocol.Response(token: 2, names: [], isFolder: false),
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
    let status = FileStatus(byteCount: 1 << 40, modified: -1)
    let entries = [
      IndexEntry(path: Self.oddPath, info: Self.info),
      IndexEntry(
        path: Self.oddPath, rated: IndexEntry.Rated(Rating(stars: 3, label: .red), stamp: .max),
        hashed: IndexEntry.Hashed(DifferenceHash(bits: .max), of: status)),
      IndexEntry(path: Self.oddPath, hashed: IndexEntry.Hashed(nil, of: status)),
    ]
    let sent = IndexProtocol.Request.record(token: 3, entries)
    #expect(try IndexProtocol.Request(payload: sent.encoded()[4...]) == sent)
  }

  @Test func `the message of a picture is its head followed by its pixels`() {
    let bitmap = Bitmap(width: 1, height: 2, pixels: Array(0..<8), isOpaque: true)
    let head = Response.decodedHead(token: 9, info: Self.info, bitmap: bitmap)

    #expect(head + bitmap.pixels == Response.decoded(token: 9, Self.info, bitmap).encoded())
  }

  @Test func `the bytes of a greeting are the same in every version`() {
    let hello = Hello(wireFormat: 0x0201, programVersion: "9.8").encoded()

    #expect(
      hello == [24, 0, 0, 0, 0x10] + Array("photogrid-worker".utf8) + [1, 2, 3, 0]
        + Array("9.8".utf8))
  }

  @Test(arguments: [
    // A picture of 4 GiB.
    ([0xff, 0xff, 0xff, 0xff, 0x13], ProtocolError.oversized(length: 0xffff_ffff)),
    ([0, 0, 0, 0, 0x13], .oversized(length: 0)),
    ([1, 0, 0, 0, 0x77], .unknownKind(0x77)),
    ([1, 0, 0, 0, 1], .unknownKind(1)),
    ([1, 0, 0, 0, 0x13], .malformed),
  ])
  func `a frame with an impossible length or kind is refused`(
    bytes: [UInt8], error: ProtocolError
  ) throws {
    #expect(throws: error) { try Self.read(Response.self, [bytes[...]]) }
  }

  @Test(arguments: [
    // An event of 256 KiB and one byte; names of which one is empty, or does not end; an unknown
    // kind.
    ([0x01, 0x00, 0x04, 0x00, 1], ProtocolError.oversized(length: 0x4_0001)),
    ([14, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0x61, 0, 0], .malformed),
    ([12, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0x61], .malformed),
    ([1, 0, 0, 0, 10], .unknownKind(10)),
  ])
  func `impossible folder events are refused`(bytes: [UInt8], error: ProtocolError) throws {
    #expect(throws: error) { try Self.read(FolderEvent.self, [bytes[...]]) }
  }

  @Test func `a request above 64 KiB is refused by its length`() {
    #expect(throws: ProtocolError.oversized(length: 0x1_0001)) {
      try Self.read(Request.self, [[0x01, 0x00, 0x01, 0x00, 2][...]])
    }
  }

  @Test func `a payload that is longer or shorter than its fields is malformed`() {
    for response in Self.responses {
      let frame = response.encoded()
      let payload = frame[4...]

      #expect(throws: ProtocolError.self) { try Response(payload: payload + [0]) }
      for count in 0..<payload.count {
        #expect(throws: ProtocolError.self) { try Response(payload: payload.prefix(count)) }
      }
    }
  }

  @Test func `a picture whose number of bytes does not match its size is malformed`() {
    let bitmap = Bitmap(width: 2, height: 1, pixels: Array(0..<8), isOpaque: true)
    let frame = Response.decoded(token: 1, Self.info, bitmap).encoded()
    // The width is 13 bytes before the end: width, height, flag, pixels.
    let width = frame.count - 8 - 1 - 8

    for lie: [UInt8] in [[0, 0, 0, 0], [3, 0, 0, 0], [0xff, 0xff, 0xff, 0xff], [1, 0, 0, 0]] {
      var payload = frame[4...]
      payload.replaceSubrange(width..<(width + 4), with: lie)

      #expect(throws: ProtocolError.malformed) { try Response(payload: payload) }
    }
  }

  @Test func `facts whose sides no message can repeat are malformed`() throws {
    let payload = Response.described(token: 1, Self.plainInfo).encoded()[4...]
    // The width follows the kind and the token.
    for lie: [UInt8] in [[0, 0, 0, 0], [0xff, 0xff, 0xff, 0xff]] {
      var changed = payload
      changed.replaceSubrange(9..<13, with: lie)

      #expect(throws: ProtocolError.malformed) { try Response(payload: changed) }
    }
  }

  @Test func `deliveries and what is stored arrive as they were sent`() throws {
    var delivery = FileDelivery(number: 7)
    delivery.status = FileStatus(byteCount: 1 << 40, modified: -1)
    delivery.failure = .noPermission
    delivery.hasPhoto = true
    delivery.thumbnailCount = 4
    delivery.knownFailure = .decoder("damaged")
    delivery.knownOutcome = .refused(28)
    delivery.wantsThumbnail = true
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

  @Test func `a frame with too short a duration and a request for no frames are malformed`() {
    let dot = Bitmap(width: 1, height: 1, pixels: [0, 0, 0, 0], isOpaque: false)
    func run(_ milliseconds: Int) -> ArraySlice<UInt8> {
      let frame = FrameRun.Frame(milliseconds: milliseconds, bitmap: dot)
      let run = FrameRun(start: 0, loopCount: nil, frames: [frame], endsEarly: false)
      return Response.frames(token: 1, Self.plainInfo, run).encoded()[4...]
    }
    let request = Request.frames(
      token: 1, path: [0x61], size: PixelSize(width: 1, height: 1), mode: .fit,
      FrameRange(start: 0, count: 0))

    #expect(throws: Never.self) { try Response(payload: run(11)) }
    #expect(throws: ProtocolError.malformed) { try Response(payload: run(10)) }
    #expect(throws: ProtocolError.malformed) { try Request(payload: request.encoded()[4...]) }
  }

  @Test func `durations of up to ten milliseconds become a hundred, as in browsers`() {
    #expect([-1, 0, 10, 11, 40].map(FrameRun.duration) == [100, 100, 100, 11, 40])
  }

  @Test func `a failure message that is not printable is malformed`() {
    let words = FailureReason.decoder("plain \u{1b}]52;c;evil\u{07}")

    #expect(throws: ProtocolError.malformed) {
      try Response(payload: Response.failed(token: 1, words).encoded()[4...])
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
    ("webp2vips: unable to read pixels", "damaged: unable to read pixels"),
    ("heifload: 'pitm' box references a non-existing image (2.119)", "damaged"),
    ("heifload: (2.100)", "damaged"),
    ("magickload: unable to open source for input", "damaged"), ("broken file", "damaged"),
    ("raw photo without a preview", "unsupported: raw photo without a preview"),
  ])
  func `a decoder's error becomes a plain message`(complaint: String, words: String) {
    #expect(FailureReason.decoder(complaint).message == words)
  }

  @Test func `random bytes give an error or wait for more, and never trap`() {
    let seed: UInt64 = 0x5eed
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      var bytes = (0..<Int.random(in: 0..<80, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      // Half of them have a valid length, so that the fields are read.
      if bytes.count > 5, Bool.random(using: &random) {
        bytes.replaceSubrange(0..<4, with: [UInt8(bytes.count - 4), 0, 0, 0])
        bytes[4] = UInt8.random(in: 0...0x1C, using: &random)
      }

      _ = try? Self.read(Response.self, [bytes[...]])
      _ = try? Self.read(Request.self, [bytes[...]])
      _ = try? Self.read(FolderEvent.self, [bytes[...]])
      _ = try? Self.read(ListProtocol.Request.self, [bytes[...]])
      _ = try? Self.read(FileProtocol.Request.self, [bytes[...]])
      _ = try? Self.read(FileProtocol.Response.self, [bytes[...]])
      _ = try? Self.read(Hello.self, [bytes[...]])
    }
  }

  @Test func `a changed byte in a message is refused or gives another valid message`() {
    let seed: UInt64 = 0xb17
    var random = SeededGenerator(seed: seed)
    for response in Self.responses {
      let payload = Array(response.encoded()[4...])
      for place in payload.indices {
        var changed = payload
        changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        guard let message = try? Response(payload: changed[...]) else { continue }

        #expect((try? Response(payload: message.encoded()[4...])) == message)
      }
    }
  }

  @Test func `roots that do not fit in one message are sent in several`() throws {
    let roots = (0..<5000).map { Array("folder with a longish name, number \($0)".utf8) }
    let request = ListingRequest(roots: roots + [[]], isRecursive: true)

    let pieces = request.pieces()
    let frames = pieces.flatMap { ListProtocol.Request.list($0).encoded() }

    #expect(pieces.count > 1)
    #expect(try Self.read(ListProtocol.Request.self, [frames[...]]) == pieces.map { .list($0) })
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

    first.add(second)

    #expect(first.skipped == 1 && first.wentDeeper && first.unreadableFolders == 2)
    #expect(first.problemCount == 18)
    #expect(first.problems.count == 16)
    #expect(first.problems.last?.path == [0x62])
  }
}
