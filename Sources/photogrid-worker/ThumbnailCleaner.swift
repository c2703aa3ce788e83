import CLinux
import CVips
import Glibc
import WorkerProtocol

/// Removes the thumbnails of files that no longer exist.
///
/// A missing file may be on a disk that is not mounted. A thumbnail is removed only if the nearest
/// existing folder above the file is not empty, as a mount point would be, and not a place where
/// removable disks appear. Thumbnails with other URIs than `file:`, and unreadable ones, are left
/// alone.
struct ThumbnailCleaner {
  private let folder: [UInt8]
  private var cleaning = ThumbnailCleaning()
  /// Whether files that are missing from a folder were certainly removed, by folder.
  private var verdicts: [[UInt8]: Bool] = [:]

  /// The age in seconds at which incomplete files of killed workers are removed.
  private static let oldAge = 3600
  /// The folders in which removable and network disks appear.
  private static let mountPoints = ["/media", "/mnt", "/run"].map { Array($0.utf8) }

  /// Creates a cleaner of the cache in a folder.
  init(_ access: ThumbnailAccess) { folder = access.folder }

  /// Examines the thumbnails of all sizes and the recorded failures of this program.
  ///
  /// - Parameter report: Receives the result so far, after every 256 thumbnails.
  /// - Returns: The result of the whole cleaning.
  mutating func run(report: (ThumbnailCleaning) -> Void) -> ThumbnailCleaning {
    cleaning = ThumbnailCleaning()
    var folders = ThumbnailSize.allCases.map { Array($0.folder.utf8) }
    let failures = Array("fail".utf8)
    // Failures that other versions of this program recorded are examined too.
    folders += names(in: folder + [0x2f] + failures).filter {
      $0.starts(with: Array("photogrid-".utf8))
    }.map { failures + [0x2f] + $0 }
    for inner in folders {
      let whole = folder + [0x2f] + inner
      for name in names(in: whole) {
        let before = cleaning.examined
        examine(whole + [0x2f] + name, named: name)
        if cleaning.examined > before, cleaning.examined % 256 == 0 { report(cleaning) }
      }
    }
    return cleaning
  }

  private mutating func examine(_ path: [UInt8], named name: [UInt8]) {
    if name.starts(with: ThumbnailCache.temporaryPrefix) {
      if isOld(path) { remove(path) }
      return
    }
    guard name.count == 36, name.hasSuffix(".png") else { return }
    cleaning.examined += 1
    guard
      let file = ThumbnailFile(
        path: path.terminated, maxSide: ThumbnailSize.doubleExtraLarge.side),
      let uri = file.text[ThumbnailText.Key.uri], let photo = Self.localPath(of: uri),
      isGone(photo)
    else { return }
    remove(path)
  }

  private mutating func remove(_ path: [UInt8]) {
    var status = stat()
    let name = path.terminated
    guard lstat(name, &status) == 0 else { return }
    if unlink(name) == 0 {
      cleaning.removed += 1
      cleaning.removedBytes += Int(status.st_size)
    } else {
      cleaning.stuck += 1
    }
  }

  private func isOld(_ path: [UInt8]) -> Bool {
    var status = stat()
    guard lstat(path.terminated, &status) == 0 else { return false }
    return Int(time(nil)) - status.st_mtim.tv_sec > Self.oldAge
  }

  /// Returns the path of a URI with the scheme `file:` and without a host; nil for others.
  private static func localPath(of uri: [UInt8]) -> [UInt8]? {
    guard uri.starts(with: Array("file:///".utf8)),
      let path = g_filename_from_uri(uri.terminated, nil, nil)
    else { return nil }
    defer { g_free(path) }
    return Array(cString: path)
  }

  // MARK: Missing files

  private mutating func isGone(_ photo: [UInt8]) -> Bool {
    var status = stat()
    // Any other error may come from a failing disk or network.
    guard lstat(photo.terminated, &status) != 0, errno == ENOENT || errno == ENOTDIR else {
      return false
    }
    return wouldBeSeen(inFolderOf: photo)
  }

  /// Returns whether a file would be visible if it still existed, by the nearest existing folder
  /// above it.
  private mutating func wouldBeSeen(inFolderOf path: [UInt8]) -> Bool {
    let parent = Array(path.prefix(upTo: path.lastIndex(of: 0x2f) ?? 0))
    guard !parent.isEmpty else { return false }
    if let verdict = verdicts[parent] { return verdict }
    var status = stat()
    let verdict: Bool
    if stat(parent.terminated, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      verdict = !names(in: parent).isEmpty && !isWaitingForDisk(parent, device: status.st_dev)
    } else if errno == ENOENT || errno == ENOTDIR {
      verdict = wouldBeSeen(inFolderOf: parent)
    } else {
      verdict = false
    }
    verdicts[parent] = verdict
    return verdict
  }

  /// Returns whether a folder may be a mount point without its disk: it is below a place for
  /// removable disks, and on the same device as that place.
  private func isWaitingForDisk(_ path: [UInt8], device: dev_t) -> Bool {
    for mount in Self.mountPoints where path == mount || path.starts(with: mount + [0x2f]) {
      var status = stat()
      return stat(mount.terminated, &status) != 0 || status.st_dev == device
    }
    return false
  }

  private func names(in folder: [UInt8]) -> [[UInt8]] {
    guard let stream = opendir(folder.terminated) else { return [] }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let start = folder_entry_name(entry)
      let name = Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
      if name != [0x2e], name != [0x2e, 0x2e] { names.append(name) }
    }
    return names
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}
