import CArguments
import Geometry
import Glibc
import WorkerProtocol

/// Reads the requests of the program in a worker process.
///
/// The process exits with status 0 when the program closes the connection, and with status 1 after
/// bytes that are not a request.
package struct RequestLoop<Request: WireMessage> {
  private var channel: Channel
  /// The file with the requests that follow the end of the connection; nil if there are none.
  private var rest: Channel?
  private let end: () -> Void
  private var reader = MessageReader<Request>()
  private var piece = [UInt8](repeating: 0, count: 64 << 10)

  /// Creates a loop over the requests of a channel.
  ///
  /// - Parameters:
  ///   - channel: The connection to the program.
  ///   - rest: A file with the requests to handle once the connection has ended; nil for no more.
  ///   - end: Called when there are no more requests.
  package init(_ channel: Channel, rest: Channel? = nil, end: @escaping () -> Void = {}) {
    (self.channel, self.rest, self.end) = (channel, rest, end)
  }

  /// Greets the program, and then handles one request after the other, each with its token.
  package mutating func run(_ handle: (Request, UInt32) -> Void) -> Never {
    channel.greet()
    while true {
      let (request, token) = next()
      handle(request, token)
    }
  }

  /// Returns the next request with its token, and blocks until there is one.
  package mutating func next() -> (request: Request, token: UInt32) {
    while true {
      if let received = nextReceived() { return received }
      receive()
    }
  }

  /// Returns the next request that has arrived, with its token; nil if none is complete.
  package mutating func nextReceived() -> (request: Request, token: UInt32)? {
    do throws(ProtocolError) {
      return try reader.next().map { ($0, reader.token) }
    } catch {
      exit(1)
    }
  }

  /// Blocks until bytes arrive.
  package mutating func receive() {
    let count = channel.receive(into: &piece)
    guard count > 0 else {
      guard let rest else {
        end()
        exit(0)
      }
      (channel, self.rest) = (rest, nil)
      return
    }
    piece.withUnsafeBytes { reader.feed(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }
}

/// The arguments of a process that the program may have started as a worker.
package struct WorkerArguments {
  /// The arguments after the path of the executable; bytes that are not UTF-8 are replaced.
  package let words: [String]

  package init() {
    words = ProgramArguments.all.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the sandbox mode with which a worker was started.
  ///
  /// - Parameter worker: The argument that names the worker; nil for the decoding worker, which has
  ///   none.
  /// - Returns: The mode; nil if the arguments are not those of this worker, or if the process was
  ///   not started by the program.
  package func mode(ofWorker worker: String?) -> SandboxMode? {
    let names = worker.map { [$0] } ?? []
    guard Channel.isInherited, words.starts(with: names) else { return nil }
    let rest = words.dropFirst(names.count)
    return rest.isEmpty ? .auto : rest.count == 1 ? SandboxMode(argument: rest.last) : nil
  }
}

/// The arguments of this process, which are known without `/proc` too.
package enum ProgramArguments {
  /// The arguments after the path of the executable, as bytes: file names need not be UTF-8.
  package static var all: [[UInt8]] {
    (1..<max(program_argument_count(), 1)).compactMap { index in
      program_argument(index).map { Array(cString: $0) }
    }
  }
}
