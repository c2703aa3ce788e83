import Glibc

/// The names of hints that were told, a line each in `$XDG_STATE_HOME/photogrid/hints`.
struct HintRecord {
  /// What was told so far.
  private(set) var names: Set<String>
  private let path: String

  /// No record is longer, in bytes.
  private static let longest = 4096

  /// Reads the record, or makes the folder for one; nil where nothing can be kept.
  init?(_ environment: [String: String]) {
    func absolute(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard
      let state = absolute("XDG_STATE_HOME") ?? absolute("HOME").map({ $0 + "/.local/state" })
    else { return nil }
    let folder = state + "/photogrid"
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

  /// Notes that a hint was told.
  ///
  /// Where the file cannot be written any more, the hint is told once more another time.
  mutating func add(_ name: String) {
    guard names.insert(name).inserted else { return }
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
    let file = open(path, flags, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    let line = Array("\(name)\n".utf8)
    _ = write(file, line, line.count)
  }

  /// Makes a folder and those that it is in, of which only the owner sees the inside.
  private static func makeFolder(_ path: String) -> Bool {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      return false
    }
    return makeFolder(String(path[..<slash])) && (mkdir(path, 0o700) == 0 || errno == EEXIST)
  }
}
