import PhotoGridCore

extension DecodeProtocol {
  /// A request to a decoding worker.
  ///
  /// The worker answers in the order of the requests and repeats their tokens. Paths are bytes
  /// without NUL. Sizes are in pixels, of the photo turned upright by its orientation.
  package enum Request: WireMessage, Equatable {
    /// Read the facts of a photo's file; answered by `described` or `failed`.
    case describe(token: UInt32, path: [UInt8])
    /// Decode a photo to `targetSize(of:in:mode:)`; answered by `decoded` or `failed`.
    case decode(token: UInt32, path: [UInt8], size: PixelSize, mode: ContentMode)
    /// Decode a region of a photo; answered by `decodedRegion` or `failed`.
    case decodeRegion(token: UInt32, path: [UInt8], region: PhotoRegion)
    /// Decode frames of an animation to the size of `decode`; answered by `frames` or `failed`.
    case frames(token: UInt32, path: [UInt8], size: PixelSize, mode: ContentMode, FrameRange)
    /// Encode a picture as a file; answered by `encoded` or `failed`.
    case encode(token: UInt32, Bitmap, PictureEncoding.Format)
    /// Send a cached thumbnail or the embedded preview, to be shown until a `decode` of this size.
    ///
    /// Answered by `decoded` if the thumbnail is as good as the decoded photo, else by `previewed`,
    /// `noPreview` or `failed`.
    case preview(token: UInt32, path: [UInt8], size: PixelSize, mode: ContentMode)
    /// Use the thumbnail cache in a folder for all later requests; not answered.
    case useThumbnails(ThumbnailAccess)
    /// The next request may take more processor time than usual, in seconds; not answered.
    case allowTime(seconds: Int)
    /// Decoding for the next request may take more memory than `plainMemory`, in bytes; not
    /// answered.
    case allowMemory(Int)
    /// The photo of the next request may be decoded by ImageMagick, if the decoder for its format
    /// fails; not answered.
    case allowOtherDecoder
    /// Write a thumbnail into the cache, unless it has a valid one; answered by `thumbnailCached`
    /// or `failed`.
    case cacheThumbnail(token: UInt32, path: [UInt8], size: ThumbnailSize)
    /// Remove the thumbnails of files that no longer exist; answered by several `cleaned`.
    case clean
    /// Read the metadata of a photo; answered by `inspected` or `failed`.
    case inspect(token: UInt32, path: [UInt8])

    /// The first byte of a request's payload.
    private enum Kind: UInt8 {
      case describe = 1
      case decode, frames, preview, useThumbnails, cacheThumbnail
      case decodeRegion, clean, encode, inspect, allowTime, allowMemory, allowOtherDecoder
    }

    /// The memory that decoding may take unless more was allowed, in bytes.
    ///
    /// It is estimated from the photo's header. A photo that needs more fails with `needsMemory`.
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
      func begin(_ kind: Kind, _ token: UInt32, _ path: [UInt8]) {
        payload.write(kind.rawValue)
        payload.write(token)
        payload.write(string: path)
      }
      switch self {
      case .describe(let token, let path): begin(.describe, token, path)
      case .inspect(let token, let path): begin(.inspect, token, path)
      case .decode(let token, let path, let size, let mode):
        begin(.decode, token, path)
        payload.write(size, mode)
      case .preview(let token, let path, let size, let mode):
        begin(.preview, token, path)
        payload.write(size, mode)
      case .decodeRegion(let token, let path, let region):
        begin(.decodeRegion, token, path)
        region.write(to: &payload)
      case .cacheThumbnail(let token, let path, let size):
        begin(.cacheThumbnail, token, path)
        payload.write(size.rawValue)
      case .frames(let token, let path, let size, let mode, let range):
        begin(.frames, token, path)
        payload.write(size, mode)
        range.write(to: &payload)
      case .useThumbnails(let access): Self.write(access, to: &payload)
      case .clean: payload.write(Kind.clean.rawValue)
      case .allowTime(let seconds):
        payload.write(Kind.allowTime.rawValue)
        payload.write(UInt16(clamping: seconds))
      case .allowMemory(let bytes):
        payload.write(Kind.allowMemory.rawValue)
        payload.write(UInt64(clamping: bytes))
      case .allowOtherDecoder: payload.write(Kind.allowOtherDecoder.rawValue)
      case .encode(let token, let bitmap, let format):
        return Self.encodedPicture(token, bitmap, format)
      }
      return Self.frame(payload)
    }

    private static func write(_ access: ThumbnailAccess, to payload: inout PayloadWriter) {
      payload.write(Kind.useThumbnails.rawValue)
      payload.write(access.mayWrite)
      payload.write(string: access.folder)
    }

    private static func encodedPicture(
      _ token: UInt32, _ bitmap: Bitmap, _ format: PictureEncoding.Format
    ) -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(Kind.encode.rawValue)
      payload.write(token)
      payload.write(format.rawValue)
      payload.write(headOf: bitmap)
      return frame(payload, following: bitmap.pixels.count) + bitmap.pixels
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload)
      let kind: UInt8 = try reader.read()
      switch Kind(rawValue: kind) {
      case .clean: self = .clean
      case .allowOtherDecoder: self = .allowOtherDecoder
      case .allowTime: self = .allowTime(seconds: Int(try reader.read(UInt16.self)))
      case .allowMemory: self = .allowMemory(Int(clamping: try reader.read(UInt64.self)))
      case .useThumbnails:
        let mayWrite = try reader.readBool()
        self = .useThumbnails(ThumbnailAccess(folder: try reader.readPath(), mayWrite: mayWrite))
      case .encode:
        let token: UInt32 = try reader.read()
        guard let format = PictureEncoding.Format(rawValue: try reader.read()) else {
          throw .malformed
        }
        self = .encode(token: token, try Bitmap(&reader), format)
      case let kind?: self = try Self.read(kind, &reader)
      case nil: throw .unknownKind(kind)
      }
      try reader.finish()
    }

    /// Reads a request about a photo's file.
    private static func read(
      _ kind: Kind, _ reader: inout PayloadReader
    ) throws(ProtocolError) -> Request {
      let token: UInt32 = try reader.read()
      let path = try reader.readPath()
      switch kind {
      case .describe: return .describe(token: token, path: path)
      case .inspect: return .inspect(token: token, path: path)
      case .decodeRegion:
        return .decodeRegion(token: token, path: path, region: try PhotoRegion(&reader))
      case .cacheThumbnail:
        guard let size = ThumbnailSize(rawValue: try reader.read()) else { throw .malformed }
        return .cacheThumbnail(token: token, path: path, size: size)
      case .decode:
        let (size, mode) = try reader.readSize()
        return .decode(token: token, path: path, size: size, mode: mode)
      case .preview:
        let (size, mode) = try reader.readSize()
        return .preview(token: token, path: path, size: size, mode: mode)
      case .frames:
        let (size, mode) = try reader.readSize()
        let start: UInt32 = try reader.read()
        let count: UInt32 = try reader.read()
        guard count > 0 else { throw .malformed }
        let range = FrameRange(start: Int(start), count: Int(count))
        return .frames(token: token, path: path, size: size, mode: mode, range)
      case .clean, .useThumbnails, .encode, .allowTime, .allowMemory, .allowOtherDecoder:
        throw .malformed
      }
    }
  }
}
