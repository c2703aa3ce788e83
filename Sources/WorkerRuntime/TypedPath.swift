import CLinux
import Geometry
import Glibc

/// Paths as users type them: keyboards compose letters, and macOS has decomposed those in the names of
/// its files.
package enum TypedPath {
  /// Returns the path of the file that a typed path stands for, which has the same letters; of a path
  /// that does not exist, as much as exists is replaced by the names on the disk.
  package static func existing(_ path: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    guard path.contains(where: { $0 >= 0x80 }), !exists(path) else { return path }
    var found: [UInt8] = []
    var rest = path[...]
    while !rest.isEmpty {
      let part = rest.prefix { $0 != slash }
      if part.contains(where: { $0 >= 0x80 }), !exists(found + part) {
        guard let known = name(of: Array(part), in: found) else { return found + rest }
        found += known
      } else {
        found += part
      }
      rest = rest.dropFirst(part.count)
      let slashes = rest.prefix { $0 == slash }
      found += slashes
      rest = rest.dropFirst(slashes.count)
    }
    return found
  }

  private static func exists(_ path: [UInt8]) -> Bool {
    var status = stat()
    return lstat(path.terminated, &status) == 0
  }

  /// Returns the first name in a folder that has the same letters; nil if there is none.
  private static func name(of typed: [UInt8], in folder: [UInt8]) -> [UInt8]? {
    let wanted = ComposedText.of(typed)
    guard let stream = opendir((folder.isEmpty ? [0x2e] : folder).terminated) else { return nil }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = Array(cString: folder_entry_name(entry))
      if name.contains(where: { $0 >= 0x80 }), ComposedText.of(name) == wanted { return name }
    }
    return nil
  }
}
