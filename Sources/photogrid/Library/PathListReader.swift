import Geometry
import Glibc

/// Reads paths from standard input or a file, as they arrive.
struct PathListReader {
  /// The open file, to poll for reading.
  let descriptor: Int32
  private let separator: UInt8
  private var pending: [UInt8] = []
  /// Whether the start of the path that is being read was dropped, and its rest has to be.
  private var isTooLong = false
  private(set) var isAtEnd = false

  /// Opens standard input, or the file of the configuration.
  ///
  /// The descriptor stays blocking, because standard input may be shared with other programs, which
  /// a non-blocking mode would affect.
  ///
  /// - Throws: `CommandFailure` if there is nothing to read.
  init(_ input: Configuration.Input) throws(CommandFailure) {
    separator = input.separator
    guard let list = input.list, !input.readsStandardInput else {
      guard isatty(STDIN_FILENO) == 0 else {
        throw CommandFailure(
          "-i: standard input is a terminal; pipe names into it, as in 'find | photogrid -i'",
          status: .badOption)
      }
      descriptor = STDIN_FILENO
      return
    }
    descriptor = open(list.terminated, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandFailure(
        "\(PrintableArgument.text(list)): \(String(cString: strerror(errno)))",
        status: .nothingShown)
    }
  }

  mutating func read() -> [[UInt8]] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    if count <= 0 {
      isAtEnd = true
      defer { pending = [] }
      return isTooLong ? [] : paths(in: pending[...])
    }
    pending += buffer[..<count]
    guard let end = pending.lastIndex(of: separator) else {
      // A megabyte without a separator is not a list of paths.
      if pending.count > 1 << 20 { isTooLong = true }
      if isTooLong { pending = [] }
      return []
    }
    defer { pending.removeFirst(end + 1) }
    guard isTooLong else { return paths(in: pending[..<end]) }
    isTooLong = false
    return paths(in: pending[..<end].drop { $0 != separator })
  }

  private func paths(in bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    // A path contains no NUL byte.
    bytes.split(separator: separator).filter { !$0.contains(0) }.map { Array($0) }
  }
}
