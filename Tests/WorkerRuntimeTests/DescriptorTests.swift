import CLinux
import Glibc
import Testing

/// Descriptors that are sent through a socket.
@Suite struct DescriptorTests {
  private static let most = Int(SOCKET_MOST_DESCRIPTORS)

  @Test func `as many descriptors as fit arrive with their bytes, and more are refused`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    let sent = [Int32](repeating: ends[0], count: Self.most + 1)

    for count in [Self.most + 1, 1000, -1] {
      errno = 0
      #expect(socket_send(ends[0], [7 as UInt8], 1, sent, Int32(count)) == -1)
      #expect(errno == EINVAL)
    }
    #expect(socket_send(ends[0], [8 as UInt8], 1, sent, Int32(Self.most)) == 1)

    var byte: UInt8 = 0
    var arrived = [Int32](repeating: -1, count: Self.most)
    var arrivedCount: Int32 = 0
    #expect(socket_receive(ends[1], &byte, 1, &arrived, &arrivedCount) == 1)
    #expect(byte == 8 && Int(arrivedCount) == Self.most && arrived.allSatisfy { $0 >= 0 })
    for descriptor in arrived { close(descriptor) }
  }
}
