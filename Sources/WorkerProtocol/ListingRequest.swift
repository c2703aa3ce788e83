/// Which paths to look through for photos, and how.
package struct ListingRequest: Equatable, Sendable {
  /// Files and folders, in the order in which their photos are wanted.
  ///
  /// An empty path is the current folder, whose photos are found by their bare names.
  package var roots: [[UInt8]]
  /// Whether folders inside folders are looked through too.
  package var isRecursive: Bool
  /// How many levels of folders are looked through: 1 is a root's own files; nil is all.
  package var maxDepth: Int?
  /// Whether names with a leading dot count.
  package var includesHidden: Bool
  /// Whether the folders in the roots are told too, by names that end in a slash, rather than looked
  /// through; without effect where it is recursive.
  package var namesFolders = false
  /// The number of the first root, where a listing takes several requests.
  package var firstRoot = 0
  /// Whether what happens later in the folders is told too.
  package var isWatched = false
  /// Whether this is known already, and only what is different by now matters: each folder is told
  /// as `relisting`.
  package var isRepeated = false

  /// A request for the photos of `roots`.
  package init(
    roots: [[UInt8]], isRecursive: Bool = false, maxDepth: Int? = nil, includesHidden: Bool = false
  ) {
    self.roots = roots
    self.isRecursive = isRecursive
    self.maxDepth = maxDepth
    self.includesHidden = includesHidden
  }

  /// This request in pieces that each fit into a message; paths that fit into none are dropped,
  /// since no file can have them.
  package func pieces() -> [ListingRequest] {
    var pieces: [ListingRequest] = []
    var piece = self
    piece.roots = []
    var byteCount = 32
    for (number, root) in roots.enumerated()
    where root.count <= ListProtocol.Request.longestPayload / 2 {
      if byteCount + root.count + 2 > ListProtocol.Request.longestPayload {
        pieces.append(piece)
        piece.roots = []
        piece.firstRoot = number
        byteCount = 32
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
    let count: UInt32 = try reader.read()
    roots = []
    for _ in 0..<count {
      let root = try reader.readString()
      guard !root.contains(0) else { throw .malformed }
      roots.append(root)
    }
  }
}
