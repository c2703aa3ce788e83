import PhotoGridCore

/// What the program asks of a worker.
package enum Request: WireMessage, Equatable {
  /// Find the photos of these paths; answered by news, of which one is `listed`.
  case list(ListingRequest)
  /// Read a photo's head; answered by `described` or `failed` with the same token.
  case describe(token: UInt32, path: [UInt8])
  /// Decode a photo to `targetSize(of:in:mode:)`; answered by `decoded` or `failed`.
  case decode(token: UInt32, path: [UInt8], size: PixelSize, mode: ContentMode)
  /// Decode a part of a photo; answered by `decodedRegion` or `failed`.
  case decodeRegion(token: UInt32, path: [UInt8], region: PhotoRegion)
  /// Decode frames of an animated photo to the same size as `decode` would; answered by `frames`
  /// or `failed`.
  case frames(token: UInt32, path: [UInt8], size: PixelSize, mode: ContentMode, FrameRange)
  /// Make a file of a picture; answered by `encoded` or `failed`.
  case encode(token: UInt32, Bitmap, PictureEncoding.Format)
  /// Show at once what is at hand of a photo for such a `decode`: answered by `decoded` with a
  /// thumbnail that is as good, by `previewed` with another, by `noPreview` or `failed`.
  case preview(token: UInt32, path: [UInt8], size: PixelSize, mode: ContentMode)
  /// From now on read thumbnails from a folder, and keep new ones there; not answered.
  case useThumbnails(ThumbnailAccess)
  /// See to it that there is a thumbnail of a photo; answered by `kept` or `failed`.
  case keep(token: UInt32, path: [UInt8], size: ThumbnailSize)
  /// Remove the thumbnails of files that are gone; answered by any number of `cleaned`, of which
  /// the last says that it is.
  case clean
  /// Look into folders, given with their slashes, for the first of their photos; answered by news,
  /// one `glanced` for each.
  case glance([[UInt8]], includesHidden: Bool)
  /// Read what a photo's file tells of how it was taken; answered by `inspected` or `failed`.
  case inspect(token: UInt32, path: [UInt8])
  /// Move a file; answered by `changed` with the same token. Only a keeper of files is asked.
  case change(token: UInt32, FileChange)

  /// The first byte of a message.
  private enum Kind: UInt8 {
    case list = 1
    case describe, decode, frames, preview, useThumbnails, keep
    case decodeRegion, clean, encode, inspect, glance, change
  }

  /// No request but for a picture's encoding is longer, in bytes.
  package static let longestPayload = 64 << 10
  /// No picture that is to be encoded is longer, in bytes: a screen of 5120 by 2880 pixels is not.
  package static let longestPicture = 64 << 20

  package static func payloadLimit(kind: UInt8) -> Int? {
    switch Kind(rawValue: kind) {
    case .encode: longestPicture + 64
    case nil: nil
    default: longestPayload
    }
  }

  package func encoded() -> [UInt8] {
    var payload = PayloadWriter()
    switch self {
    case .list(let listing):
      payload.write(Kind.list.rawValue)
      listing.write(to: &payload)
    case .describe(let token, let path):
      payload.write(Kind.describe.rawValue)
      payload.write(token)
      payload.write(string: path)
    case .decode(let token, let path, let size, let mode):
      payload.write(Kind.decode.rawValue)
      payload.write(token)
      payload.write(string: path)
      payload.write(size, mode)
    case .decodeRegion(let token, let path, let region):
      payload.write(Kind.decodeRegion.rawValue)
      payload.write(token)
      payload.write(string: path)
      region.write(to: &payload)
    case .preview(let token, let path, let size, let mode):
      payload.write(Kind.preview.rawValue)
      payload.write(token)
      payload.write(string: path)
      payload.write(size, mode)
    case .useThumbnails(let access):
      payload.write(Kind.useThumbnails.rawValue)
      payload.write(access.mayWrite)
      payload.write(string: access.folder)
    case .keep(let token, let path, let size):
      payload.write(Kind.keep.rawValue)
      payload.write(token)
      payload.write(string: path)
      payload.write(size.rawValue)
    case .clean:
      payload.write(Kind.clean.rawValue)
    case .glance(let folders, let includesHidden):
      payload.write(Kind.glance.rawValue)
      payload.write(includesHidden)
      payload.write(UInt32(folders.count))
      for folder in folders { payload.write(string: folder) }
    case .inspect(let token, let path):
      payload.write(Kind.inspect.rawValue)
      payload.write(token)
      payload.write(string: path)
    case .change(let token, let change):
      payload.write(Kind.change.rawValue)
      payload.write(token)
      change.write(to: &payload)
    case .frames(let token, let path, let size, let mode, let range):
      payload.write(Kind.frames.rawValue)
      payload.write(token)
      payload.write(string: path)
      payload.write(size, mode)
      payload.write(UInt32(clamping: range.start))
      payload.write(UInt32(clamping: range.count))
    case .encode(let token, let bitmap, let format):
      payload.write(Kind.encode.rawValue)
      payload.write(token)
      payload.write(format.rawValue)
      payload.write(head: bitmap)
      return Self.frame(payload, following: bitmap.pixels.count) + bitmap.pixels
    }
    return Self.frame(payload)
  }

  package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
    var reader = PayloadReader(payload)
    let kind: UInt8 = try reader.read()
    switch kind {
    case Kind.list.rawValue:
      self = .list(try ListingRequest(&reader))
    case Kind.describe.rawValue:
      self = .describe(token: try reader.read(), path: try reader.readPath())
    case Kind.decode.rawValue:
      let token: UInt32 = try reader.read()
      let path = try reader.readPath()
      let (size, mode) = try reader.readSize()
      self = .decode(token: token, path: path, size: size, mode: mode)
    case Kind.preview.rawValue:
      let token: UInt32 = try reader.read()
      let path = try reader.readPath()
      let (size, mode) = try reader.readSize()
      self = .preview(token: token, path: path, size: size, mode: mode)
    case Kind.useThumbnails.rawValue:
      let mayWrite = try reader.readBool()
      self = .useThumbnails(ThumbnailAccess(folder: try reader.readPath(), mayWrite: mayWrite))
    case Kind.keep.rawValue:
      let token: UInt32 = try reader.read()
      let path = try reader.readPath()
      guard let size = ThumbnailSize(rawValue: try reader.read()) else { throw .malformed }
      self = .keep(token: token, path: path, size: size)
    case Kind.clean.rawValue:
      self = .clean
    case Kind.glance.rawValue:
      let includesHidden = try reader.readBool()
      let count: UInt32 = try reader.read()
      var folders: [[UInt8]] = []
      for _ in 0..<count { folders.append(try reader.readPath()) }
      self = .glance(folders, includesHidden: includesHidden)
    case Kind.inspect.rawValue:
      self = .inspect(token: try reader.read(), path: try reader.readPath())
    case Kind.change.rawValue:
      self = .change(token: try reader.read(), try FileChange(&reader))
    case Kind.decodeRegion.rawValue:
      self = .decodeRegion(
        token: try reader.read(), path: try reader.readPath(), region: try PhotoRegion(&reader))
    case Kind.frames.rawValue:
      let token: UInt32 = try reader.read()
      let path = try reader.readPath()
      let (size, mode) = try reader.readSize()
      let start: UInt32 = try reader.read()
      let count: UInt32 = try reader.read()
      guard count > 0 else { throw .malformed }
      self = .frames(
        token: token, path: path, size: size, mode: mode,
        FrameRange(start: Int(start), count: Int(count)))
    case Kind.encode.rawValue:
      let token: UInt32 = try reader.read()
      guard let format = PictureEncoding.Format(rawValue: try reader.read()) else {
        throw .malformed
      }
      self = .encode(token: token, try Bitmap(&reader), format)
    default:
      throw .unknownKind(kind)
    }
    try reader.finish()
  }
}

/// Frames of an animated photo that follow each other.
package struct FrameRange: Equatable, Sendable {
  /// The number of the first, from 0.
  package var start: Int
  /// How many there are at most, at least 1.
  package var count: Int

  /// A number of frames from one on.
  package init(start: Int, count: Int) {
    self.start = start
    self.count = count
  }
}

extension PayloadWriter {
  fileprivate mutating func write(_ size: PixelSize, _ mode: ContentMode) {
    write(size.width.bitPattern)
    write(size.height.bitPattern)
    write(mode.rawValue)
  }
}

extension PayloadReader {
  fileprivate mutating func readSize() throws(ProtocolError) -> (PixelSize, ContentMode) {
    let size = PixelSize(
      width: Double(bitPattern: try read()), height: Double(bitPattern: try read()))
    guard size.width.isFinite, size.height.isFinite, !size.isEmpty,
      let mode = ContentMode(rawValue: try read())
    else { throw .malformed }
    return (size, mode)
  }
}

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
    for (number, root) in roots.enumerated() where root.count <= Request.longestPayload / 2 {
      if byteCount + root.count + 2 > Request.longestPayload {
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

  fileprivate func write(to payload: inout PayloadWriter) {
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

  fileprivate init(_ reader: inout PayloadReader) throws(ProtocolError) {
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
