import CLinux
import Glibc

/// Bytes of a delivery on their way, and the descriptors that go with the first of them.
struct OutgoingDelivery {
  private var bytes: [UInt8] = []
  private var sentCount = 0
  private var descriptors: [Int32] = []
  /// Whether the system refuses more descriptors for now.
  private(set) var isHeldBack = false

  /// Nothing.
  init() {}

  /// A delivery whose descriptors are closed once they are sent.
  init(_ bytes: [UInt8], _ descriptors: [Int32]) {
    self.bytes = bytes
    self.descriptors = descriptors
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
        socket_sends(
          socket, $0.baseAddress?.advanced(by: sentCount), $0.count - sentCount, descriptors,
          Int32(descriptors.count))
      }
      guard count > 0 else {
        if errno == EINTR { continue }
        isHeldBack = errno == ETOOMANYREFS
        // Of a decoder that has ended, the other socket tells.
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
