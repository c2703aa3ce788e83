import PhotoGridCore

extension IndexProtocol {
  /// A request to the process that writes the index.
  package enum Request: WireMessage, Equatable {
    /// Use the index in a folder, an absolute path; sent once, first, and not answered.
    case use(folder: [UInt8])
    /// Record what is known of photos in a folder: facts and hashes that were read from files in a
    /// state that can be identified, and ratings with stamps.
    case record(token: UInt32, PhotoBatch)
    /// Remove all that was recorded.
    case clear(token: UInt32)
    /// Close the index and end; not answered.
    case finish

    private enum Kind: UInt8 { case use = 1, record, clear, finish }

    /// The longest payload, in bytes.
    package static let longestPayload = 4 << 20
    /// The most photos in one message: a number that fits with the longest names and texts.
    package static let mostPhotos = 256

    package static func payloadLimit(kind: UInt8) -> Int? {
      Kind(rawValue: kind).map { _ in longestPayload }
    }

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      switch self {
      case .use(let folder):
        payload.write(Kind.use.rawValue)
        payload.write(string: folder)
      case .record(let token, let photos):
        payload.write(Kind.record.rawValue)
        payload.write(token)
        photos.write(to: &payload)
      case .clear(let token):
        payload.write(Kind.clear.rawValue)
        payload.write(token)
      case .finish: payload.write(Kind.finish.rawValue)
      }
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload)
      let kind: UInt8 = try reader.read()
      switch Kind(rawValue: kind) {
      case .use: self = .use(folder: try reader.readPath())
      case .record:
        self = .record(token: try reader.read(), try PhotoBatch(&reader))
        guard case .record(_, let photos) = self, photos.count <= Self.mostPhotos,
          photos.facts != nil
        else { throw .malformed }
      case .clear: self = .clear(token: try reader.read())
      case .finish: self = .finish
      case nil: throw .unknownKind(kind)
      }
      try reader.finish()
    }
  }

  /// The outcome of a request.
  package struct Response: ResponseMessage, SingleKindMessage, Equatable {
    private let requestToken: UInt32
    /// The number of files whose facts were recorded or removed.
    package var count: Int
    /// Why the request was not carried out, printable; nil if it was.
    package var failure: String?

    package var token: UInt32? { requestToken }

    /// Creates the response to a request.
    package init(token: UInt32, count: Int, failure: String? = nil) {
      requestToken = token
      self.count = count
      self.failure = failure
    }

    package static let kind: UInt8 = 1
    package static let longestPayload = 1024
    private static let maximumTextLength = 200

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(Self.kind)
      payload.write(requestToken)
      payload.write(UInt32(clamping: count))
      payload.write(string: (failure ?? "").utf8.prefix(Self.maximumTextLength))
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload.dropFirst())
      requestToken = try reader.read()
      count = Int(try reader.read(UInt32.self))
      let text = try reader.readText(limit: Self.maximumTextLength)
      failure = text.isEmpty ? nil : text
      try reader.finish()
    }
  }
}
