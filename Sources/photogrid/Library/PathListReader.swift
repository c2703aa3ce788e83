import Glibc
import PhotoGridCore

/// Names from standard input or a file, as they come in.
struct PathListReader {
  let descriptor: Int32
  private let separator: UInt8
  private var pending: [UInt8] = []
  /// Whether the list has ended.
  private(set) var isAtEnd = false

  /// A reader of an open descriptor, which stays in the mode that it is in: standard input is
  /// shared with other programs.
  init(descriptor: Int32, separator: UInt8) {
    self.descriptor = descriptor
    self.separator = separator
  }

  /// Reads what is there; to be called when the descriptor is readable, so that it never waits.
  mutating func read() -> [[UInt8]] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    if count <= 0 {
      isAtEnd = true
      defer { pending = [] }
      return pending.isEmpty ? [] : [pending]
    }
    pending += buffer[..<count]
    guard let end = pending.lastIndex(of: separator) else {
      // No name is longer than a path may be; a megabyte without a separator is no list of names.
      if pending.count > 1 << 20 { pending = [] }
      return []
    }
    let names = pending[..<end].split(separator: separator).map { Array($0) }
    pending.removeFirst(end + 1)
    return names.filter { !$0.contains(0) }
  }
}
