import CVips
import Glibc
import WorkerProtocol

/// Removes the thumbnails of files that are gone.
///
/// A file is gone when the system says that it is not there, and its folder, or the nearest one
/// above that still is, is such that the file would be seen in it: not empty, as the folder is in
/// which a disk will be mounted again, and not one in which removable disks appear as folders.
/// Thumbnails of what is on the network by another scheme than `file` are nobody's to judge here,
/// nor are those that cannot be read.
struct ThumbnailCleaner {
  private let folder: [UInt8]
  private var cleaning = ThumbnailCleaning()
  /// What was found out about folders that are looked at again and again.
  private var verdicts: [[UInt8]: Bool] = [:]

  /// Files that a killed worker left incomplete are removed when they are so old, in seconds.
  private static let oldAge = 3600
  /// Where removable and network disks appear.
  private static let mountPlaces = ["/media", "/mnt", "/run"].map { Array($0.utf8) }

  /// A cleaner of the folder that may be written to.
  init(_ access: ThumbnailAccess) { folder = access.folder }

  /// Goes through all sizes and this program's failures, reporting now and then.
  mutating func run(report: (ThumbnailCleaning) -> Void) -> ThumbnailCleaning {
    cleaning = ThumbnailCleaning()
    var folders = ThumbnailSize.allCases.map { Array($0.folder.utf8) }
    let failures = Array("fail".utf8)
    // Those of other versions of this program too.
    folders += names(in: folder + [0x2f] + failures).filter {
      $0.starts(with: Array("photogrid-".utf8))
    }.map { failures + [0x2f] + $0 }
    for inner in folders {
      let whole = folder + [0x2f] + inner
      for name in names(in: whole) {
        examine(whole + [0x2f] + name, named: name)
        if cleaning.examined % 256 == 0 { report(cleaning) }
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
        path: Self.cString(path), mostSide: ThumbnailSize.doubleExtraLarge.side),
      let uri = file.text[ThumbnailText.Key.uri], let photo = Self.localPath(of: uri),
      isGone(photo)
    else { return }
    remove(path)
  }

  private mutating func remove(_ path: [UInt8]) {
    var status = stat()
    let name = Self.cString(path)
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
    guard lstat(Self.cString(path), &status) == 0 else { return false }
    return Int(time(nil)) - status.st_mtim.tv_sec > Self.oldAge
  }

  /// The path that a URI names on this machine.
  private static func localPath(of uri: [UInt8]) -> [UInt8]? {
    guard uri.starts(with: Array("file:///".utf8)),
      let path = g_filename_from_uri(cString(uri), nil, nil)
    else { return nil }
    defer { g_free(path) }
    return UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) }
  }

  // MARK: What is gone

  private mutating func isGone(_ photo: [UInt8]) -> Bool {
    var status = stat()
    // Anything but "not there" may be a disk or a network that fails.
    guard lstat(Self.cString(photo), &status) != 0, errno == ENOENT || errno == ENOTDIR else {
      return false
    }
    return wouldBeSeen(inFolderOf: photo)
  }

  /// Whether a file would be seen if it were there, by the nearest folder above it that is there.
  private mutating func wouldBeSeen(inFolderOf path: [UInt8]) -> Bool {
    let parent = Array(path.prefix(upTo: path.lastIndex(of: 0x2f) ?? 0))
    guard !parent.isEmpty else { return false }
    if let verdict = verdicts[parent] { return verdict }
    var status = stat()
    let verdict: Bool
    if stat(Self.cString(parent), &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      verdict = !names(in: parent).isEmpty && !isWaitingForDisk(parent, device: status.st_dev)
    } else if errno == ENOENT || errno == ENOTDIR {
      verdict = wouldBeSeen(inFolderOf: parent)
    } else {
      verdict = false
    }
    verdicts[parent] = verdict
    return verdict
  }

  /// Whether a folder lies where disks appear, and none has: it is still on the device that the
  /// place itself is on.
  private func isWaitingForDisk(_ path: [UInt8], device: dev_t) -> Bool {
    for place in Self.mountPlaces where path == place || path.starts(with: place + [0x2f]) {
      var status = stat()
      return stat(Self.cString(place), &status) != 0 || status.st_dev == device
    }
    return false
  }

  private func names(in folder: [UInt8]) -> [[UInt8]] {
    guard let stream = opendir(Self.cString(folder)) else { return [] }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      // The name ends the entry, which is shorter than its type.
      let start = UnsafeRawPointer(entry)
        .advanced(by: MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
        .assumingMemoryBound(to: CChar.self)
      let name = UnsafeBufferPointer(start: start, count: strlen(start)).map {
        UInt8(bitPattern: $0)
      }
      if name != [0x2e], name != [0x2e, 0x2e] { names.append(name) }
    }
    return names
  }

  private static func cString(_ path: [UInt8]) -> [CChar] {
    path.map { CChar(bitPattern: $0) } + [0]
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}
