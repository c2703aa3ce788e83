import PhotoGridCore

/// The facts, the rating or the hash of a photo, to be recorded in the index.
package struct IndexEntry: Equatable, Sendable {
  /// The path of the file, absolute or from the current folder.
  package var path: [UInt8]
  /// The facts of the file; nil if they are not recorded.
  package var info: PhotoInfo?
  /// The rating of the photo; nil if it is not recorded.
  package var rated: Rated?
  /// The hash of the picture; nil if it is not recorded.
  package var hashed: Hashed?

  /// A rating, with a stamp by which an outdated one is recognized.
  package struct Rated: Equatable, Sendable {
    /// The rating.
    package var rating: Rating
    /// The `RatingStamp` of the photo with its sidecars.
    package var stamp: UInt64

    /// Creates a rating that was read from files with a stamp.
    package init(_ rating: Rating, stamp: UInt64) {
      self.rating = rating
      self.stamp = stamp
    }
  }

  /// The hash of a picture, with the file's status by which an outdated one is recognized.
  package struct Hashed: Equatable, Sendable {
    /// The hash; nil for a picture that has none.
    package var hash: DifferenceHash?
    /// The status of the file whose picture it is.
    package var status: FileStatus

    /// Creates the hash of the picture in a file.
    package init(_ hash: DifferenceHash?, of status: FileStatus) {
      self.hash = hash
      self.status = status
    }
  }

  /// Creates an entry for the file at a path.
  package init(
    path: [UInt8], info: PhotoInfo? = nil, rated: Rated? = nil, hashed: Hashed? = nil
  ) {
    self.path = path
    self.info = info
    self.rated = rated
    self.hashed = hashed
  }
}

extension IndexProtocol {
  /// A request to the process that writes the index.
  package enum Request: WireMessage, Equatable {
    /// Use the index in a folder, an absolute path; sent once, first, and not answered.
    case use(folder: [UInt8])
    /// Record what the entries hold.
    case record(token: UInt32, [IndexEntry])
    /// Record the facts that came with a batch of photos, except unknown ones and those of files that
    /// have no stamp.
    case recordFacts(token: UInt32, PhotoBatch, [InodeStamp])
    /// Remove all that was recorded.
    case clear(token: UInt32)
    /// Close the index and end; not answered.
    case finish

    private enum Kind: UInt8 { case use = 1, record, clear, finish, recordFacts }

    /// The longest payload, in bytes.
    package static let longestPayload = 2 << 20
    /// The most entries in one message: a number that fits with the longest paths and texts.
    package static let mostEntries = 256

    package static func payloadLimit(kind: UInt8) -> Int? {
      Kind(rawValue: kind).map { _ in longestPayload }
    }

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      switch self {
      case .use(let folder):
        payload.write(Kind.use.rawValue)
        payload.write(string: folder)
      case .record(let token, let entries):
        payload.write(Kind.record.rawValue)
        payload.write(token)
        payload.write(UInt32(entries.count))
        for entry in entries { entry.write(to: &payload) }
      case .recordFacts(let token, var batch, let stamps):
        payload.write(Kind.recordFacts.rawValue)
        payload.write(token)
        (batch.facts ?? FactBlock([], TextPools())).write(to: &payload, stamps)
        batch.facts = nil
        batch.write(to: &payload)
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
        let token: UInt32 = try reader.read()
        let count: UInt32 = try reader.read()
        guard count <= Self.mostEntries else { throw .malformed }
        var entries: [IndexEntry] = []
        for _ in 0..<count { entries.append(try IndexEntry(&reader)) }
        self = .record(token: token, entries)
      case .recordFacts:
        let token: UInt32 = try reader.read()
        let (facts, stamps) = try reader.readFacts(mostPhotos: Self.mostEntries)
        var batch = try PhotoBatch(&reader)
        guard batch.count == stamps.count, batch.facts == nil else { throw .malformed }
        batch.facts = facts
        self = .recordFacts(token: token, batch, stamps)
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

extension IndexEntry {
  fileprivate func write(to payload: inout PayloadWriter) {
    payload.write(string: path)
    payload.write(info != nil)
    if let info {
      info.write(to: &payload)
      payload.write(optional: info.metadata) { $0.write(to: &$1) }
    }
    payload.write(rated?.rating.code ?? 0)
    payload.write(rated?.stamp ?? 0)
    payload.write(hashed != nil)
    if let hashed {
      payload.write(hashed.hash)
      payload.write(Int64(hashed.status.byteCount))
      payload.write(Int64(hashed.status.modified))
    }
  }

  fileprivate init(_ reader: inout PayloadReader) throws(ProtocolError) {
    path = try reader.readPath()
    if try reader.readBool() {
      var info = try PhotoInfo(&reader)
      if try reader.readBool() { info.metadata = try PhotoMetadata(&reader) }
      self.info = info
    }
    let code: UInt8 = try reader.read()
    let stamp: UInt64 = try reader.read()
    if code != 0 {
      guard let rating = Rating(code: code) else { throw .malformed }
      rated = Rated(rating, stamp: stamp)
    }
    guard try reader.readBool() else { return }
    let hash = try reader.readHash()
    let byteCount: Int64 = try reader.read()
    let modified: Int64 = try reader.read()
    guard byteCount >= 0 else { throw .malformed }
    hashed = Hashed(hash, of: FileStatus(byteCount: Int(byteCount), modified: Int(modified)))
  }
}
