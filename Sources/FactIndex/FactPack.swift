import PhotoGridCore

/// A value of the index with the facts of many photos of a folder.
///
/// The value begins with three numbers: of photos, of coordinates, and the size of `PackedFacts`.
/// Then follow columns of plain numbers as they are in memory, for all photos each; coordinates for
/// all of them if any has some; and the names, each with a NUL at its end. Cameras, lenses, profiles
/// and formats are IDs of texts in the index.
enum FactPack {
  /// The most photos in one value.
  static let mostPhotos = 4096

  /// Where the columns begin, in bytes.
  struct Layout {
    let count: Int
    let placeCount: Int
    var inodes: Int { 24 }
    var facts: Int { inodes + 8 * count }
    var nanoseconds: Int { facts + MemoryLayout<PackedFacts>.stride * count }
    var formats: Int { nanoseconds + 4 * count }
    var places: Int { formats + 2 * count }
    var names: Int { places + 16 * placeCount }
  }

  /// Returns the value for photos, at most `mostPhotos`.
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

  /// Calls a function with the name of each photo of a value, and the photo; with none if the value
  /// is broken.
  static func forEach(
    in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, Entry) -> Void
  ) {
    guard let layout = layout(of: bytes) else { return }
    PackedNames.forEach(in: bytes, from: layout.names, count: layout.count) { place, name in
      body(name, Entry(bytes: bytes, layout: layout, place: place))
    }
  }

  /// Where the columns of a value begin; nil if the value is broken.
  static func layout(of bytes: UnsafeRawBufferPointer) -> Layout? {
    guard bytes.count > 24, bytes.last == 0 else { return nil }
    let head = (0..<3).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
    guard head[0] <= mostPhotos, head[1] == 0 || head[1] == head[0],
      head[2] == UInt64(MemoryLayout<PackedFacts>.stride)
    else { return nil }
    let layout = Layout(count: Int(head[0]), placeCount: Int(head[1]))
    return layout.names < bytes.count ? layout : nil
  }

  /// A photo of a value.
  struct Entry {
    /// The value.
    let bytes: UnsafeRawBufferPointer
    /// Where its columns begin.
    let layout: Layout
    /// The index of the photo in the value.
    let place: Int

    private func number<Value: BitwiseCopyable>(
      _ column: Int, _ place: Int, as type: Value.Type = Value.self
    ) -> Value {
      bytes.loadUnaligned(
        fromByteOffset: column + MemoryLayout<Value>.stride * place, as: Value.self)
    }

    /// The facts, whose texts are IDs; their format is not set.
    var facts: PackedFacts { number(layout.facts, place) }

    /// The stamp by which a change is recognized; nil if no file can have it.
    func stamp(_ facts: PackedFacts) -> FileStamp? {
      FileStamp(
        inode: number(layout.inodes, place), byteCount: facts.byteCount, seconds: facts.modified,
        nanoseconds: number(layout.nanoseconds, place))
    }

    /// The ID of the format.
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
