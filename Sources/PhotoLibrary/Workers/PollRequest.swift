import Glibc

extension pollfd {
  /// A request to wait until a descriptor can be read, or written too.
  package init(reading descriptor: Int32, writing: Bool = false) {
    self.init(
      fd: descriptor, events: Int16(POLLIN | (writing ? POLLOUT : 0)), revents: 0)
  }
}
