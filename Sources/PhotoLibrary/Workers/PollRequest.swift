import Glibc

extension pollfd {
  /// Creates a request to wait until a descriptor can be read, or with `writing` until it can be
  /// read or written.
  package init(reading descriptor: Int32, writing: Bool = false) {
    self.init(
      fd: descriptor, events: Int16(POLLIN | (writing ? POLLOUT : 0)), revents: 0)
  }
}
