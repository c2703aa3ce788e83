import CLinux
import Glibc
import WorkerProtocol
import WorkerRuntime

/// A decoding worker of the program, which consists of two processes, and of another one for each film
/// that is decoded.
///
/// The opener (`FileOpener`) opens photos, stores thumbnails, and starts decoders. A decoder
/// (`DecoderProcess`) opens nothing but the system's libraries, or one film.
///
///     program ── requests ──► opener ── requests, open files ──► decoder
///                             opener ◄── thumbnails to store ─── decoder
///     program ◄── responses ──────────────────────────────────── decoder
enum DecodeWorker {
  /// Starts a decoder, and runs as its opener until the program closes the connection.
  static func run(_ channel: Channel, _ mode: SandboxMode) -> Never {
    var confinement = Confinement(mode)
    // All processes leave the namespaces here: a decoder could not leave them by itself.
    confinement.isolate(processes: true)
    guard let decoder = RunningDecoder(channel, confinement) else { exit(1) }
    channel.greet()
    var opener = FileOpener(channel, decoder, confinement)
    opener.run()
  }

  static func report(_ purpose: Confinement.Purpose) -> Never {
    var confinement = Confinement(endsWithProgram: false)
    confinement.isolate(processes: true)
    if case .opening = purpose {
      confinement.limitOpener()
    } else {
      // The first process of a namespace is another one.
      let process = process_fork()
      guard process >= 0 else { exit(1) }
      if process != 0 {
        waitpid(process, nil, 0)
        exit(0)
      }
      confinement.limitDecoder()
    }
    // The report itself may go to a file.
    ProcessLimits.allowFiles()
    confinement.finish(purpose)
    for layer in confinement.layers { print(layer.line) }
    exit(0)
  }
}

/// The opener's connection to a decoder that it has started.
struct RunningDecoder {
  let process: pid_t
  /// The socket over which thumbnails arrive.
  let storage: Channel
  /// The socket for requests, whose calls do not block.
  private let requests: Int32
  /// The one film that it decodes; nil for the decoder of everything else.
  private let film: FileIdentity?
  /// Whether it ends once it has answered.
  private(set) var isFinished = false
  private var reader = MessageReader<StorageRequest>()
  /// Requests that it has not taken yet, with the files for them.
  private(set) var outgoing = OutgoingDelivery()

  /// Starts a process that answers on a channel; nil if the system cannot.
  ///
  /// - Parameters:
  ///   - channel: The channel to the program.
  ///   - confinement: The confinement of this process, from which that of the decoder goes on.
  ///   - film: The film that it decodes, for which it opens that file by the name of the descriptor.
  init?(_ channel: Channel, _ confinement: Confinement, film: Int32? = nil) {
    guard let requests = SocketPair(), let storage = SocketPair() else { return nil }
    process = process_fork()
    guard process >= 0 else { return nil }
    if process == 0 {
      Self.decode(channel, confinement, requests.far, storage.far, film)
    }
    close(requests.far)
    close(storage.far)
    self.requests = requests.near
    self.storage = Channel(storage.near)
    self.film = film.map { FileIdentity(of: $0) }
    _ = fcntl(requests.near, F_SETFL, O_NONBLOCK)
  }

  private static func decode(
    _ channel: Channel, _ confinement: Confinement, _ requests: Int32, _ storage: Int32,
    _ film: Int32?
  ) -> Never {
    // What the opener has open for others.
    for descriptor in 3..<ProcessLimits.descriptors
    where ![requests, storage, film].contains(descriptor) { close(descriptor) }
    process_set_name(film == nil ? "photogrid-decod" : "photogrid-film")
    var confinement = confinement
    confinement.limitDecoder()
    if let film {
      confinement.finish(.filming(film))
      close(film)
    } else {
      // As the first process of its namespace it adopts the commands of others, which nobody waits for.
      signal(SIGCHLD, SIG_IGN)
      _ = PhotoFile.copy
      confinement.finish(.decoding)
    }
    var decoder = DecoderProcess(channel, requests: requests, storage: storage)
    decoder.run()
  }

  /// Whether it decodes an open film.
  func decodes(film descriptor: Int32) -> Bool {
    film == FileIdentity(of: descriptor) && !isFinished
  }

  /// Descriptors to poll: for what it sends, and for room for its requests.
  var pollRequests: [pollfd] {
    [
      pollfd(fd: storage.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: outgoing.isEmpty ? -1 : requests, events: Int16(POLLOUT), revents: 0),
    ]
  }

  mutating func send(_ delivery: OutgoingDelivery) { outgoing.append(delivery) }

  /// Sends what it takes.
  ///
  /// - Returns: Whether it has taken all.
  mutating func flush() -> Bool { outgoing.isEmpty || outgoing.flush(to: requests) }

  /// Lets it finish the requests that it has, and end.
  mutating func finish() {
    guard !isFinished, outgoing.isEmpty else { return }
    isFinished = true
    shutdown(requests, Int32(SHUT_WR))
  }

  /// Reads what it has sent.
  ///
  /// - Returns: The complete requests; nil if it has closed its end.
  mutating func receive() throws(ProtocolError) -> [StorageRequest]? {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    let count = storage.receive(into: &piece)
    guard count > 0 else { return nil }
    piece.withUnsafeBytes { reader.feed(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    var requests: [StorageRequest] = []
    while let request = try reader.next() { requests.append(request) }
    return requests
  }

  func closeSockets() {
    close(requests)
    close(storage.descriptor)
  }
}

/// Both ends of a connection between two processes.
private struct SocketPair {
  /// The end for the process that creates the pair.
  let near: Int32
  /// The end for the other process.
  let far: Int32

  /// Creates a connection; nil if the system has no descriptors left.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { return nil }
    (near, far) = (ends[0], ends[1])
  }
}
