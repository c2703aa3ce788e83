import CSQLite
import Photos
import WorkerProtocol

/// The tables of the index, open for writing.
final class IndexTables {
  /// The open database.
  let database: Database
  private let findFolder: Statement
  private let addFolder: Statement
  private let renewFolder: Statement
  private let findText: Statement
  private let addText: Statement
  private let putPack: Statement
  /// The IDs of folders that the current transaction has used, by path.
  private var folders: [[UInt8]: Int64] = [:]
  /// The IDs of texts that the current transaction has used.
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
    // Keeps the log and the shared-memory file, which processes that may only read need.
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
    putPack = try database.prepare(
      """
      INSERT INTO pack(folder, number, new, count, photos)
      SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4 FROM pack WHERE folder = ?1
      """)
  }

  // MARK: - Transactions

  /// Begins a transaction, after waiting for the transactions of other processes.
  func begin() throws(DatabaseError) {
    try database.run("BEGIN IMMEDIATE")
    // Other processes may have removed folders and texts.
    (folders, texts) = ([:], [:])
  }

  /// Ends the transaction.
  func commit() throws(DatabaseError) { try database.run("COMMIT") }

  // MARK: - Changes

  /// Records photos of a folder in a new pack.
  ///
  /// - Returns: The number of photos about which there was something to record.
  func record(_ photos: PhotoBatch, inFolder path: [UInt8]) throws(DatabaseError) -> Int {
    guard let block = photos.facts else { return 0 }
    let folder = try id(ofFolder: path)
    let cameras = try ids(of: block.pools.camera)
    let lenses = try ids(of: block.pools.lens)
    let profiles = try ids(of: block.pools.profile)
    func stored(_ number: UInt16, _ ids: [UInt16]) -> UInt16 {
      Int(number) < ids.count ? ids[Int(number)] : 0
    }
    var columns = IndexColumns()
    var index = 0
    photos.forEachName { name in
      defer { index += 1 }
      var entry = IndexColumns.Entry(block, index)
      guard entry.isValid else { return }
      entry.row.camera = stored(entry.row.camera, cameras)
      entry.row.lens = stored(entry.row.lens, lenses)
      entry.row.profile = stored(entry.row.profile, profiles)
      columns.append(entry, name: name)
    }
    for start in stride(from: 0, to: columns.count, by: IndexColumns.maxPackCount) {
      let piece = start..<min(start + IndexColumns.maxPackCount, columns.count)
      try put(columns.pack(piece), count: piece.count, folder: folder, isNew: true)
    }
    return columns.count
  }

  /// Replaces the packs of a folder by packs in the order of the listing, if enough is new.
  ///
  /// That writes everything again, so it waits until an eighth as much is new as is sorted: the time
  /// stays in proportion to what was recorded.
  func sortPacks(ofFolder path: [UInt8]) throws(DatabaseError) {
    defer { findFolder.reset() }
    findFolder.bind(1, path)
    guard try findFolder.step() else { return }
    let folder = findFolder.number(0)
    let size = "SELECT coalesce(sum(length(photos)), 0) FROM pack WHERE folder = \(folder) AND"
    let new = try database.number("\(size) new") ?? 0
    guard new > 0, new >= (try database.number("\(size) NOT new") ?? 0) / 8 else { return }
    var contents = IndexedFolder(IndexTexts())
    try contents.addPacks(of: folder, try database.prepare(IndexedFolder.query))
    try database.run("DELETE FROM pack WHERE folder = \(folder)")
    for pack in contents.sortedPacks() {
      try put(pack.bytes, count: pack.count, folder: folder, isNew: false)
    }
  }

  /// Returns the ID of each text of a pool.
  private func ids(of pool: TextPool) throws(DatabaseError) -> [UInt16] {
    var ids: [UInt16] = []
    for text in pool.texts { ids.append(try id(of: text)) }
    return ids
  }

  /// Adds a pack to a folder, after its other packs.
  private func put(
    _ pack: [UInt8], count: Int, folder: Int64, isNew: Bool
  ) throws(DatabaseError) {
    putPack.bind(1, folder)
    putPack.bind(2, isNew ? 1 : 0)
    putPack.bind(3, Int64(count))
    putPack.bind(4, pack)
    try putPack.run()
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

  /// Returns the ID of a text, which is added if it is new; 0 for nil, and if no 16-bit ID is left.
  private func id(of text: String?) throws(DatabaseError) -> UInt16 {
    guard let text else { return 0 }
    if let id = texts[text] { return UInt16(exactly: id) ?? 0 }
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
    return UInt16(exactly: id) ?? 0
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
      try database.run(
        "DELETE FROM pack WHERE folder = \(oldest); DELETE FROM folder WHERE id = \(oldest)")
      folders = [:]
    }
  }

  /// Returns the size of the pages in use, in bytes.
  private func usedSize() throws(DatabaseError) -> Int64 {
    let pages = try database.number("PRAGMA page_count") ?? 0
    let free = try database.number("PRAGMA freelist_count") ?? 0
    return (pages - free) * (try database.number("PRAGMA page_size") ?? 4096)
  }

  /// Removes all folders and texts.
  ///
  /// - Returns: The number of photos in packs.
  func clear() throws(DatabaseError) -> Int {
    let count = try database.number("SELECT coalesce(sum(count), 0) FROM pack")
    try database.run("DELETE FROM pack; DELETE FROM folder; DELETE FROM text")
    return Int(count ?? 0)
  }

  /// Shrinks the file to the pages in use.
  func shrink() throws(DatabaseError) {
    try database.run("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
  }
}

/// The texts of the index (cameras, lenses and profiles), and pools of those in use.
final class IndexTexts {
  private let texts: [Int64: String]
  /// The texts that the facts so far refer to.
  private(set) var pools = TextPools()
  private var (cameras, lenses, profiles) = (TextNumbers(), TextNumbers(), TextNumbers())

  /// Creates the texts of an index, by their IDs.
  init(_ texts: [Int64: String] = [:]) { self.texts = texts }

  /// Returns the same texts with empty pools.
  func copy() -> IndexTexts { IndexTexts(texts) }

  /// Returns a stored row with numbers of texts in `pools` instead of IDs, and without impossible values.
  func facts(_ stored: PackedInfo) -> PackedInfo {
    guard stored.isKnown else {
      var row = PackedInfo()
      row.rating = stored.rating
      row.copyHash(of: stored)
      return row
    }
    var facts = stored
    if facts.takenBits != 0, facts.taken == nil { facts.takenBits = 0 }
    if facts.orientation > 8 { facts.orientation = 0 }
    facts.checkNumbers(Self.number)
    facts.camera = cameras.number(of: facts.camera, in: texts, &pools.camera)
    facts.lens = lenses.number(of: facts.lens, in: texts, &pools.lens)
    facts.profile = profiles.number(of: facts.profile, in: texts, &pools.profile)
    return facts
  }

  /// Returns a number if it is plausible; 0 otherwise.
  private static func number(_ value: Float) -> Float { (0...1e8).contains(value) ? value : 0 }
}

/// The mapping from text IDs in the database to numbers in a pool.
private struct TextNumbers {
  private var numbers: [UInt16: UInt16] = [:]
  /// The last translation; consecutive photos usually have the same camera.
  private var last = (id: UInt16(0), number: TextPool.none)

  /// Returns the number of a text in a pool, to which the text is added if it is new.
  mutating func number(
    of id: UInt16, in texts: [Int64: String], _ pool: inout TextPool
  ) -> UInt16 {
    if id == last.id { return last.number }
    let number =
      numbers[id] ?? pool.number(of: texts[Int64(id)].flatMap { $0.isEmpty ? nil : $0 })
    numbers[id] = number
    last = (id, number)
    return number
  }
}
