import CSQLite
import Glibc
import Photos
import WorkerProtocol

/// Reads the index in a process that may not write files.
///
/// SQLite's readers usually write marks to the shared-memory file beside the write-ahead log. A
/// process that may not write can read the database if both files exist, so the writer leaves them
/// in place (`SQLITE_FCNTL_PERSIST_WAL`).
package final class IndexReader {
  private let database: Database
  private let folders: Statement
  private let packs: Statement
  private let texts: IndexTexts

  /// The most texts to read; an index written by this program has fewer.
  private static let maxTexts = 100_000

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
      var texts: [Int64: String] = [:]
      let query = try database.prepare("SELECT id, value FROM text LIMIT \(Self.maxTexts)")
      while try query.step() {
        texts[query.number(0)] = PhotoMetadata.text(query.bytes(1)) ?? ""
      }
      folders = try database.prepare("SELECT id FROM folder WHERE path = ?")
      packs = try database.prepare(IndexedFolder.query)
      self.texts = IndexTexts(texts)
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
    defer { folders.reset() }
    folders.bind(1, path)
    do throws(DatabaseError) {
      guard try folders.step() else { return nil }
      // A copy, so that another thread can use the contents while this one reads more.
      var contents = IndexedFolder(texts.copy())
      try contents.addPacks(of: folders.number(0), packs)
      return contents.count > 0 ? contents : nil
    } catch {
      return nil
    }
  }
}

extension IndexedFolder {
  /// Adds the packs of a folder that a query finds: the bytes, whether the pack is new, and the number of
  /// files in all packs.
  mutating func addPacks(of folder: Int64, _ query: Statement) throws(DatabaseError) {
    defer { query.reset() }
    query.bind(1, folder)
    // In a damaged index, packs that are not new may follow new ones.
    var hasNew = false
    while try query.step() {
      if count == 0 { reserve(Int(clamping: query.number(2))) }
      hasNew = hasNew || query.number(1) != 0
      if hasNew { update(pack: query.bytes(0)) } else { append(pack: query.bytes(0)) }
    }
  }

  /// What `addPacks(of:_:)` queries.
  ///
  /// In the order of the primary key, because sorting might need a temporary file, which the process that
  /// reads may not write.
  static let query = """
    SELECT photos, new, (SELECT sum(count) FROM pack WHERE folder = ?1) FROM pack
    WHERE folder = ?1 ORDER BY number
    """
}
