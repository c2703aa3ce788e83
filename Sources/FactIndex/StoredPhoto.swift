import Glibc
import PhotoGridCore
import WorkerProtocol

/// An entry about one photo, of which a pack has many.
protocol StoredEntry {
  /// The kind of the packs with such entries.
  static var kind: PackKind { get }
  /// The name of the file.
  var name: [UInt8] { get }

  /// Packs entries, at most `FactPack.mostPhotos`.
  static func pack(_ entries: ArraySlice<Self>) -> [UInt8]

  /// Returns the valid entries of a pack.
  static func entries(in pack: UnsafeRawBufferPointer) -> [Self]
}

/// The hash or the rating of a photo.
struct StoredValue<Value: PackedValue>: StoredEntry {
  /// The name of the file.
  var name: [UInt8]
  /// The hash or the rating.
  var value: Value

  static var kind: PackKind { Value.kind }

  static func pack(_ entries: ArraySlice<Self>) -> [UInt8] { ValuePack.bytes(of: entries) }

  static func entries(in pack: UnsafeRawBufferPointer) -> [Self] {
    var entries: [Self] = []
    ValuePack<Value>.forEach(in: pack) { entries.append(Self(name: Array($0), value: $1)) }
    return entries
  }
}

/// The facts of a photo as the index stores them, with IDs for texts.
struct StoredPhoto: StoredEntry {
  /// A place on earth, in degrees.
  struct Coordinates {
    /// The latitude; positive is north.
    var latitude: Double
    /// The longitude; positive is east.
    var longitude: Double
  }

  /// The name of the file.
  var name: [UInt8]
  /// The facts, with IDs instead of the indices of texts, and without the format.
  var facts: PackedFacts
  /// The stamp of the file when its facts were read.
  var stamp: FileStamp
  /// The ID of the text that names the format.
  var format: UInt16
  /// Where the photo was taken; nil if the file does not say.
  var coordinates: Coordinates?

  static let kind = PackKind.facts

  /// Whether bytes can be the name of a file.
  static func isName(_ name: UnsafeRawBufferPointer) -> Bool {
    guard let start = name.baseAddress, !name.isEmpty else { return false }
    return memchr(start, 0, name.count) == nil && memchr(start, 0x2f, name.count) == nil
  }

  /// Creates a photo from the facts of its file.
  ///
  /// - Parameters:
  ///   - info: The facts.
  ///   - stamp: The stamp of the file.
  ///   - name: The name of the file.
  ///   - id: Returns the ID of a text; 0 for none.
  /// - Throws: The error of `id`.
  init(
    _ info: PhotoInfo, _ stamp: FileStamp, name: ArraySlice<UInt8>,
    id: (String?) throws(DatabaseError) -> UInt16
  ) throws(DatabaseError) {
    let metadata = info.metadata ?? PhotoMetadata()
    self.name = Array(name)
    self.stamp = stamp
    facts = PackedFacts()
    facts.takenDigits = info.taken.flatMap { TakenTime(iso8601: $0) }?.digits ?? 0
    facts.modified = FileStamp.seconds(stamp.modified)
    facts.byteCount = stamp.byteCount
    facts.width = UInt32(max(1, min(info.size.width, 4e9)))
    facts.height = UInt32(max(1, min(info.size.height, 4e9)))
    facts.frameCount = UInt16(clamping: max(info.frameCount, 1))
    facts.camera = try id(metadata.camera)
    facts.lens = try id(metadata.lens)
    facts.profile = try id(metadata.profile)
    facts.sensitivity = UInt32(clamping: metadata.sensitivity ?? 0)
    facts.exposureTime = Float(metadata.exposureTime ?? 0)
    facts.aperture = Float(metadata.aperture ?? 0)
    facts.focalLength = Float(metadata.focalLength ?? 0)
    facts.hasPlace = metadata.place != nil
    format = try id(info.format.rawValue)
    facts.orientation = UInt8(clamping: info.orientation)
    coordinates = metadata.place.map {
      Coordinates(latitude: $0.latitude, longitude: $0.longitude)
    }
  }

  /// Creates a photo from the facts of a block, whose texts get their IDs later; nil if the file was
  /// not read, or in a state that cannot be identified.
  ///
  /// - Parameters:
  ///   - block: The facts of several photos.
  ///   - place: The index of the photo among them.
  ///   - stamp: The stamp of the file when it was read.
  ///   - name: The name of the file.
  init?(_ block: FactBlock, at place: Int, _ stamp: InodeStamp, name: ArraySlice<UInt8>) {
    let facts = block.facts[place]
    guard facts.isKnown, facts.hasMetadata, facts.kind != nil, facts.width > 0, facts.height > 0,
      stamp.inode != 0,
      let stamp = FileStamp(
        inode: stamp.inode, byteCount: facts.byteCount, seconds: facts.modified,
        nanoseconds: stamp.nanoseconds)
    else { return nil }
    self.name = Array(name)
    self.facts = facts
    self.stamp = stamp
    format = 0
    let position = facts.hasPlace ? block.places[place] : nil
    self.facts.hasPlace = position != nil
    coordinates = position.map {
      Coordinates(latitude: $0.latitude, longitude: $0.longitude)
    }
  }

  /// Creates a photo from an entry of a pack; nil if its stamp is invalid.
  init?(name: UnsafeRawBufferPointer, _ entry: FactPack.Entry) {
    let facts = entry.facts
    guard let stamp = entry.stamp(facts) else { return nil }
    self.name = Array(name)
    self.facts = facts
    self.stamp = stamp
    format = entry.format
    coordinates = entry.coordinates
  }

  static func pack(_ entries: ArraySlice<Self>) -> [UInt8] { FactPack.bytes(of: entries) }

  static func entries(in pack: UnsafeRawBufferPointer) -> [Self] {
    var entries: [Self] = []
    FactPack.forEach(in: pack) { name, entry in
      if let photo = Self(name: name, entry) { entries.append(photo) }
    }
    return entries
  }
}
