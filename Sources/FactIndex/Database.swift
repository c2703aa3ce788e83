import CSQLite
import Geometry

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

  /// Throws unless a call was successful.
  static func check(_ code: Int32) throws(DatabaseError) {
    guard code == SQLITE_OK else { throw DatabaseError(code: code) }
  }
}

/// An error of SQLite.
package struct DatabaseError: Error, Equatable {
  /// The extended result code, such as `SQLITE_IOERR_WRITE`.
  package var code: Int32

  /// The result code without its extension, such as `SQLITE_IOERR`.
  package var primaryCode: Int32 { code & 0xff }

  /// Whether the file is broken or is not the index.
  ///
  /// This is true of all errors that are not caused by the disk, the memory, permissions or another
  /// program.
  package var isDamage: Bool { !Self.circumstances.contains(primaryCode) }

  /// The primary codes of errors that say nothing about the file's contents.
  private static let circumstances = [
    SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL, SQLITE_NOMEM, SQLITE_INTERRUPT, SQLITE_IOERR,
    SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH,
  ]

  /// SQLite's description of the error, in English and printable.
  package var message: String { String(cString: sqlite3_errstr(code)) }
}

/// A prepared SQLite statement.
final class Statement {
  private let handle: OpaquePointer

  /// Takes ownership of a `sqlite3_stmt *`.
  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { sqlite3_finalize(handle) }

  // MARK: - Parameters

  /// Binds bytes to a parameter; parameters are numbered from 1.
  func bind(_ index: Int32, _ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    // SQLite treats a null pointer as NULL even for an empty blob.
    _ = bytes.withUnsafeBytes { buffer in
      photogrid_sqlite_bind_blob(handle, index, buffer.baseAddress, Int32(buffer.count))
    }
  }

  // MARK: - Execution

  /// Advances to the next row.
  ///
  /// - Returns: Whether there is one.
  func step() throws(DatabaseError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw DatabaseError(code: code)
    }
  }

  /// Runs the statement to completion, and resets it.
  func run() throws(DatabaseError) {
    defer { reset() }
    while try step() {}
  }

  /// Resets the statement, so that it can be run again.
  func reset() { sqlite3_reset(handle) }

  // MARK: - Columns

  /// Returns an integer column of the current row, numbered from 0; 0 for NULL.
  func number(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// Returns the bytes of a column of the current row, valid until the next step.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }
}
