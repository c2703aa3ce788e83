import CSQLite
import WorkerProtocol

/// The table of the index, open for writing.
final class IndexTables {
  private let database: Database
  private let find: Statement
  private let put: Statement

  /// The largest snapshot to write, in bytes: SQLite takes no value of a gigabyte.
  private static let maxSnapshotLength = 800 << 20

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
    // Keeps the log and the shared-memory file, which processes that may only read need.
    var isOn: Int32 = 1
    sqlite3_file_control(database.handle, "main", SQLITE_FCNTL_PERSIST_WAL, &isOn)
    if try database.number("SELECT count(*) FROM sqlite_schema") == 0 {
      try database.run(IndexSchema.statements)
    }
    guard try IndexSchema.isCurrent(database) else { throw DatabaseError(code: SQLITE_NOTADB) }
    find = try database.prepare(IndexedFolder.query)
    put = try database.prepare(
      """
      INSERT INTO folder(path, age, photos)
      SELECT ?1, coalesce(max(age), 0) + 1, ?2 FROM folder WHERE true
      ON CONFLICT(path) DO UPDATE SET age = excluded.age, photos = excluded.photos
      """)
  }

  /// Adds what was read of a folder's photos to what the index has about them, in a transaction.
  ///
  /// Waits for the transactions of other processes.
  func update(_ folder: [UInt8], with batches: [PhotoBatch]) throws(DatabaseError) {
    try database.run("BEGIN IMMEDIATE")
    var contents = try IndexedFolder(path: folder, find) ?? IndexedFolder()
    for batch in batches { contents.update(batch) }
    contents.sort()
    let snapshot = contents.snapshot
    if snapshot.count <= Self.maxSnapshotLength {
      put.bind(1, folder)
      put.bind(2, snapshot)
      try put.run()
    }
    try database.run("COMMIT")
  }

  /// Evicts the folders recorded longest ago, if the index is larger than a limit in bytes.
  ///
  /// It is then reduced to nine tenths of the limit, but always keeps the latest folder.
  func evict(above limit: Int64) throws(DatabaseError) {
    guard try usedSize() > limit else { return }
    while try usedSize() > limit / 10 * 9,
      let oldest = try database.number(
        "SELECT id FROM folder WHERE age < (SELECT max(age) FROM folder) ORDER BY age LIMIT 1")
    {
      try database.run("DELETE FROM folder WHERE id = \(oldest)")
    }
  }

  /// Returns the size of the pages in use, in bytes.
  private func usedSize() throws(DatabaseError) -> Int64 {
    let pages = try database.number("PRAGMA page_count") ?? 0
    let free = try database.number("PRAGMA freelist_count") ?? 0
    return (pages - free) * (try database.number("PRAGMA page_size") ?? 4096)
  }
}

extension IndexedFolder {
  /// The query for the snapshot of a folder by its path.
  static let query = "SELECT photos FROM folder WHERE path = ?"

  /// Reads a folder by `query`; nil if nothing is known about its photos, or the snapshot is damaged.
  init?(path: [UInt8], _ query: Statement) throws(DatabaseError) {
    defer { query.reset() }
    query.bind(1, path)
    guard try query.step() else { return nil }
    self.init(snapshot: query.bytes(0))
  }
}
