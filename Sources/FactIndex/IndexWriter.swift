import Glibc
import PhotoGridCore
import WorkerProtocol

/// Writes the index; several processes may do so at once.
///
/// All facts can be read again from the photos, so any failure is harmless: a file that is broken,
/// of another version or of another user is moved aside.
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

  /// The default limit of the index's size, in bytes: the facts of about three million photos.
  package static let usualSizeLimit: Int64 = 400 << 20

  /// Creates a writer, which creates the index with the first request.
  package init(_ file: IndexFile, sizeLimit: Int64 = usualSizeLimit) {
    self.file = file
    self.sizeLimit = sizeLimit
  }

  /// Records the facts of files that have not changed since they were read.
  ///
  /// - Returns: The number of files recorded.
  package func record(_ entries: [IndexEntry]) throws(DatabaseError) -> Int {
    try withTables { (tables) throws(DatabaseError) in
      var count = 0
      for entry in entries {
        guard let (folder, name) = place(of: entry) else { continue }
        if let info = entry.info {
          guard !info.isIncomplete, info.metadata != nil,
            let stamp = stamp(
              of: entry.path, FileStatus(byteCount: info.byteCount, modified: info.modified))
          else { continue }
          try tables.put(info, stamp, name: name, folder: folder)
          changedFolders.insert(folder)
        }
        if let rated = entry.rated { try tables.put(rated, name: name, folder: folder) }
        if let hashed = entry.hashed {
          guard let stamp = stamp(of: entry.path, hashed.status) else { continue }
          try tables.put(hashed.hash, stamp, name: name, folder: folder)
        }
        count += 1
      }
      try tables.evict(above: sizeLimit)
      return count
    }
  }

  /// Removes all facts.
  ///
  /// - Returns: The number of files whose facts were removed.
  package func clear() throws(DatabaseError) -> Int {
    let count = try withTables { (tables) throws(DatabaseError) in try tables.clear() }
    try tables?.shrink()
    return count
  }

  /// Packs the facts of the folders that were recorded, and closes the index.
  package func close() {
    for folder in changedFolders {
      // Facts that cannot be packed stay as they are.
      _ = try? transaction { (tables) throws(DatabaseError) in try tables.pack(folder) }
    }
    changedFolders = []
    tables = nil
  }

  /// The stamp of a file; nil if it has changed since it had a status.
  private func stamp(of path: [UInt8], _ status: FileStatus) -> FileStamp? {
    guard let stamp = FileStamp(of: path), stamp.byteCount == Int64(status.byteCount),
      FileStamp.seconds(stamp.modified) == Int64(status.modified)
    else { return nil }
    return stamp
  }

  /// Where an entry belongs; nil if there is no such folder.
  private func place(of entry: IndexEntry) -> (folder: [UInt8], name: ArraySlice<UInt8>)? {
    let start = entry.path.nameStart
    let given = Array(entry.path[..<start])
    if canonicalPaths[given] == nil {
      if canonicalPaths.count > 10_000 { canonicalPaths = [:] }
      canonicalPaths[given] = IndexFile.canonicalPath(ofFolder: given)
    }
    return canonicalPaths[given].map { ($0, entry.path[start...]) }
  }

  /// Changes the index in a transaction; if the index is damaged, replaces it and tries once more.
  private func withTables(
    _ change: (IndexTables) throws(DatabaseError) -> Int
  ) throws(DatabaseError) -> Int {
    do throws(DatabaseError) {
      return try transaction(change)
    } catch  where error.isDamage {
      tables = nil
      replace()
      return try transaction(change)
    }
  }

  private func transaction(
    _ change: (IndexTables) throws(DatabaseError) -> Int
  ) throws(DatabaseError) -> Int {
    let tables = try openedTables()
    do throws(DatabaseError) {
      try tables.begin()
      let count = try change(tables)
      try tables.commit()
      return count
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
    if file.exists, !file.isOwn { file.moveAside() }
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
