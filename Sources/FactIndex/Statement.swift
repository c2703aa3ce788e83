import CSQLite

/// A prepared SQLite statement.
final class Statement {
  private let handle: OpaquePointer

  /// Takes ownership of a `sqlite3_stmt *`.
  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { sqlite3_finalize(handle) }

  // MARK: - Parameters

  /// Binds an integer to a parameter; parameters are numbered from 1.
  func bind(_ index: Int32, _ number: Int64) { sqlite3_bind_int64(handle, index, number) }

  /// Binds a floating-point number to a parameter; nil is NULL.
  func bind(_ index: Int32, _ number: Double?) {
    if let number {
      sqlite3_bind_double(handle, index, number)
    } else {
      sqlite3_bind_null(handle, index)
    }
  }

  /// Binds an integer to a parameter; nil is NULL.
  func bind(_ index: Int32, optional number: Int64?) {
    if let number { bind(index, number) } else { sqlite3_bind_null(handle, index) }
  }

  /// Binds bytes to a parameter.
  func bind(_ index: Int32, _ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    // SQLite treats a null pointer as NULL even for an empty blob.
    _ = bytes.withUnsafeBytes { buffer in
      photogrid_sqlite_bind_blob(handle, index, buffer.baseAddress, Int32(buffer.count))
    }
  }

  /// Binds a text to a parameter.
  func bind(_ index: Int32, text: String) {
    photogrid_sqlite_bind_text(handle, index, text, Int32(text.utf8.count))
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

  /// Whether a column of the current row is NULL.
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// Returns a floating-point column of the current row; 0 for NULL.
  func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// Returns the bytes of a column of the current row, valid until the next step.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }
}
