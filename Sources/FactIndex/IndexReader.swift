import CSQLite
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
  private let photos: Statement
  private let texts: [Int64: String]
  private let formats: [Int64: ImageFormat]
  private var pools = TextPools()
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
      photos = try database.prepare(
        """
        SELECT name, inode, bytes, modified, taken, width, height, format, frames, camera, lens,
        profile, sensitivity, exposure, aperture, focal, latitude, orientation
        FROM photo WHERE folder = ? ORDER BY name
        """)
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
    defer {
      folders.reset()
      photos.reset()
    }
    folders.bind(1, path)
    do throws(DatabaseError) {
      guard try folders.step() else { return nil }
      photos.bind(1, folders.number(0))
      var contents = IndexedFolder(pools: pools)
      while try photos.step() { addRow(to: &contents) }
      contents.finish(pools)
      return contents.count > 0 ? contents : nil
    } catch {
      return nil
    }
  }

  /// Adds the facts of the current row, unless they are impossible.
  private func addRow(to contents: inout IndexedFolder) {
    let name = photos.bytes(0)
    guard !name.isEmpty, !name.contains(0), !name.contains(0x2f),
      let width = UInt32(exactly: photos.number(5)), width > 0,
      let height = UInt32(exactly: photos.number(6)), height > 0,
      let format = formats[photos.number(7)], photos.number(2) >= 0
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
    contents.append(name, facts, stamp)
  }

  /// Returns a number if it is plausible; 0 otherwise.
  private static func number(_ value: Double) -> Float {
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
