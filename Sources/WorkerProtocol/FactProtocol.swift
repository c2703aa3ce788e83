import PhotoGridCore

/// The messages of a reader that reads the facts of photos from the headers of their files.
package enum FactProtocol {}

extension FactProtocol {
  /// A request for the facts of photos in one folder.
  package struct Request: SingleKindMessage, Equatable {
    /// Identifies the request; the response has the same.
    package var token: UInt32
    /// The photos.
    package var photos: PhotoBatch

    /// Creates a request for the facts of photos, at most `mostPhotos`.
    package init(token: UInt32, _ photos: PhotoBatch) {
      self.token = token
      self.photos = photos
    }

    /// The most photos in a request.
    package static let mostPhotos = 256
    package static let kind: UInt8 = 0x21
    package static let longestPayload = mostPhotos * 256 + (8 << 10)

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(Self.kind)
      payload.write(token)
      photos.write(to: &payload)
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload.dropFirst())
      token = try reader.read()
      photos = try PhotoBatch(&reader)
      guard (1...Self.mostPhotos).contains(photos.count), photos.facts == nil else {
        throw .malformed
      }
      try reader.finish()
    }
  }

  /// The facts of the first photos of a request.
  package struct Response: ResponseMessage, SingleKindMessage, Equatable {
    private let requestToken: UInt32
    /// The facts of at least one photo; those that need a decoder are not `isKnown`.
    package var facts: InfoBlock

    package var token: UInt32? { requestToken }

    /// Creates the response to the request with a token.
    package init(token: UInt32, _ facts: InfoBlock) {
      requestToken = token
      self.facts = facts
    }

    package static let kind: UInt8 = 0x21
    package static let longestPayload = 2 << 20

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(Self.kind)
      payload.write(requestToken)
      facts.write(to: &payload)
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload.dropFirst())
      requestToken = try reader.read()
      facts = try InfoBlock(&reader)
      guard (1...Request.mostPhotos).contains(facts.rows.count) else { throw .malformed }
      try reader.finish()
    }
  }
}
