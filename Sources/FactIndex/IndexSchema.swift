/// The tables of the index.
///
/// Each folder, by its absolute path, and each text (camera, lens or profile) is stored once. A row of
/// `pack` has a blob about many photos of a folder, in the format of `IndexColumns`: that takes a small
/// part of the time of a row for each photo.
///
/// Recording adds new packs, whose entries update those for the same photos in earlier packs. At the
/// end of a session the packs of a folder are replaced by packs in the order of the listing.
enum IndexSchema {
  /// The application ID that marks databases of this program: "PhGi".
  static let application: Int64 = 0x5068_4769
  /// The version of the tables and of the meaning of their columns, which include the layout of
  /// `PackedInfo` in memory and the codes of formats.
  static let version: Int64 = 8

  /// The statements that create the tables in an empty database.
  static let statements = """
    BEGIN IMMEDIATE;
    CREATE TABLE folder(
      id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, age INTEGER NOT NULL);
    CREATE TABLE text(id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);
    CREATE TABLE pack(
      folder INTEGER NOT NULL, number INTEGER NOT NULL, new INTEGER NOT NULL,
      count INTEGER NOT NULL, photos BLOB NOT NULL, PRIMARY KEY(folder, number));
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
