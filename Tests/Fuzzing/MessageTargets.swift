import Geometry
import WorkerProtocol

/// The messages that workers read from the program.
func fuzzRequests(_ bytes: [UInt8]) {
  read(DecodeProtocol.Request.self, bytes)
  read(FileProtocol.Request.self, bytes)
  read(LibraryProtocol.Request.self, bytes)
  read(AnnotationProtocol.Request.self, bytes)
  // Between both processes of a worker.
  read(FileDelivery.self, bytes)
  read(StorageRequest.self, bytes)
  var outcome = MessageReader<StorageResponse>()
  bytes.withUnsafeBytes { outcome.feed($0) }
  _ = try? outcome.next()
}

/// The messages that the program reads from its workers.
func fuzzResponses(_ bytes: [UInt8]) {
  read(DecodeProtocol.Response.self, bytes)
  read(FileProtocol.Response.self, bytes)
  read(LibraryProtocol.Response.self, bytes)
  read(AnnotationProtocol.Response.self, bytes)
  var greeting = MessageReader<Hello>()
  bytes.withUnsafeBytes { greeting.feed($0) }
  _ = try? greeting.next()
}

/// Reads messages until there are no more; each is the same after it was encoded and read again.
private func read<Message: WireMessage & Equatable>(_ type: Message.Type, _ bytes: [UInt8]) {
  var reader = MessageReader<Message>()
  // In two pieces, as a socket might deliver them.
  let middle = bytes.count / 2
  bytes[..<middle].withUnsafeBytes { reader.feed($0) }
  var messages: [Message] = []
  do {
    while let message = try reader.next(payloadLimit: 1 << 20) { messages.append(message) }
    bytes[middle...].withUnsafeBytes { reader.feed($0) }
    while let message = try reader.next(payloadLimit: 1 << 20) { messages.append(message) }
  } catch {}
  for message in messages {
    var again = MessageReader<Message>()
    let encoded = message.encoded()
    encoded.withUnsafeBytes { again.feed($0) }
    let second = try? again.next()
    require(second != nil, "not readable again")
    // A number that is not a number differs from itself.
    require(second == message || message != message, "differs after a round trip")
  }
}
