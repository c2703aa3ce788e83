import PhotoGridCore

/// A report of the process that lists and watches folders.
///
/// A listing is reported by `found` messages and one `listed`. After that, if the folders are
/// watched, changes arrive as `changed`, or as new lists of whole folders between `relisting` and
/// `relisted`.
package enum ListingEvent: Equatable, Sendable {
  /// The first of the requested paths that exists was looked up; sent once for each new listing,
  /// before what was found there.
  case located(isFolder: Bool)
  /// Photos of one folder, usually in natural order; folders come in the order of `ListingOrder`.
  case found(PhotoBatch)
  /// A requested listing is complete.
  case listed(ListingSummary)
  /// A new list of a folder's photos begins: those up to `relisted` replace all photos known there.
  case relisting(ListedPlace)
  /// The new list ends; if it is incomplete, known photos that it leaves out may still exist.
  case relisted(isComplete: Bool)
  /// Single photos appeared, disappeared or changed, in this order; more of the same group follow
  /// until `isLast`.
  case changed([PhotoChange], isLast: Bool)
  /// A root was removed, with everything in it.
  case lost(root: Int, FailureReason)
  /// The requested preview of a folder.
  case previewed(FolderSamples)
  /// The photos that were looked up in the index, with facts if any of them are known.
  case known(PhotoBatch)
  /// The state of the paths of a `check`: `present` if a path is listed as a photo, `absent` if
  /// there is no file.
  case checked([PhotoChange])
  /// The listing ended early, for this printable reason; the process itself cannot say so.
  case failed(String)

  /// The longest payload, in bytes.
  static let longestPayload = 256 << 10
  /// The longest list of names or changes in one message, in bytes.
  package static let longestBatch = 128 << 10

  private static let foundKind: UInt8 = 1
  private static let listedKind: UInt8 = 2
  private static let relistingKind: UInt8 = 3
  private static let relistedKind: UInt8 = 4
  private static let changedKind: UInt8 = 5
  private static let lostKind: UInt8 = 6
  private static let previewedKind: UInt8 = 7
  private static let knownKind: UInt8 = 8
  private static let checkedKind: UInt8 = 9
  private static let locatedKind: UInt8 = 10
  /// The first bytes of all events that a process may send.
  static let kinds = foundKind...locatedKind
  private static let failedKind: UInt8 = 11

  /// Writes the kind of the event and its values.
  func write(to payload: inout PayloadWriter) {
    switch self {
    case .found(let batch):
      payload.write(Self.foundKind)
      batch.write(to: &payload)
    case .listed(let summary):
      payload.write(Self.listedKind)
      summary.write(to: &payload)
    case .relisting(let place):
      payload.write(Self.relistingKind)
      place.write(to: &payload)
    case .relisted(let isComplete):
      payload.write(Self.relistedKind)
      payload.write(isComplete)
    case .changed(let changes, let isLast):
      payload.write(Self.changedKind)
      payload.write(isLast)
      Self.write(changes, to: &payload)
    case .lost(let root, let reason):
      payload.write(Self.lostKind)
      payload.write(UInt32(root))
      reason.write(to: &payload)
    case .previewed(let samples):
      payload.write(Self.previewedKind)
      samples.write(to: &payload)
    case .known(let batch):
      payload.write(Self.knownKind)
      batch.write(to: &payload)
    case .checked(let changes):
      payload.write(Self.checkedKind)
      Self.write(changes, to: &payload)
    case .located(let isFolder):
      payload.write(Self.locatedKind)
      payload.write(isFolder)
    case .failed(let reason):
      payload.write(Self.failedKind)
      payload.write(string: reason.utf8)
    }
  }

  private static func write(_ changes: [PhotoChange], to payload: inout PayloadWriter) {
    payload.write(UInt32(changes.count))
    for change in changes { change.write(to: &payload) }
  }

  /// Reads the kind of an event and its values.
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let kind: UInt8 = try reader.read()
    switch kind {
    case Self.foundKind: self = .found(try PhotoBatch(&reader))
    case Self.listedKind: self = .listed(try ListingSummary(&reader))
    case Self.relistingKind: self = .relisting(try ListedPlace(&reader))
    case Self.relistedKind: self = .relisted(isComplete: try reader.readBool())
    case Self.changedKind:
      let isLast = try reader.readBool()
      self = .changed(try Self.readChanges(&reader), isLast: isLast)
    case Self.lostKind:
      self = .lost(root: Int(try reader.read(UInt32.self)), try FailureReason(&reader))
    case Self.previewedKind: self = .previewed(try FolderSamples(&reader))
    case Self.knownKind: self = .known(try PhotoBatch(&reader))
    case Self.checkedKind: self = .checked(try Self.readChanges(&reader))
    case Self.locatedKind: self = .located(isFolder: try reader.readBool())
    default: throw .unknownKind(kind)
    }
  }

  private static func readChanges(
    _ reader: inout PayloadReader
  ) throws(ProtocolError) -> [PhotoChange] {
    let count: UInt32 = try reader.read()
    var changes: [PhotoChange] = []
    for _ in 0..<count { changes.append(try PhotoChange(&reader)) }
    return changes
  }
}

/// A folder that was listed, with or without its subfolders.
package struct ListedPlace: Equatable, Sendable {
  /// The index of the root in the request.
  package var root: Int
  /// The folder's path, which ends in a slash; empty for the current folder.
  package var folder: [UInt8]
  /// Whether the subfolders are included.
  package var isDeep: Bool

  package init(root: Int, folder: [UInt8], isDeep: Bool) {
    self.root = root
    self.folder = folder
    self.isDeep = isDeep
  }

  fileprivate func write(to payload: inout PayloadWriter) {
    payload.write(UInt32(root))
    payload.write(string: folder)
    payload.write(isDeep)
  }

  fileprivate init(_ reader: inout PayloadReader) throws(ProtocolError) {
    root = Int(try reader.read(UInt32.self))
    folder = try reader.readString()
    isDeep = try reader.readBool()
    guard !folder.contains(0) else { throw .malformed }
  }
}
