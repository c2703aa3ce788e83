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
