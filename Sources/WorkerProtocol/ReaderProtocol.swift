/// The messages of a process that reads folders, and the headers of files.
///
/// There is one process for each job, so that a disk that hangs blocks only that: listing and
/// watching folders, completing a path that the user types, reading the facts of photos, or hashing files.
package enum ReaderProtocol: MessageSet {
  package enum Request: WireMessage, Equatable {
    case listing(ListProtocol.Request)
    case names(FolderNamesProtocol.Request)
    case facts(FactProtocol.Request)
    case digest(DigestProtocol.Request)

    package static func payloadLimit(kind: UInt8) -> Int? {
      ListProtocol.Request.payloadLimit(kind: kind)
        ?? FolderNamesProtocol.Request.payloadLimit(kind: kind)
        ?? FactProtocol.Request.payloadLimit(kind: kind)
        ?? DigestProtocol.Request.payloadLimit(kind: kind)
    }

    package func encoded() -> [UInt8] {
      switch self {
      case .listing(let request): request.encoded()
      case .names(let request): request.encoded()
      case .facts(let request): request.encoded()
      case .digest(let request): request.encoded()
      }
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      switch payload.first {
      case FolderNamesProtocol.Request.kind:
        self = .names(try FolderNamesProtocol.Request(payload: payload))
      case FactProtocol.Request.kind: self = .facts(try FactProtocol.Request(payload: payload))
      case DigestProtocol.Request.kind: self = .digest(try DigestProtocol.Request(payload: payload))
      default: self = .listing(try ListProtocol.Request(payload: payload))
      }
    }
  }

  package enum Response: ResponseMessage, Equatable {
    case listing(ListingEvent)
    case names(FolderNamesProtocol.Response)
    case facts(FactProtocol.Response)
    case digest(DigestProtocol.Response)

    package var token: UInt32? {
      switch self {
      case .listing(let event): event.token
      case .names(let response): response.token
      case .facts(let response): response.token
      case .digest(let response): response.token
      }
    }

    package static func payloadLimit(kind: UInt8) -> Int? {
      ListingEvent.payloadLimit(kind: kind)
        ?? FolderNamesProtocol.Response.payloadLimit(kind: kind)
        ?? FactProtocol.Response.payloadLimit(kind: kind)
        ?? DigestProtocol.Response.payloadLimit(kind: kind)
    }

    package func encoded() -> [UInt8] {
      switch self {
      case .listing(let event): event.encoded()
      case .names(let response): response.encoded()
      case .facts(let response): response.encoded()
      case .digest(let response): response.encoded()
      }
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      switch payload.first {
      case FolderNamesProtocol.Response.kind:
        self = .names(try FolderNamesProtocol.Response(payload: payload))
      case FactProtocol.Response.kind: self = .facts(try FactProtocol.Response(payload: payload))
      case DigestProtocol.Response.kind:
        self = .digest(try DigestProtocol.Response(payload: payload))
      default: self = .listing(try ListingEvent(payload: payload))
      }
    }
  }
}
