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
