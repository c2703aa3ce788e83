import Geometry
import Glibc
import WorkerProtocol

/// Writes the index; several processes may do so at the same time.
///
/// A file that is broken, of another version or of another user is moved aside and replaced.
/// Nothing is lost by that, because all facts can be read from the photos again.
package final class IndexWriter {
  private let file: IndexFile
  /// The size of the index above which old facts are removed, in bytes.
  private let sizeLimit: Int64
  /// The open index; nil before the first request and after a failure.
  private var tables: IndexTables?
  /// The canonical paths of folders, by the paths in the entries.
  private var canonicalPaths: [[UInt8]: [UInt8]] = [:]
  /// The folders whose facts were recorded.
  private var changedFolders: Set<[UInt8]> = []

  /// The default limit of the index's size, in bytes, enough for about three million photos.
  package static let usualSizeLimit: Int64 = 400 << 20

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
    guard let block = photos.facts,
      block.rows.indices.contains(where: { IndexColumns.Entry(block, $0).isValid }),
      let folder = canonicalPath(ofFolder: photos.folder)
    else { return 0 }
    var count = 0
    try withTables { (tables) throws(DatabaseError) in
      count = try tables.record(photos, inFolder: folder)
      try tables.evict(above: sizeLimit)
    }
    changedFolders.insert(folder)
    return count
  }

  /// Removes all facts.
  ///
  /// - Returns: The number of files whose facts were removed.
  package func clear() throws(DatabaseError) -> Int {
    var count = 0
    try withTables { (tables) throws(DatabaseError) in count = try tables.clear() }
    try tables?.shrink()
    return count
  }

  /// Sorts the packs of the folders that were recorded, and closes the index.
  package func close() {
    for folder in changedFolders {
      // Packs that cannot be sorted stay as they are.
      try? transaction { (tables) throws(DatabaseError) in
        try tables.sortPacks(ofFolder: folder)
      }
    }
    changedFolders = []
    tables = nil
  }

  private func canonicalPath(ofFolder given: [UInt8]) -> [UInt8]? {
    if let path = canonicalPaths[given] { return path }
    if canonicalPaths.count > 10_000 { canonicalPaths = [:] }
    let path = IndexFile.canonicalPath(ofFolder: given)
    canonicalPaths[given] = path
    return path
  }

  /// Changes the index in a transaction, and once more in a new index if the old one is damaged.
  private func withTables(
    _ change: (IndexTables) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    do throws(DatabaseError) {
      try transaction(change)
    } catch  where error.isDamage {
      tables = nil
      replace()
      try transaction(change)
    }
  }

  private func transaction(
    _ change: (IndexTables) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let tables = try openedTables()
    do throws(DatabaseError) {
      try tables.begin()
      try change(tables)
      try tables.commit()
    } catch {
      // Closing also rolls the transaction back.
      self.tables = nil
      throw error
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
