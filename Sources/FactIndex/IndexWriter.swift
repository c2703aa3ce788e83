import Geometry
import Glibc
import WorkerProtocol

/// Writes the index; several processes may do so at the same time.
///
/// What is recorded is written when the writer is closed, because a folder is always written as a whole.
/// A file that is broken, of another version or of another user is moved aside and replaced. Nothing
/// is lost by that, because all facts can be read from the photos again.
package final class IndexWriter {
  private let file: IndexFile
  /// The size of the index above which old facts are removed, in bytes.
  private let sizeLimit: Int64
  /// The open index; nil before the first request and after a failure.
  private var tables: IndexTables?
  /// The canonical paths of folders, by the paths in the batches.
  private var canonicalPaths: [[UInt8]: [UInt8]] = [:]
  /// The batches to write, by the canonical paths of their folders.
  private var waiting: [[UInt8]: [PhotoBatch]] = [:]
  private var waitingCount = 0

  /// The default limit of the index's size, in bytes, enough for about three million photos.
  package static let usualSizeLimit: Int64 = 400 << 20
  /// The number of photos at which they are written before the end, so that they take no more than
  /// about 50 MB of memory.
  private static let maxWaitingCount = 1 << 19

  /// Creates a writer, which creates the index with the first request.
  package init(_ file: IndexFile, sizeLimit: Int64 = usualSizeLimit) {
    self.file = file
    self.sizeLimit = sizeLimit
  }

  /// Records what is known of photos in a folder, except what was read from files in a state that cannot
  /// be identified.
  ///
  /// - Returns: The number of photos recorded.
  package func record(_ photos: PhotoBatch) throws(DatabaseError) -> Int {
    guard let block = photos.facts, let folder = canonicalPath(ofFolder: photos.folder) else {
      return 0
    }
    let count = block.rows.indices.count { IndexEntry(block, $0) != nil }
    guard count > 0 else { return 0 }
    // An index that cannot be written is reported with the first photos.
    _ = try openedTables()
    waiting[folder, default: []].append(photos)
    waitingCount += photos.count
    if waitingCount >= Self.maxWaitingCount { try write() }
    return count
  }

  /// Writes what was recorded.
  ///
  /// - Throws: `DatabaseError` if a folder cannot be written; neither it nor any after it is tried again.
  package func write() throws(DatabaseError) {
    let folders = waiting
    (waiting, waitingCount) = ([:], 0)
    for (folder, batches) in folders {
      try withTables { (tables) throws(DatabaseError) in
        try tables.update(folder, with: batches)
        try tables.evict(above: sizeLimit)
      }
    }
  }

  /// Writes what was recorded, if that is possible, and closes the index.
  package func close() {
    try? write()
    tables = nil
  }

  private func canonicalPath(ofFolder given: [UInt8]) -> [UInt8]? {
    if let path = canonicalPaths[given] { return path }
    if canonicalPaths.count > 10_000 { canonicalPaths = [:] }
    let path = IndexFile.canonicalPath(ofFolder: given)
    canonicalPaths[given] = path
    return path
  }

  /// Changes the index, and once more in a new index if the old one is damaged.
  private func withTables(
    _ change: (IndexTables) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    var isRepeated = false
    while true {
      do throws(DatabaseError) {
        return try change(try openedTables())
      } catch {
        // Closing also rolls a transaction back.
        tables = nil
        guard error.isDamage, !isRepeated else { throw error }
        isRepeated = true
        replace()
      }
    }
  }

  private func openedTables() throws(DatabaseError) -> IndexTables {
    if let tables { return tables }
    let lock = file.lock()
    defer { if lock >= 0 { Glibc.close(lock) } }
    if file.isForeign { file.moveAside() }
    file.create()
    let opened: IndexTables
    do throws(DatabaseError) {
      opened = try IndexTables(file)
    } catch  where error.isDamage {
      file.moveAside()
      file.create()
      opened = try IndexTables(file)
    }
    tables = opened
    return opened
  }

  private func replace() {
    let lock = file.lock()
    defer { if lock >= 0 { Glibc.close(lock) } }
    file.moveAside()
  }
}
