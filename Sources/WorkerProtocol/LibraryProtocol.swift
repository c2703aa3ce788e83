import Photos

/// The messages of a process of the library, which reads folders, the headers of photos, and the
/// index.
///
/// There is one process for each job, so that a disk that hangs blocks only that: listing and
/// watching folders, completing a path that the user types, reading the facts of photos, hashing
/// files, or recording facts.
package enum LibraryProtocol: MessageSet {
  /// The most photos to look up in one request.
  package static let maxLookups = 500
  /// The most photos to describe or to record in one request: a number that fits with the longest names
  /// and texts.
  package static let maxPhotos = 256
  /// The most names of folders in a response.
  package static let maxNames = 400

  package enum Request: WireMessage, Equatable {
    /// List the photos of paths; answered by events up to a `listed`.
    case list(ListingRequest)
    /// Find the first photos in each of some folders; answered by one `previewed` each.
    ///
    /// The paths of the folders end in slashes.
    case preview([[UInt8]], includesHidden: Bool)
    /// Look up the facts of photos in the index that is in `indexFolder`; answered by one `known`.
    case lookUp(PhotoBatch, indexFolder: [UInt8])
    /// Report which of these paths exist now, and drop unreported changes of them; answered by one
    /// `checked`.
    case check([PhotoPath])
    /// Find the folders that complete a path, absolute or from the current folder, whose last
    /// component is completed; answered by `names`.
    case complete(path: [UInt8])
    /// Read the facts of photos in one folder, at most `maxPhotos`; answered by `facts`.
    case describe(PhotoBatch)
    /// Hash the bytes of a file, to tell copies from photos that look alike; answered by `digest`.
    case digest(path: [UInt8])
    /// Record facts, hashes, and ratings of photos of one folder in the index that is in
    /// `indexFolder`; answered by `recorded`.
    ///
    /// Facts and hashes are recorded if the state of the file that they were read from can be
    /// identified, and ratings if they have stamps.
    ///
    /// A process that records does nothing else, and writes one index.
    case record(PhotoBatch, indexFolder: [UInt8])

    private enum Kind: UInt8 {
      case list = 1, preview, lookUp, check, complete, describe, digest, record
    }

    /// The longest payload of a request about a listing, in bytes.
    package static let maxPayloadLength = 64 << 10
    private static let maxRecordLength = 4 << 20

    package static func payloadLimit(kind: UInt8) -> Int? {
      switch Kind(rawValue: kind) {
      case .list, .preview, .lookUp, .check: maxPayloadLength
      case .complete, .digest: 8 << 10
      case .describe: maxPhotos * 256 + (8 << 10)
      case .record: maxRecordLength
      case nil: nil
      }
    }

    package var parts: MessageParts {
      switch self {
      case .list(let listing): MessageParts(Kind.list, listing)
      case .preview(let folders, let includesHidden):
        MessageParts(Kind.preview, folders, includesHidden)
      case .lookUp(let batch, let folder): MessageParts(Kind.lookUp, batch, folder)
      case .check(let paths): MessageParts(Kind.check, paths)
      case .complete(let path): MessageParts(Kind.complete, path)
      case .describe(let photos): MessageParts(Kind.describe, photos)
      case .digest(let path): MessageParts(Kind.digest, path)
      case .record(let photos, let folder): MessageParts(Kind.record, photos, folder)
      }
    }

    package init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError) {
      switch Kind(rawValue: kind) {
      case .list: self = .list(try reader.read())
      case .preview: self = .preview(try reader.readPaths(), includesHidden: try reader.read())
      case .lookUp:
        let batch: PhotoBatch = try reader.read()
        guard batch.count <= maxLookups, batch.facts == nil else { throw .malformed }
        self = .lookUp(batch, indexFolder: try reader.readPath())
      case .check: self = .check(try reader.read())
      case .complete: self = .complete(path: try reader.readPath())
      case .describe:
        let photos: PhotoBatch = try reader.read()
        guard (1...maxPhotos).contains(photos.count), photos.facts == nil else {
          throw .malformed
        }
        self = .describe(photos)
      case .digest: self = .digest(path: try reader.readPath())
      case .record:
        let photos: PhotoBatch = try reader.read()
        guard photos.count <= maxPhotos, photos.facts != nil else { throw .malformed }
        self = .record(photos, indexFolder: try reader.readPath())
      case nil: throw .unknownKind(kind)
      }
    }
  }

  package enum Response: WireMessage, Equatable {
    case listing(ListingEvent)
    /// The names of folders that begin with the path's last component, in no particular order; only
    /// the first that were found, at most `maxNames`.
    ///
    /// `isFolder` says whether the path is that of a folder.
    case names([[UInt8]], isFolder: Bool)
    /// The facts of the first photos, at least one; those that need a decoder are not `isKnown`.
    case facts(InfoBlock)
    /// The hash of a file; nil if it cannot be read.
    case digest(ContentDigest?)
    /// The number of photos that were recorded, and a printable reason why the others were not; nil
    /// if all were.
    case recorded(Int, failure: String? = nil)

    private enum Kind: UInt8 { case names = 0x20, facts, digest, recorded }

    package static let maxNamesLength = 128 << 10
    package static let maxFactsLength = 2 << 20
    package static let maxDigestLength = 64
    package static let maxRecordedLength = 1024
    private static let maxTextLength = 200

    package static func payloadLimit(kind: UInt8) -> Int? {
      switch Kind(rawValue: kind) {
      case .names: maxNamesLength
      case .facts: maxFactsLength
      case .digest: maxDigestLength
      case .recorded: maxRecordedLength
      case nil: ListingEvent.payloadLimit(kind: kind)
      }
    }

    package var parts: MessageParts {
      switch self {
      case .listing(let event): event.parts
      case .names(let names, let isFolder):
        MessageParts(Kind.names, Array(names.prefix(maxNames)), isFolder)
      case .facts(let facts): MessageParts(Kind.facts, facts)
      case .digest(let digest): MessageParts(Kind.digest, digest?.bytes ?? [])
      case .recorded(let count, let failure):
        MessageParts(Kind.recorded, count, Array((failure ?? "").utf8.prefix(Self.maxTextLength)))
      }
    }

    package init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError) {
      switch Kind(rawValue: kind) {
      case .names:
        let names = try reader.readPaths()
        guard names.count <= maxNames else { throw .malformed }
        self = .names(names, isFolder: try reader.read())
      case .facts:
        let facts: InfoBlock = try reader.read()
        guard (1...maxPhotos).contains(facts.rows.count) else { throw .malformed }
        self = .facts(facts)
      case .digest:
        let bytes: [UInt8] = try reader.read()
        let digest = ContentDigest(bytes)
        guard bytes.isEmpty || digest != nil else { throw .malformed }
        self = .digest(digest)
      case .recorded:
        let count: Int = try reader.read()
        let text = try reader.readText(limit: Self.maxTextLength)
        self = .recorded(count, failure: text.isEmpty ? nil : text)
      case nil: self = .listing(try ListingEvent(kind: kind, &reader))
      }
    }
  }
}

/// The first photos of a folder, for the preview on its tile.
package struct FolderSamples: Equatable, Sendable {
  /// The path of the folder, which ends in a slash.
  package var folder: [UInt8]
  /// The paths of the first photos, at most `maxCount`.
  ///
  /// A folder without photos is represented by photos of its first subfolders.
  package var samples: [[UInt8]]
  /// The reason that the folder cannot be read; nil if it was read.
  package var failure: FailureReason?

  /// The most photos on the tile of a folder.
  package static let maxCount = 4

  /// Creates the samples of a folder, or the reason that it cannot be read.
  package init(folder: [UInt8], samples: [[UInt8]] = [], failure: FailureReason? = nil) {
    self.folder = folder
    self.samples = samples
    self.failure = failure
  }
}

extension FolderSamples: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(folder, samples, failure) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    folder = try reader.readPath()
    samples = try reader.readPaths()
    failure = try reader.read()
    guard samples.count <= Self.maxCount else { throw .malformed }
  }
}
