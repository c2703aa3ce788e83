import PhotoGridCore

/// The messages of a reader that hashes the bytes of files, to tell copies from photos that look
/// alike.
package enum DigestProtocol {}

extension DigestProtocol {
  /// A request to hash a file.
  package struct Request: SingleKindMessage, Equatable {
    package var token: UInt32
    package var path: [UInt8]

    package init(token: UInt32, path: [UInt8]) {
      self.token = token
      self.path = path
    }

    package static let kind: UInt8 = 0x28
    package static let longestPayload = 8 << 10

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(Self.kind)
      payload.write(token)
      payload.write(string: path)
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload.dropFirst())
      token = try reader.read()
      path = try reader.readPath()
      try reader.finish()
    }
  }

  /// The hash of a file.
  package struct Response: ResponseMessage, SingleKindMessage, Equatable {
    private let requestToken: UInt32
    /// The hash; nil if the file cannot be read.
    package var digest: ContentDigest?

    package var token: UInt32? { requestToken }

    package init(token: UInt32, _ digest: ContentDigest?) {
      requestToken = token
      self.digest = digest
    }

    package static let kind: UInt8 = 0x28
    package static let longestPayload = 64

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(Self.kind)
      payload.write(requestToken)
      payload.write(string: digest?.bytes ?? [])
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload.dropFirst())
      requestToken = try reader.read()
      let bytes = try reader.readString()
      digest = ContentDigest(bytes)
      guard bytes.isEmpty || digest != nil else { throw .malformed }
      try reader.finish()
    }
  }
}
