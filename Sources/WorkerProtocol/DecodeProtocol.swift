import Geometry
import Photos

/// The messages of the workers that decode, which link the codecs.
package enum DecodeProtocol: MessageSet {}

extension DecodeProtocol {
  /// A request to a decoding worker.
  ///
  /// The worker answers in the order of the requests; a film is decoded beside what else is, so whoever
  /// asks for its picture or frames asks for nothing else meanwhile. Paths are bytes without NUL. Sizes
  /// are in pixels, of the photo turned upright by its orientation.
  package enum Request: WireMessage, Equatable {
    /// Work on a photo's file; answered as the work says, or by `failed`.
    case photo(path: [UInt8], Work, Allowance = Allowance())
    /// Encode a picture as a file; answered by `encoded` or `failed`.
    case encode(Bitmap, PictureEncoding.Format)
    /// Use the thumbnail cache in a folder for all later requests; not answered.
    case useThumbnails(ThumbnailAccess)

    package enum Work: Equatable, Sendable {
      /// Read the facts of the file; answered by `described`.
      case describe
      /// Decode the photo to `targetSize(of:in:mode:)`; answered by `decoded`.
      case decode(PixelSize, ContentMode)
      /// Decode a region of the photo; answered by `decodedRegion`.
      case decodeRegion(PhotoRegion)
      /// Decode frames of a video to the size of `decode`; answered by `frames`.
      case frames(PixelSize, ContentMode, FrameRange)
      /// Send a cached thumbnail or the embedded preview, to be shown until a `decode` of this size.
      ///
      /// Answered by `decoded` if the thumbnail is as good as the decoded photo, else by `previewed`
      /// or `noPreview`.
      case preview(PixelSize, ContentMode)
      /// Write a thumbnail into the cache, unless it has a valid one; answered by
      /// `thumbnailCached`.
      case cacheThumbnail(ThumbnailSize)
      /// Read the metadata of the photo; answered by `inspected`.
      case inspect
      /// Send the photo as a file that every program reads: the bytes of a PNG or a JPEG, and of
      /// other formats a PNG of the photo; answered by `encoded`.
      case export
    }

    /// The resources beyond the usual ones that work on a photo may take.
    package struct Allowance: Equatable, Sendable {
      /// Processor time, in seconds; nil for as much as usual.
      package var seconds: Int?
      /// The memory that decoding may take, in bytes.
      ///
      /// It is estimated from the photo's header. A photo that needs more fails with `needsMemory`.
      package var memory = Request.plainMemory

      package init() {}
    }

    private enum Kind: UInt8 { case photo = 1, useThumbnails, encode }

    /// The memory that decoding may take unless more was allowed, in bytes.
    package static let plainMemory = 64 << 20

    /// The longest payload without a picture, in bytes.
    package static let maxPayloadLength = 64 << 10
    /// The longest picture to encode, in bytes of RGBA: more than a screen of 5120 by 2880 pixels.
    package static let maxPictureLength = 64 << 20

    package static func payloadLimit(kind: UInt8) -> Int? {
      switch Kind(rawValue: kind) {
      case .encode: maxPictureLength + 64
      case nil: nil
      default: maxPayloadLength
      }
    }

    package var parts: MessageParts {
      switch self {
      case .photo(let path, let work, let allowance):
        MessageParts(Kind.photo, path, allowance, work)
      case .useThumbnails(let access):
        MessageParts(Kind.useThumbnails, access.folder, access.mayWrite)
      case .encode(let bitmap, let format): MessageParts(Kind.encode, format, bitmap)
      }
    }

    package init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError) {
      switch Kind(rawValue: kind) {
      case .photo:
        let (path, allowance): ([UInt8], Allowance) = (try reader.readPath(), try reader.read())
        self = .photo(path: path, try reader.read(), allowance)
      case .useThumbnails:
        self = .useThumbnails(
          ThumbnailAccess(folder: try reader.readPath(), mayWrite: try reader.read()))
      case .encode:
        let format: PictureEncoding.Format = try reader.read()
        self = .encode(try reader.read(), format)
      case nil: throw .unknownKind(kind)
      }
    }
  }
}

extension DecodeProtocol.Request.Allowance: WireValue {
  func write(to payload: inout PayloadWriter) {
    payload.write(seconds, UInt64(clamping: memory))
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    seconds = try reader.read()
    memory = Int(clamping: try reader.read(UInt64.self))
  }
}

extension DecodeProtocol.Request.Work: WireValue {
  func write(to payload: inout PayloadWriter) {
    switch self {
    case .describe: payload.write(UInt8(1))
    case .decode(let size, let mode): payload.write(UInt8(2), size, mode)
    case .decodeRegion(let region): payload.write(UInt8(3), region)
    case .frames(let size, let mode, let range): payload.write(UInt8(4), size, mode, range)
    case .preview(let size, let mode): payload.write(UInt8(5), size, mode)
    case .cacheThumbnail(let size): payload.write(UInt8(6), size)
    case .inspect: payload.write(UInt8(7))
    case .export: payload.write(UInt8(8))
    }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    switch try reader.read(UInt8.self) {
    case 1: self = .describe
    case 2: self = .decode(try reader.read(), try reader.read())
    case 3: self = .decodeRegion(try reader.read())
    case 4: self = .frames(try reader.read(), try reader.read(), try reader.read())
    case 5: self = .preview(try reader.read(), try reader.read())
    case 6: self = .cacheThumbnail(try reader.read())
    case 7: self = .inspect
    case 8: self = .export
    case let kind: throw .unknownKind(kind)
    }
  }
}

extension PictureEncoding.Format: WireValue {}
extension ThumbnailSize: WireValue {}
extension ContentMode: WireValue {}

extension DecodeProtocol {
  package enum Response: WireMessage, Equatable {
    case described(PhotoInfo)
    /// The whole photo at the requested size.
    case decoded(PhotoInfo, Bitmap)
    /// The picture of a region of the photo, which covers the requested one.
    case decodedRegion(PhotoRegion, Bitmap)
    /// Frames at the requested size: at least one, unless the run ends early.
    case frames(PhotoInfo, FrameRun)
    case failed(FailureReason)
    case encoded([UInt8])
    /// A thumbnail or preview of at most the requested size, which may show an older version.
    case previewed(PhotoInfo, Bitmap)
    case noPreview
    /// The outcome of a request for a thumbnail in the cache; with the facts and the hash of the
    /// photo if it was decoded.
    case thumbnailCached(ThumbnailOutcome, PhotoInfo? = nil)
    case inspected(PhotoMetadata)

    private enum Kind: UInt8 {
      case described = 0x12
      case decoded, failed, frames, previewed
      case decodedRegion, noPreview, encoded, thumbnailCached, inspected
    }

    /// The longest payload without pixels, in bytes.
    package static let maxHeadLength = 256
    package static let maxFactsLength = maxHeadLength + PhotoMetadata.maxPayloadLength
    package static let maxMetadataLength = PhotoMetadata.maxPayloadLength
    /// The longest file of an exported photo, in bytes.
    package static let maxFileLength = 64 << 20
    /// The most bytes of a picture's pixels.
    static let maxPictureLength = 512 << 20
    static let maxFrameHeadsLength = 64 << 10

    package static func payloadLimit(kind: UInt8) -> Int? {
      switch Kind(rawValue: kind) {
      case .described: maxFactsLength
      case .failed, .noPreview, .thumbnailCached: maxHeadLength
      case .inspected: maxMetadataLength
      case .decoded, .previewed, .decodedRegion: maxPictureLength + maxHeadLength
      case .frames: FrameRun.longest + maxFrameHeadsLength
      case .encoded: 2 * Request.maxPictureLength
      case nil: nil
      }
    }

    package var parts: MessageParts {
      switch self {
      case .described(let info): MessageParts(Kind.described, info, info.metadata)
      case .decoded(let info, let bitmap): MessageParts(Kind.decoded, info, bitmap)
      case .decodedRegion(let region, let bitmap): MessageParts(Kind.decodedRegion, region, bitmap)
      case .frames(let info, let run): MessageParts(Kind.frames, info, run)
      case .failed(let reason): MessageParts(Kind.failed, reason)
      case .encoded(let file): MessageParts(Kind.encoded, LongBytes(file))
      case .previewed(let info, let bitmap): MessageParts(Kind.previewed, info, bitmap)
      case .noPreview: MessageParts(Kind.noPreview)
      case .thumbnailCached(let outcome, let info):
        MessageParts(Kind.thumbnailCached, outcome, info)
      case .inspected(let metadata): MessageParts(Kind.inspected, metadata)
      }
    }

    package init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError) {
      switch Kind(rawValue: kind) {
      case .described:
        var info: PhotoInfo = try reader.read()
        // Metadata is only present if the file was read for it.
        info.metadata = try reader.read()
        self = .described(info)
      case .decoded: self = .decoded(try reader.read(), try reader.read())
      case .decodedRegion: self = .decodedRegion(try reader.read(), try reader.read())
      case .frames: self = .frames(try reader.read(), try reader.read())
      case .failed: self = .failed(try reader.read())
      case .encoded: self = .encoded(try reader.read(LongBytes.self).bytes)
      case .previewed: self = .previewed(try reader.read(), try reader.read())
      case .noPreview: self = .noPreview
      case .thumbnailCached: self = .thumbnailCached(try reader.read(), try reader.read())
      case .inspected: self = .inspected(try reader.read())
      case nil: throw .unknownKind(kind)
      }
    }
  }
}

/// The longest responses to a request, over all photos.
extension DecodeProtocol.Response {
  /// Returns the longest payload of a picture that fits or fills a frame, in bytes.
  package static func payloadLimit(size: PixelSize, mode: ContentMode) -> Int {
    min(maxPictureLength, maxPixels(size, mode) * 4) + maxHeadLength
  }

  /// Returns the longest payload of the picture of a region, in bytes; its edges may be rounded
  /// outward.
  package static func payloadLimit(region: PhotoRegion) -> Int {
    // The worker rejects a region outside of the photo, so these bounds only avoid an overflow.
    func side(_ length: Int) -> Int {
      (min(max(length, 1), 1 << 20) - 1) / max(region.reduction, 1) + 3
    }
    return min(maxPictureLength, side(region.width) * side(region.height) * 4) + maxHeadLength
  }

  /// Returns the longest payload of a run of frames, in bytes.
  package static func payloadLimit(frameCount: Int, size: PixelSize, mode: ContentMode) -> Int {
    let pixels = min(frameCount * maxPixels(size, mode) * 4, FrameRun.longest)
    return pixels + maxFrameHeadsLength
  }

  /// Returns the longest payload of an encoded picture, in bytes; a PNG may be longer than the
  /// pixels.
  package static func payloadLimit(fileOf picture: Bitmap) -> Int {
    2 * picture.pixels.count + (64 << 10)
  }

  /// Returns the most pixels that `targetSize(of:in:mode:)` gives for a frame, over all shapes of
  /// photos.
  private static func maxPixels(_ size: PixelSize, _ mode: ContentMode) -> Int {
    func side(_ length: Double) -> Int {
      Int(min(max(length.rounded(.up), 1), Double(maxSide)))
    }
    return switch mode {
    case .fit: side(size.width) * side(size.height)
    case .fill: max(side(size.width), side(size.height)) * maxSide
    }
  }
}

extension FailureReason: WireValue {
  /// The reason as bytes, for thumbnail files that store failures.
  package var encoded: [UInt8] {
    var payload = PayloadWriter()
    write(to: &payload)
    return payload.bytes
  }

  /// Reads the bytes of `encoded`; nil if they are anything else.
  ///
  /// - Parameter bytes: Any bytes, since any program can write into the thumbnail cache.
  package init?(encoded bytes: [UInt8]) {
    var reader = PayloadReader(bytes)
    do throws(ProtocolError) {
      self = try FailureReason(&reader)
      try reader.finish()
    } catch {
      return nil
    }
  }

  /// Writes a code, then the values that belong to the reason.
  func write(to payload: inout PayloadWriter) {
    switch self {
    case .tooLarge(let width, let height):
      payload.write(UInt8(100), UInt64(clamping: width), UInt64(clamping: height))
    case .unreadable(let code): payload.write(UInt8(101), code)
    case .decoder(let message): payload.write(UInt8(102), message)
    case .tooManyFrames(let count, let width, let height):
      payload.write(UInt8(103), count, width, height)
    case .needsMemory(let bytes): payload.write(UInt8(104), UInt64(clamping: bytes))
    case .notAnImage, .noPermission, .vanished, .isFolder, .isNamedPipe, .isSocket, .isDevice,
      .emptyFile, .truncated, .fileTooLong, .isVideo, .soundOnly, .needsFFmpeg:
      payload.write(UInt8(Self.plainReasons.firstIndex(of: self) ?? 0))
    }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let code: UInt8 = try reader.read()
    switch code {
    case 100:
      self = .tooLarge(
        width: Int(clamping: try reader.read(UInt64.self)),
        height: Int(clamping: try reader.read(UInt64.self)))
    case 101: self = .unreadable(try reader.read())
    case 102: self = .decoder(try reader.readText(limit: Self.maxDecoderMessageLength))
    case 103:
      self = .tooManyFrames(
        try reader.read(), width: try reader.read(), height: try reader.read())
    case 104: self = .needsMemory(Int(clamping: try reader.read(UInt64.self)))
    default:
      guard Self.plainReasons.indices.contains(Int(code)),
        let reason = Self.plainReasons[Int(code)]
      else { throw .malformed }
      self = reason
    }
  }

  /// The reasons without values; the index of a reason is its code in a message, and in the thumbnail
  /// cache, where an earlier version has used that of nil.
  private static let plainReasons: [FailureReason?] = [
    .notAnImage, .noPermission, .vanished, .isFolder, .isNamedPipe, .isSocket, .isDevice,
    .emptyFile, .truncated, .fileTooLong, nil, .isVideo, .soundOnly, .needsFFmpeg,
  ]
}
