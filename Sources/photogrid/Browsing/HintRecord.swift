import Glibc

/// The names of hints that were shown, a line each in `$XDG_STATE_HOME/photogrid/hints`.
struct HintRecord {
  /// The names of hints that were shown.
  private(set) var names: Set<String>
  private let path: String

  /// The longest record, in bytes.
  private static let longest = 4096

  /// Reads the record, or creates its folder; nil if it cannot be written.
  init?(_ environment: [String: String]) {
    let state = BaseDirectory.path(.state) { name in environment[name].map { Array($0.utf8) } }
    guard let state else { return nil }
    let folder = String(decoding: state, as: UTF8.self) + "/photogrid"
    path = folder + "/hints"
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if file >= 0 {
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: Self.longest)
      let count = read(file, &bytes, bytes.count)
      names = Set(
        bytes.prefix(max(count, 0)).split(separator: UInt8(ascii: "\n"))
          .map { String(decoding: $0, as: UTF8.self) })
    } else {
      names = []
    }
    guard Self.makeFolder(folder), access(file >= 0 ? path : folder, W_OK) == 0 else { return nil }
  }

  /// Adds a hint that was shown; if the file cannot be written, it is shown again next time.
  mutating func add(_ name: String) {
    guard names.insert(name).inserted else { return }
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
    let file = open(path, flags, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    let line = Array("\(name)\n".utf8)
    _ = write(file, line, line.count)
  }

  /// Creates a folder and its parents, which only the owner can read.
  private static func makeFolder(_ path: String) -> Bool {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      return false
    }
    return makeFolder(String(path[..<slash])) && (mkdir(path, 0o700) == 0 || errno == EEXIST)
  }
}
