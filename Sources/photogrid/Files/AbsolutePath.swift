import Glibc

/// Paths that are valid in any folder.
enum AbsolutePath {
  /// Returns a path with the current folder before it, unless it is absolute.
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
