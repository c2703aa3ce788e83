import PhotoGridCore

/// What tells whether a file is still the one that it was.
package struct FileStatus: Equatable, Sendable {
  /// In bytes.
  package var byteCount: Int
  /// In seconds since 1970.
  package var modified: Int

  /// The status of a file.
  package init(byteCount: Int, modified: Int) {
    self.byteCount = byteCount
    self.modified = modified
  }
}

/// What a decoder is given ahead of a request: open files, which arrive with this message, and what
/// is known about them.
///
/// The process that opens files sends it to the one that decodes.
package struct FileDelivery: SingleKindMessage, Equatable {
  /// Identifies the request for `StorageRequest`.
  package var number: UInt32
  /// The status of the photo; nil for a request without a photo, or if it is not known.
  package var status: FileStatus?
  /// Why the photo cannot be read.
  package var failure: FailureReason?
  /// Whether the first descriptor is that of the photo.
  package var hasPhoto = false
  /// The number of descriptors after that: of the photo's valid thumbnails, best first.
  package var thumbnailCount = 0
  /// Why the photo could not be shown before, as the thumbnail cache has it.
  package var knownFailure: FailureReason?
  /// The outcome of a request for a thumbnail that needs no decoding.
  package var knownOutcome: ThumbnailOutcome?
  /// Whether a thumbnail of the photo can be stored.
  package var wantsThumbnail = false
  /// Whether the decoder has loaded what the photo's format takes; if not, only thumbnails count.
  package var isDecodable = true

  /// A delivery without files.
  package init(number: UInt32) { self.number = number }

  /// The number of descriptors that arrive with the message.
  package var descriptorCount: Int { (hasPhoto ? 1 : 0) + thumbnailCount }

  package static let kind: UInt8 = 0x40
  package static let longestPayload = 1024

  package func encoded() -> [UInt8] {
    var payload = PayloadWriter()
    payload.write(Self.kind)
    payload.write(number)
    payload.write(status != nil)
    payload.write(Int64(status?.byteCount ?? 0))
    payload.write(Int64(status?.modified ?? 0))
    payload.write(hasPhoto)
    payload.write(UInt8(clamping: thumbnailCount))
    payload.write(wantsThumbnail)
    payload.write(isDecodable)
    payload.write(optional: failure) { $0.write(to: &$1) }
    payload.write(optional: knownFailure) { $0.write(to: &$1) }
    payload.write(optional: knownOutcome) { $0.write(to: &$1) }
    return Self.frame(payload)
  }

  package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
    var reader = PayloadReader(payload.dropFirst())
    number = try reader.read()
    let hasStatus = try reader.readBool()
    let byteCount: Int64 = try reader.read()
    let modified: Int64 = try reader.read()
    if hasStatus { status = FileStatus(byteCount: Int(byteCount), modified: Int(modified)) }
    hasPhoto = try reader.readBool()
    thumbnailCount = Int(try reader.read(UInt8.self))
    wantsThumbnail = try reader.readBool()
    isDecodable = try reader.readBool()
    if try reader.readBool() { failure = try FailureReason(&reader) }
    if try reader.readBool() { knownFailure = try FailureReason(&reader) }
    if try reader.readBool() { knownOutcome = try ThumbnailOutcome(&reader) }
    try reader.finish()
  }
}

/// What a decoder asks to be stored in the thumbnail cache; answered by a `StorageResponse`.
package enum StorageRequest: WireMessage, Equatable {
  /// The picture of a photo, and its facts; `replacing` a valid thumbnail of the size or not.
  case thumbnail(number: UInt32, PhotoInfo, Bitmap, ThumbnailSize, replacing: Bool)
  /// Why a photo cannot be shown.
  case failure(number: UInt32, FailureReason)

  private enum Kind: UInt8 { case thumbnail = 0x41, failure }

  package static func payloadLimit(kind: UInt8) -> Int? {
    switch Kind(rawValue: kind) {
    case .thumbnail: 4 * 1024 * 1024 + 256
    case .failure: 256
    case nil: nil
    }
  }

  package func encoded() -> [UInt8] {
    var payload = PayloadWriter()
    switch self {
    case .thumbnail(let number, let info, let bitmap, let size, let replacing):
      payload.write(Kind.thumbnail.rawValue)
      payload.write(number)
      payload.write(size.rawValue)
      payload.write(replacing)
      info.write(to: &payload)
      payload.write(headOf: bitmap)
      return Self.frame(payload, following: bitmap.pixels.count) + bitmap.pixels
    case .failure(let number, let reason):
      payload.write(Kind.failure.rawValue)
      payload.write(number)
      reason.write(to: &payload)
      return Self.frame(payload)
    }
  }

  package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
    var reader = PayloadReader(payload)
    let kind: UInt8 = try reader.read()
    let number: UInt32 = try reader.read()
    switch Kind(rawValue: kind) {
    case .thumbnail:
      guard let size = ThumbnailSize(rawValue: try reader.read()) else { throw .malformed }
      let replacing = try reader.readBool()
      let info = try PhotoInfo(&reader)
      let bitmap = try Bitmap(&reader)
      guard max(bitmap.width, bitmap.height) <= size.side else { throw .malformed }
      self = .thumbnail(number: number, info, bitmap, size, replacing: replacing)
    case .failure: self = .failure(number: number, try FailureReason(&reader))
    case nil: throw .unknownKind(kind)
    }
    try reader.finish()
  }
}

/// What became of a thumbnail that was to be stored.
package struct StorageResponse: SingleKindMessage, Equatable {
  /// The outcome.
  package var outcome: ThumbnailOutcome

  /// The response with an outcome.
  package init(_ outcome: ThumbnailOutcome) { self.outcome = outcome }

  package static let kind: UInt8 = 0x43
  package static let longestPayload = 16

  package func encoded() -> [UInt8] {
    var payload = PayloadWriter()
    payload.write(Self.kind)
    outcome.write(to: &payload)
    return Self.frame(payload)
  }

  package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
    var reader = PayloadReader(payload.dropFirst())
    outcome = try ThumbnailOutcome(&reader)
    try reader.finish()
  }
}
