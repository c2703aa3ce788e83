import CSQLite

/// A prepared statement of SQLite.
final class Statement {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { sqlite3_finalize(handle) }

  // MARK: - Parameters

  /// Sets a parameter, which are counted from 1.
  func bind(_ index: Int32, _ number: Int64) { sqlite3_bind_int64(handle, index, number) }

  /// Sets a parameter; nil is NULL.
  func bind(_ index: Int32, _ number: Double?) {
    if let number {
      sqlite3_bind_double(handle, index, number)
    } else {
      sqlite3_bind_null(handle, index)
    }
  }

  /// Sets a parameter; nil is NULL.
  func bind(_ index: Int32, optional number: Int64?) {
    if let number { bind(index, number) } else { sqlite3_bind_null(handle, index) }
  }

  /// Sets a parameter to bytes.
  func bind(_ index: Int32, _ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    // Without an address SQLite takes no bytes for NULL.
    _ = bytes.withUnsafeBytes { buffer in
      photogrid_sqlite_bind_blob(handle, index, buffer.baseAddress, Int32(buffer.count))
    }
  }

  /// Sets a parameter to a text.
  func bind(_ index: Int32, text: String) {
    photogrid_sqlite_bind_text(handle, index, text, Int32(text.utf8.count))
  }

  // MARK: - Execution

  /// Goes on to the next row.
  ///
  /// - Returns: Whether there is one.
  func step() throws(DatabaseError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw DatabaseError(code: code)
    }
  }

  /// Runs the statement to its end, so that it can be run again.
  func run() throws(DatabaseError) {
    defer { reset() }
    while try step() {}
  }

  /// Ends the statement, so that it can be run again.
  func reset() { sqlite3_reset(handle) }

  // MARK: - Columns

  /// A column of the current row, which are counted from 0; 0 for NULL.
  func number(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// Whether a column of the current row is NULL.
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// A column of the current row; 0 for NULL.
  func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// The bytes of a column, until the next step.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }
}
