import CProcessLimits
import Glibc
import PhotoGridCore

/// Folders of whose changes the kernel does not tell: looked at every now and then.
struct FolderPoller {
  /// The time between two looks, in seconds.
  private static let interval = 2.0
  /// No more folders than these are looked at.
  private static let most = 256

  private var folders: [(start: FolderWalk.Start, modified: timespec)] = []
  private var nextLook: Instant?
  /// Folders that are gone, and may come back.
  private var awaited: [FolderWalk.Start] = []

  /// When `changed` has something to do; nil where there is nothing to look at.
  var deadline: Instant? { nextLook }

  /// Looks at a folder from now on.
  ///
  /// - Returns: Whether there is room for it.
  mutating func add(_ start: FolderWalk.Start) -> Bool {
    guard folders.count < Self.most else { return false }
    folders.append((start, Self.modified(start.folder) ?? timespec()))
    if nextLook == nil { nextLook = Instant(nanoseconds: 0) }
    return true
  }

  /// Looks from now on whether a folder that is gone is back.
  mutating func expect(_ start: FolderWalk.Start) {
    guard awaited.count < Self.most, !awaited.contains(where: { $0.root == start.root }) else {
      return
    }
    awaited.append(start)
    if nextLook == nil { nextLook = Instant(nanoseconds: 0) }
  }

  /// The folders that were gone and are back; to be asked before `changed`.
  mutating func returned(at now: Instant) -> [FolderWalk.Start] {
    guard !awaited.isEmpty, let look = nextLook, look <= now else { return [] }
    let back = awaited.filter { FoundName.isFolder($0.folder) }
    awaited.removeAll { start in back.contains { $0.root == start.root } }
    return back
  }

  /// The folders that have changed since they were last looked at.
  mutating func changed(at now: Instant) -> [FolderWalk.Start] {
    guard let look = nextLook, look <= now else { return [] }
    nextLook = folders.isEmpty && awaited.isEmpty ? nil : now.advanced(bySeconds: Self.interval)
    var changed: [FolderWalk.Start] = []
    for index in folders.indices {
      // One that is gone, or cannot be reached, is told by its parent or not at all.
      guard let modified = Self.modified(folders[index].start.folder) else { continue }
      let before = folders[index].modified
      guard modified.tv_sec != before.tv_sec || modified.tv_nsec != before.tv_nsec else { continue }
      folders[index].modified = modified
      changed.append(folders[index].start)
    }
    return changed
  }

  /// Whether others than this machine may change an open folder.
  static func isRemote(_ descriptor: Int32) -> Bool {
    var system = statfs()
    guard fstatfs(descriptor, &system) == 0 else { return false }
    return remoteTypes.contains(UInt32(truncatingIfNeeded: system.f_type))
  }

  /// NFS, SMB, CIFS, SMB2, FUSE, 9P, AFS, Ceph: the numbers of `statfs(2)`.
  private static let remoteTypes: Set<UInt32> = [
    0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546, 0x0102_1997, 0x5346_414F, 0x00C3_6400,
  ]

  private static func modified(_ folder: [UInt8]) -> timespec? {
    var status = stat()
    guard stat(FolderWalk.cString(folder.isEmpty ? [0x2e] : folder), &status) == 0 else {
      return nil
    }
    return status.st_mtim
  }
}
