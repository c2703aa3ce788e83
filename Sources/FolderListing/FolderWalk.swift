import Glibc
import ImageFormats
import WorkerProtocol

/// Looks through folders for photos, by name, in natural order.
struct FolderWalk {
  /// Folders already looked through, so that links cannot lead in circles, nor roots that contain
  /// each other show a photo twice.
  private var visited: Set<Identity> = []

  /// Finds the photos of a request's roots in their order, and reports them batch by batch.
  mutating func list(
    _ request: ListingRequest, report: @escaping ([[UInt8]]) -> Void
  ) -> ListingSummary {
    var summary = ListingSummary()
    var batch = Batch(report)
    for root in request.roots {
      var status = stat()
      guard stat(Self.cString(root.isEmpty ? [0x2e] : root), &status) == 0 else {
        summary.add(.init(path: root, reason: FailureReason(errno: errno)))
        continue
      }
      if status.st_mode & S_IFMT == S_IFDIR {
        walk(root, request, &summary, &batch)
      } else {
        batch.add(root)
      }
    }
    batch.flush()
    return summary
  }

  /// A folder's own photos, then those of its subfolders in their order, if they are wanted.
  private mutating func walk(
    _ root: [UInt8], _ request: ListingRequest, _ summary: inout ListingSummary,
    _ batch: inout Batch
  ) {
    var pending = [(path: root, level: 1)]
    while let (path, level) = pending.popLast() {
      guard let folder = open(path, request, level: level, &summary) else { continue }
      let prefix = path.isEmpty || path.last == 0x2f ? path : path + [0x2f]
      folder.images.forEachInOrder { batch.add(prefix + $0) }
      summary.skipped += folder.skipped
      let goesDeeper = !request.isRecursive && level == 1 && folder.images.isEmpty
      // Below a root that has no photos of its own everything is looked through.
      guard request.isRecursive || goesDeeper || level > 1, !folder.subfolders.isEmpty,
        !request.isRecursive || level < request.maxDepth ?? .max
      else { continue }
      if goesDeeper { summary.wentDeeper = true }
      var below: [(path: [UInt8], level: Int)] = []
      folder.subfolders.forEachInOrder { below.append((prefix + $0, level + 1)) }
      pending += below.reversed()
    }
  }

  /// What is in a folder; nil if it was looked through before, or cannot be.
  private mutating func open(
    _ path: [UInt8], _ request: ListingRequest, level: Int, _ summary: inout ListingSummary
  ) -> FolderContents? {
    guard let stream = opendir(Self.cString(path.isEmpty ? [0x2e] : path)) else {
      let reason = FailureReason(errno: errno)
      summary.unreadableFolders += 1
      if level == 1 { summary.add(.init(path: path, reason: reason)) }
      return nil
    }
    defer { closedir(stream) }
    var status = stat()
    guard fstat(dirfd(stream), &status) == 0,
      visited.insert(Identity(device: status.st_dev, inode: status.st_ino)).inserted
    else { return nil }
    let contents = FolderContents(stream, includesHidden: request.includesHidden)
    if contents.endedEarly { summary.unreadableFolders += 1 }
    return contents
  }

  private static func cString(_ path: [UInt8]) -> [CChar] {
    path.map { CChar(bitPattern: $0) } + [0]
  }

  private struct Identity: Hashable {
    var device: dev_t
    var inode: ino_t
  }
}

/// Paths on their way out, handed on before they are too many for a message.
private struct Batch {
  private var paths: [[UInt8]] = []
  private var byteCount = 0
  private let report: ([[UInt8]]) -> Void

  init(_ report: @escaping ([[UInt8]]) -> Void) { self.report = report }

  mutating func add(_ path: [UInt8]) {
    // What is longer fits into no message, and no system call takes it.
    guard path.count < Int(PATH_MAX) * 4 else { return }
    if byteCount + path.count + 2 > Response.longestBatch - 16 { flush() }
    paths.append(path)
    byteCount += path.count + 2
  }

  mutating func flush() {
    if !paths.isEmpty { report(paths) }
    paths = []
    byteCount = 0
  }
}
