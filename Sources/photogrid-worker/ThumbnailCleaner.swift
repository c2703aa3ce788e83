import CLinux
import Glibc
import WorkerProtocol

/// Removes the thumbnails that no program has used for half a year, a few whenever one is stored.
///
/// Whether their photos exist is not looked up: these may be on a disk that is not there, or does not
/// respond. Files that are not named like thumbnails are left alone.
final class ThumbnailCleaner {
  /// The folders that have not been examined.
  private var folders: [[UInt8]]
  /// The folder that is being examined, and its entries, a `DIR *`.
  private var current: (path: [UInt8], entries: OpaquePointer)?

  /// The time since the last use after which a thumbnail is removed, in seconds: 180 days.
  static let maxAge = 180 * 86_400
  /// The age at which an incomplete file of a killed worker is removed, in seconds.
  private static let maxTemporaryAge = 3600
  /// The entries to examine for each thumbnail that is stored, which takes longer than they do.
  private static let stepCount = 16

  /// Creates a cleaner of a cache, which examines each file once.
  init(_ folder: [UInt8]) {
    folders = ThumbnailSize.allCases.map { folder + [0x2f] + $0.folder.utf8 }
    let failures = folder + "/fail".utf8
    guard let entries = opendir(failures.terminated) else { return }
    defer { closedir(entries) }
    // Failures that other versions of this program recorded are examined too.
    while let name = Self.next(entries) {
      if name.starts(with: "photogrid-".utf8) { folders.append(failures + [0x2f] + name) }
    }
  }

  deinit { if let current { closedir(current.entries) } }

  /// Examines the next files.
  func step() {
    for _ in 0..<Self.stepCount {
      guard let (path, entries) = current ?? open() else { return }
      if let name = Self.next(entries) {
        examine(path + [0x2f] + name, named: name)
      } else {
        closedir(entries)
        current = nil
      }
    }
  }

  private func open() -> (path: [UInt8], entries: OpaquePointer)? {
    while current == nil, let path = folders.popLast() {
      current = opendir(path.terminated).map { (path, $0) }
    }
    return current
  }

  private static func next(_ entries: OpaquePointer) -> [UInt8]? {
    readdir(entries).map { Array(cString: folder_entry_name($0)) }
  }

  private func examine(_ path: [UInt8], named name: [UInt8]) {
    let isTemporary = name.starts(with: ThumbnailCache.temporaryPrefix)
    guard isTemporary || name.count == 36 && name.suffix(4).elementsEqual(".png".utf8) else {
      return
    }
    var status = stat()
    guard lstat(path.terminated, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    let lastUse = max(status.st_atim.tv_sec, status.st_mtim.tv_sec)
    let maxAge = isTemporary ? Self.maxTemporaryAge : Self.maxAge
    if time(nil) - lastUse > maxAge { unlink(path.terminated) }
  }
}
