import CSQLite
import PhotoGridCore

/// An open SQLite database.
final class Database {
  /// The connection, a `sqlite3 *`.
  let handle: OpaquePointer

  /// The kind of access to a database.
  enum Access {
    /// Reading by a process that may neither create nor write files.
    case reading
    /// Reading by a process that may create the files that SQLite needs beside the database.
    case readingAsOwner
    /// Reading and writing; a missing database is created.
    case writing
  }

  /// Opens the database in a file.
  init(_ path: [UInt8], _ access: Access) throws(DatabaseError) {
    let flags =
      switch access {
      case .reading: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      case .readingAsOwner: SQLITE_OPEN_READONLY
      case .writing: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var handle: OpaquePointer?
    let name = access == .reading ? Self.readOnlyLocation(of: path) : path.terminated
    // The program has one thread, so SQLite needs no locks.
    let code = sqlite3_open_v2(
      name, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let handle else {
      sqlite3_close(handle)
      throw DatabaseError(code: code == SQLITE_OK ? SQLITE_NOMEM : code)
    }
    self.handle = handle
    // Disables features by which a broken or hostile schema could do harm.
    _ = photogrid_sqlite_make_defensive(handle)
    sqlite3_busy_timeout(handle, access == .writing ? 5000 : 200)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Returns the URI with which SQLite opens a database without writing to its shared-memory file.
  ///
  /// If Landlock denies write access, SQLite falls back to reading the shared-memory file. On a
  /// system without Landlock, SQLite would open the file for writing and then fail to reset it,
  /// because the sandbox denies that system call.
  private static func readOnlyLocation(of path: [UInt8]) -> [CChar] {
    (Array("file://".utf8) + path.percentEncoded + Array("?readonly_shm=1".utf8)).terminated
  }

  /// Runs statements without results.
  func run(_ statements: String) throws(DatabaseError) {
    try Self.check(sqlite3_exec(handle, statements, nil, nil, nil))
  }

  /// Prepares a statement.
  func prepare(_ text: String) throws(DatabaseError) -> Statement {
    var statement: OpaquePointer?
    try Self.check(
      sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw DatabaseError(code: SQLITE_MISUSE) }
    return Statement(statement)
  }

  /// Returns the number in the first column of the first row of a query; nil without a row.
  func number(_ query: String) throws(DatabaseError) -> Int64? {
    let statement = try prepare(query)
    return try statement.step() ? statement.number(0) : nil
  }

  /// The ID of the last inserted row.
  var lastID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Throws unless a call was successful.
  static func check(_ code: Int32) throws(DatabaseError) {
    guard code == SQLITE_OK else { throw DatabaseError(code: code) }
  }
}
