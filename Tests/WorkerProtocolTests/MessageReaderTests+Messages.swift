import Geometry
import Photos
import TestSupport
import WorkerProtocol

/// Messages of every kind.
extension MessageReaderTests {
  static let (info, plainInfo) = (PhotoInfo.full, PhotoInfo.plain)
  static let oddPath: [UInt8] = [0x2f, 0xff, 0x0a, 0x1b, 0x5d, 0xc3]

  /// Requests to a decoder, of every kind.
  static let requests: [Request] = {
    var allowance = Request.Allowance()
    (allowance.seconds, allowance.memory) = (60, 700_000_000)
    let region = PhotoRegion(x: 0, y: 1, width: 2, height: 3, reduction: 64)
    return [
      .photo(path: oddPath, .describe),
      .photo(path: oddPath, .decode(PixelSize(width: 100.5, height: 1), .fill), allowance),
      .photo(path: [0x61], .decode(PixelSize(width: 1, height: 9000), .fit)),
      .photo(path: oddPath, .decodeRegion(region)),
      .photo(
        path: oddPath,
        .frames(
          PixelSize(width: 9, height: 0.5), .fit, FrameRange(start: 70_000, count: 1))),
      .encode(Bitmap(width: 1, height: 2, pixels: Array(0..<8), isOpaque: false), .png),
      .photo(path: oddPath, .preview(PixelSize(width: 72, height: 72), .fill)),
      .useThumbnails(ThumbnailAccess(folder: oddPath, mayWrite: true)),
      .photo(path: oddPath, .cacheThumbnail(.extraLarge)),
      .photo(path: oddPath, .inspect),
      .photo(path: oddPath, .export),
    ]
  }()

  static let listRequests: [LibraryProtocol.Request] = [
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

  static let recorded = RecordedOperation(
    RecordedOperation.ID(journal: [0xFF, 0x2E], number: .max), .rotation, count: 3, name: oddPath,
    folder: oddPath, isHere: true, time: 1_764_064_800, age: 7)

  private static func located(_ operation: FileOperation) -> FileOperation {
    operation.located { _ in oddPath }
  }

  static let fileRequests: [FileProtocol.Request] = [
    .init(located(.trash([Photo.ID(7)]))),
    .init(
      trash: Array("/home/u/.local/share/Trash".utf8), located(.trash([Photo.ID(7), .unlisted]))),
    .init(
      FileOperation(
        .trash, [Photo.ID(0)],
        [FileStep(trash: oddPath, name: [0xFF, 0x0A], originalPath: oddPath)], isUndo: true)),
    .init(located(.rename([Renaming(Photo.ID(1), to: [0x1B, 0xFF])]))),
    .init(
      FileOperation(
        .rename, [Photo.ID(1)], [FileStep(from: oddPath, to: [0x1B, 0xFF])], isUndo: true)),
    .init(batch: 7, journal: oddPath, .undoRecorded(nil)),
    .init(here: oddPath, .undoRecorded(recorded.id)),
    .init(here: oddPath, .findRecorded(skipping: [recorded.id])),
    .init(located(.turn([Photo.ID(2), Photo.ID(3)], by: .mirrored))),
    .init(
      FileOperation(
        .rotation, [Photo.ID(2)],
        [FileStep(from: oddPath, to: oddPath, record: Array("rotate".utf8))], isUndo: true)),
    .init(
      located(
        .move(
          [Photo.ID(3)], to: FileDestination(folder: oddPath, path: oddPath, isCreated: true)))),
    .init(
      located(
        .copy(
          [Photo.ID(4)], to: FileDestination(folder: oddPath, path: oddPath, isCreated: false)))),
    .init(
      folders: [oddPath],
      FileOperation(.copy, [], [FileStep(from: oddPath, to: oddPath)], isUndo: true)),
  ]

  static let repeatedRequest = {
    var request = ListingRequest(roots: [oddPath])
    (request.firstRoot, request.isWatched, request.isRepeated) = (700, true, true)
    (request.namesFolders, request.includesLocations) = (true, true)
    return request
  }()

  static let news: [ListingEvent] = {
    var summary = ListingSummary()
    (summary.skipped, summary.videos) = (12, 7)
    summary.wentDeeper = true
    summary.unreadableFolders = 3
    summary.unwatchedFolders = 70_000
    for _ in 0..<20 { summary.add(.init(path: oddPath, reason: .noPermission)) }
    for _ in 0..<20 { summary.add(missing: .init(path: oddPath, reason: .vanished)) }
    var batch = PhotoBatch(root: 3, folder: [0x2f, 0xff, 0x2f])
    for name in [[0xff, 0x0a], Array("a.jpg".utf8), [0x1b]] { batch.append(name) }
    let path = PhotoPath(root: 9, path: oddPath)
    return [
      .located(isFolder: true), .located(isFolder: false),
      .found(batch), .found(PhotoBatch(root: 0, folder: [])),
      .found(PhotoBatch(root: 1, path: [1])),
      .relisting(ListedFolder(root: 2, folder: oddPath, isDeep: true)),
      .relisted(isComplete: false),
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
  static let recordedBatch: PhotoBatch = {
    var (first, second) = (PackedInfo(), PackedInfo())
    (first.isKnown, first.hasLocation, first.orientation, first.camera) = (true, true, 6, 0)
    (first.width, first.height, first.takenBits) = (40, 30, 20_240_501_123_000)
    second.setHash(DifferenceHash(bits: .max))
    var pools = TextPools()
    _ = pools.camera.number(of: "Canon A1")
    var block = InfoBlock([first, second], hashBits: [0, .max], pools)
    let place = PhotoMetadata.Location(latitude: -89.5, longitude: 179.25)
    block.setLocations(place.map { [0: $0] } ?? [:])
    return PhotoBatch(root: 1, folder: oddPath + [0x2f], names: Array("a\0b\0".utf8), facts: block)
  }()

  /// Responses of the process that reads headers: about two photos, and one that needs a decoder.
  static let factResponses: [LibraryProtocol.Response] = [
    .facts(recordedBatch.facts ?? InfoBlock()), .facts(InfoBlock([PackedInfo()], TextPools())),
  ]

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

  /// Responses of a decoder, of every kind.
  static let responses: [Response] = {
    let bitmap = Bitmap(width: 2, height: 1, pixels: [1, 2, 3, 4, 5, 6, 7, 8], isOpaque: false)
    var metadata = PhotoMetadata()
    metadata.camera = "Caméra \u{FFFD} 漢字"
    metadata.lens = String(repeating: "漢", count: PhotoMetadata.maxTextLength)
    metadata.profile = "sRGB"
    (metadata.exposureTime, metadata.aperture, metadata.focalLength) = (0.004, 2.8, 35)
    metadata.sensitivity = 102_400
    metadata.location = PhotoMetadata.Location(latitude: -89.5, longitude: 179.25)
    let run = FrameRun(
      start: 70_000, loopCount: nil,
      frames: [0.011, 70].map { FrameRun.Frame(seconds: $0, bitmap: bitmap) },
      endsEarly: false)
    return [
      .described(info),
      .described(plainInfo), .decoded(info, bitmap),
      .frames(info, run),
      .frames(plainInfo, FrameRun(start: 3, loopCount: 2, frames: [], endsEarly: true)),
      .decodedRegion(PhotoRegion(x: -7, y: 70_000, width: 16, height: 8, reduction: 8), bitmap),
      .encoded([]), .encoded([0xff, 0xd8]),
      .previewed(plainInfo, bitmap), .noPreview,
      .thumbnailCached(.made),
      .thumbnailCached(.wasThere), .thumbnailCached(.tooNew),
      .thumbnailCached(.isThumbnail),
      .thumbnailCached(.made, hashedInfo), .previewed(hashedInfo, bitmap),
      .thumbnailCached(.refused(28)), .inspected(metadata),
      .inspected(PhotoMetadata()),
    ] + reasons.map { .failed($0) }
  }()

  static let fileResponses: [FileProtocol.Response] = [
    .outcome(.done([FileStep(trash: [0x2F], name: [0xFF, 0x0A], originalPath: oddPath)])),
    .outcome(.done([FileStep(from: oddPath, to: [0x61])])), .progress(percent: 61),
    .historyFault(message: "the disk is full"), .remark(message: "'a.jpg' is a link"),
    .outcome(.done([])), .declined,
    .outcome(
      .done([FileStep(from: oddPath, to: oddPath, record: Array("rotate 1".utf8))])),
    .outcome(.refused("no trash at /\u{1B}é")),
    .outcome(.lost), .outcome(.unknown("it stopped")),
    .outcome(.undone(RecordedUndo())), .outcome(.found(nil)),
    .outcome(.found(recorded)),
    .outcome(
      .undone(
        RecordedUndo(
          kind: .copy, isHere: true, count: 3, name: [0xFF], folder: oddPath, failureCount: 2,
          reason: "é"))),
  ]
}
