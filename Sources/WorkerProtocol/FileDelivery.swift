import PhotoGridCore

/// A message that precedes a request to a decoder, and brings the open files that it is about.
///
/// The process that opens files sends it to the process that decodes. The descriptors arrive with
/// its bytes: the photo's, if there is one, then those of its thumbnails.
package struct FileDelivery: SingleKindMessage, Equatable {
  /// The number of the delivery, by which a `StorageRequest` refers to the photo.
  package var number: UInt32
  /// Nil for a request without a photo, or if the photo is no regular file.
  package var stamp: FileStamp?
  /// Why the photo cannot be read; nil if it was opened.
  package var failure: FailureReason?
  /// Whether the first descriptor is that of the photo.
  package var hasPhoto = false
  /// Whether the next descriptor is that of the photo's sidecar.
  package var hasSidecar = false
  /// The number of descriptors after that: of the photo's valid thumbnails, best first.
  package var thumbnailCount = 0
  /// The reason, recorded in the thumbnail cache, that the photo could not be shown before.
  package var knownFailure: FailureReason?
  /// The outcome of a `cacheThumbnail` request, if it is known without decoding the photo.
  package var knownOutcome: ThumbnailOutcome?
  /// Whether new thumbnails of the photo can be stored.
  package var acceptsThumbnail = false
  /// Whether the decoder has loaded the libraries for the photo's format; if not, only the
  /// thumbnails can be shown.
  package var isDecodable = true
  /// The ending of the name of a live photo's film, "MOV" or "mov"; nil for any other photo, and if
  /// the request does not ask for it.
  package var film: String?

  package init(number: UInt32) { self.number = number }

  /// The number of descriptors that arrive with the message.
  package var descriptorCount: Int { (hasPhoto ? 1 : 0) + (hasSidecar ? 1 : 0) + thumbnailCount }

  package static let kind: UInt8 = 0x40
  package static let longestPayload = 1024

  package func encoded() -> [UInt8] {
    var payload = PayloadWriter()
    payload.write(Self.kind)
    payload.write(number)
    payload.write(optional: stamp) { $0.write(to: &$1) }
    payload.write(hasPhoto)
    payload.write(hasSidecar)
    payload.write(UInt8(clamping: thumbnailCount))
    payload.write(acceptsThumbnail)
    payload.write(isDecodable)
    payload.write(string: (film ?? "").utf8)
    payload.write(optional: failure) { $0.write(to: &$1) }
    payload.write(optional: knownFailure) { $0.write(to: &$1) }
    payload.write(optional: knownOutcome) { $0.write(to: &$1) }
    return Self.frame(payload)
  }

  package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
    var reader = PayloadReader(payload.dropFirst())
    number = try reader.read()
    if try reader.readBool() { stamp = try FileStamp(&reader) }
    hasPhoto = try reader.readBool()
    hasSidecar = try reader.readBool()
    thumbnailCount = Int(try reader.read(UInt8.self))
    acceptsThumbnail = try reader.readBool()
    isDecodable = try reader.readBool()
    film = LivePhoto.filmExtension(try reader.readString())
    if try reader.readBool() { failure = try FailureReason(&reader) }
    if try reader.readBool() { knownFailure = try FailureReason(&reader) }
    if try reader.readBool() { knownOutcome = try ThumbnailOutcome(&reader) }
    try reader.finish()
  }
}

/// A decoder's request to store something in the thumbnail cache; answered by a `StorageResponse`.
package enum StorageRequest: WireMessage, Equatable {
  /// Store a thumbnail with the facts of its photo; `replacing` overwrites a valid one of that
  /// size.
  case thumbnail(number: UInt32, PhotoInfo, Bitmap, ThumbnailSize, replacing: Bool)
  /// Record why a photo cannot be shown.
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

/// The response to a `StorageRequest`.
package struct StorageResponse: SingleKindMessage, Equatable {
  /// Whether the thumbnail was stored, or why not.
  package var outcome: ThumbnailOutcome

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
