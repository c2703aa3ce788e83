import CLinux
import Geometry
import Glibc
import WorkerRuntime

/// Files that a disk which ignores case finds by other names than the stored ones.
///
/// Such a disk has a file "a.jpg" at "A.jpg" too, which is not another file of that name.
struct OtherSpellings {
  /// The files by their paths without the difference between upper and lower case, and between the
  /// Unicode forms of accents.
  private let files: [String: [[UInt8]]]
  /// The names in folders, as they are stored; nil for a folder that cannot be read.
  private var names: [[UInt8]: Set<[UInt8]>?] = [:]

  init(of files: some Sequence<[UInt8]>) {
    self.files = Dictionary(grouping: files, by: Self.plain)
  }

  private static func plain(_ path: [UInt8]) -> String {
    String(decoding: path, as: UTF8.self).lowercased()
  }

  /// Returns the file that the disk finds at `path` although its stored name differs; nil if there is
  /// none, as on a case-sensitive disk.
  mutating func file(foundBy path: [UInt8]) -> [UInt8]? {
    let candidates = (files[Self.plain(path)] ?? []).filter { $0 != path }
    guard !candidates.isEmpty, FileIdentity(at: path) != nil, !isStored(path) else { return nil }
    return candidates.first { isStored($0) }
  }

  /// Whether a path has the name that is stored; true if that is unknown.
  private mutating func isStored(_ path: [UInt8]) -> Bool {
    let (folder, name) = path.split
    if names[folder] == nil { names[folder] = .some(Self.names(in: folder)) }
    return names[folder].flatMap { $0?.contains(name) } ?? true
  }

  private static func names(in folder: [UInt8]) -> Set<[UInt8]>? {
    guard let stream = opendir((folder.isEmpty ? [0x2E] : folder).terminated) else { return nil }
    defer { closedir(stream) }
    return entryNames(in: stream)
  }
}

/// Returns the names in an open folder.
func entryNames(in stream: OpaquePointer) -> Set<[UInt8]> {
  var names: Set<[UInt8]> = []
  while let entry = readdir(stream) {
    names.insert(Array(cString: folder_entry_name(entry)))
  }
  return names
}
