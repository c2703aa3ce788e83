import CSQLite

/// A failure of SQLite.
package struct DatabaseError: Error, Equatable {
  /// The extended result code, such as `SQLITE_IOERR_WRITE`.
  package var code: Int32

  /// The result code without its extension, such as `SQLITE_IOERR`.
  package var primaryCode: Int32 { code & 0xff }

  /// Whether the file is not a database of SQLite, or is broken.
  package var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(primaryCode) }

  /// The reason in words, printable.
  package var message: String { String(cString: sqlite3_errstr(code)) }
}
