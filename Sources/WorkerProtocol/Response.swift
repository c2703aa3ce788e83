import PhotoGridCore

/// What a worker answers.
package enum Response: WireMessage, Equatable {
  /// The first message, unasked for: which program the worker is of.
  case hello(Hello)
  /// What a lister found or saw.
  case folder(FolderNews)
  case described(token: UInt32, PhotoInfo)
  /// The whole photo at the size asked for.
  case decoded(token: UInt32, PhotoInfo, Bitmap)
  /// A part of the photo, and what of it the picture covers: at least what was asked for.
  case decodedRegion(token: UInt32, PhotoRegion, Bitmap)
  /// Frames of an animated photo at the size asked for: at least one, unless the run ends early.
  case frames(token: UInt32, PhotoInfo, FrameRun)
  case failed(token: UInt32, FailureReason)
  /// The file that was made of a picture.
  case encoded(token: UInt32, [UInt8])
  /// What is at hand of a photo: not larger than asked for, and perhaps not what it looks like now.
  case previewed(token: UInt32, PhotoInfo, Bitmap)
  /// Nothing of a photo is at hand; its file was hardly looked at.
  case noPreview(token: UInt32)
  case kept(token: UInt32, ThumbnailOutcome)
  /// How far a cleaning has come, or at the end what it did.
  case cleaned(ThumbnailCleaning, isOver: Bool)
  /// What a photo's file tells of how it was taken.
  case inspected(token: UInt32, PhotoMetadata)
  /// What became of a file that was to be moved.
  case changed(token: UInt32, FileOutcome)

  /// The first byte of a message.
  private enum Kind: UInt8 {
    case hello = 0x10
    case folder, described, decoded, failed, frames, previewed
    case decodedRegion, noPreview, encoded, kept, cleaned, inspected
    case changed
  }

  private static let longestPicture = 512 << 20
  private static let longestHead = 256
  private static let longestFrameHeads = 64 << 10

  package static func payloadLimit(kind: UInt8) -> Int? {
    switch Kind(rawValue: kind) {
    case .described: longestHead + PhotoMetadata.longestPayload
    case .hello, .failed, .noPreview, .kept, .cleaned: longestHead
    case .inspected: PhotoMetadata.longestPayload
    case .changed: Request.longestPayload
    case .folder: FolderNews.longestPayload
    case .decoded, .previewed, .decodedRegion: longestPicture + longestHead
    case .frames: FrameRun.longest + longestFrameHeads
    case .encoded: 2 * Request.longestPicture
    case nil: nil
    }
  }

  /// Which request it answers; nil for what is no answer to a single photo's request.
  package var token: UInt32? {
    switch self {
    case .described(let token, _), .decoded(let token, _, _), .decodedRegion(let token, _, _),
      .frames(let token, _, _), .failed(let token, _), .encoded(let token, _),
      .previewed(let token, _, _), .noPreview(let token), .kept(let token, _),
      .inspected(let token, _), .changed(let token, _):
      token
    case .hello, .folder, .cleaned: nil
    }
  }

  package func encoded() -> [UInt8] {
    var payload = PayloadWriter()
    switch self {
    case .hello(let hello):
      payload.write(Kind.hello.rawValue)
      hello.write(to: &payload)
    case .folder(let news):
      payload.write(Kind.folder.rawValue)
      news.write(to: &payload)
    case .described(let token, let info):
      payload.write(Kind.described.rawValue)
      payload.write(token)
      info.write(to: &payload)
      payload.write(info.metadata != nil)
      info.metadata?.write(to: &payload)
    case .decoded(let token, let info, let bitmap):
      return Self.decodedHead(token: token, info: info, bitmap: bitmap) + bitmap.pixels
    case .previewed(let token, let info, let bitmap):
      return Self.pictureHead(Kind.previewed.rawValue, token: token, info: info, bitmap: bitmap)
        + bitmap.pixels
    case .noPreview(let token):
      payload.write(Kind.noPreview.rawValue)
      payload.write(token)
    case .kept(let token, let outcome):
      payload.write(Kind.kept.rawValue)
      payload.write(token)
      outcome.write(to: &payload)
    case .changed(let token, let outcome):
      payload.write(Kind.changed.rawValue)
      payload.write(token)
      outcome.write(to: &payload)
    case .cleaned(let cleaning, let isOver):
      payload.write(Kind.cleaned.rawValue)
      cleaning.write(to: &payload)
      payload.write(isOver)
    case .inspected(let token, let metadata):
      payload.write(Kind.inspected.rawValue)
      payload.write(token)
      metadata.write(to: &payload)
    case .decodedRegion(let token, let region, let bitmap):
      return Self.decodedRegionHead(token: token, region: region, bitmap: bitmap) + bitmap.pixels
    case .frames(let token, let info, let run):
      payload.write(Kind.frames.rawValue)
      payload.write(token)
      info.write(to: &payload)
      run.write(to: &payload)
    case .failed(let token, let reason):
      payload.write(Kind.failed.rawValue)
      payload.write(token)
      reason.write(to: &payload)
    case .encoded(let token, let file):
      payload.write(Kind.encoded.rawValue)
      payload.write(token)
      payload.write(UInt32(clamping: file.count))
      return Self.frame(payload, following: file.count) + file
    }
    return Self.frame(payload)
  }

  /// The frame of a `decoded` message up to where `bitmap.pixels` follow, so that a large picture
  /// need not be copied to be sent.
  package static func decodedHead(token: UInt32, info: PhotoInfo, bitmap: Bitmap) -> [UInt8] {
    pictureHead(Kind.decoded.rawValue, token: token, info: info, bitmap: bitmap)
  }

  private static func pictureHead(
    _ kind: UInt8, token: UInt32, info: PhotoInfo, bitmap: Bitmap
  ) -> [UInt8] {
    var payload = PayloadWriter()
    payload.write(kind)
    payload.write(token)
    info.write(to: &payload)
    payload.write(head: bitmap)
    return frame(payload, following: bitmap.pixels.count)
  }

  /// The same of a `decodedRegion` message.
  package static func decodedRegionHead(
    token: UInt32, region: PhotoRegion, bitmap: Bitmap
  ) -> [UInt8] {
    var payload = PayloadWriter()
    payload.write(Kind.decodedRegion.rawValue)
    payload.write(token)
    region.write(to: &payload)
    payload.write(head: bitmap)
    return frame(payload, following: bitmap.pixels.count)
  }

  package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
    var reader = PayloadReader(payload)
    let kind: UInt8 = try reader.read()
    switch kind {
    case Kind.hello.rawValue:
      self = .hello(try Hello(&reader))
    case Kind.folder.rawValue:
      self = .folder(try FolderNews(&reader))
    case Kind.described.rawValue:
      let token: UInt32 = try reader.read()
      var info = try PhotoInfo(&reader)
      // Only a file that was read for it tells how the photo was taken.
      if try reader.readBool() { info.metadata = try PhotoMetadata(&reader) }
      self = .described(token: token, info)
    case Kind.decoded.rawValue:
      let token: UInt32 = try reader.read()
      let info = try PhotoInfo(&reader)
      self = .decoded(token: token, info, try Bitmap(&reader))
    case Kind.previewed.rawValue:
      let token: UInt32 = try reader.read()
      let info = try PhotoInfo(&reader)
      self = .previewed(token: token, info, try Bitmap(&reader))
    case Kind.noPreview.rawValue:
      self = .noPreview(token: try reader.read())
    case Kind.kept.rawValue:
      self = .kept(token: try reader.read(), try ThumbnailOutcome(&reader))
    case Kind.changed.rawValue:
      self = .changed(token: try reader.read(), try FileOutcome(&reader))
    case Kind.cleaned.rawValue:
      self = .cleaned(try ThumbnailCleaning(&reader), isOver: try reader.readBool())
    case Kind.inspected.rawValue:
      self = .inspected(token: try reader.read(), try PhotoMetadata(&reader))
    case Kind.decodedRegion.rawValue:
      let token: UInt32 = try reader.read()
      let region = try PhotoRegion(&reader)
      self = .decodedRegion(token: token, region, try Bitmap(&reader))
    case Kind.frames.rawValue:
      let token: UInt32 = try reader.read()
      let info = try PhotoInfo(&reader)
      self = .frames(token: token, info, try FrameRun(&reader))
    case Kind.failed.rawValue:
      self = .failed(token: try reader.read(), try FailureReason(&reader))
    case Kind.encoded.rawValue:
      let token: UInt32 = try reader.read()
      let count: UInt32 = try reader.read()
      self = .encoded(token: token, Array(try reader.take(Int(count))))
    default:
      throw .unknownKind(kind)
    }
    try reader.finish()
  }
}

/// A worker's first words; their bytes stay the same in all versions.
package struct Hello: Equatable, Sendable {
  /// The number of the wire format that the worker speaks.
  package var wireFormat: UInt16
  /// The version of the program that the worker was built with.
  package var programVersion: String

  /// The hello of a worker built from these sources.
  package static let current = Hello(
    wireFormat: ProgramVersion.wireFormat, programVersion: ProgramVersion.current)

  /// A hello of some version.
  package init(wireFormat: UInt16, programVersion: String) {
    self.wireFormat = wireFormat
    self.programVersion = programVersion
  }

  private static let magic = Array("photogrid-worker".utf8)

  func write(to payload: inout PayloadWriter) {
    payload.write(raw: Self.magic)
    payload.write(wireFormat)
    payload.write(string: programVersion.utf8)
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    guard Array(try reader.take(Self.magic.count)) == Self.magic else { throw .malformed }
    wireFormat = try reader.read()
    programVersion = try reader.readText(limit: 64)
  }
}

extension PhotoInfo {
  func write(to payload: inout PayloadWriter) {
    payload.write(UInt32(max(0, min(size.width, 4e9))))
    payload.write(UInt32(max(0, min(size.height, 4e9))))
    payload.write(UInt8(clamping: orientation))
    payload.write(ImageFormat(name: format)?.rawValue ?? 0)
    payload.write(Int64(byteCount))
    payload.write(Int64(modified))
    payload.write(string: (taken ?? "").utf8)
    payload.write(isIncomplete)
    payload.write(UInt32(clamping: frameCount))
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let width: UInt32 = try reader.read()
    let height: UInt32 = try reader.read()
    let orientation: UInt8 = try reader.read()
    let format = ImageFormat(rawValue: try reader.read())
    let byteCount: Int64 = try reader.read()
    let modified: Int64 = try reader.read()
    let taken = try reader.readText(limit: 19)
    let isIncomplete = try reader.readBool()
    let frameCount: UInt32 = try reader.read()
    guard frameCount > 0, width > 0, height > 0, (1...8).contains(orientation), let format,
      byteCount >= 0,
      taken.isEmpty || TakenTime(iso8601: taken) != nil
    else { throw .malformed }
    self.init(
      size: PixelSize(width: Double(width), height: Double(height)), orientation: Int(orientation),
      format: format.name, byteCount: Int(byteCount), modified: Int(modified),
      taken: taken.isEmpty ? nil : taken, isIncomplete: isIncomplete,
      frameCount: Int(frameCount))
  }
}

extension PayloadWriter {
  /// What stands before a bitmap's pixels.
  mutating func write(head bitmap: Bitmap) {
    write(UInt32(bitmap.width))
    write(UInt32(bitmap.height))
    write(bitmap.isOpaque)
  }
}

extension PhotoRegion {
  func write(to payload: inout PayloadWriter) {
    for number in [x, y, width, height] { payload.write(Int32(clamping: number)) }
    payload.write(UInt8(clamping: reduction))
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let x: Int32 = try reader.read()
    let y: Int32 = try reader.read()
    let width: Int32 = try reader.read()
    let height: Int32 = try reader.read()
    let reduction: UInt8 = try reader.read()
    guard width > 0, height > 0, reduction.nonzeroBitCount == 1,
      reduction <= Self.largestReduction
    else { throw .malformed }
    self.init(
      x: Int(x), y: Int(y), width: Int(width), height: Int(height), reduction: Int(reduction))
  }
}

extension Bitmap {
  /// Writes what comes before the pixels.
  func writeHead(to payload: inout PayloadWriter) {
    payload.write(UInt32(width))
    payload.write(UInt32(height))
    payload.write(isOpaque)
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let width: UInt32 = try reader.read()
    let height: UInt32 = try reader.read()
    let isOpaque = try reader.readBool()
    // 16 bits a side keep the product far from overflowing.
    guard (1...0xffff).contains(width), (1...0xffff).contains(height) else { throw .malformed }
    let pixels = try reader.take(Int(width) * Int(height) * 4)
    self.init(
      width: Int(width), height: Int(height), pixels: Array(pixels), isOpaque: isOpaque)
  }
}
