import Photos

/// A message that precedes a request to a decoder, with the open files that the request is about.
///
/// The process that opens files sends it to the process that decodes. The descriptors arrive with
/// its bytes: the photo's, if there is one, its sidecar's, its film's, then those of its thumbnails.
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
  /// The size in bytes of the film beside a live photo, whose descriptor comes next; nil without
  /// such a film, and if the request is not for frames.
  package var filmByteCount: Int64?
  /// The number of descriptors after that: of the photo's valid thumbnails, best first.
  package var thumbnailCount = 0
  /// The reason, recorded in the thumbnail cache, that the photo could not be shown before.
  package var knownFailure: FailureReason?
  /// The outcome of a `cacheThumbnail` request, if it is known without decoding the photo.
  package var knownOutcome: ThumbnailOutcome?
  /// Whether new thumbnails of the photo can be stored.
  package var acceptsThumbnail = false
  /// The ending of the name of a live photo's film, "MOV" or "mov"; nil for any other photo, and if
  /// the request does not ask for it.
  package var film: String?

  package init(number: UInt32) { self.number = number }

  /// The number of descriptors that arrive with the message.
  package var descriptorCount: Int {
    (hasPhoto ? 1 : 0) + (hasSidecar ? 1 : 0) + (filmByteCount != nil ? 1 : 0) + thumbnailCount
  }

  package static let kind: UInt8 = 0x40
  package static let maxPayloadLength = 1024

  package var parts: MessageParts {
    MessageParts(
      Self.kind, number, stamp, hasPhoto, hasSidecar, filmByteCount,
      UInt8(clamping: thumbnailCount),
      acceptsThumbnail, film ?? "", failure, knownFailure, knownOutcome)
  }

  package init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError) {
    number = try reader.read()
    stamp = try reader.read()
    hasPhoto = try reader.read()
    hasSidecar = try reader.read()
    filmByteCount = try reader.read()
    thumbnailCount = Int(try reader.read(UInt8.self))
    acceptsThumbnail = try reader.read()
    film = LivePhoto.filmExtension(try reader.read([UInt8].self))
    failure = try reader.read()
    knownFailure = try reader.read()
    knownOutcome = try reader.read()
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

  package var parts: MessageParts {
    switch self {
    case .thumbnail(let number, let info, let bitmap, let size, let replacing):
      MessageParts(Kind.thumbnail, number, size, replacing, info, bitmap)
    case .failure(let number, let reason): MessageParts(Kind.failure, number, reason)
    }
  }

  package init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError) {
    let number: UInt32 = try reader.read()
    switch Kind(rawValue: kind) {
    case .thumbnail:
      let (size, replacing): (ThumbnailSize, Bool) = (try reader.read(), try reader.read())
      let (info, bitmap): (PhotoInfo, Bitmap) = (try reader.read(), try reader.read())
      guard max(bitmap.width, bitmap.height) <= size.side else { throw .malformed }
      self = .thumbnail(number: number, info, bitmap, size, replacing: replacing)
    case .failure: self = .failure(number: number, try reader.read())
    case nil: throw .unknownKind(kind)
    }
  }
}

/// The response to a `StorageRequest`.
package struct StorageResponse: SingleKindMessage, Equatable {
  /// Whether the thumbnail was stored, or why not.
  package var outcome: ThumbnailOutcome

  package init(_ outcome: ThumbnailOutcome) { self.outcome = outcome }

  package static let kind: UInt8 = 0x43
  package static let maxPayloadLength = 16

  package var parts: MessageParts { MessageParts(Self.kind, outcome) }

  package init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError) {
    outcome = try reader.read()
  }
}
