/// A message that can be sent through a socket.
///
/// A frame is the payload's length (4 bytes, little-endian), then the payload, whose first byte
/// is the message's kind.
package protocol WireMessage: Sendable {
  /// The longest payload of a kind, in bytes; nil for a kind that does not exist.
  static func payloadLimit(kind: UInt8) -> Int?

  /// Reads a whole payload, kind included.
  init(payload: ArraySlice<UInt8>) throws(ProtocolError)

  /// The message as a frame, length included.
  func encoded() -> [UInt8]
}

/// A message of which there is only one kind.
package protocol SingleKindMessage: WireMessage {
  /// The kind, its first byte.
  static var kind: UInt8 { get }
  /// The longest payload, in bytes.
  static var longestPayload: Int { get }
}

extension SingleKindMessage {
  package static func payloadLimit(kind: UInt8) -> Int? {
    kind == Self.kind ? longestPayload : nil
  }
}

/// Puts messages together from bytes that arrive in pieces of any size.
///
/// The buffer is bounded by the limit of the message's kind. After an error the stream cannot be
/// read on, so the process at the other end has to be killed.
package struct MessageReader<Message: WireMessage> {
  private var buffer: [UInt8] = []
  private var consumed = 0

  /// A reader at the start of a stream.
  package init() {}

  /// Appends the next bytes of the stream.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if let total = frameLength, total > buffer.capacity {
      buffer.reserveCapacity(total)
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next whole message, or nil until more bytes have arrived.
  ///
  /// - Parameter payloadLimit: The longest payload to accept, in bytes; the limit of the message's
  ///   kind applies too.
  /// - Returns: The message.
  /// - Throws: `ProtocolError`, after which the stream cannot be read on.
  package mutating func next(payloadLimit: Int = .max) throws(ProtocolError) -> Message? {
    try next(as: Message.self, payloadLimit: payloadLimit)
  }

  /// The next message of another type than the stream's, or nil until more bytes have arrived.
  package mutating func next<Other: WireMessage>(
    as type: Other.Type, payloadLimit: Int = .max
  ) throws(ProtocolError) -> Other? {
    guard buffer.count - consumed >= 5 else { return nil }
    let length = payloadLength
    let kind = buffer[consumed + 4]
    guard let limit = Other.payloadLimit(kind: kind) else { throw .unknownKind(kind) }
    guard length >= 1, length <= min(limit, payloadLimit) else { throw .oversized(length: length) }
    guard buffer.count - consumed >= 4 + length else { return nil }
    let message = try Other(payload: buffer[(consumed + 4)..<(consumed + 4 + length)])
    consumed += 4 + length
    if consumed == buffer.count {
      // The memory of a large picture is freed; that of small messages is reused.
      buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 20)
      consumed = 0
    } else if consumed > 1 << 16, consumed > buffer.count / 2 {
      buffer.removeFirst(consumed)
      consumed = 0
    }
    return message
  }

  /// The length in the next frame, in bytes; at least four bytes must have arrived.
  private var payloadLength: Int {
    (0..<4).reduce(0) { $0 | Int(buffer[consumed + $1]) << ($1 * 8) }
  }

  /// The length of the buffer at the end of the current message; nil until a valid head has arrived.
  private var frameLength: Int? {
    guard buffer.count - consumed >= 5 else { return nil }
    let length = payloadLength
    guard let limit = Message.payloadLimit(kind: buffer[consumed + 4]), length <= limit else {
      return nil
    }
    return consumed + 4 + length
  }
}

extension WireMessage {
  /// The bytes of a frame: the length, then the payload.
  ///
  /// - Parameters:
  ///   - payload: The payload, or its beginning.
  ///   - following: The number of bytes of the payload that are sent separately after the frame.
  /// - Returns: The length, which counts the following bytes, and the payload.
  static func frame(_ payload: PayloadWriter, following: Int = 0) -> [UInt8] {
    var frame = PayloadWriter()
    frame.write(UInt32(payload.bytes.count + following))
    frame.write(raw: payload.bytes)
    return frame.bytes
  }
}
