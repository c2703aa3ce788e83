/// What the program asks of the process that lists folders.
extension ListProtocol {
  /// The answers and reports.
  package typealias Response = FolderNews

  /// A request for photos or folder previews.
  package enum Request: WireMessage, Equatable {
    /// Find the photos of these paths; answered by news, of which one is `listed`.
    case list(ListingRequest)
    /// Look for the first photos of folders, given with their slashes; answered by `glanced` for
    /// each.
    case glance([[UInt8]], includesHidden: Bool)

    private enum Kind: UInt8 { case list = 1, glance }

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
      case .glance(let folders, let includesHidden):
        payload.write(Kind.glance.rawValue)
        payload.write(includesHidden)
        payload.write(UInt32(folders.count))
        for folder in folders { payload.write(string: folder) }
      }
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload)
      let kind: UInt8 = try reader.read()
      switch Kind(rawValue: kind) {
      case .list: self = .list(try ListingRequest(&reader))
      case .glance:
        let includesHidden = try reader.readBool()
        let count: UInt32 = try reader.read()
        var folders: [[UInt8]] = []
        for _ in 0..<count { folders.append(try reader.readPath()) }
        self = .glance(folders, includesHidden: includesHidden)
      case nil: throw .unknownKind(kind)
      }
      try reader.finish()
    }
  }
}

extension FolderNews: ResponseMessage {
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
