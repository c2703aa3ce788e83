import Glibc
import PhotoGridCore
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
  /// The folder of the last entry, as given and as its canonical path.
  private var lastFolder: (given: [UInt8], path: [UInt8])?
  /// The folders whose facts were recorded.
  private var changedFolders: Set<[UInt8]> = []

  /// The default limit of the index's size, in bytes, enough for about three million photos.
  package static let usualSizeLimit: Int64 = 400 << 20

  /// Creates a writer, which creates the index with the first request.
  package init(_ file: IndexFile, sizeLimit: Int64 = usualSizeLimit) {
    self.file = file
    self.sizeLimit = sizeLimit
  }

  /// Records the facts, hashes and ratings of files that have not changed since they were read.
  ///
  /// - Returns: The number of files recorded.
  package func record(_ entries: [IndexEntry]) throws(DatabaseError) -> Int {
    var (batch, count) = (IndexBatch(), 0)
    for entry in entries {
      guard let (folder, name) = place(of: entry) else { continue }
      if let info = entry.info {
        guard !info.isIncomplete, info.metadata != nil,
          let stamp = stamp(
            of: entry.path, FileStatus(byteCount: info.byteCount, modified: info.modified))
        else { continue }
        batch.update(folder) { $0.photos.append((name, info, stamp)) }
      }
      if let rated = entry.rated {
        batch.update(folder) {
          $0.ratings.append(StoredValue(name: Array(name), value: RatingValue(rated)))
        }
      }
      if let hashed = entry.hashed {
        guard let stamp = stamp(of: entry.path, hashed.status) else { continue }
        batch.update(folder) {
          $0.hashes.append(StoredValue(name: Array(name), value: HashValue(hashed.hash, stamp)))
        }
      }
      count += 1
    }
    try put(batch)
    return count
  }

  /// Records the facts of a batch of photos, except unknown ones and those without a stamp.
  ///
  /// - Parameters:
  ///   - photos: Photos in one folder, with their facts.
  ///   - stamps: The stamp of each file when it was read.
  /// - Returns: The number of files recorded.
  /// - Throws: `DatabaseError` if nothing can be written.
  package func record(
    _ photos: PhotoBatch, _ stamps: [InodeStamp]
  ) throws(DatabaseError) -> Int {
    guard let facts = photos.facts, let folder = canonicalPath(ofFolder: photos.folder) else {
      return 0
    }
    var (batch, count) = (IndexBatch(), 0)
    batch.update(folder) { folder in
      folder.texts = facts.pools
      var place = 0
      photos.forEachName { name in
        defer { place += 1 }
        guard let photo = StoredPhoto(facts, at: place, stamps[place], name: name) else { return }
        folder.packed.append(photo)
        count += 1
      }
    }
    guard count > 0 else { return 0 }
    try put(batch)
    return count
  }

  private func put(_ batch: IndexBatch) throws(DatabaseError) {
    try withTables { (tables) throws(DatabaseError) in
      try tables.put(batch)
      try tables.evict(above: sizeLimit)
    }
    for folder in batch.folders { changedFolders.insert(folder.path) }
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

  /// Merges the packs of the folders that were recorded, and closes the index.
  package func close() {
    for folder in changedFolders {
      // Packs that cannot be merged stay as they are.
      try? transaction { (tables) throws(DatabaseError) in _ = try tables.pack(folder) }
    }
    changedFolders = []
    tables = nil
  }

  /// Returns the stamp of a file; nil if its status is no longer the given one.
  private func stamp(of path: [UInt8], _ status: FileStatus) -> FileStamp? {
    guard let stamp = FileStamp(of: path), stamp.byteCount == Int64(status.byteCount),
      FileStamp.seconds(stamp.modified) == Int64(status.modified)
    else { return nil }
    return stamp
  }

  /// Returns an entry's canonical folder and its name in it; nil if there is no such folder.
  private func place(of entry: IndexEntry) -> (folder: [UInt8], name: ArraySlice<UInt8>)? {
    let start = entry.path.nameStart
    // Consecutive photos are usually in one folder.
    if let lastFolder, lastFolder.given.elementsEqual(entry.path[..<start]) {
      return (lastFolder.path, entry.path[start...])
    }
    let given = Array(entry.path[..<start])
    guard let path = canonicalPath(ofFolder: given) else { return nil }
    lastFolder = (given, path)
    return (path, entry.path[start...])
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
