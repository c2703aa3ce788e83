import CLinux
import Glibc
import PhotoGridCore
import WorkerProtocol

/// Completes a path that the user is typing.
enum FolderNames {
  /// Returns the folders that complete a typed path, and whether the path itself is a folder.
  static func response(
    to request: FolderNamesProtocol.Request
  ) -> FolderNamesProtocol.Response {
    let path = request.path
    let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let folder = start == 0 ? [UInt8(ascii: ".")] : Array(path[..<start])
    return FolderNamesProtocol.Response(
      token: request.token, names: names(in: folder, beginningWith: path[start...]),
      isFolder: isFolder(path))
  }

  /// Returns the names of subfolders that begin with `beginning`; names of hidden folders only if
  /// `beginning` starts with a dot.
  private static func names(
    in folder: [UInt8], beginningWith beginning: ArraySlice<UInt8>
  ) -> [[UInt8]] {
    guard let stream = opendir(folder.map { CChar(bitPattern: $0) } + [0]) else { return [] }
    defer { closedir(stream) }
    let dot = UInt8(ascii: ".")
    var names: [[UInt8]] = []
    while names.count < FolderNamesProtocol.Response.mostNames, let entry = readdir(stream) {
      let start = folder_entry_name(entry)
      let name = Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
      guard name.starts(with: beginning), name != [dot], name != [dot, dot],
        name.first != dot || beginning.first == dot
      else { continue }
      switch Int(entry.pointee.d_type) {
      case Int(DT_DIR): names.append(name)
      case Int(DT_LNK), Int(DT_UNKNOWN):
        if isFolder((folder.last == UInt8(ascii: "/") ? folder : folder + [0x2F]) + name) {
          names.append(name)
        }
      default: break
      }
    }
    return names
  }

  private static func isFolder(_ path: [UInt8]) -> Bool {
    var status = stat()
    return stat(path.map { CChar(bitPattern: $0) } + [0], &status) == 0
      && status.st_mode & S_IFMT == S_IFDIR
  }
}
