import CSQLite
import Glibc
import PhotoGridCore
import WorkerProtocol

/// Reads the index in a process that may write nothing.
///
/// Readers of SQLite's write-ahead log write marks to the shared-memory file beside it. A process
/// that may not write can still read if both files exist, so the writer leaves them in place
/// (`SQLITE_FCNTL_PERSIST_WAL`).
package final class IndexReader {
  private let database: Database
  private let folders: Statement
  private let packs: Statement
  private let photos: Statement
  private let ratings: Statement
  private let hashes: Statement
  private let texts: IndexTexts

  /// The most texts to read; an index written by this program has fewer.
  private static let mostTexts = 100_000

  /// Opens the index; nil if there is none, or it is unreadable or of another version.
  package init?(_ file: IndexFile) {
    guard file.isOwn else { return nil }
    do throws(DatabaseError) {
      let database = try Database(file.path, .reading)
      guard try IndexSchema.isCurrent(database) else { return nil }
      var texts: [Int64: String] = [:]
      let query = try database.prepare("SELECT id, value FROM text LIMIT \(Self.mostTexts)")
      while try query.step() {
        texts[query.number(0)] = PhotoMetadata.text(query.bytes(1)) ?? ""
      }
      folders = try database.prepare("SELECT id FROM folder WHERE path = ?")
      packs = try database.prepare(
        """
        SELECT photos, (SELECT sum(count) FROM pack WHERE folder = ?1) FROM pack
        WHERE folder = ?1 ORDER BY place
        """)
      photos = try database.prepare(
        "SELECT \(StoredPhoto.columns) FROM photo WHERE folder = ? ORDER BY name")
      ratings = try database.prepare(
        "SELECT name, code, stamp FROM rating WHERE folder = ?")
      hashes = try database.prepare(
        "SELECT name, inode, bytes, modified, bits FROM hash WHERE folder = ?")
      self.texts = IndexTexts(texts)
      self.database = database
    } catch {
      return nil
    }
  }

  /// Reads the index as it is now until `endSnapshot()`.
  ///
  /// Otherwise every query has to check whether the index has changed, and reads its first pages
  /// again.
  package func beginSnapshot() { try? database.run("BEGIN") }

  /// Reads the index as it is from now on.
  package func endSnapshot() { try? database.run("COMMIT") }

  /// Reads the facts of the files in a folder.
  ///
  /// - Parameter folder: A path that ends with a slash; empty for the current folder.
  /// - Returns: The contents; nil if nothing is known, or the index is broken.
  package func contents(ofFolder folder: [UInt8]) -> IndexedFolder? {
    guard let path = IndexFile.canonicalPath(ofFolder: folder) else { return nil }
    let statements = [folders, packs, photos, hashes, ratings]
    defer { for statement in statements { statement.reset() } }
    folders.bind(1, path)
    do throws(DatabaseError) {
      guard try folders.step() else { return nil }
      for statement in statements.dropFirst() { statement.bind(1, folders.number(0)) }
      var contents = IndexedFolder(texts)
      while try packs.step() {
        if contents.count == 0 { contents.reserve(Int(clamping: packs.number(1))) }
        contents.append(pack: packs.bytes(0))
      }
      contents.markSorted()
      while try photos.step() { if let photo = StoredPhoto(photos) { contents.put(photo) } }
      while try hashes.step() { addHash(to: &contents) }
      while try ratings.step() { addRating(to: &contents) }
      return contents.count > 0 ? contents : nil
    } catch {
      return nil
    }
  }

  /// Adds the hash of the current row.
  private func addHash(to contents: inout IndexedFolder) {
    let name = hashes.bytes(0)
    guard StoredPhoto.isName(name), hashes.number(2) >= 0 else { return }
    let stamp = FileStamp(
      inode: UInt64(bitPattern: hashes.number(1)), byteCount: hashes.number(2),
      modified: hashes.number(3))
    let bits = UInt64(bitPattern: hashes.number(4))
    contents.put(name, hashes.isNull(4) ? nil : DifferenceHash(bits: bits), stamp)
  }

  /// Adds the rating of the current row.
  private func addRating(to contents: inout IndexedFolder) {
    let name = ratings.bytes(0)
    guard StoredPhoto.isName(name),
      let rating = UInt8(exactly: ratings.number(1)).flatMap({ Rating(code: $0) })
    else { return }
    contents.put(name, rating, stamp: UInt64(bitPattern: ratings.number(2)))
  }
}
