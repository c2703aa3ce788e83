import Glibc
import PhotoGridCore

/// A photo of which the index knows facts, whose texts are IDs.
struct StoredPhoto {
  /// A place on earth, in degrees.
  struct Coordinates {
    /// The degrees north.
    var latitude: Double
    /// The degrees east.
    var longitude: Double
  }

  /// The name of the file.
  var name: [UInt8]
  /// The facts, with IDs in place of the numbers of texts; the format is stored apart.
  var facts: PackedFacts
  /// The stamp by which a change is recognized.
  var stamp: FileStamp
  /// The ID of the format.
  var format: UInt16
  /// The orientation in the file.
  var orientation: UInt8
  /// Where it was taken; nil if the file does not say.
  var coordinates: Coordinates?

  /// Whether bytes can be the name of a file.
  static func isName(_ name: UnsafeRawBufferPointer) -> Bool {
    guard let start = name.baseAddress, !name.isEmpty else { return false }
    return memchr(start, 0, name.count) == nil && memchr(start, 0x2f, name.count) == nil
  }

  // MARK: - Rows

  /// The columns of the table `photo` that `init(_:)` reads, in its order.
  static let columns = """
    name, inode, bytes, modified, taken, width, height, format, frames, camera, lens, profile,
    sensitivity, exposure, aperture, focal, latitude, longitude, orientation
    """

  /// Reads the current row of a query for `columns`; nil if no file can be like that.
  init?(_ row: Statement) {
    let name = row.bytes(0)
    guard Self.isName(name), row.number(2) >= 0, let width = UInt32(exactly: row.number(5)),
      let height = UInt32(exactly: row.number(6))
    else { return nil }
    self.name = Array(name)
    stamp = FileStamp(
      inode: UInt64(bitPattern: row.number(1)), byteCount: row.number(2), modified: row.number(3))
    facts = PackedFacts()
    facts.takenDigits = row.number(4)
    facts.modified = FileStamp.seconds(stamp.modified)
    facts.byteCount = stamp.byteCount
    (facts.width, facts.height) = (width, height)
    format = Self.text(row.number(7))
    facts.frameCount = UInt16(clamping: max(row.number(8), 1))
    facts.camera = Self.text(row.number(9))
    facts.lens = Self.text(row.number(10))
    facts.profile = Self.text(row.number(11))
    facts.sensitivity = UInt32(clamping: row.number(12))
    facts.exposureTime = Float(row.real(13))
    facts.aperture = Float(row.real(14))
    facts.focalLength = Float(row.real(15))
    facts.hasPlace = !row.isNull(16)
    coordinates =
      facts.hasPlace ? Coordinates(latitude: row.real(16), longitude: row.real(17)) : nil
    orientation = UInt8(clamping: row.number(18))
  }

  /// Creates a photo from an entry of a pack; nil if no file can be like that.
  init?(name: UnsafeRawBufferPointer, _ entry: FactPack.Entry) {
    let facts = entry.facts
    guard let stamp = entry.stamp(facts) else { return nil }
    self.name = Array(name)
    self.facts = facts
    self.stamp = stamp
    format = entry.format
    orientation = entry.orientation
    coordinates = entry.coordinates
  }

  /// Returns the ID of a text as packs have it; 0 for none, and for one of too many.
  private static func text(_ id: Int64) -> UInt16 { UInt16(exactly: id) ?? 0 }
}
