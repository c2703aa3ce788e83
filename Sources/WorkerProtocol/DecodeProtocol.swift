import PhotoGridCore

extension DecodeProtocol {
  /// A request to a decoding worker.
  ///
  /// The worker answers in the order of the requests and repeats their tokens. Paths are bytes
  /// without NUL. Sizes are in pixels, of the photo turned upright by its orientation.
  package enum Request: WireMessage, Equatable {
    /// Work on a photo's file; answered as the work says, or by `failed`.
    case photo(token: UInt32, path: [UInt8], Work, Allowance = Allowance())
    /// Encode a picture as a file; answered by `encoded` or `failed`.
    case encode(token: UInt32, Bitmap, PictureEncoding.Format)
    /// Use the thumbnail cache in a folder for all later requests; not answered.
    case useThumbnails(ThumbnailAccess)
    /// Remove the thumbnails of files that no longer exist; answered by several `cleaned`.
    case clean

    /// What to do with a photo's file.
    package enum Work: Equatable, Sendable {
      /// Read the facts of the file; answered by `described`.
      case describe
      /// Decode the photo to `targetSize(of:in:mode:)`; answered by `decoded`.
      case decode(PixelSize, ContentMode)
      /// Decode a region of the photo; answered by `decodedRegion`.
      case decodeRegion(PhotoRegion)
      /// Decode frames of an animation to the size of `decode`; answered by `frames`.
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

      fileprivate var kind: Kind {
        switch self {
        case .describe: .describe
        case .decode: .decode
        case .decodeRegion: .decodeRegion
        case .frames: .frames
        case .preview: .preview
        case .cacheThumbnail: .cacheThumbnail
        case .inspect: .inspect
        case .export: .export
        }
      }
    }

    /// What work on a photo may take more than usual.
    package struct Allowance: Equatable, Sendable {
      /// Processor time, in seconds; nil for as much as usual.
      package var seconds: Int?
      /// The memory that decoding may take, in bytes.
      ///
      /// It is estimated from the photo's header. A photo that needs more fails with `needsMemory`.
      package var memory = Request.plainMemory
      /// Whether ImageMagick may decode the photo, if the decoder for its format fails.
      package var includesOtherDecoder = false

      package init() {}

      fileprivate func write(to payload: inout PayloadWriter) {
        payload.write(UInt16(clamping: seconds ?? 0))
        payload.write(UInt64(clamping: memory))
        payload.write(includesOtherDecoder)
      }

      fileprivate init(_ reader: inout PayloadReader) throws(ProtocolError) {
        let seconds: UInt16 = try reader.read()
        if seconds > 0 { self.seconds = Int(seconds) }
        memory = Int(clamping: try reader.read(UInt64.self))
        includesOtherDecoder = try reader.readBool()
      }
    }

    /// The first byte of a request's payload.
    fileprivate enum Kind: UInt8 {
      case describe = 1
      case decode, frames, preview, useThumbnails, cacheThumbnail
      case decodeRegion, clean, encode, inspect, export
    }

    /// The memory that decoding may take unless more was allowed, in bytes.
    package static let plainMemory = 64 << 20

    /// The longest payload without a picture, in bytes.
    package static let longestPayload = 64 << 10
    /// The longest picture to encode, in bytes of RGBA: more than a screen of 5120 by 2880 pixels.
    package static let longestPicture = 64 << 20

    package static func payloadLimit(kind: UInt8) -> Int? {
      switch Kind(rawValue: kind) {
      case .encode: longestPicture + 64
      case nil: nil
      default: longestPayload
      }
    }

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      switch self {
      case .photo(let token, let path, let work, let allowance):
        payload.write(work.kind.rawValue)
        payload.write(token)
        payload.write(string: path)
        allowance.write(to: &payload)
        switch work {
        case .describe, .inspect, .export: break
        case .decode(let size, let mode), .preview(let size, let mode): payload.write(size, mode)
        case .decodeRegion(let region): region.write(to: &payload)
        case .cacheThumbnail(let size): payload.write(size.rawValue)
        case .frames(let size, let mode, let range):
          payload.write(size, mode)
          range.write(to: &payload)
        }
      case .useThumbnails(let access):
        payload.write(Kind.useThumbnails.rawValue)
        payload.write(access.mayWrite)
        payload.write(string: access.folder)
      case .clean: payload.write(Kind.clean.rawValue)
      case .encode(let token, let bitmap, let format):
        payload.write(Kind.encode.rawValue)
        payload.write(token)
        payload.write(format.rawValue)
        payload.write(headOf: bitmap)
        return Self.frame(payload, following: bitmap.pixels.count) + bitmap.pixels
      }
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload)
      let kind: UInt8 = try reader.read()
      switch Kind(rawValue: kind) {
      case .clean: self = .clean
      case .useThumbnails:
        let mayWrite = try reader.readBool()
        self = .useThumbnails(ThumbnailAccess(folder: try reader.readPath(), mayWrite: mayWrite))
      case .encode:
        let token: UInt32 = try reader.read()
        guard let format = PictureEncoding.Format(rawValue: try reader.read()) else {
          throw .malformed
        }
        self = .encode(token: token, try Bitmap(&reader), format)
      case let kind?:
        let token: UInt32 = try reader.read()
        let path = try reader.readPath()
        let allowance = try Allowance(&reader)
        self = .photo(token: token, path: path, try Work(kind, &reader), allowance)
      case nil: throw .unknownKind(kind)
      }
      try reader.finish()
    }
  }
}

extension DecodeProtocol.Request.Work {
  fileprivate init(
    _ kind: DecodeProtocol.Request.Kind, _ reader: inout PayloadReader
  ) throws(ProtocolError) {
    switch kind {
    case .describe: self = .describe
    case .inspect: self = .inspect
    case .export: self = .export
    case .decodeRegion: self = .decodeRegion(try PhotoRegion(&reader))
    case .cacheThumbnail:
      guard let size = ThumbnailSize(rawValue: try reader.read()) else { throw .malformed }
      self = .cacheThumbnail(size)
    case .decode:
      let (size, mode) = try reader.readSize()
      self = .decode(size, mode)
    case .preview:
      let (size, mode) = try reader.readSize()
      self = .preview(size, mode)
    case .frames:
      let (size, mode) = try reader.readSize()
      let start: UInt32 = try reader.read()
      let count: UInt32 = try reader.read()
      guard count > 0 else { throw .malformed }
      self = .frames(size, mode, FrameRange(start: Int(start), count: Int(count)))
    case .clean, .useThumbnails, .encode: throw .malformed
    }
  }
}

extension DecodeProtocol {
  /// A response of a decoding worker, which repeats the token of the request that it answers.
  package enum Response: ResponseMessage, Equatable {
    /// The facts of a photo's file.
    case described(token: UInt32, PhotoInfo)
    /// The whole photo at the requested size.
    case decoded(token: UInt32, PhotoInfo, Bitmap)
    /// The picture of a region of the photo, which covers the requested one.
    case decodedRegion(token: UInt32, PhotoRegion, Bitmap)
    /// Frames at the requested size: at least one, unless the run ends early.
    case frames(token: UInt32, PhotoInfo, FrameRun)
    /// The reason that the request failed.
    case failed(token: UInt32, FailureReason)
    /// The bytes of an encoded picture's file.
    case encoded(token: UInt32, [UInt8])
    /// A thumbnail or preview of at most the requested size, which may show an older version.
    case previewed(token: UInt32, PhotoInfo, Bitmap)
    /// The photo has no thumbnail or preview.
    case noPreview(token: UInt32)
    /// The outcome of a request for a thumbnail in the cache; with the facts and the hash of the
    /// photo if it was decoded.
    case thumbnailCached(token: UInt32, ThumbnailOutcome, PhotoInfo? = nil)
    /// The progress of a cleaning; the last such message has `isOver` set.
    case cleaned(ThumbnailCleaning, isOver: Bool)
    case inspected(token: UInt32, PhotoMetadata)

    /// The first byte of a response's payload.
    private enum Kind: UInt8 {
      case described = 0x12
      case decoded, failed, frames, previewed
      case decodedRegion, noPreview, encoded, thumbnailCached, cleaned, inspected
    }

    /// The longest payload without pixels, in bytes.
    package static let longestHead = 256
    /// The longest payload of facts, in bytes.
    package static let longestFacts = longestHead + PhotoMetadata.longestPayload
    /// The longest payload of metadata, in bytes.
    package static let longestMetadata = PhotoMetadata.longestPayload
    /// The longest file of an exported photo, in bytes.
    package static let longestFile = 64 << 20
    /// The most bytes of a picture's pixels.
    static let longestPicture = 512 << 20
    /// The most bytes of a run of frames besides the pixels.
    static let longestFrameHeads = 64 << 10

    package static func payloadLimit(kind: UInt8) -> Int? {
      switch Kind(rawValue: kind) {
      case .described: longestFacts
      case .failed, .noPreview, .thumbnailCached, .cleaned: longestHead
      case .inspected: longestMetadata
      case .decoded, .previewed, .decodedRegion: longestPicture + longestHead
      case .frames: FrameRun.longest + longestFrameHeads
      case .encoded: 2 * Request.longestPicture
      case nil: nil
      }
    }

    package var token: UInt32? {
      switch self {
      case .described(let token, _), .decoded(let token, _, _), .decodedRegion(let token, _, _),
        .frames(let token, _, _), .failed(let token, _), .encoded(let token, _),
        .previewed(let token, _, _), .noPreview(let token), .thumbnailCached(let token, _, _),
        .inspected(let token, _):
        token
      case .cleaned: nil
      }
    }

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      func begin(_ kind: Kind, _ token: UInt32) {
        payload.write(kind.rawValue)
        payload.write(token)
      }
      switch self {
      case .decoded(let token, let info, let bitmap):
        return Self.decodedHead(token: token, info: info, bitmap: bitmap) + bitmap.pixels
      case .previewed(let token, let info, let bitmap):
        return Self.pictureHead(.previewed, token, info, bitmap) + bitmap.pixels
      case .decodedRegion(let token, let region, let bitmap):
        return Self.decodedRegionHead(token: token, region: region, bitmap: bitmap) + bitmap.pixels
      case .encoded(let token, let file): return Self.encodedFile(token, file)
      case .described(let token, let info):
        begin(.described, token)
        info.write(to: &payload)
        payload.write(optional: info.metadata) { $0.write(to: &$1) }
      case .noPreview(let token): begin(.noPreview, token)
      case .thumbnailCached(let token, let outcome, let info):
        begin(.thumbnailCached, token)
        outcome.write(to: &payload)
        payload.write(optional: info) { $0.write(to: &$1) }
      case .cleaned(let cleaning, let isOver):
        payload.write(Kind.cleaned.rawValue)
        cleaning.write(to: &payload)
        payload.write(isOver)
      case .inspected(let token, let metadata):
        begin(.inspected, token)
        metadata.write(to: &payload)
      case .frames(let token, let info, let run):
        begin(.frames, token)
        info.write(to: &payload)
        run.write(to: &payload)
      case .failed(let token, let reason):
        begin(.failed, token)
        reason.write(to: &payload)
      }
      return Self.frame(payload)
    }

    private static func encodedFile(_ token: UInt32, _ file: [UInt8]) -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(Kind.encoded.rawValue)
      payload.write(token)
      payload.write(UInt32(clamping: file.count))
      return frame(payload, following: file.count) + file
    }

    /// Returns the start of an encoded `decoded` message; send `bitmap.pixels` after it.
    ///
    /// A large picture that is sent separately need not be copied.
    package static func decodedHead(token: UInt32, info: PhotoInfo, bitmap: Bitmap) -> [UInt8] {
      pictureHead(.decoded, token, info, bitmap)
    }

    private static func pictureHead(
      _ kind: Kind, _ token: UInt32, _ info: PhotoInfo, _ bitmap: Bitmap
    ) -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(kind.rawValue)
      payload.write(token)
      info.write(to: &payload)
      payload.write(headOf: bitmap)
      return frame(payload, following: bitmap.pixels.count)
    }

    /// Returns the start of an encoded `decodedRegion` message; send `bitmap.pixels` after it.
    package static func decodedRegionHead(
      token: UInt32, region: PhotoRegion, bitmap: Bitmap
    ) -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(Kind.decodedRegion.rawValue)
      payload.write(token)
      region.write(to: &payload)
      payload.write(headOf: bitmap)
      return frame(payload, following: bitmap.pixels.count)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload)
      let kind: UInt8 = try reader.read()
      switch Kind(rawValue: kind) {
      case .cleaned: self = .cleaned(try ThumbnailCleaning(&reader), isOver: try reader.readBool())
      case let kind?: self = try Self.read(kind, token: try reader.read(), &reader)
      case nil: throw .unknownKind(kind)
      }
      try reader.finish()
    }

    /// Reads the rest of a response, after its kind and token.
    private static func read(
      _ kind: Kind, token: UInt32, _ reader: inout PayloadReader
    ) throws(ProtocolError) -> Response {
      switch kind {
      case .described:
        var info = try PhotoInfo(&reader)
        // Metadata is only present if the file was read for it.
        if try reader.readBool() { info.metadata = try PhotoMetadata(&reader) }
        return .described(token: token, info)
      case .decoded: return .decoded(token: token, try PhotoInfo(&reader), try Bitmap(&reader))
      case .previewed: return .previewed(token: token, try PhotoInfo(&reader), try Bitmap(&reader))
      case .noPreview: return .noPreview(token: token)
      case .thumbnailCached:
        let outcome = try ThumbnailOutcome(&reader)
        return .thumbnailCached(
          token: token, outcome, try reader.readBool() ? try PhotoInfo(&reader) : nil)
      case .inspected: return .inspected(token: token, try PhotoMetadata(&reader))
      case .decodedRegion:
        return .decodedRegion(token: token, try PhotoRegion(&reader), try Bitmap(&reader))
      case .frames: return .frames(token: token, try PhotoInfo(&reader), try FrameRun(&reader))
      case .failed: return .failed(token: token, try FailureReason(&reader))
      case .encoded:
        let count: UInt32 = try reader.read()
        return .encoded(token: token, Array(try reader.read(count: Int(count))))
      case .cleaned: throw .malformed
      }
    }
  }
}

/// The longest responses to a request, over all photos.
extension DecodeProtocol.Response {
  /// Returns the longest payload of a picture that fits or fills a frame, in bytes.
  package static func payloadLimit(size: PixelSize, mode: ContentMode) -> Int {
    min(longestPicture, maxPixels(size, mode) * 4) + longestHead
  }

  /// Returns the longest payload of the picture of a region, in bytes; its edges may be rounded
  /// outward.
  package static func payloadLimit(region: PhotoRegion) -> Int {
    // The worker rejects a region outside of the photo, so these bounds only avoid an overflow.
    func side(_ length: Int) -> Int {
      (min(max(length, 1), 1 << 20) - 1) / max(region.reduction, 1) + 3
    }
    return min(longestPicture, side(region.width) * side(region.height) * 4) + longestHead
  }

  /// Returns the longest payload of a run of frames, in bytes.
  package static func payloadLimit(frameCount: Int, size: PixelSize, mode: ContentMode) -> Int {
    let pixels = min(frameCount * maxPixels(size, mode) * 4, FrameRun.longest)
    return pixels + longestFrameHeads
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
      Int(min(max(length.rounded(.up), 1), Double(longestSide)))
    }
    return switch mode {
    case .fit: side(size.width) * side(size.height)
    case .fill: max(side(size.width), side(size.height)) * longestSide
    }
  }
}
