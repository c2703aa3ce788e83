import Glibc

/// A small file in `$XDG_STATE_HOME/photogrid`, which only its owner can read.
struct StateFile {
  private let folder: String
  private let path: String

  /// The most bytes to read, or to write with `replace(with:)`.
  static let maxSize = 4096

  /// Locates a file; nil if the environment names no folder for it.
  init?(_ name: String, _ environment: [String: String]) {
    let state = BaseDirectory.path(.state) { name in environment[name].map { Array($0.utf8) } }
    guard let state else { return nil }
    folder = String(decoding: state, as: UTF8.self) + "/photogrid"
    path = folder + "/" + name
  }

  /// The lines of the file; nil if it cannot be read.
  var lines: [String]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.maxSize)
    let count = read(file, &bytes, bytes.count)
    return bytes.prefix(max(count, 0)).split(separator: UInt8(ascii: "\n"))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Creates the file's folder, and returns whether the file can be written.
  func makeWritable() -> Bool {
    let isThere = access(path, F_OK) == 0
    return Self.makeFolder(folder) && access(isThere ? path : folder, W_OK) == 0
  }

  /// Adds a line; errors are ignored.
  func append(_ line: String) {
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    let bytes = Array("\(line)\n".utf8)
    _ = write(file, bytes, bytes.count)
  }

  /// Replaces the contents atomically, so that other sessions never read a part of them; errors are
  /// ignored.
  func replace(with lines: [String]) {
    guard makeWritable() else { return }
    let temporary = "\(path).\(getpid())"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
    let isWritten = bytes.count <= Self.maxSize && write(file, bytes, bytes.count) == bytes.count
    close(file)
    if !isWritten || rename(temporary, path) != 0 { unlink(temporary) }
  }

  /// Creates a folder and its missing parents, which only the owner can read.
  private static func makeFolder(_ path: String) -> Bool {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      return false
    }
    return makeFolder(String(path[..<slash])) && (mkdir(path, 0o700) == 0 || errno == EEXIST)
  }
}
