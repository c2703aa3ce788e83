/// Reads the index in a process that may not write files.
///
/// SQLite's readers usually write marks to the shared-memory file beside the write-ahead log. A
/// process that may not write can read the database if both files exist, so the writer leaves them
/// in place (`SQLITE_FCNTL_PERSIST_WAL`).
package final class IndexReader {
  private let database: Database
  private let folders: Statement

  /// Opens the index; nil if there is none, or it is unreadable or of another version.
  ///
  /// - Parameters:
  ///   - file: The index.
  ///   - isOwner: Whether this process may create missing files beside the database. The lister may
  ///     not; tests may.
  package init?(_ file: IndexFile, asOwner isOwner: Bool = false) {
    guard file.isOwn else { return nil }
    do throws(DatabaseError) {
      let database = try Database(file.path, isOwner ? .readingAsOwner : .reading)
      guard try IndexSchema.isCurrent(database) else { return nil }
      folders = try database.prepare(IndexedFolder.query)
      self.database = database
    } catch {
      return nil
    }
  }

  /// Begins a snapshot: until `endSnapshot()`, all queries see the index as it is now.
  ///
  /// Outside of a snapshot, every query checks whether the index has changed, and reads its first
  /// pages again.
  package func beginSnapshot() { try? database.run("BEGIN") }

  /// Ends the snapshot, so that queries see later changes of the index.
  package func endSnapshot() { try? database.run("COMMIT") }

  /// Reads the facts, hashes and ratings of the files in a folder.
  ///
  /// - Parameter folder: A path that ends with a slash; empty for the current folder.
  /// - Returns: The contents; nil if nothing is known, or the index is broken.
  package func contents(ofFolder folder: [UInt8]) -> IndexedFolder? {
    IndexFile.canonicalPath(ofFolder: folder).flatMap { contents(ofCanonical: $0) }
  }

  /// Reads the facts, hashes and ratings of the files in a folder, given its path by
  /// `IndexFile.canonicalPath(ofFolder:)`.
  package func contents(ofCanonical path: [UInt8]) -> IndexedFolder? {
    try? IndexedFolder(path: path, folders)
  }
}
