import CLinux
import Glibc

/// One folder's names, told apart.
struct FolderContents {
  private(set) var images = NameList()
  private(set) var subfolders = NameList()
  /// Files that are not images.
  private(set) var skipped = 0
  /// Whether any image was there, those handed out early included.
  private(set) var hasImages = false
  /// Whether the system stopped telling names before the end.
  private(set) var endedEarly = false

  /// Reads all names of an open folder, or no more than a limit.
  ///
  /// Where that takes longer than `patience`, in seconds, `early` gets images in the meantime, in no
  /// order but that of the disk: a slow one shows at least some. They are not in `images` then.
  init(
    _ stream: OpaquePointer, includesHidden: Bool, limit: Int = .max, patience: Double = .infinity,
    early: (NameList) -> Void = { _ in }
  ) {
    var patienceEnd = Self.now + patience
    var (count, readCount) = (0, 0)
    errno = 0
    while readCount < limit, let entry = readdir(stream) {
      defer { errno = 0 }
      readCount += 1
      let start = UnsafeRawPointer(entry)
        .advanced(by: MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
        .assumingMemoryBound(to: UInt8.self)
      let name = UnsafeBufferPointer(
        start: start, count: strlen(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)))
      if name[0] == 0x2e, !includesHidden || FoundName.isSelfOrParent(name) { continue }
      switch FoundName.kind(of: name, type: entry.pointee.d_type, in: dirfd(stream)) {
      case .folder: subfolders.append(name)
      case .image:
        images.append(name)
        hasImages = true
      case .other: skipped += 1
      }
      count += 1
      if count & 0xff == 0, Self.now > patienceEnd, !images.isEmpty {
        early(images)
        images.removeAll()
        patienceEnd = Self.now + patience
      }
    }
    endedEarly = errno != 0
  }

  private static var now: Double { Double(monotonic_nanoseconds()) / 1e9 }
}
