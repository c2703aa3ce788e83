import Geometry
import Glibc

/// The paths of the index's files, in a folder of the user's cache.
package struct IndexFile: Sendable {
  /// The absolute path of the folder, without a slash at its end.
  package let folder: [UInt8]

  /// Creates the description of the index in a folder.
  package init(folder: [UInt8]) { self.folder = folder }

  /// The path of the database.
  package var path: [UInt8] { folder + "/index.sqlite".utf8 }

  /// The path to which a file that is broken or not an index of this version is moved.
  package var asidePath: [UInt8] { path + ".old".utf8 }

  /// The ends of the paths of SQLite's files beside the database.
  private static let companions = ["-wal", "-shm", "-journal"]

  /// Whether there is a regular file of this user at the path, and nothing else beside it under the
  /// names that SQLite opens too: it would wait for a named pipe forever.
  package var isOwn: Bool {
    var status = stat()
    return lstat(Self.cString(path), &status) == 0 && !isForeign
  }

  /// Whether there is a link, a folder, a pipe or a file of another user at one of the paths.
  package var isForeign: Bool {
    ([""] + Self.companions).contains { end in
      var status = stat()
      return lstat(Self.cString(path + end.utf8), &status) == 0
        && (status.st_mode & S_IFMT != S_IFREG || status.st_uid != geteuid())
    }
  }

  /// Creates the folder and its parents with permissions for this user alone.
  package func makeFolder() {
    for (index, byte) in folder.enumerated() where byte == UInt8(ascii: "/") && index > 0 {
      mkdir(Self.cString(Array(folder[..<index])), 0o700)
    }
    mkdir(Self.cString(folder), 0o700)
  }

  /// Creates an empty file with permissions for this user alone, unless there is one; SQLite gives
  /// its other files the same permissions.
  func create() {
    let descriptor = open(
      Self.cString(path), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return }
    fchmod(descriptor, 0o600)
    close(descriptor)
  }

  /// Moves the file at the path aside, replacing any file moved aside before.
  ///
  /// Programs that have it open keep using the moved file.
  func moveAside() {
    rename(Self.cString(path), Self.cString(asidePath))
    // SQLite would apply a leftover log to the next database.
    for end in Self.companions { unlink(Self.cString(path + end.utf8)) }
  }

  /// Locks the index against other processes that open, replace or empty it.
  ///
  /// - Returns: The descriptor that holds the lock until it is closed; -1 without a lock.
  func lock() -> Int32 {
    let name = Self.cString(folder + "/index.lock".utf8)
    let descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return -1 }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { break }
    }
    return descriptor
  }

  /// Returns a path as a C string.
  static func cString(_ path: [UInt8]) -> [CChar] { path.terminated }

  /// Returns the absolute path of a folder without symbolic links, which identifies it in the
  /// index.
  ///
  /// - Parameter folder: A path that ends with a slash; empty for the current folder.
  /// - Returns: The path, which ends with a slash; nil if there is no such folder.
  package static func canonicalPath(ofFolder folder: [UInt8]) -> [UInt8]? {
    guard let path = realpath(cString(folder.isEmpty ? [0x2e] : folder), nil) else { return nil }
    defer { free(path) }
    let bytes = UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) }
    return bytes.last == 0x2f ? bytes : bytes + [0x2f]
  }
}

/// The table of the index: for each folder, by its absolute path, a snapshot of an `IndexedFolder`.
enum IndexSchema {
  /// The application ID that marks databases of this program: "PhGi".
  static let application: Int64 = 0x5068_4769
  /// The version of the table and of snapshots, which include the layout of `PackedInfo` in memory and
  /// the codes of formats.
  static let version: Int64 = 12

  /// The statements that create the table in an empty database.
  static let statements = """
    BEGIN IMMEDIATE;
    CREATE TABLE folder(
      id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, age INTEGER NOT NULL,
      photos BLOB NOT NULL);
    PRAGMA application_id = \(application);
    PRAGMA user_version = \(version);
    COMMIT;
    """

  /// Whether a database has the table of this version.
  static func isCurrent(_ database: Database) throws(DatabaseError) -> Bool {
    let application = try database.number("PRAGMA application_id")
    let version = try database.number("PRAGMA user_version")
    return application == self.application && version == self.version
  }
}
