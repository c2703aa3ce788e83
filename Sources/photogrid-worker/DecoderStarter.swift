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
      confinement.finish(.decoding(libraries.readableFiles))
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
