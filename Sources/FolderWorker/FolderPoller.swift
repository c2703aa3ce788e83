import CLinux
import Geometry
import Glibc

/// Polls folders whose changes the kernel does not report, such as those on network disks.
struct FolderPoller {
  /// The time between two polls, in seconds.
  private static let interval = 2.0
  /// The most folders to poll.
  private static let maxCount = 256

  private var folders: [(start: FolderWalk.Start, modified: timespec)] = []
  private var nextPoll: Instant?
  /// Removed folders that may be created again.
  private var removed: [FolderWalk.Start] = []

  /// The time of the next poll; nil if there are no folders to poll.
  var deadline: Instant? { nextPoll }

  /// Adds a folder to poll; one that is added again, after it was created again, takes its own place.
  ///
  /// - Returns: False if there are too many already.
  mutating func add(_ start: FolderWalk.Start) -> Bool {
    let folder = (start, Self.modified(start.folder) ?? timespec())
    if let index = folders.firstIndex(where: { $0.start.folder == start.folder }) {
      folders[index] = folder
      return true
    }
    guard folders.count < Self.maxCount else { return false }
    folders.append(folder)
    if nextPoll == nil { nextPoll = Instant(nanoseconds: 0) }
    return true
  }

  /// Adds a removed folder, to notice when it is created again.
  mutating func addRemoved(_ start: FolderWalk.Start) {
    guard removed.count < Self.maxCount, !removed.contains(where: { $0.root == start.root }) else {
      return
    }
    removed.append(start)
    if nextPoll == nil { nextPoll = Instant(nanoseconds: 0) }
  }

  /// Removes and returns the removed folders that exist again; call it before `changed(at:)`.
  mutating func recreated(at now: Instant) -> [FolderWalk.Start] {
    guard !removed.isEmpty, let nextPoll, nextPoll <= now else { return [] }
    let recreated = removed.filter { EntryKind.isFolder($0.folder) }
    removed.removeAll { start in recreated.contains { $0.root == start.root } }
    return recreated
  }

  /// Returns the folders that have changed since the last poll; empty if no poll is due.
  mutating func changed(at now: Instant) -> [FolderWalk.Start] {
    guard let due = nextPoll, due <= now else { return [] }
    nextPoll = folders.isEmpty && removed.isEmpty ? nil : now.advanced(bySeconds: Self.interval)
    var changed: [FolderWalk.Start] = []
    for index in folders.indices {
      // The removal of a folder is reported by its parent.
      guard let modified = Self.modified(folders[index].start.folder) else { continue }
      let before = folders[index].modified
      guard modified.tv_sec != before.tv_sec || modified.tv_nsec != before.tv_nsec else { continue }
      folders[index].modified = modified
      changed.append(folders[index].start)
    }
    return changed
  }

  /// Whether an open folder is on a file system that other machines or programs may change.
  static func isRemote(_ descriptor: Int32) -> Bool {
    var system = statfs()
    guard fstatfs(descriptor, &system) == 0 else { return false }
    return remoteTypes.contains(UInt32(truncatingIfNeeded: system.f_type))
  }

  /// The types in `statfs(2)` of NFS, SMB, CIFS, SMB2, FUSE, 9P, AFS and Ceph, in this order.
  private static let remoteTypes: Set<UInt32> = [
    0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546, 0x0102_1997, 0x5346_414F, 0x00C3_6400,
  ]

  /// The modification time of a folder; nil if it cannot be read.
  private static func modified(_ folder: [UInt8]) -> timespec? {
    var status = stat()
    guard stat(FolderWalk.cString(folder.isEmpty ? [0x2e] : folder), &status) == 0 else {
      return nil
    }
    return status.st_mtim
  }
}
