package struct ListingRequest: Equatable, Sendable {
  /// Paths of files and folders, in the order in which their photos are shown.
  ///
  /// An empty path is the current folder; its photos are listed by their names alone.
  package var roots: [[UInt8]]
  package var isRecursive: Bool
  /// The number of levels to list: 1 is the files of the roots themselves; nil is no limit.
  package var maxDepth: Int?
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
  package var includesLocations = false

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
    where root.count <= LibraryProtocol.Request.maxPayloadLength / 2 {
      if byteCount + root.count + 2 > LibraryProtocol.Request.maxPayloadLength {
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
}

extension ListingRequest: WireValue {
  func write(to payload: inout PayloadWriter) {
    payload.write(
      isRecursive, maxDepth ?? 0, includesHidden, namesFolders, firstRoot, isWatched, isRepeated,
      indexFolder, includesLocations, roots)
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    isRecursive = try reader.read()
    let depth: Int = try reader.read()
    maxDepth = depth == 0 ? nil : depth
    includesHidden = try reader.read()
    namesFolders = try reader.read()
    firstRoot = try reader.read()
    isWatched = try reader.read()
    isRepeated = try reader.read()
    indexFolder = try reader.readFolder()
    includesLocations = try reader.read()
    roots = try reader.read()
    guard roots.allSatisfy({ !$0.contains(0) }) else { throw .malformed }
  }
}
