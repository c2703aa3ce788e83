import Glibc
import WorkerProtocol

/// The folders whose changes the kernel tells of.
///
/// The owner of the inotify descriptor.
struct FolderWatch {
  /// A folder that is watched.
  struct Folder {
    /// As a whole, with all its photos; nil where only files in it were named.
    var whole: FolderWalk.Start?
    var identity: FolderIdentity?
    /// Whether subfolders belong to it.
    var entersSubfolders = false
    /// The files of it that were named themselves, with the numbers of their roots.
    var files: [[UInt8]: [Int]] = [:]
    /// The path in front of a name.
    var folder: [UInt8]
  }

  /// Something that happened in a folder, or to it.
  struct Happening {
    var folder: Folder
    /// As in `inotify(7)`.
    var mask: UInt32
    var cookie: UInt32
    /// Empty where it is about the folder itself.
    var name: [UInt8]

    /// Whether one of these bits of `inotify(7)` is set.
    func isAny(of bits: Int32) -> Bool { mask & UInt32(bits) != 0 }
  }

  /// What to poll.
  let descriptor: Int32
  private var folders: [Int32: Folder] = [:]

  /// A watched folder costs the kernel about a kilobyte, and all programs of a person share what
  /// it allows.
  static let most = 8192

  private static let interest = UInt32(
    IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
      | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK)

  /// Nil where the system has no more descriptors for that.
  init?() {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
  }

  /// Watches a folder.
  ///
  /// - Returns: The number by which it is known; nil if it cannot be watched.
  mutating func add(_ start: FolderWalk.Start, _ identity: FolderIdentity) -> Int32? {
    guard let number = watch(start.folder) else { return nil }
    folders[number]?.whole = start
    folders[number]?.identity = identity
    return number
  }

  /// Notes whether the subfolders of a watched folder are looked through too.
  mutating func setEntersSubfolders(_ enters: Bool, of number: Int32) {
    folders[number]?.entersSubfolders = enters
  }

  /// Watches the folder of a file that was named itself.
  mutating func addFile(root: Int, path: [UInt8]) {
    let slash = path.lastIndex(of: 0x2f).map { $0 + 1 } ?? 0
    guard let number = watch(Array(path[..<slash])) else { return }
    let name = Array(path[slash...])
    if folders[number]?.files[name]?.contains(root) ?? false { return }
    folders[number]?.files[name, default: []].append(root)
  }

  /// Has the kernel tell of a folder.
  private mutating func watch(_ folder: [UInt8]) -> Int32? {
    let number = inotify_add_watch(
      descriptor, FolderWalk.cString(folder.isEmpty ? [0x2e] : folder), Self.interest)
    guard number >= 0 else { return nil }
    if folders[number] == nil, folders.count >= Self.most {
      inotify_rm_watch(descriptor, number)
      return nil
    }
    folders[number, default: Folder(folder: folder)].folder = folder
    return number
  }

  /// Gives up what is at and below a folder, which is no longer there.
  ///
  /// - Returns: The folders that were watched.
  mutating func remove(below folder: [UInt8]) -> [FolderIdentity] {
    let gone = folders.filter { $0.value.folder.starts(with: folder) }
    for number in gone.keys {
      inotify_rm_watch(descriptor, number)
      folders[number] = nil
    }
    return gone.values.compactMap(\.identity)
  }

  /// The roots that are watched as a whole.
  var roots: [FolderWalk.Start] { folders.values.compactMap(\.whole).filter { $0.level == 1 } }

  /// What has happened, in its order; nil where the kernel could not keep all of it.
  mutating func read() -> [Happening]? {
    var happenings: [Happening] = []
    var hasOverflowed = false
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
      while true {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        if !take(bytes, into: &happenings) { hasOverflowed = true }
      }
    }
    return hasOverflowed ? nil : happenings
  }

  /// Takes apart what was read; returns whether nothing is missing.
  private mutating func take(
    _ bytes: UnsafeRawBufferPointer, into happenings: inout [Happening]
  ) -> Bool {
    var place = 0
    var isComplete = true
    let head = MemoryLayout<inotify_event>.size
    while place + head <= bytes.count {
      let event = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
      let end = min(place + head + Int(event.len), bytes.count)
      let name = Array(bytes[(place + head)..<end].prefix { $0 != 0 })
      place = end
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isComplete = false }
      guard let folder = folders[event.wd] else { continue }
      if event.mask & UInt32(IN_IGNORED) != 0 { folders[event.wd] = nil }
      happenings.append(
        Happening(folder: folder, mask: event.mask, cookie: event.cookie, name: name))
    }
    return isComplete
  }
}
