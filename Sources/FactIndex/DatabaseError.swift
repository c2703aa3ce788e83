import CSQLite

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
