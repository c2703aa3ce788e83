import PhotoGridCore

/// The format of a blob in the index with the facts of many photos of a folder.
///
///     offset       contents, in the byte order of the processor
///     0            photo count, coordinate count, stride of PackedFacts: UInt64 each
///     24           inodes: UInt64 per photo
///     facts        PackedFacts per photo; cameras, lenses and profiles are IDs of texts
///     nanoseconds  of the modification times: UInt32 per photo
///     formats      IDs of texts: UInt16 per photo
///     places       latitude and longitude: two Doubles per photo, if any photo has them
///     names        file names, each followed by a NUL
enum FactPack {
  /// The most photos in one blob.
  static let mostPhotos = 4096

  /// The offsets of the columns in a blob, in bytes.
  struct Layout {
    /// The number of photos.
    let count: Int
    /// The number of coordinates: 0 or `count`.
    let placeCount: Int
    /// The offset of the inode numbers, after three numbers of eight bytes.
    var inodes: Int { 24 }
    /// The offset of the facts.
    var facts: Int { inodes + 8 * count }
    /// The offset of the nanoseconds of the modification times.
    var nanoseconds: Int { facts + MemoryLayout<PackedFacts>.stride * count }
    /// The offset of the IDs of formats.
    var formats: Int { nanoseconds + 4 * count }
    /// The offset of the coordinates.
    var places: Int { formats + 2 * count }
    /// The offset of the names.
    var names: Int { places + 16 * placeCount }
  }

  /// Packs photos, at most `mostPhotos`, into a blob.
  static func bytes(of photos: ArraySlice<StoredPhoto>) -> [UInt8] {
    let hasPlaces = photos.contains { $0.coordinates != nil }
    let places = hasPlaces ? photos.map(\.coordinates) : []
    let layout = Layout(count: photos.count, placeCount: places.count)
    var bytes = [UInt8](repeating: 0, count: layout.names)
    bytes.withUnsafeMutableBytes { buffer in
      func store<Value: BitwiseCopyable>(_ value: Value, _ column: Int, _ place: Int) {
        buffer.storeBytes(
          of: value, toByteOffset: column + MemoryLayout<Value>.stride * place, as: Value.self)
      }
      store(UInt64(photos.count), 0, 0)
      store(UInt64(places.count), 0, 1)
      store(UInt64(MemoryLayout<PackedFacts>.stride), 0, 2)
      for (place, photo) in photos.enumerated() {
        store(photo.stamp.inode, layout.inodes, place)
        store(photo.facts, layout.facts, place)
        store(photo.stamp.nanoseconds, layout.nanoseconds, place)
        store(photo.format, layout.formats, place)
      }
      for (place, coordinates) in places.enumerated() {
        store(coordinates?.latitude ?? 0, layout.places, 2 * place)
        store(coordinates?.longitude ?? 0, layout.places, 2 * place + 1)
      }
    }
    PackedNames.append(photos.lazy.map(\.name), to: &bytes)
    return bytes
  }

  /// Calls a function with the name and the entry of each photo in a blob; not at all if the blob
  /// is invalid.
  static func forEach(
    in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, Entry) -> Void
  ) {
    guard let layout = layout(of: bytes) else { return }
    PackedNames.forEach(in: bytes, from: layout.names, count: layout.count) { place, name in
      body(name, Entry(bytes: bytes, layout: layout, place: place))
    }
  }

  /// Reads the layout of a blob; nil if the blob is invalid.
  static func layout(of bytes: UnsafeRawBufferPointer) -> Layout? {
    guard bytes.count > 24, bytes.last == 0 else { return nil }
    let head = (0..<3).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
    guard head[0] <= mostPhotos, head[1] == 0 || head[1] == head[0],
      head[2] == UInt64(MemoryLayout<PackedFacts>.stride)
    else { return nil }
    let layout = Layout(count: Int(head[0]), placeCount: Int(head[1]))
    return layout.names < bytes.count ? layout : nil
  }

  /// A photo in a blob; valid only as long as the blob is.
  struct Entry {
    /// The blob.
    let bytes: UnsafeRawBufferPointer
    /// The offsets of the blob's columns.
    let layout: Layout
    /// The index of the photo in the blob.
    let place: Int

    private func number<Value: BitwiseCopyable>(
      _ column: Int, _ place: Int, as type: Value.Type = Value.self
    ) -> Value {
      bytes.loadUnaligned(
        fromByteOffset: column + MemoryLayout<Value>.stride * place, as: Value.self)
    }

    /// The facts, with IDs of texts; `kind` is not set.
    var facts: PackedFacts { number(layout.facts, place) }

    /// Returns the stamp of the file, given its facts; nil if it is invalid.
    func stamp(_ facts: PackedFacts) -> FileStamp? {
      FileStamp(
        inode: number(layout.inodes, place), byteCount: facts.byteCount, seconds: facts.modified,
        nanoseconds: number(layout.nanoseconds, place))
    }

    /// The ID of the text that names the format.
    var format: UInt16 { number(layout.formats, place) }

    /// Where the photo was taken, in degrees; nil if the file does not say.
    var coordinates: StoredPhoto.Coordinates? {
      guard facts.hasPlace, layout.placeCount > 0 else { return nil }
      return StoredPhoto.Coordinates(
        latitude: number(layout.places, 2 * place),
        longitude: number(layout.places, 2 * place + 1))
    }
  }
}
