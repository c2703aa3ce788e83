/// A message that can be sent through a socket.
///
/// It is sent as a frame: the length of the payload in 4 bytes, little-endian, then the payload,
/// whose first byte is the kind of the message. The token of a request follows in 4 bytes, which
/// its answers repeat; 0 stands for none.
///
///     07 00 00 00  07    03 00 00 00  2A 00
///     length = 7   kind  token = 3    values
package protocol WireMessage: Sendable {
  /// The longest payload of a kind, in bytes; nil for a kind that does not exist.
  static func payloadLimit(kind: UInt8) -> Int?
  static var hasToken: Bool { get }

  init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError)
  var parts: MessageParts { get }
}

/// The kind of a message and its values.
package struct MessageParts {
  let kind: UInt8
  let values: [any WireValue]

  init(_ kind: some RawRepresentable<UInt8>, _ values: any WireValue...) {
    (self.kind, self.values) = (kind.rawValue, values)
  }

  init(_ kind: UInt8, _ values: any WireValue...) {
    (self.kind, self.values) = (kind, values)
  }
}

extension WireMessage {
  package static var hasToken: Bool { true }

  /// Reads a whole payload, kind included.
  package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
    var reader = PayloadReader(Array(payload))
    (_, self) = try Self.read(&reader)
  }

  static func read(_ reader: inout PayloadReader) throws(ProtocolError) -> (UInt32, Self) {
    let kind: UInt8 = try reader.read()
    let token: UInt32 = hasToken ? try reader.read() : 0
    let message = try Self(kind: kind, &reader)
    try reader.finish()
    return (token, message)
  }

  /// The message as a frame, in two parts so that a large picture, which is the second, is not
  /// copied.
  package func frame(token: UInt32 = 0) -> (head: [UInt8], tail: [UInt8]) {
    let parts = parts
    var payload = PayloadWriter()
    payload.write(UInt32(0), parts.kind)
    if Self.hasToken { payload.write(token) }
    for value in parts.values { payload.write(value) }
    var (head, tail) = (payload.bytes, payload.tail)
    let count = UInt32(head.count - 4 + tail.count)
    withUnsafeBytes(of: count.littleEndian) { head.replaceSubrange(0..<4, with: $0) }
    return (head, tail)
  }

  package func encoded(token: UInt32 = 0) -> [UInt8] {
    let (head, tail) = frame(token: token)
    return tail.isEmpty ? head : head + tail
  }
}

/// A type of message that has only one kind.
package protocol SingleKindMessage: WireMessage {
  static var kind: UInt8 { get }
  static var maxPayloadLength: Int { get }
}

extension SingleKindMessage {
  package static func payloadLimit(kind: UInt8) -> Int? {
    kind == Self.kind ? maxPayloadLength : nil
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
  /// The most bytes of memory that are kept for the next messages.
  private static var maxKeptCapacity: Int { 1 << 20 }
  /// The token of the message that was returned last.
  package private(set) var token: UInt32 = 0

  package init() {}

  /// The memory of a large message that is arriving, in bytes; 0 for small ones.
  package var bufferedByteCount: Int {
    buffer.capacity > Self.maxKeptCapacity ? buffer.capacity : 0
  }

  package mutating func feed(_ bytes: UnsafeRawBufferPointer) {
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
    var reader = PayloadReader(buffer, from: consumed + 4, to: consumed + 4 + length)
    consumed += 4 + length
    let isLast = consumed == buffer.count
    // The memory of small messages is reused; that of a large picture becomes the picture's.
    if isLast, buffer.capacity > Self.maxKeptCapacity { buffer = [] }
    let message: Other
    (token, message) = try Other.read(&reader)
    if isLast {
      buffer.removeAll(keepingCapacity: true)
      consumed = 0
    } else if consumed > 1 << 16, consumed > buffer.count / 2 {
      buffer.removeFirst(consumed)
      consumed = 0
    }
    return message
  }

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

/// The messages between the program and one kind of worker.
package protocol MessageSet {
  associatedtype Request: WireMessage
  /// What the worker sends after its greeting; without a token for a report without a request.
  associatedtype Response: WireMessage
}
