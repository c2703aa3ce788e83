import CLinux
import Glibc

/// Deliveries that are being sent: their bytes, and the descriptors that go with the first bytes.
struct OutgoingDelivery {
  private var bytes: [UInt8] = []
  private var sentCount = 0
  private var descriptors: [Int32] = []
  /// Whether the system refuses to send more descriptors for now, because too many are in flight.
  private(set) var isHeldBack = false

  /// Creates an empty delivery.
  init() {}

  /// Creates a delivery whose descriptors are closed once they are sent.
  init(_ bytes: [UInt8], _ descriptors: [Int32]) {
    self.bytes = bytes
    self.descriptors = descriptors
  }

  /// The number of descriptors at which no further delivery is added.
  private static let mostDescriptors = Int(SOCKET_MOST_DESCRIPTORS) / 2
  /// The number of bytes at which no further delivery is added.
  private static let mostBytes = 16 << 10

  /// Whether another delivery can be sent together with these; not once sending has begun.
  var hasRoom: Bool {
    sentCount == 0 && descriptors.count < Self.mostDescriptors && bytes.count < Self.mostBytes
  }

  /// Adds a delivery, to be sent together with those before.
  mutating func append(_ other: OutgoingDelivery) {
    bytes += other.bytes
    descriptors += other.descriptors
  }

  /// Whether everything was sent.
  var isEmpty: Bool { sentCount == bytes.count }

  /// Sends as much as a socket takes.
  ///
  /// - Returns: Whether everything was sent.
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
