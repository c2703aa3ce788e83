import CLinux
import Glibc
import WorkerProtocol

/// Removes the thumbnails that no program has used for half a year, a few whenever one is stored; if
/// the rest takes more than a tenth of the disk, also those that were used longest ago.
///
/// Whether their photos exist is not looked up: these may be on a disk that is not there, or does not
/// respond. Files that are not named like thumbnails are left alone.
final class ThumbnailCleaner {
  /// The folders of the cache, and those that have not been examined.
  private let all: [[UInt8]]
  private var folders: [[UInt8]] = []
  /// The folder that is being examined, and its entries, a `DIR *`.
  private var current: (path: [UInt8], entries: OpaquePointer)?

  /// The most bytes that thumbnails may take.
  private let maxSize: Int
  /// The bytes of the thumbnails that were examined, by whole days since their last use.
  private var sizes = [Int](repeating: 0, count: maxAge)
  /// The days since the last use after which a thumbnail is removed.
  private var maxAge = ThumbnailCleaner.maxAge

  /// The age, in days, that no thumbnail reaches, however small the cache.
  private static let maxAge = 180
  private static let secondsPerDay = 86_400
  /// The age at which an incomplete file of a killed worker is removed, in seconds.
  private static let maxTemporaryAge = 3600
  /// The entries to examine for each thumbnail that is stored, which takes longer than they do.
  private static let stepCount = 16

  /// Creates a cleaner of a cache, which examines each file once, or once more if they take too much.
  ///
  /// - `maxSize`: The most bytes; nil for a tenth of the disk.
  init(_ folder: [UInt8], maxSize: Int? = nil) {
    self.maxSize = maxSize ?? Self.diskShare(folder) ?? .max
    var folders = ThumbnailSize.allCases.map { folder + [0x2f] + $0.folder.utf8 }
    let failures = folder + "/fail".utf8
    if let entries = opendir(failures.terminated) {
      defer { closedir(entries) }
      // Failures that other versions of this program recorded are examined too.
      while let name = Self.next(entries) {
        if name.starts(with: "photogrid-".utf8) { folders.append(failures + [0x2f] + name) }
      }
    }
    all = folders
    self.folders = folders
  }

  /// Returns a tenth of the size of a folder's disk, in bytes.
  private static func diskShare(_ folder: [UInt8]) -> Int? {
    var status = statvfs()
    guard statvfs(folder.terminated, &status) == 0 else { return nil }
    return max(Int(clamping: status.f_blocks) / 10 &* Int(clamping: status.f_frsize), 0)
  }

  deinit { if let current { closedir(current.entries) } }

  /// Examines the next files.
  func step() {
    for _ in 0..<Self.stepCount {
      guard let (path, entries) = current ?? open() else { return shrink() }
      if let name = Self.next(entries) {
        examine(path + [0x2f] + name, named: name)
      } else {
        closedir(entries)
        current = nil
      }
    }
  }

  /// Examines all files once more if they take too much, to remove those that were used longest ago,
  /// but none that was used today.
  private func shrink() {
    var left = sizes.reduce(0, +)
    var age = maxAge
    while left > maxSize, age > 1 {
      age -= 1
      left -= sizes[age]
    }
    guard age < maxAge else { return }
    (folders, maxAge) = (all, age)
    sizes = [Int](repeating: 0, count: Self.maxAge)
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
    let age = max(time(nil) - max(status.st_atim.tv_sec, status.st_mtim.tv_sec), 0)
    if isTemporary {
      if age > Self.maxTemporaryAge { unlink(path.terminated) }
    } else if age >= maxAge * Self.secondsPerDay {
      unlink(path.terminated)
    } else {
      sizes[age / Self.secondsPerDay] += Int(status.st_blocks) * 512
    }
  }
}
