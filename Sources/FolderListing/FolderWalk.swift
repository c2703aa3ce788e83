import Glibc
import PhotoGridCore
import WorkerProtocol

/// Looks through folders for photos, by name, in the order in which they are shown.
struct FolderWalk {
  /// Folders already looked through, so that links cannot lead in circles, nor roots that contain
  /// each other show a photo twice.
  private var visited: Set<FolderIdentity> = []
  /// The folders of whose changes nobody tells.
  private(set) var poller = FolderPoller()
  private let report: (FolderNews) -> Void
  /// After so long, in seconds, what was read of a folder by then is reported.
  private let patience: Double

  /// A walk that reports what it finds, batch by batch.
  init(patience: Double = 0.2, report: @escaping (FolderNews) -> Void) {
    self.patience = patience
    self.report = report
  }

  /// Finds the photos of a request's roots, and has the folders watched if it asks for that.
  mutating func list(_ request: ListingRequest, watch: inout FolderWatch?) -> ListingSummary {
    if request.firstRoot == 0 {
      visited = []
      poller = FolderPoller()
    }
    var summary = ListingSummary()
    for (offset, root) in request.roots.enumerated() {
      let number = request.firstRoot + offset
      var status = stat()
      let isThere = stat(Self.cString(root.isEmpty ? [0x2e] : root), &status) == 0
      if !isThere, let reason = Self.problem(of: root, among: request.roots.count) {
        summary.add(.init(path: root, reason: reason))
        continue
      }
      guard isThere, status.st_mode & S_IFMT == S_IFDIR else {
        // What was named has a tile, which says what is wrong where nothing is there.
        let path = Array(root[...(root.lastIndex { $0 != 0x2f } ?? root.endIndex - 1)])
        if !request.isRepeated { report(.found(PhotoBatch(root: number, path: path))) }
        watch?.addFile(root: number, path: path)
        if !isThere, request.isRepeated {
          poller.expect(Start(root: number, folder: Self.withSlash(root), level: 1))
        }
        continue
      }
      let start = Start(root: number, folder: Self.withSlash(root), level: 1)
      list(start, request, &summary, &watch, isUpdate: request.isRepeated)
    }
    return summary
  }

  /// Why a root that is not there gets no tile; nil where it gets one, as what was named does.
  ///
  /// The system's reason is in `errno`.
  private static func problem(of root: [UInt8], among rootCount: Int) -> FailureReason? {
    let code = errno
    // A folder that was entered has its slash, and is no photo; what is longer fits no message.
    let isFolder = root.isEmpty || root.last == 0x2f && rootCount == 1
    return isFolder || root.count >= Int(PATH_MAX) ? FailureReason(errno: code) : nil
  }

  /// Where a walk begins.
  struct Start {
    var root: Int
    var folder: [UInt8]
    /// 1 is a root.
    var level: Int
  }

  /// Finds the photos of a folder and of its subfolders, as far as they belong to it; as the whole
  /// of what is there if this is an update.
  mutating func list(
    _ start: Start, _ request: ListingRequest, _ summary: inout ListingSummary,
    _ watch: inout FolderWatch?, isUpdate: Bool
  ) {
    if isUpdate {
      report(.relisting(ListedPlace(root: start.root, folder: start.folder, isDeep: true)))
    }
    let unreadable = summary.unreadableFolders + summary.problemCount
    var pending = [start]
    while let next = pending.popLast() {
      guard let folder = open(next, request, &summary, &watch, isUpdate: isUpdate) else { continue }
      var batch = Batch(root: next.root, folder: next.folder, report)
      if request.namesFolders { batch.add(folder.subfolders) }
      folder.images.forEachInOrder({ batch.add($0) }, pause: { batch.flush() })
      batch.flush()
      summary.skipped += folder.skipped
      guard !folder.subfolders.isEmpty, Self.entersSubfolders(of: folder, next.level, request)
      else { continue }
      if !request.isRecursive { summary.wentDeeper = true }
      var below: [Start] = []
      folder.subfolders.forEachInOrder {
        below.append(
          Start(root: next.root, folder: next.folder + $0 + [0x2f], level: next.level + 1))
      }
      pending += below.reversed()
    }
    let unreadableNow = summary.unreadableFolders + summary.problemCount
    if isUpdate { report(.relisted(isComplete: unreadableNow == unreadable)) }
  }

  /// Finds what is now in one folder, without its subfolders, as the whole of what is there.
  func relist(_ start: Start, _ request: ListingRequest) {
    report(.relisting(ListedPlace(root: start.root, folder: start.folder, isDeep: false)))
    guard let stream = opendir(Self.cString(start.folder.isEmpty ? [0x2e] : start.folder)) else {
      return report(.relisted(isComplete: false))
    }
    defer { closedir(stream) }
    let contents = FolderContents(stream, includesHidden: request.includesHidden)
    var batch = Batch(root: start.root, folder: start.folder, report)
    if request.namesFolders { batch.add(contents.subfolders) }
    contents.images.forEachInOrder { batch.add($0) }
    batch.flush()
    report(.relisted(isComplete: !contents.endedEarly))
  }

  /// Whether subfolders are looked through: below a root that has no photos of its own all are,
  /// unless folders are told themselves.
  private static func entersSubfolders(
    of folder: FolderContents, _ level: Int, _ request: ListingRequest
  ) -> Bool {
    request.isRecursive
      ? level < request.maxDepth ?? .max
      : !request.namesFolders && (level > 1 || !folder.hasImages)
  }

  /// What is in a folder; nil if it was looked through before, or cannot be.
  private mutating func open(
    _ start: Start, _ request: ListingRequest, _ summary: inout ListingSummary,
    _ watch: inout FolderWatch?, isUpdate: Bool
  ) -> FolderContents? {
    guard let stream = opendir(Self.cString(start.folder.isEmpty ? [0x2e] : start.folder)) else {
      let reason = FailureReason(errno: errno)
      if start.level == 1 {
        summary.add(.init(path: request.roots[start.root - request.firstRoot], reason: reason))
      } else {
        summary.unreadableFolders += 1
      }
      return nil
    }
    defer { closedir(stream) }
    var status = stat()
    guard fstat(dirfd(stream), &status) == 0 else { return nil }
    let identity = FolderIdentity(device: status.st_dev, inode: status.st_ino)
    guard visited.insert(identity).inserted else { return nil }
    // Before it is read, so that nothing is missed in between.
    let watched = watch?.add(start, identity)
    if request.isWatched, watched == nil || FolderPoller.isRemote(dirfd(stream)),
      !poller.add(start), watched == nil
    {
      summary.unwatchedFolders += 1
    }
    // Where nothing is rearranged later, everything has to be in order at once.
    let canBeEarly = request.isWatched && !isUpdate
    let contents = FolderContents(
      stream, includesHidden: request.includesHidden, patience: canBeEarly ? patience : .infinity
    ) { images in
      var batch = Batch(root: start.root, folder: start.folder, report)
      images.forEachInOrder { batch.add($0) }
      batch.flush()
    }
    if contents.endedEarly { summary.unreadableFolders += 1 }
    if let watched {
      let enters = Self.entersSubfolders(of: contents, start.level, request)
      watch?.setEntersSubfolders(enters, of: watched)
    }
    return contents
  }

  /// The polled folders that have changed.
  mutating func polledChanges(at now: Instant) -> [Start] { poller.changed(at: now) }

  /// Looks from now on whether a folder that is gone is back.
  mutating func expect(_ start: Start) { poller.expect(start) }

  /// The folders that were gone and are back; to be asked before `polledChanges`.
  mutating func returned(at now: Instant) -> [Start] {
    let back = poller.returned(at: now)
    for start in back {
      // The system may have given the new folder the old one's number.
      var status = stat()
      guard stat(Self.cString(start.folder), &status) == 0 else { continue }
      visited.remove(FolderIdentity(device: status.st_dev, inode: status.st_ino))
    }
    return back
  }

  /// Forgets that folders were looked through which are gone.
  mutating func forget(_ folders: some Sequence<FolderIdentity>) { visited.subtract(folders) }

  private static func withSlash(_ path: [UInt8]) -> [UInt8] {
    path.isEmpty || path.last == 0x2f ? path : path + [0x2f]
  }

  static func cString(_ path: [UInt8]) -> [CChar] {
    path.map { CChar(bitPattern: $0) } + [0]
  }
}

/// What a folder is whatever path leads to it.
struct FolderIdentity: Hashable {
  var device: dev_t
  var inode: ino_t
}

/// Names on their way out, handed on before they are too many for a message.
private struct Batch {
  private var batch: PhotoBatch
  private let report: (FolderNews) -> Void

  init(root: Int, folder: [UInt8], _ report: @escaping (FolderNews) -> Void) {
    batch = PhotoBatch(root: root, folder: folder)
    self.report = report
  }

  mutating func add(_ name: ArraySlice<UInt8>) {
    // What is longer fits into no message, and no system call takes it.
    guard batch.folder.count + name.count < Int(PATH_MAX) * 4 else { return }
    if batch.byteCount + name.count + 1 > FolderNews.longestBatch { flush() }
    batch.append(name)
  }

  /// Adds folders, by names that end in a slash.
  mutating func add(_ folders: NameList) { folders.forEachInOrder { add($0 + [0x2f]) } }

  mutating func flush() {
    if batch.count > 0 { report(.found(batch)) }
    batch = PhotoBatch(root: batch.root, folder: batch.folder)
  }
}
