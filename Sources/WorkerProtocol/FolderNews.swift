import PhotoGridCore

/// What a lister tells of the folders that it looks through and watches.
package enum FolderNews: Equatable, Sendable {
  /// Photos; those of one folder usually in natural order, and folder after folder as
  /// `ListingOrder` has them.
  case found(PhotoBatch)
  /// A listing that was asked for is complete.
  case listed(ListingSummary)
  /// All photos of a place come next, in order, and then `relisted`; what is not among them is not
  /// there any more.
  case relisting(ListedPlace)
  /// The end of such a list; where it is not complete, nothing is known of photos left out.
  case relisted(isComplete: Bool)
  /// Single photos came, went or changed; `isLast` ends what belongs together.
  case changed([PhotoChange], isLast: Bool)
  /// A root is not there any more, nor anything in it.
  case lost(root: Int, FailureReason)
  /// A folder that was asked for was looked into.
  case glanced(FolderGlance)

  /// The longest payload, in bytes.
  static let longestPayload = 128 << 10
  /// The longest list of names or changes in one message, in bytes.
  package static let longestBatch = 64 << 10

  private static let foundKind: UInt8 = 1
  private static let listedKind: UInt8 = 2
  private static let relistingKind: UInt8 = 3
  private static let relistedKind: UInt8 = 4
  private static let changedKind: UInt8 = 5
  private static let lostKind: UInt8 = 6
  private static let glancedKind: UInt8 = 7
  static let kinds = foundKind...glancedKind

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
      payload.write(UInt32(changes.count))
      for change in changes { change.write(to: &payload) }
    case .lost(let root, let reason):
      payload.write(Self.lostKind)
      payload.write(UInt32(root))
      reason.write(to: &payload)
    case .glanced(let glance):
      payload.write(Self.glancedKind)
      glance.write(to: &payload)
    }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let kind: UInt8 = try reader.read()
    switch kind {
    case Self.foundKind: self = .found(try PhotoBatch(&reader))
    case Self.listedKind: self = .listed(try ListingSummary(&reader))
    case Self.relistingKind: self = .relisting(try ListedPlace(&reader))
    case Self.relistedKind: self = .relisted(isComplete: try reader.readBool())
    case Self.changedKind:
      let isLast = try reader.readBool()
      let count: UInt32 = try reader.read()
      var changes: [PhotoChange] = []
      for _ in 0..<count { changes.append(try PhotoChange(&reader)) }
      self = .changed(changes, isLast: isLast)
    case Self.lostKind:
      self = .lost(root: Int(try reader.read(UInt32.self)), try FailureReason(&reader))
    case Self.glancedKind: self = .glanced(try FolderGlance(&reader))
    default: throw .unknownKind(kind)
    }
  }
}

/// A part of what was listed: a folder's own photos, or those of its subfolders too.
package struct ListedPlace: Equatable, Sendable {
  /// The number of the root in the request.
  package var root: Int
  /// The folder with its slash; empty for the current one.
  package var folder: [UInt8]
  /// Whether subfolders belong to it.
  package var isDeep: Bool

  /// The place of a folder.
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

/// The path of a photo, or of a folder if it ends in a slash, and the root through which it is
/// listed.
package struct PhotoPath: Hashable, Sendable {
  /// The number of the root in the request.
  package var root: Int
  package var path: [UInt8]

  /// A path below a root.
  package init(root: Int, path: [UInt8]) {
    self.root = root
    self.path = path
  }

  /// Where the last part of a path begins, which of a folder ends in a slash.
  package static func nameStart(in path: [UInt8]) -> Int {
    path.dropLast().lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
  }

  /// Bytes that it takes in a message.
  var byteCount: Int { path.count + 6 }

  fileprivate func write(to payload: inout PayloadWriter) {
    payload.write(UInt32(root))
    payload.write(string: path)
  }

  fileprivate init(_ reader: inout PayloadReader) throws(ProtocolError) {
    root = Int(try reader.read(UInt32.self))
    path = try reader.readPath()
  }
}

/// Something that happened to one photo's file, or to a folder.
package enum PhotoChange: Equatable, Sendable {
  /// It is there and complete, new or with other contents.
  case present(PhotoPath)
  /// It is not there.
  case absent(PhotoPath)
  /// It has another name or is in another folder; what had that name before is gone.
  case renamed(PhotoPath, to: PhotoPath)

  /// Bytes that it takes in a message.
  package var byteCount: Int {
    switch self {
    case .present(let path), .absent(let path): path.byteCount + 1
    case .renamed(let old, let new): old.byteCount + new.byteCount + 1
    }
  }

  fileprivate func write(to payload: inout PayloadWriter) {
    switch self {
    case .present(let path):
      payload.write(UInt8(1))
      path.write(to: &payload)
    case .absent(let path):
      payload.write(UInt8(2))
      path.write(to: &payload)
    case .renamed(let old, let new):
      payload.write(UInt8(3))
      old.write(to: &payload)
      new.write(to: &payload)
    }
  }

  fileprivate init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let kind: UInt8 = try reader.read()
    switch kind {
    case 1: self = .present(try PhotoPath(&reader))
    case 2: self = .absent(try PhotoPath(&reader))
    case 3: self = .renamed(try PhotoPath(&reader), to: try PhotoPath(&reader))
    default: throw .unknownKind(kind)
    }
  }
}
