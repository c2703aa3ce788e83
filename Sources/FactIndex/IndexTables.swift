import CSQLite
import PhotoGridCore
import WorkerProtocol

/// The tables of the index, open for writing.
final class IndexTables {
  let database: Database
  private let findFolder: Statement
  private let addFolder: Statement
  private let renewFolder: Statement
  private let findText: Statement
  private let addText: Statement
  private let putPhoto: Statement
  private let putRating: Statement
  private let putHash: Statement
  /// The IDs of folders and texts that the transactions so far have used.
  private var folders: [[UInt8]: Int64] = [:]
  private var texts: [String: Int64] = [:]

  /// Opens the index, or creates it.
  ///
  /// - Throws: `DatabaseError`; its `isDamage` is true for a database of another program or
  ///   version.
  init(_ file: IndexFile) throws(DatabaseError) {
    database = try Database(file.path, .writing)
    try database.run(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 0;
      PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY
      """)
    // Processes that may only read need the log and its shared memory.
    var isOn: Int32 = 1
    sqlite3_file_control(database.handle, "main", SQLITE_FCNTL_PERSIST_WAL, &isOn)
    if try database.number("SELECT count(*) FROM sqlite_schema") == 0 {
      try database.run(IndexSchema.statements)
    }
    guard try IndexSchema.isCurrent(database) else { throw DatabaseError(code: SQLITE_NOTADB) }
    findFolder = try database.prepare("SELECT id FROM folder WHERE path = ?")
    addFolder = try database.prepare(
      "INSERT INTO folder(path, age) SELECT ?, coalesce(max(age), 0) + 1 FROM folder")
    renewFolder = try database.prepare(
      """
      UPDATE folder SET age = (SELECT max(age) + 1 FROM folder)
      WHERE id = ? AND age < (SELECT max(age) FROM folder)
      """)
    findText = try database.prepare("SELECT id FROM text WHERE value = ?")
    addText = try database.prepare("INSERT INTO text(value) VALUES(?)")
    putPhoto = try database.prepare(
      """
      INSERT OR REPLACE INTO photo(folder, name, inode, bytes, modified, taken, width, height,
      orientation, format, frames, camera, lens, profile, sensitivity, exposure, aperture, focal,
      latitude, longitude) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    putRating = try database.prepare(
      "INSERT OR REPLACE INTO rating(folder, name, code, stamp) VALUES(?, ?, ?, ?)")
    putHash = try database.prepare(
      """
      INSERT OR REPLACE INTO hash(folder, name, inode, bytes, modified, bits)
      VALUES(?, ?, ?, ?, ?, ?)
      """)
  }

  // MARK: - Transactions

  /// Begins a transaction, after waiting for those of other processes.
  func begin() throws(DatabaseError) {
    try database.run("BEGIN IMMEDIATE")
    // Other processes may have removed folders and texts.
    (folders, texts) = ([:], [:])
  }

  /// Ends the transaction.
  func commit() throws(DatabaseError) { try database.run("COMMIT") }

  // MARK: - Changes

  /// Records the facts of a file.
  func put(
    _ info: PhotoInfo, _ stamp: FileStamp, name: ArraySlice<UInt8>, folder: [UInt8]
  ) throws(DatabaseError) {
    let metadata = info.metadata ?? PhotoMetadata()
    putPhoto.bind(1, try id(ofFolder: folder))
    putPhoto.bind(2, name)
    putPhoto.bind(3, Int64(bitPattern: stamp.inode))
    putPhoto.bind(4, stamp.byteCount)
    putPhoto.bind(5, stamp.modified)
    putPhoto.bind(6, optional: info.taken.flatMap { TakenTime(iso8601: $0) }?.digits)
    putPhoto.bind(7, Int64(max(1, min(info.size.width, 4e9))))
    putPhoto.bind(8, Int64(max(1, min(info.size.height, 4e9))))
    putPhoto.bind(9, Int64(info.orientation))
    putPhoto.bind(10, optional: try id(of: info.format.rawValue))
    putPhoto.bind(11, Int64(info.frameCount))
    putPhoto.bind(12, optional: try id(of: metadata.camera))
    putPhoto.bind(13, optional: try id(of: metadata.lens))
    putPhoto.bind(14, optional: try id(of: metadata.profile))
    putPhoto.bind(15, optional: metadata.sensitivity.map { Int64($0) })
    putPhoto.bind(16, metadata.exposureTime)
    putPhoto.bind(17, metadata.aperture)
    putPhoto.bind(18, metadata.focalLength)
    putPhoto.bind(19, metadata.place?.latitude)
    putPhoto.bind(20, metadata.place?.longitude)
    try putPhoto.run()
  }

  /// Records the rating of a file.
  func put(
    _ rating: IndexEntry.Rated, name: ArraySlice<UInt8>, folder: [UInt8]
  ) throws(DatabaseError) {
    putRating.bind(1, try id(ofFolder: folder))
    putRating.bind(2, name)
    putRating.bind(3, Int64(rating.rating.code))
    putRating.bind(4, Int64(bitPattern: rating.stamp))
    try putRating.run()
  }

  /// Records the hash of a file's picture; nil for a picture without one.
  func put(
    _ hash: DifferenceHash?, _ stamp: FileStamp, name: ArraySlice<UInt8>, folder: [UInt8]
  ) throws(DatabaseError) {
    putHash.bind(1, try id(ofFolder: folder))
    putHash.bind(2, name)
    putHash.bind(3, Int64(bitPattern: stamp.inode))
    putHash.bind(4, stamp.byteCount)
    putHash.bind(5, stamp.modified)
    putHash.bind(6, optional: hash.map { Int64(bitPattern: $0.bits) })
    try putHash.run()
  }

  private func id(ofFolder path: [UInt8]) throws(DatabaseError) -> Int64 {
    if let id = folders[path] { return id }
    defer { findFolder.reset() }
    findFolder.bind(1, path)
    let id: Int64
    if try findFolder.step() {
      id = findFolder.number(0)
      renewFolder.bind(1, id)
      try renewFolder.run()
    } else {
      addFolder.bind(1, path)
      try addFolder.run()
      id = database.lastID
    }
    folders[path] = id
    return id
  }

  private func id(of text: String?) throws(DatabaseError) -> Int64? {
    guard let text else { return nil }
    if let id = texts[text] { return id }
    defer { findText.reset() }
    findText.bind(1, text: text)
    let id: Int64
    if try findText.step() {
      id = findText.number(0)
    } else {
      addText.bind(1, text: text)
      try addText.run()
      id = database.lastID
    }
    texts[text] = id
    return id
  }

  /// If the index is larger than a limit in bytes, removes the facts of the folders recorded
  /// longest ago until it is a tenth smaller than the limit; those of the latest folder stay.
  func evict(above limit: Int64) throws(DatabaseError) {
    guard try usedSize() > limit else { return }
    while try usedSize() > limit / 10 * 9,
      let oldest = try database.number(
        "SELECT id FROM folder WHERE age < (SELECT max(age) FROM folder) ORDER BY age LIMIT 1")
    {
      try database.run(
        """
        DELETE FROM photo WHERE folder = \(oldest); DELETE FROM pack WHERE folder = \(oldest);
        DELETE FROM rating WHERE folder = \(oldest); DELETE FROM hash WHERE folder = \(oldest);
        DELETE FROM folder WHERE id = \(oldest)
        """)
      folders = [:]
    }
  }

  /// Returns the size of the database without free pages, in bytes.
  private func usedSize() throws(DatabaseError) -> Int64 {
    let pages = try database.number("PRAGMA page_count") ?? 0
    let free = try database.number("PRAGMA freelist_count") ?? 0
    return (pages - free) * (try database.number("PRAGMA page_size") ?? 4096)
  }

  /// Removes all facts.
  ///
  /// - Returns: The number of photos whose facts were removed.
  func clear() throws(DatabaseError) -> Int {
    let count = try database.number(
      "SELECT (SELECT count(*) FROM photo) + (SELECT coalesce(sum(count), 0) FROM pack)")
    try database.run(
      """
      DELETE FROM photo; DELETE FROM pack; DELETE FROM rating; DELETE FROM hash;
      DELETE FROM folder; DELETE FROM text
      """)
    return Int(count ?? 0)
  }

  /// Shrinks the file to the pages in use.
  func shrink() throws(DatabaseError) {
    try database.run("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
