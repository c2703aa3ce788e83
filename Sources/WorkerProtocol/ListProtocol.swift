import PhotoGridCore

extension ListProtocol {
  /// A request for photos or folder previews.
  package enum Request: WireMessage, Equatable {
    /// List the photos of paths; answered by events up to a `listed`.
    case list(ListingRequest)
    /// Find the first photos in each of some folders; answered by one `previewed` each.
    ///
    /// The paths of the folders end in slashes.
    case preview([[UInt8]], includesHidden: Bool)
    /// Find the facts of photos in the index in a folder; answered by one `known`.
    case lookUp(PhotoBatch, indexFolder: [UInt8])
    /// Report which of these paths exist now, and drop unreported changes of them; answered by one
    /// `checked`.
    case check([PhotoPath])

    private enum Kind: UInt8 { case list = 1, preview, lookUp, check }

    /// The most photos to look up in one request.
    package static let mostLookups = 500

    /// The longest payload, in bytes.
    package static let longestPayload = 64 << 10

    package static func payloadLimit(kind: UInt8) -> Int? {
      Kind(rawValue: kind).map { _ in longestPayload }
    }

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      switch self {
      case .list(let listing):
        payload.write(Kind.list.rawValue)
        listing.write(to: &payload)
      case .preview(let folders, let includesHidden):
        payload.write(Kind.preview.rawValue)
        payload.write(includesHidden)
        payload.write(UInt32(folders.count))
        for folder in folders { payload.write(string: folder) }
      case .lookUp(let batch, let indexFolder):
        payload.write(Kind.lookUp.rawValue)
        payload.write(string: indexFolder)
        batch.write(to: &payload)
      case .check(let paths):
        payload.write(Kind.check.rawValue)
        payload.write(UInt32(paths.count))
        for path in paths { path.write(to: &payload) }
      }
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload)
      let kind: UInt8 = try reader.read()
      switch Kind(rawValue: kind) {
      case .list: self = .list(try ListingRequest(&reader))
      case .preview:
        let includesHidden = try reader.readBool()
        let count: UInt32 = try reader.read()
        var folders: [[UInt8]] = []
        for _ in 0..<count { folders.append(try reader.readPath()) }
        self = .preview(folders, includesHidden: includesHidden)
      case .lookUp:
        let indexFolder = try reader.readPath()
        let batch = try PhotoBatch(&reader)
        guard batch.count <= Self.mostLookups, batch.facts == nil else { throw .malformed }
        self = .lookUp(batch, indexFolder: indexFolder)
      case .check:
        let count: UInt32 = try reader.read()
        var paths: [PhotoPath] = []
        for _ in 0..<count { paths.append(try PhotoPath(&reader)) }
        self = .check(paths)
      case nil: throw .unknownKind(kind)
      }
      try reader.finish()
    }
  }
}

extension ListingEvent: ResponseMessage {
  package var token: UInt32? { nil }

  package static func payloadLimit(kind: UInt8) -> Int? {
    kinds.contains(kind) ? longestPayload : nil
  }

  package func encoded() -> [UInt8] {
    var payload = PayloadWriter()
    write(to: &payload)
    return Self.frame(payload)
  }

  package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
    var reader = PayloadReader(payload)
    try self.init(&reader)
    try reader.finish()
  }
}

/// A request to list the photos of files and folders.
package struct ListingRequest: Equatable, Sendable {
  /// Paths of files and folders, in the order in which their photos are shown.
  ///
  /// An empty path is the current folder; its photos are listed by their names alone.
  package var roots: [[UInt8]]
  /// Whether subfolders are listed too.
  package var isRecursive: Bool
  /// The number of levels to list: 1 is the files of the roots themselves; nil is no limit.
  package var maxDepth: Int?
  /// Whether names that begin with a dot are listed.
  package var includesHidden: Bool
  /// Whether subfolders are reported by name, with a slash at the end, instead of being listed.
  ///
  /// Has no effect on a recursive listing.
  package var namesFolders = false
  /// The index of the first root, if the listing takes several requests.
  package var firstRoot = 0
  /// Whether changes are reported after the listing.
  package var isWatched = false
  /// Whether the same roots were listed before, so that each folder is reported as `relisting`.
  package var isRepeated = false
  /// The absolute path of the folder with the index of facts; empty if there is none to use.
  package var indexFolder: [UInt8] = []
  /// Whether facts from the index include where photos were taken.
  package var includesPlaces = false

  /// Creates a request for the photos of `roots`.
  package init(
    roots: [[UInt8]], isRecursive: Bool = false, maxDepth: Int? = nil, includesHidden: Bool = false
  ) {
    self.roots = roots
    self.isRecursive = isRecursive
    self.maxDepth = maxDepth
    self.includesHidden = includesHidden
  }

  /// Returns the request divided into requests that each fit into a message.
  ///
  /// Paths that are too long for any message are dropped, since no file can have them.
  package func pieces() -> [ListingRequest] {
    var pieces: [ListingRequest] = []
    var piece = self
    piece.roots = []
    var byteCount = 32 + indexFolder.count
    for (number, root) in roots.enumerated()
    where root.count <= ListProtocol.Request.longestPayload / 2 {
      if byteCount + root.count + 2 > ListProtocol.Request.longestPayload {
        pieces.append(piece)
        piece.roots = []
        piece.firstRoot = number
        byteCount = 32 + indexFolder.count
      }
      piece.roots.append(root)
      byteCount += root.count + 2
    }
    if !piece.roots.isEmpty || pieces.isEmpty { pieces.append(piece) }
    return pieces
  }

  func write(to payload: inout PayloadWriter) {
    payload.write(isRecursive)
    payload.write(UInt32(clamping: maxDepth ?? 0))
    payload.write(includesHidden)
    payload.write(namesFolders)
    payload.write(UInt32(firstRoot))
    payload.write(isWatched)
    payload.write(isRepeated)
    payload.write(string: indexFolder)
    payload.write(includesPlaces)
    payload.write(UInt32(roots.count))
    for root in roots { payload.write(string: root) }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    isRecursive = try reader.readBool()
    let depth: UInt32 = try reader.read()
    maxDepth = depth == 0 ? nil : Int(depth)
    includesHidden = try reader.readBool()
    namesFolders = try reader.readBool()
    firstRoot = Int(try reader.read(UInt32.self))
    isWatched = try reader.readBool()
    isRepeated = try reader.readBool()
    indexFolder = try reader.readString()
    guard !indexFolder.contains(0) else { throw .malformed }
    includesPlaces = try reader.readBool()
    let count: UInt32 = try reader.read()
    roots = []
    for _ in 0..<count {
      let root = try reader.readString()
      guard !root.contains(0) else { throw .malformed }
      roots.append(root)
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
  /// The first roots that could not be read, at most `mostProblems`.
  package var problems: [Problem] = []
  /// The number of all roots that could not be read, listed in `problems` or not.
  package var problemCount = 0

  /// The first roots of a new listing that do not exist, at most `mostProblems`.
  package var missing: [Problem] = []
  /// The number of all roots of a new listing that do not exist.
  package var missingCount = 0

  /// A root that could not be read.
  package struct Problem: Equatable, Sendable {
    /// The path of the root.
    package var path: [UInt8]
    package var reason: FailureReason

    package init(path: [UInt8], reason: FailureReason) {
      self.path = path
      self.reason = reason
    }
  }

  /// The most problems that are listed with their paths.
  package static let mostProblems = 16

  /// Creates the summary of an empty listing.
  package init() {}

  /// Adds a root that could not be read.
  package mutating func add(_ problem: Problem) {
    problemCount += 1
    if problems.count < Self.mostProblems { problems.append(problem) }
  }

  /// Adds a root that does not exist.
  package mutating func add(missing problem: Problem) {
    missingCount += 1
    if missing.count < Self.mostProblems { missing.append(problem) }
  }

  /// Adds the summary of the next part of the same listing.
  package mutating func add(_ next: ListingSummary) {
    skipped += next.skipped
    videos += next.videos
    wentDeeper = wentDeeper || next.wentDeeper
    unreadableFolders += next.unreadableFolders
    unwatchedFolders += next.unwatchedFolders
    problems += next.problems.prefix(max(0, Self.mostProblems - problems.count))
    problemCount += next.problemCount
    missing += next.missing.prefix(max(0, Self.mostProblems - missing.count))
    missingCount += next.missingCount
  }
}

extension ListingSummary {
  /// The longest path in a problem, in bytes; longer ones are cut, so that the message stays small.
  private static let longestPath = 4096

  func write(to payload: inout PayloadWriter) {
    payload.write(UInt32(clamping: skipped))
    payload.write(UInt32(clamping: videos))
    payload.write(wentDeeper)
    payload.write(UInt32(clamping: unreadableFolders))
    payload.write(UInt32(clamping: unwatchedFolders))
    Self.write(problems, of: problemCount, to: &payload)
    Self.write(missing, of: missingCount, to: &payload)
  }

  private static func write(
    _ problems: [Problem], of count: Int, to payload: inout PayloadWriter
  ) {
    payload.write(UInt32(clamping: count))
    payload.write(UInt8(problems.count))
    for problem in problems {
      payload.write(string: problem.path.prefix(longestPath))
      problem.reason.write(to: &payload)
    }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    skipped = Int(try reader.read(UInt32.self))
    videos = Int(try reader.read(UInt32.self))
    wentDeeper = try reader.readBool()
    unreadableFolders = Int(try reader.read(UInt32.self))
    unwatchedFolders = Int(try reader.read(UInt32.self))
    (problems, problemCount) = try Self.readProblems(&reader)
    (missing, missingCount) = try Self.readProblems(&reader)
  }

  private static func readProblems(
    _ reader: inout PayloadReader
  ) throws(ProtocolError) -> ([Problem], count: Int) {
    let all = Int(try reader.read(UInt32.self))
    let count: UInt8 = try reader.read()
    guard count <= mostProblems, count <= all else { throw .malformed }
    var problems: [Problem] = []
    for _ in 0..<count {
      problems.append(
        Problem(path: try reader.readString(), reason: try FailureReason(&reader)))
    }
    return (problems, all)
  }
}
