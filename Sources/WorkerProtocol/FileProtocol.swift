import PhotoGridCore

extension FileProtocol {
  /// A request to move a file.
  package struct Request: WireMessage, Equatable {
    /// Identifies the request; the response has the same.
    package var token: UInt32
    /// The number of the operation in its session; files that are moved together share one.
    package var operation: UInt32
    /// The absolute path of the session's journal; empty if there is no place for one.
    package var journal: [UInt8]
    /// The change.
    package var change: FileChange

    /// A request to move a file.
    package init(
      token: UInt32, operation: UInt32 = 0, journal: [UInt8] = [], _ change: FileChange
    ) {
      self.token = token
      self.operation = operation
      self.journal = journal
      self.change = change
    }

    private static let kind: UInt8 = 1
    /// The longest payload, in bytes.
    package static let longestPayload = 64 << 10

    package static func payloadLimit(kind: UInt8) -> Int? {
      kind == Self.kind ? longestPayload : nil
    }

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(Self.kind)
      payload.write(token)
      payload.write(operation)
      payload.write(string: journal)
      change.write(to: &payload)
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload.dropFirst())
      token = try reader.read()
      operation = try reader.read()
      journal = try reader.readString()
      guard !journal.contains(0) else { throw .malformed }
      change = try FileChange(&reader)
      try reader.finish()
    }
  }

  /// The outcome of a request.
  package struct Response: ResponseMessage, Equatable {
    private let requestToken: UInt32
    /// What happened to the file.
    package var outcome: FileOutcome

    package var token: UInt32? { requestToken }

    /// The outcome of the request with a token.
    package init(token: UInt32, _ outcome: FileOutcome) {
      requestToken = token
      self.outcome = outcome
    }

    private static let kind: UInt8 = 2
    /// The longest payload, in bytes.
    package static let longestPayload = 64 << 10

    package static func payloadLimit(kind: UInt8) -> Int? {
      kind == Self.kind ? longestPayload : nil
    }

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(Self.kind)
      payload.write(requestToken)
      outcome.write(to: &payload)
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload.dropFirst())
      requestToken = try reader.read()
      outcome = try FileOutcome(&reader)
      try reader.finish()
    }
  }
}
