/// A message that can be sent through a socket.
///
/// It is sent as a frame: the length of the payload in 4 bytes, little-endian, then the payload,
/// whose first byte is the kind of the message.
///
///     03 00 00 00  07 2A 00
///     length = 3   kind = 7, then its values
package protocol WireMessage: Sendable {
  /// The longest payload of a kind, in bytes; nil for a kind that does not exist.
  static func payloadLimit(kind: UInt8) -> Int?

  /// Reads a whole payload, kind included.
  init(payload: ArraySlice<UInt8>) throws(ProtocolError)

  /// The message as a frame, length included.
  func encoded() -> [UInt8]
}

/// A type of message that has only one kind.
package protocol SingleKindMessage: WireMessage {
  /// The kind, which is the first byte of the payload.
  static var kind: UInt8 { get }
  /// The longest payload, in bytes.
  static var longestPayload: Int { get }
}

extension SingleKindMessage {
  package static func payloadLimit(kind: UInt8) -> Int? {
    kind == Self.kind ? longestPayload : nil
  }
}

/// Assembles messages from bytes that arrive in pieces of any size.
///
/// The buffer is bounded by the limit of the message's kind. After an error the stream is useless,
/// so the process at the other end must be killed.
package struct MessageReader<Message: WireMessage> {
  private var buffer: [UInt8] = []
  /// The number of bytes at the start of the buffer whose messages were returned.
  private var consumed = 0

  package init() {}

  /// Appends the next bytes of the stream.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if let total = frameLength, total > buffer.capacity {
      buffer.reserveCapacity(total)
    }
    buffer.append(contentsOf: bytes)
  }

  /// Returns the next complete message.
  ///
  /// - Parameter payloadLimit: The longest payload to accept, in bytes; the limit of the message's
  ///   kind applies too.
  /// - Returns: The message; nil until more bytes have arrived.
  /// - Throws: `ProtocolError`, after which the stream is useless.
  package mutating func next(payloadLimit: Int = .max) throws(ProtocolError) -> Message? {
    try next(as: Message.self, payloadLimit: payloadLimit)
  }

  /// Returns the next message if it has another type than the stream's; nil until more bytes have
  /// arrived.
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
      // The memory of a large picture is freed; the memory of small messages is reused.
      buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 20)
      consumed = 0
    } else if consumed > 1 << 16, consumed > buffer.count / 2 {
      buffer.removeFirst(consumed)
      consumed = 0
    }
    return message
  }

  /// The length of the next payload, in bytes; at least four bytes must have arrived.
  private var payloadLength: Int {
    (0..<4).reduce(0) { $0 | Int(buffer[consumed + $1]) << ($1 * 8) }
  }

  /// The length of the buffer once the next message is complete; nil until its length and a valid
  /// kind have arrived.
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
  /// Returns the bytes of a frame.
  ///
  /// - Parameters:
  ///   - payload: The payload, or its beginning.
  ///   - following: The number of bytes of the payload that are sent separately after the frame.
  /// - Returns: The length, which includes the following bytes, then the payload.
  static func frame(_ payload: PayloadWriter, following: Int = 0) -> [UInt8] {
    var frame = PayloadWriter()
    frame.write(UInt32(payload.bytes.count + following))
    frame.write(raw: payload.bytes)
    return frame.bytes
  }
}

/// The messages between the program and one kind of worker.
package protocol MessageSet {
  /// What the program sends.
  associatedtype Request: WireMessage
  /// What the worker sends after its greeting.
  associatedtype Response: ResponseMessage
}

/// A message of a worker.
package protocol ResponseMessage: WireMessage {
  /// The token of the request that the message answers; nil for a report without a request.
  var token: UInt32? { get }
}

/// The messages of the workers that decode, which link the codecs.
package enum DecodeProtocol: MessageSet {}

/// The messages of a reader that lists and watches folders.
package enum ListProtocol {}

/// The messages of the process that moves files.
package enum FileProtocol: MessageSet {}

/// The messages of the process that writes the index of facts.
package enum IndexProtocol: MessageSet {}
