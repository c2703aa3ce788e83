import PhotoGridCore

/// A report of the process that lists and watches folders.
///
/// A listing is reported by `found` messages and one `listed`. After that, if the folders are
/// watched, changes arrive as `changed`, or as new lists of whole folders between `relisting` and
/// `relisted`.
package enum ListingEvent: WireMessage, Equatable {
  /// The first of the requested paths that exists was looked up; sent once for each new listing,
  /// before what was found there.
  case located(isFolder: Bool)
  /// Photos of one folder, usually in natural order; folders come in the order of `ListingOrder`.
  case found(PhotoBatch)
  case listed(ListingSummary)
  /// A new list of a folder's photos begins: those up to `relisted` replace all photos known there.
  case relisting(ListedFolder)
  /// The new list ends; if it is incomplete, known photos that it leaves out may still exist.
  case relisted(isComplete: Bool)
  /// Single photos appeared, disappeared or changed, in this order; more of the same group follow
  /// until `isLast`.
  case changed([PhotoChange], isLast: Bool)
  /// A root was removed, with everything in it.
  case lost(root: Int, FailureReason)
  case previewed(FolderSamples)
  /// The photos that were looked up in the index, with facts if any of them are known.
  case known(PhotoBatch)
  /// The state of the paths of a `check`: `present` if a path is listed as a photo, `absent` if
  /// there is no file.
  case checked([PhotoChange])
  /// The listing ended early, for this printable reason; the process itself cannot say so.
  case failed(String)

  static let maxPayloadLength = 256 << 10
  /// The longest list of names or changes in one message, in bytes.
  package static let maxBatchLength = 128 << 10

  /// `failed` is not for a process to send.
  private enum Kind: UInt8 {
    case found = 1
    case listed, relisting, relisted, changed, lost, previewed, known, checked, located, failed
  }

  package static func payloadLimit(kind: UInt8) -> Int? {
    switch Kind(rawValue: kind) {
    case .failed, nil: nil
    default: maxPayloadLength
    }
  }

  package var parts: MessageParts {
    switch self {
    case .found(let batch): MessageParts(Kind.found, batch)
    case .listed(let summary): MessageParts(Kind.listed, summary)
    case .relisting(let folder): MessageParts(Kind.relisting, folder)
    case .relisted(let isComplete): MessageParts(Kind.relisted, isComplete)
    case .changed(let changes, let isLast): MessageParts(Kind.changed, changes, isLast)
    case .lost(let root, let reason): MessageParts(Kind.lost, root, reason)
    case .previewed(let samples): MessageParts(Kind.previewed, samples)
    case .known(let batch): MessageParts(Kind.known, batch)
    case .checked(let changes): MessageParts(Kind.checked, changes)
    case .located(let isFolder): MessageParts(Kind.located, isFolder)
    case .failed(let reason): MessageParts(Kind.failed, reason)
    }
  }

  package init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError) {
    switch Kind(rawValue: kind) {
    case .found: self = .found(try reader.read())
    case .listed: self = .listed(try reader.read())
    case .relisting: self = .relisting(try reader.read())
    case .relisted: self = .relisted(isComplete: try reader.read())
    case .changed: self = .changed(try reader.read(), isLast: try reader.read())
    case .lost: self = .lost(root: try reader.read(), try reader.read())
    case .previewed: self = .previewed(try reader.read())
    case .known: self = .known(try reader.read())
    case .checked: self = .checked(try reader.read())
    case .located: self = .located(isFolder: try reader.read())
    case .failed, nil: throw .unknownKind(kind)
    }
  }
}

/// A folder that was listed, with or without its subfolders.
package struct ListedFolder: Equatable, Sendable {
  /// The index of the root in the request.
  package var root: Int
  /// The folder's path, which ends in a slash; empty for the current folder.
  package var folder: [UInt8]
  package var isDeep: Bool

  package init(root: Int, folder: [UInt8], isDeep: Bool) {
    self.root = root
    self.folder = folder
    self.isDeep = isDeep
  }
}

extension ListedFolder: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(root, folder, isDeep) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    (root, folder) = (try reader.read(), try reader.readFolder())
    isDeep = try reader.read()
  }
}
