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

      fileprivate var kind: Kind {
        switch self {
        case .describe: .describe
        case .decode: .decode
        case .decodeRegion: .decodeRegion
        case .frames: .frames
        case .preview: .preview
        case .cacheThumbnail: .cacheThumbnail
        case .inspect: .inspect
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
      case decodeRegion, clean, encode, inspect
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
        case .describe, .inspect: break
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
