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
