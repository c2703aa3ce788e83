import Glibc

/// Converts paths to absolute paths.
enum AbsolutePath {
  /// Returns an absolute path for a path relative to the current folder; absolute paths stay as
  /// they are.
  static func of(_ path: [UInt8]) -> [UInt8] {
    guard path.first != UInt8(ascii: "/"), var start = FolderLocation.currentFolder else {
      return path
    }
    if start.last != UInt8(ascii: "/") { start.append(UInt8(ascii: "/")) }
    var rest = path[...]
    while rest.starts(with: "./".utf8) { rest = rest.dropFirst(2) }
    return start + rest
  }
}
