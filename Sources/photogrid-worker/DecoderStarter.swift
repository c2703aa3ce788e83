import CLinux
import Glibc
import WorkerProtocol
import WorkerRuntime

/// The process that starts decoders, one after another, each with the libraries that its photos
/// need.
///
/// It never receives a photo, so it may open libraries where a decoder may open nothing.
struct DecoderStarter {
  private let channel: Channel
  private let orders: Int32
  private let mode: SandboxMode
  private var confinement: Confinement

  /// Creates a starter that takes orders from a socket, and whose decoders answer on the channel to
  /// the program.
  init(_ channel: Channel, orders: Int32, _ mode: SandboxMode, _ confinement: Confinement) {
    self.channel = channel
    self.orders = orders
    self.mode = mode
    self.confinement = confinement
  }

  /// Starts a decoder for each order, once the previous one has ended, and exits with the status of
  /// a decoder that fails.
  mutating func run() -> Never {
    confinement.enterStarter()
    while let libraries = nextOrder() {
      guard let requests = SocketPair(), let storage = SocketPair() else { exit(1) }
      let decoder = process_fork()
      guard decoder >= 0 else { exit(1) }
      if decoder == 0 {
        for end in [orders, requests.near, storage.near] { close(end) }
        decode(libraries, requests.far, storage.far)
      }
      let isTaken = socket_send(orders, [0], 1, [requests.near, storage.near], 2) == 1
      for end in [requests.near, requests.far, storage.near, storage.far] { close(end) }
      guard isTaken else { exit(0) }
      var status: Int32 = 0
      while waitpid(decoder, &status, 0) < 0, errno == EINTR {}
      // The first process of a namespace cannot kill itself by a signal, so it exits as a shell
      // would: with 128 and the number of the signal.
      if status != 0 { exit(status & 0x7f != 0 ? 128 + status & 0x7f : status >> 8 & 0xff) }
    }
    exit(0)
  }

  private func nextOrder() -> DecoderLibraries? {
    var order: UInt8 = 0
    while true {
      let count = read(orders, &order, 1)
      if count == 1 { return DecoderLibraries(rawValue: order) }
      guard count < 0, errno == EINTR else { return nil }
    }
  }

  private mutating func decode(
    _ libraries: DecoderLibraries, _ requests: Int32, _ storage: Int32
  ) -> Never {
    _ = process_dies_with_parent()
    process_set_name("photogrid-decod")
    if mode != .off {
      libraries.load()
      confinement.finish(
        libraries.contains(.films) ? .filming : .decoding(libraries.readableFiles))
    }
    var decoder = DecoderProcess(channel, requests: requests, storage: storage)
    decoder.run()
  }
}

extension DecoderLibraries {
  /// The files that a decoder with these libraries opens by name.
  fileprivate var readableFiles: Confinement.ReadableFiles {
    contains(.fonts) ? .fonts : contains(.names) ? .ownDescriptors : .none
  }
}

/// Both ends of a connection between two processes.
struct SocketPair {
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

/// The opener's connection to the running decoder.
struct RunningDecoder {
  /// The socket for requests, whose calls do not block.
  let requests: Int32
  /// The socket over which thumbnails arrive.
  let storage: Channel
  let libraries: DecoderLibraries
  var storageReader = MessageReader<StorageRequest>()

  /// Orders a new decoder from the starter, and waits for its sockets; nil if the starter has
  /// ended.
  init?(_ libraries: DecoderLibraries, from orders: Int32) {
    self.libraries = libraries
    guard Channel(orders).offer([libraries.rawValue]) else { return nil }
    var ends = [Int32](repeating: -1, count: Int(SOCKET_MOST_DESCRIPTORS))
    var (answer, endCount, count): (UInt8, Int32, Int) = (0, 0, 0)
    repeat {
      count = socket_receive(orders, &answer, 1, &ends, &endCount)
    } while count < 0 && errno == EINTR
    guard count == 1, endCount == 2 else { return nil }
    requests = ends[0]
    storage = Channel(ends[1])
    _ = fcntl(requests, F_SETFL, O_NONBLOCK)
  }

  /// Lets the decoder finish the requests that it has, and end.
  func finish() { shutdown(requests, Int32(SHUT_WR)) }

  func closeSockets() {
    close(requests)
    close(storage.descriptor)
  }
}

/// Deliveries that are being sent: their bytes, and the descriptors that go with the first bytes.
struct OutgoingDelivery {
  private var bytes: [UInt8] = []
  private var sentCount = 0
  private var descriptors: [Int32] = []
  /// Whether the system refuses to send more descriptors for now, because too many are in flight.
  private(set) var isHeldBack = false

  init() {}

  /// Creates a delivery whose descriptors are closed once they are sent.
  init(_ bytes: [UInt8], _ descriptors: [Int32]) {
    self.bytes = bytes
    self.descriptors = descriptors
  }

  /// The number of descriptors at which no further delivery is added.
  private static let maxDescriptors = Int(SOCKET_MOST_DESCRIPTORS) / 2
  /// The number of bytes at which no further delivery is added.
  private static let maxBytes = 16 << 10

  /// Whether another delivery can be sent together with these; not once sending has begun.
  var hasRoom: Bool {
    sentCount == 0 && descriptors.count < Self.maxDescriptors && bytes.count < Self.maxBytes
  }

  mutating func append(_ other: OutgoingDelivery) {
    bytes += other.bytes
    descriptors += other.descriptors
  }

  var isEmpty: Bool { sentCount == bytes.count }

  mutating func flush(to socket: Int32) -> Bool {
    isHeldBack = false
    while !isEmpty {
      let count = bytes.withUnsafeBytes {
        socket_send(
          socket, $0.baseAddress?.advanced(by: sentCount), $0.count - sentCount, descriptors,
          Int32(descriptors.count))
      }
      guard count > 0 else {
        if errno == EINTR { continue }
        isHeldBack = errno == ETOOMANYREFS
        // The end of the decoder is noticed on its other socket.
        if errno == EPIPE || errno == ECONNRESET { drop() }
        return false
      }
      for descriptor in descriptors { close(descriptor) }
      descriptors = []
      sentCount += count
    }
    drop()
    return true
  }

  private mutating func drop() {
    for descriptor in descriptors { close(descriptor) }
    self = OutgoingDelivery()
  }
}
