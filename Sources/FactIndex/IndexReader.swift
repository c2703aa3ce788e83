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
  private let texts: [Int64: String]
  private let formats: [Int64: ImageFormat]
  private var pools = TextPools()
  /// The last translation of a format.
  private var lastFormat: (id: Int64, format: ImageFormat?) = (-1, nil)
  private var (cameras, lenses, profiles) = (TextNumbers(), TextNumbers(), TextNumbers())

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
        """
        SELECT name, inode, bytes, modified, taken, width, height, format, frames, camera, lens,
        profile, sensitivity, exposure, aperture, focal, latitude, orientation
        FROM photo WHERE folder = ? ORDER BY name
        """)
      ratings = try database.prepare(
        "SELECT name, code, stamp FROM rating WHERE folder = ?")
      hashes = try database.prepare(
        "SELECT name, inode, bytes, modified, bits FROM hash WHERE folder = ?")
      self.texts = texts
      formats = texts.compactMapValues { ImageFormat(rawValue: $0) }
      self.database = database
    } catch {
      return nil
    }
  }

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
      var contents = IndexedFolder()
      while try packs.step() {
        if contents.count == 0 { contents.reserve(Int(clamping: packs.number(1))) }
        addPack(to: &contents)
      }
      contents.markSorted()
      while try photos.step() { addRow(to: &contents) }
      while try hashes.step() { addHash(to: &contents) }
      while try ratings.step() { addRating(to: &contents) }
      contents.finish(pools)
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

  /// Adds the photos of the current pack, except those that no file can have.
  private func addPack(to contents: inout IndexedFolder) {
    FactPack.forEach(in: packs.bytes(0)) { name, entry in
      var facts = entry.facts
      guard facts.width > 0, facts.height > 0, let stamp = entry.stamp(facts),
        let format = format(Int64(entry.format))
      else { return }
      facts.isKnown = true
      facts.hasMetadata = true
      if facts.takenDigits != 0 {
        facts.takenDigits = TakenTime(checking: facts.takenDigits)?.digits ?? 0
      }
      facts.kind = format
      facts.rating = nil
      facts.removeHash()
      facts.exposureTime = Self.number(facts.exposureTime)
      facts.aperture = Self.number(facts.aperture)
      facts.focalLength = Self.number(facts.focalLength)
      facts.camera = cameras.number(of: Int64(facts.camera), in: texts, &pools.camera)
      facts.lens = lenses.number(of: Int64(facts.lens), in: texts, &pools.lens)
      facts.profile = profiles.number(of: Int64(facts.profile), in: texts, &pools.profile)
      contents.append(name, facts, stamp)
    }
  }

  /// Returns the format of a text ID; nil if it is none.
  private func format(_ id: Int64) -> ImageFormat? {
    if id == lastFormat.id { return lastFormat.format }
    lastFormat = (id, formats[id])
    return lastFormat.format
  }

  /// Adds the facts of the current row, unless no file can have them.
  private func addRow(to contents: inout IndexedFolder) {
    let name = photos.bytes(0)
    guard StoredPhoto.isName(name), let width = UInt32(exactly: photos.number(5)), width > 0,
      let height = UInt32(exactly: photos.number(6)), height > 0,
      let format = format(photos.number(7)), photos.number(2) >= 0
    else { return }
    let stamp = FileStamp(
      inode: UInt64(bitPattern: photos.number(1)), byteCount: photos.number(2),
      modified: photos.number(3))
    var facts = PackedFacts()
    facts.isKnown = true
    facts.hasMetadata = true
    facts.takenDigits = TakenTime(checking: photos.number(4))?.digits ?? 0
    facts.modified = FileStamp.seconds(stamp.modified)
    facts.byteCount = stamp.byteCount
    (facts.width, facts.height) = (width, height)
    facts.kind = format
    facts.frameCount = UInt16(clamping: max(photos.number(8), 1))
    facts.camera = cameras.number(of: photos.number(9), in: texts, &pools.camera)
    facts.lens = lenses.number(of: photos.number(10), in: texts, &pools.lens)
    facts.profile = profiles.number(of: photos.number(11), in: texts, &pools.profile)
    facts.sensitivity = UInt32(clamping: photos.number(12))
    facts.exposureTime = Self.number(photos.real(13))
    facts.aperture = Self.number(photos.real(14))
    facts.focalLength = Self.number(photos.real(15))
    facts.hasPlace = !photos.isNull(16)
    contents.put(name, facts, stamp)
  }

  /// Returns a number if it is plausible; 0 otherwise.
  private static func number(_ value: some BinaryFloatingPoint) -> Float {
    (0...1e8).contains(value) ? Float(value) : 0
  }
}

/// The mapping from text IDs in the database to numbers in a pool.
private struct TextNumbers {
  private var numbers: [Int64: UInt16] = [:]
  /// The last translation; consecutive photos usually have the same camera.
  private var last = (id: Int64(0), number: TextPool.none)

  mutating func number(
    of id: Int64, in texts: [Int64: String], _ pool: inout TextPool
  ) -> UInt16 {
    if id == last.id { return last.number }
    let number = numbers[id] ?? pool.number(of: texts[id].flatMap { $0.isEmpty ? nil : $0 })
    numbers[id] = number
    last = (id, number)
    return number
  }
}
