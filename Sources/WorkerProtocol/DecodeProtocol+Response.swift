import PhotoGridCore

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
