import CLinux
import Glibc
import PhotoGridCore

/// The names in a folder, by kind.
struct FolderContents {
  /// The names of images, except those passed to `early`.
  private(set) var images = NameList()
  /// The names of subfolders, without slashes.
  private(set) var subfolders = NameList()
  /// The number of other files, apart from videos and from what belongs to an image.
  private(set) var skipped = 0
  /// The number of videos, apart from the films of live photos.
  private(set) var videos = 0
  /// Whether the folder has images, including those passed to `early`.
  private(set) var hasImages = false
  /// Whether reading failed before all names were read.
  private(set) var endedEarly = false

  /// Reads the names of an open folder.
  ///
  /// - Parameters:
  ///   - stream: The open folder, a `DIR *`.
  ///   - includesHidden: Whether names that begin with a dot are read.
  ///   - limit: The most names to read.
  ///   - interval: The interval in seconds at which images found so far are passed to `early`, so
  ///     that part of a folder on a slow disk appears soon.
  ///   - early: A closure that receives images in the order in which the disk returns them.
  init(
    _ stream: OpaquePointer, includesHidden: Bool, limit: Int = .max, interval: Double = .infinity,
    early: (NameList) -> Void = { _ in }
  ) {
    var lastReport = Self.now
    var (count, readCount) = (0, 0)
    var stems: [Int] = []
    var others: [[UInt8]] = []
    errno = 0
    while readCount < limit, let entry = readdir(stream) {
      defer { errno = 0 }
      readCount += 1
      let start = folder_entry_name(entry)
      let name = UnsafeRawBufferPointer(start: start, count: strlen(start)).bindMemory(
        to: UInt8.self)
      if name[0] == 0x2e, !includesHidden || EntryKind.isSelfOrParent(name) { continue }
      switch EntryKind.kind(of: name, type: entry.pointee.d_type, in: dirfd(stream)) {
      case .folder: subfolders.append(name)
      case .image:
        images.append(name)
        hasImages = true
        stems.append(Self.hash(ofStem: name))
      case .other where Sidecar.isSidecar(name) || Video.isVideo(name):
        others.append(Array(name))
      case .other: skipped += 1
      }
      count += 1
      if count & 0xff == 0, !images.isEmpty, Self.now > lastReport + images.delay(interval) {
        early(images)
        images.removeAll()
        lastReport = Self.now
      }
    }
    endedEarly = errno != 0
    countOthers(others, besideImagesWith: Set(stems), in: dirfd(stream))
  }

  /// Counts sidecars and videos, except those that belong to an image.
  private mutating func countOthers(
    _ others: [[UInt8]], besideImagesWith stems: Set<Int>, in folder: Int32
  ) {
    for name in others {
      if Sidecar.isSidecar(name) {
        // "a.jpg.xmp" belongs to "a.jpg", "a.xmp" to any image "a".
        let file = Sidecar.stem(of: name)
        let isBeside = file.withUnsafeBufferPointer {
          stems.contains(Self.hash($0)) || stems.contains(Self.hash(ofStem: $0))
        }
        if !isBeside { skipped += 1 }
      } else if !LivePhoto.isFilm(name)
        || !LivePhoto.photos(beside: name).contains(where: {
          faccessat(folder, FolderWalk.cString($0), F_OK, AT_SYMLINK_NOFOLLOW) == 0
        })
      {
        videos += 1
      }
    }
  }

  /// The hash of a name without its extension.
  private static func hash(ofStem name: UnsafeBufferPointer<UInt8>) -> Int {
    let end = name.lastIndex(of: 0x2e) ?? 0
    return hash(end > 0 ? UnsafeBufferPointer(rebasing: name[..<end]) : name)
  }

  private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(name))
    return hasher.finalize()
  }

  private static var now: Double { Double(monotonic_nanoseconds()) / 1e9 }
}

extension NameList {
  /// The number of names from which on a list is long, for a short interval.
  private static let longCount = 50_000

  /// Returns the time after which the names read so far are reported, in seconds.
  ///
  /// A long list waits longer: the disk is fast and will soon have returned the rest, and names
  /// that are reported in order cost less.
  fileprivate func delay(_ interval: Double) -> Double {
    count > Self.longCount ? 5 * interval : interval
  }
}
