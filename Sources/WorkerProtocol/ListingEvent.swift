import Photos

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

/// The path of a photo or folder, and the root below which it was found.
package struct PhotoPath: Hashable, Sendable {
  package var root: Int
  /// The path as bytes without NUL; the path of a folder ends in a slash.
  package var path: [UInt8]

  package init(root: Int, path: [UInt8]) {
    self.root = root
    self.path = path
  }

  /// The size in a message, in bytes.
  package var byteCount: Int { path.count + 6 }
}

extension PhotoPath: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(root, path) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    (root, path) = (try reader.read(), try reader.readPath())
  }
}

/// A change of one photo's file, or of a folder that has a tile.
package enum PhotoChange: Equatable, Sendable {
  /// The file exists and is complete: it is new, or its contents may have changed.
  case present(PhotoPath)
  case absent(PhotoPath)
  /// The file was renamed or moved; it replaces a file that had the new path before.
  case renamed(PhotoPath, to: PhotoPath)
  /// A sidecar was written or removed; the path is the sidecar's without ".xmp".
  ///
  /// It is `a.jpg` for the sidecar `a.jpg.xmp`, and `a` for `a.xmp`.
  case annotated(PhotoPath)

  /// Returns the change without the paths that satisfy a predicate; nil if nothing remains.
  ///
  /// A rename from such a path becomes `present` for the new path, and a rename to such a path
  /// becomes `absent` for the old one. Changes of sidecars always remain.
  package func leavingOut(_ isLeftOut: (PhotoPath) -> Bool) -> PhotoChange? {
    switch self {
    case .annotated: return self
    case .present(let path), .absent(let path): return isLeftOut(path) ? nil : self
    case .renamed(let old, let new):
      switch (isLeftOut(old), isLeftOut(new)) {
      case (false, false): return self
      case (true, false): return .present(new)
      case (false, true): return .absent(old)
      case (true, true): return nil
      }
    }
  }

  /// The size in a message, in bytes.
  package var byteCount: Int {
    switch self {
    case .present(let path), .absent(let path), .annotated(let path): path.byteCount + 1
    case .renamed(let old, let new): old.byteCount + new.byteCount + 1
    }
  }
}

extension PhotoChange: WireValue {
  func write(to payload: inout PayloadWriter) {
    switch self {
    case .present(let path): payload.write(UInt8(1), path)
    case .absent(let path): payload.write(UInt8(2), path)
    case .renamed(let old, let new): payload.write(UInt8(3), old, new)
    case .annotated(let path): payload.write(UInt8(4), path)
    }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    switch try reader.read(UInt8.self) {
    case 1: self = .present(try reader.read())
    case 2: self = .absent(try reader.read())
    case 3: self = .renamed(try reader.read(), to: try reader.read())
    case 4: self = .annotated(try reader.read())
    case let kind: throw .unknownKind(kind)
    }
  }
}

/// The result of a listing besides the photos.
package struct ListingSummary: Equatable, Sendable {
  /// The number of files that are images neither by their names nor by their first bytes, apart from
  /// videos and from what belongs to an image, such as sidecars.
  package var skipped = 0
  /// The number of videos, apart from the films of live photos.
  package var videos = 0
  /// Whether a folder had no photos, so that its subfolders were listed instead.
  package var wentDeeper = false
  /// The number of folders below the roots that could not be read completely.
  package var unreadableFolders = 0
  /// The number of folders that cannot be watched, because there are too many.
  package var unwatchedFolders = 0
  /// The first roots that could not be read, at most `maxProblems`.
  package var problems: [Problem] = []
  /// The number of all roots that could not be read, listed in `problems` or not.
  package var problemCount = 0

  /// The first roots of a new listing that do not exist, at most `maxProblems`.
  package var missing: [Problem] = []
  /// The number of all roots of a new listing that do not exist.
  package var missingCount = 0

  /// A root that could not be read.
  package struct Problem: Equatable, Sendable {
    package var path: [UInt8]
    package var reason: FailureReason

    package init(path: [UInt8], reason: FailureReason) {
      self.path = path
      self.reason = reason
    }
  }

  /// The most problems that are listed with their paths.
  package static let maxProblems = 16

  package init() {}

  package mutating func add(_ problem: Problem) {
    problemCount += 1
    if problems.count < Self.maxProblems { problems.append(problem) }
  }

  package mutating func add(missing problem: Problem) {
    missingCount += 1
    if missing.count < Self.maxProblems { missing.append(problem) }
  }

  /// Adds the summary of the next part of the same listing.
  package mutating func add(_ next: ListingSummary) {
    skipped += next.skipped
    videos += next.videos
    wentDeeper = wentDeeper || next.wentDeeper
    unreadableFolders += next.unreadableFolders
    unwatchedFolders += next.unwatchedFolders
    problems += next.problems.prefix(max(0, Self.maxProblems - problems.count))
    problemCount += next.problemCount
    missing += next.missing.prefix(max(0, Self.maxProblems - missing.count))
    missingCount += next.missingCount
  }
}

extension ListingSummary: WireValue {
  func write(to payload: inout PayloadWriter) {
    payload.write(
      skipped, videos, wentDeeper, unreadableFolders, unwatchedFolders, problemCount, problems,
      missingCount, missing)
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    skipped = try reader.read()
    videos = try reader.read()
    wentDeeper = try reader.read()
    unreadableFolders = try reader.read()
    unwatchedFolders = try reader.read()
    problemCount = try reader.read()
    problems = try reader.readList(limit: min(Self.maxProblems, problemCount))
    missingCount = try reader.read()
    missing = try reader.readList(limit: min(Self.maxProblems, missingCount))
  }
}

extension ListingSummary.Problem: WireValue {
  /// The longest path, in bytes; longer ones are cut, so that the message stays small.
  private static let maxPathLength = 4096

  func write(to payload: inout PayloadWriter) {
    payload.write(Array(path.prefix(Self.maxPathLength)), reason)
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    (path, reason) = (try reader.read(), try reader.read())
  }
}
