/// The tables of the index.
///
/// Folders, by their absolute paths, and texts (cameras, lenses, profiles and formats) are stored
/// once. Facts that a file does not contain are NULL. Ratings have a table of their own, because they
/// change with sidecars too and are read by another process; so have the hashes of pictures, which
/// arrive with pictures instead of facts, and are NULL for a picture without one.
///
/// New facts are rows of `photo`. Once a folder has many, they move to `pack`, where a row holds the
/// facts of thousands of photos in the order of the listing, as `FactPack` describes: reading those
/// takes a hundredth of the time.
enum IndexSchema {
  /// The application ID that marks databases of this program: "PhGi".
  static let application: Int64 = 0x5068_4769
  /// The version of the tables and of the meaning of their columns, which include the layout of
  /// `PackedFacts` in memory.
  static let version: Int64 = 4

  static let statements = """
    BEGIN IMMEDIATE;
    CREATE TABLE folder(
      id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, age INTEGER NOT NULL);
    CREATE TABLE text(id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);
    CREATE TABLE photo(
      folder INTEGER NOT NULL, name BLOB NOT NULL,
      inode INTEGER NOT NULL, bytes INTEGER NOT NULL, modified INTEGER NOT NULL,
      taken INTEGER, width INTEGER NOT NULL, height INTEGER NOT NULL,
      orientation INTEGER NOT NULL, format INTEGER NOT NULL, frames INTEGER NOT NULL,
      camera INTEGER, lens INTEGER, profile INTEGER, sensitivity INTEGER, exposure REAL,
      aperture REAL, focal REAL, latitude REAL, longitude REAL,
      PRIMARY KEY(folder, name)) WITHOUT ROWID;
    CREATE TABLE rating(
      folder INTEGER NOT NULL, name BLOB NOT NULL,
      code INTEGER NOT NULL, stamp INTEGER NOT NULL,
      PRIMARY KEY(folder, name)) WITHOUT ROWID;
    CREATE TABLE hash(
      folder INTEGER NOT NULL, name BLOB NOT NULL,
      inode INTEGER NOT NULL, bytes INTEGER NOT NULL, modified INTEGER NOT NULL, bits INTEGER,
      PRIMARY KEY(folder, name)) WITHOUT ROWID;
    CREATE TABLE pack(
      folder INTEGER NOT NULL, place INTEGER NOT NULL,
      count INTEGER NOT NULL, photos BLOB NOT NULL, PRIMARY KEY(folder, place));
    PRAGMA application_id = \(application);
    PRAGMA user_version = \(version);
    COMMIT;
    """

  /// Whether a database has the tables of this version.
  static func isCurrent(_ database: Database) throws(DatabaseError) -> Bool {
    let application = try database.number("PRAGMA application_id")
    let version = try database.number("PRAGMA user_version")
    return application == self.application && version == self.version
  }
}
