import Glibc
import WorkerProtocol
import WorkerRuntime

/// Watches folders with inotify(7).
struct FolderWatch {
  /// A watched folder.
  struct Folder {
    /// The listed folder; nil if only some files in it were given.
    var whole: FolderWalk.Start?
    /// The identity of the listed folder; nil if only some files in it were given.
    var identity: FileIdentity?
    /// Whether subfolders are listed too.
    var entersSubfolders = false
    /// The names of the given files in it, with the indices of their roots.
    var files: [[UInt8]: [Int]] = [:]
    /// The path of the folder, which ends with a slash; empty for the current folder.
    var folder: [UInt8]
  }

  /// An event of a watched folder, or of a name in it.
  struct Event {
    /// The folder, as it was when the event was read.
    var folder: Folder
    /// The bits of `inotify_event.mask`.
    var mask: UInt32
    /// The number that the two events of a rename share.
    var cookie: UInt32
    /// The name in the folder; empty for an event of the folder itself.
    var name: [UInt8]

    /// Whether the mask contains any of the given bits.
    func isAny(of bits: Int32) -> Bool { mask & UInt32(bits) != 0 }
  }

  /// The inotify descriptor; it is readable when there are events.
  let descriptor: Int32
  /// The watched folders by their watch descriptors.
  private var folders: [Int32: Folder] = [:]

  /// The most folders to watch: all programs of a user share the kernel's limit.
  static let maxCount = 8192

  /// The events to watch for.
  private static let mask = UInt32(
    IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
      | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK)

  /// Creates a watch without folders; nil if inotify is unavailable or its limit is reached.
  init?() {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
  }

  /// Watches a folder.
  ///
  /// - Returns: Its watch descriptor; nil if it cannot be watched.
  mutating func add(_ start: FolderWalk.Start, _ identity: FileIdentity) -> Int32? {
    guard let number = watch(start.folder) else { return nil }
    folders[number]?.whole = start
    folders[number]?.identity = identity
    return number
  }

  /// Sets whether the subfolders of a watched folder are listed too.
  mutating func setEntersSubfolders(_ enters: Bool, of number: Int32) {
    folders[number]?.entersSubfolders = enters
  }

  /// Watches the folder of a file that is a root itself.
  mutating func addFile(root: Int, path: [UInt8]) {
    let slash = path.lastIndex(of: 0x2f).map { $0 + 1 } ?? 0
    guard let number = watch(Array(path[..<slash])) else { return }
    let name = Array(path[slash...])
    if folders[number]?.files[name]?.contains(root) ?? false { return }
    folders[number]?.files[name, default: []].append(root)
  }

  /// Adds a watch and returns its descriptor; nil if the folder cannot be watched.
  private mutating func watch(_ folder: [UInt8]) -> Int32? {
    let number = inotify_add_watch(
      descriptor, FolderWalk.cString(folder.isEmpty ? [0x2e] : folder), Self.mask)
    guard number >= 0 else { return nil }
    if folders[number] == nil, folders.count >= Self.maxCount {
      inotify_rm_watch(descriptor, number)
      return nil
    }
    folders[number, default: Folder(folder: folder)].folder = folder
    return number
  }

  /// Removes the watches at and below a removed folder.
  ///
  /// - Returns: The identities of the folders that were watched.
  mutating func remove(below folder: [UInt8]) -> [FileIdentity] {
    let gone = folders.filter { $0.value.folder.starts(with: folder) }
    for number in gone.keys {
      inotify_rm_watch(descriptor, number)
      folders[number] = nil
    }
    return gone.values.compactMap(\.identity)
  }

  /// The roots that are listed folders.
  var roots: [FolderWalk.Start] { folders.values.compactMap(\.whole).filter { $0.level == 1 } }

  /// Reads the events since the last call, in order; nil if the kernel has dropped some.
  mutating func read() -> [Event]? {
    var events: [Event] = []
    var hasOverflowed = false
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
      while true {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        if !parse(bytes, into: &events) { hasOverflowed = true }
      }
    }
    return hasOverflowed ? nil : events
  }

  /// Parses inotify events, and returns whether the kernel has dropped none.
  private mutating func parse(
    _ bytes: UnsafeRawBufferPointer, into events: inout [Event]
  ) -> Bool {
    var offset = 0
    var isComplete = true
    let head = MemoryLayout<inotify_event>.size
    while offset + head <= bytes.count {
      let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let end = min(offset + head + Int(event.len), bytes.count)
      let name = Array(bytes[(offset + head)..<end].prefix { $0 != 0 })
      offset = end
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isComplete = false }
      guard let folder = folders[event.wd] else { continue }
      if event.mask & UInt32(IN_IGNORED) != 0 { folders[event.wd] = nil }
      events.append(Event(folder: folder, mask: event.mask, cookie: event.cookie, name: name))
    }
    return isComplete
  }
}
