import FactIndex
import Geometry
import Glibc
import Photos
import WorkerProtocol
import WorkerRuntime

/// Lists the photos of folders in the order in which they are shown.
struct FolderWalk {
  /// The folders that were listed.
  ///
  /// Each is listed once: links to folders above cannot cause endless listings, and a root inside
  /// another root shows no photo twice.
  private var visited: Set<FileIdentity> = []
  /// Polls the folders whose changes the kernel does not report.
  private(set) var poller = FolderPoller()
  /// The index of facts; nil if none is used.
  private(set) var index: IndexLookup?
  /// The folders whose facts came from the index.
  private var indexedFolders: [Start] = []
  /// Whether the reported facts include where photos were taken.
  private var includesLocations = false
  /// The last folder of `lookUp(_:indexFolder:)`, and the reporter with its facts.
  private var lastLookup: (folder: [UInt8], reporter: NameReporter)?
  /// Whether a root of the current listing was reported to exist.
  private var hasLocated = false
  private let report: (ListingEvent) -> Void
  /// The time after which the names read so far from a slow folder are reported, in seconds.
  private let interval: Double

  /// Creates a walk.
  ///
  /// - Parameters:
  ///   - interval: The time after which the names read so far from a slow folder are reported, in
  ///     seconds.
  ///   - report: Receives the photos, batch by batch.
  init(interval: Double = 0.2, report: @escaping (ListingEvent) -> Void) {
    self.interval = interval
    self.report = report
  }

  /// Opens the index of facts, or closes it.
  ///
  /// - Parameter folder: The absolute path of its folder; empty for no index.
  mutating func useIndex(in folder: [UInt8]) {
    index = folder.isEmpty ? nil : IndexLookup(folder: folder)
    indexedFolders = []
  }

  /// Removes and returns the folders whose facts came from the index.
  mutating func drainIndexedFolders() -> [Start] {
    defer { indexedFolders = [] }
    return indexedFolders
  }

  /// Reports photos again, with the facts that the index has about them.
  ///
  /// - Parameters:
  ///   - batch: Photos of one folder.
  ///   - indexFolder: The absolute path of the index's folder; empty for no index.
  mutating func lookUp(_ batch: PhotoBatch, indexFolder: [UInt8]) {
    if index == nil { useIndex(in: indexFolder) }
    if lastLookup?.folder != batch.folder {
      var reporter = NameReporter(root: 0, folder: batch.folder, report)
      reporter.checksFacts = true
      reporter.includesLocations = includesLocations
      reporter.use(index?.contents(ofFolder: batch.folder))
      lastLookup = (batch.folder, reporter)
    }
    report(.known(lastLookup?.reporter.withFacts(batch) ?? batch))
  }

  /// Lists the photos of a request's roots, and watches the folders if the request says so.
  ///
  /// - Returns: The result apart from the photos.
  mutating func list(_ request: ListingRequest, watch: inout FolderWatch?) -> ListingSummary {
    includesLocations = request.includesLocations
    if request.firstRoot == 0 {
      hasLocated = false
      visited = []
      poller = FolderPoller()
    }
    var summary = ListingSummary()
    index?.beginListing()
    defer { index?.endListing() }
    for (offset, typed) in request.roots.enumerated() {
      let number = request.firstRoot + offset
      let root = TypedPath.existing(typed)
      var status = stat()
      let isThere = stat(Self.cString(root.isEmpty ? [0x2e] : root), &status) == 0
      if !request.isRepeated {
        locate(root, isThere ? status.st_mode & S_IFMT == S_IFDIR : nil, &summary)
      }
      if !isThere, let reason = Self.problem(of: root, among: request.roots.count) {
        summary.add(.init(path: root, reason: reason))
        continue
      }
      guard isThere, status.st_mode & S_IFMT == S_IFDIR else {
        // A path given by the user has a tile even if there is no file: the tile shows the reason.
        let path = Array(root[...(root.lastIndex { $0 != 0x2f } ?? root.endIndex - 1)])
        if !request.isRepeated { report(.found(PhotoBatch(root: number, path: path))) }
        watch?.addFile(root: number, path: path)
        if !isThere, request.isRepeated {
          poller.addRemoved(Start(root: number, folder: Self.withSlash(root), level: 1))
        }
        continue
      }
      let start = Start(root: number, folder: Self.withSlash(root), level: 1)
      list(start, request, &summary, &watch, isUpdate: request.isRepeated)
    }
    return summary
  }

  /// Reports the first root that exists, and records those that do not.
  ///
  /// `isFolder` is nil if `stat` has failed, whose `errno` is left as it is.
  private mutating func locate(
    _ root: [UInt8], _ isFolder: Bool?, _ summary: inout ListingSummary
  ) {
    let code = errno
    defer { errno = code }
    var status = stat()
    // `lstat` finds broken links, which count as existing; a path that may not be entered could.
    if isFolder == nil, lstat(Self.cString(root.isEmpty ? [0x2e] : root), &status) != 0,
      errno != EACCES
    {
      return summary.add(missing: .init(path: root, reason: FailureReason(errno: code)))
    }
    if !hasLocated { report(.located(isFolder: isFolder ?? false)) }
    hasLocated = true
  }

  /// The reason that a missing root has no tile; nil if it has one, like any given path.
  ///
  /// Reads `errno`, which the failed `stat` has set.
  private static func problem(of root: [UInt8], among rootCount: Int) -> FailureReason? {
    let code = errno
    // A single root that ends with a slash is a folder that the user entered, not a photo. A path
    // of `PATH_MAX` bytes does not fit into a message.
    let isFolder = root.isEmpty || root.last == 0x2f && rootCount == 1
    return isFolder || root.count >= Int(PATH_MAX) ? FailureReason(errno: code) : nil
  }

  /// A folder to list.
  struct Start {
    /// The index of the root in the request.
    var root: Int
    /// The path of the folder, which ends with a slash; empty for the current folder.
    var folder: [UInt8]
    /// The level below the root; 1 for the root itself.
    var level: Int
  }

  /// Lists the photos of a folder and of the subfolders that the request includes.
  ///
  /// An update is reported between `relisting` and `relisted`.
  mutating func list(
    _ start: Start, _ request: ListingRequest, _ summary: inout ListingSummary,
    _ watch: inout FolderWatch?, isUpdate: Bool
  ) {
    if isUpdate {
      report(.relisting(ListedFolder(root: start.root, folder: start.folder, isDeep: true)))
    }
    let unreadable = summary.unreadableFolders + summary.problemCount
    var pending = [start]
    while let next = pending.popLast() {
      var batch = NameReporter(root: next.root, folder: next.folder, report)
      batch.checksFacts = !request.isWatched
      batch.includesLocations = request.includesLocations
      guard let folder = open(next, request, &summary, &watch, &batch, isUpdate: isUpdate) else {
        continue
      }
      if request.namesFolders { batch.add(folders: folder.subfolders) }
      batch.add(folder.images)
      summary.skipped += folder.skipped
      summary.videos += folder.videos
      guard !folder.subfolders.isEmpty, Self.entersSubfolders(of: folder, next.level, request)
      else { continue }
      if !request.isRecursive { summary.wentDeeper = true }
      var below: [Start] = []
      folder.subfolders.forEachInOrder { _, name in
        below.append(
          Start(root: next.root, folder: next.folder + name + [0x2f], level: next.level + 1))
      }
      pending += below.reversed()
    }
    let unreadableNow = summary.unreadableFolders + summary.problemCount
    if isUpdate { report(.relisted(isComplete: unreadableNow == unreadable)) }
  }

  /// Lists the current photos of one folder, without its subfolders, as an update.
  func relist(_ start: Start, _ request: ListingRequest) {
    report(.relisting(ListedFolder(root: start.root, folder: start.folder, isDeep: false)))
    guard let stream = opendir(Self.cString(start.folder.isEmpty ? [0x2e] : start.folder)) else {
      return report(.relisted(isComplete: false))
    }
    defer { closedir(stream) }
    let contents = FolderContents(stream, includesHidden: request.includesHidden)
    var batch = NameReporter(root: start.root, folder: start.folder, report)
    if request.namesFolders { batch.add(folders: contents.subfolders) }
    batch.add(contents.images)
    report(.relisted(isComplete: !contents.endedEarly))
  }

  /// Whether the subfolders of a folder are listed.
  ///
  /// Unless folders appear by name, a root without photos is listed with all its subfolders.
  private static func entersSubfolders(
    of folder: FolderContents, _ level: Int, _ request: ListingRequest
  ) -> Bool {
    request.isRecursive
      ? level < request.maxDepth ?? .max
      : !request.namesFolders && (level > 1 || !folder.hasImages)
  }

  /// Reads a folder; nil if it was listed before or cannot be read.
  private mutating func open(
    _ start: Start, _ request: ListingRequest, _ summary: inout ListingSummary,
    _ watch: inout FolderWatch?, _ batch: inout NameReporter, isUpdate: Bool
  ) -> FolderContents? {
    guard let stream = opendir(Self.cString(start.folder.isEmpty ? [0x2e] : start.folder)) else {
      addFailure(of: start, request, to: &summary)
      return nil
    }
    defer { closedir(stream) }
    var status = stat()
    guard fstat(dirfd(stream), &status) == 0 else { return nil }
    let identity = FileIdentity(status)
    guard visited.insert(identity).inserted else { return nil }
    // The watch begins before the folder is read, so that no change in between is missed.
    let watched = watch?.add(start, identity)
    if request.isWatched, watched == nil || FolderPoller.isRemote(dirfd(stream)),
      !poller.add(start), watched == nil
    {
      summary.unwatchedFolders += 1
    }
    index?.request(start.folder)
    var isAnswered = false
    func useAnswer() {
      if !isAnswered { batch.use(index?.answer()) }
      isAnswered = true
    }
    // The photos of an unwatched listing are never sorted later, so they must arrive in order.
    let canBeEarly = request.isWatched && !isUpdate
    let contents = FolderContents(
      stream, includesHidden: request.includesHidden, interval: canBeEarly ? interval : .infinity
    ) { images in
      useAnswer()
      batch.add(images)
    }
    useAnswer()
    if batch.known != nil { indexedFolders.append(start) }
    if contents.endedEarly { summary.unreadableFolders += 1 }
    if let watched {
      let enters = Self.entersSubfolders(of: contents, start.level, request)
      watch?.setEntersSubfolders(enters, of: watched)
    }
    return contents
  }

  /// Adds a folder that could not be opened to a summary, with the reason in `errno`.
  private func addFailure(
    of start: Start, _ request: ListingRequest, to summary: inout ListingSummary
  ) {
    let reason = FailureReason(errno: errno)
    if start.level == 1 {
      summary.add(.init(path: request.roots[start.root - request.firstRoot], reason: reason))
    } else {
      summary.unreadableFolders += 1
    }
  }

  /// The polled folders that have changed since the last poll.
  mutating func polledChanges(at now: Instant) -> [Start] { poller.changed(at: now) }

  /// Polls for a removed folder until it is created again.
  mutating func addRemoved(_ start: Start) { poller.addRemoved(start) }

  /// Returns the removed folders that exist again; call it before `polledChanges(at:)`.
  mutating func recreated(at now: Instant) -> [Start] {
    let recreated = poller.recreated(at: now)
    for start in recreated {
      // The system may have given the new folder the inode number of the old one.
      var status = stat()
      guard stat(Self.cString(start.folder), &status) == 0 else { continue }
      visited.remove(FileIdentity(status))
    }
    return recreated
  }

  /// Forgets that folders were listed, so that they can be listed again.
  mutating func forget(_ folders: some Sequence<FileIdentity>) { visited.subtract(folders) }

  /// Returns a path with a trailing slash; empty for the current folder.
  private static func withSlash(_ path: [UInt8]) -> [UInt8] {
    path.isEmpty || path.last == 0x2f ? path : path + [0x2f]
  }

  static func cString(_ path: [UInt8]) -> [CChar] {
    path.map { CChar(bitPattern: $0) } + [0]
  }
}
