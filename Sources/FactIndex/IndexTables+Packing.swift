import PhotoGridCore

/// Packing the facts of folders with many photos.
extension IndexTables {
  /// Moves the facts of a folder's photos into packs, if enough are not in packs yet.
  ///
  /// The larger the packs are, the more new facts it takes, so that the time to write them stays in
  /// proportion to the new facts.
  ///
  /// - Returns: The number of photos packed.
  func pack(_ folder: [UInt8]) throws(DatabaseError) -> Int {
    let find = try database.prepare("SELECT id FROM folder WHERE path = ?")
    find.bind(1, folder)
    guard try find.step() else { return 0 }
    let id = find.number(0)
    find.reset()
    let newCount = try database.number("SELECT count(*) FROM photo WHERE folder = \(id)") ?? 0
    let packedCount =
      try database.number("SELECT coalesce(sum(count), 0) FROM pack WHERE folder = \(id)") ?? 0
    guard newCount > 0, newCount >= packedCount / 8 else { return 0 }
    let photos = try merged(packed(id), rows(id))
    try database.run(
      "DELETE FROM photo WHERE folder = \(id); DELETE FROM pack WHERE folder = \(id)")
    let put = try database.prepare(
      "INSERT INTO pack(folder, place, count, photos) VALUES(?, ?, ?, ?)")
    for (place, start) in stride(from: 0, to: photos.count, by: FactPack.mostPhotos).enumerated() {
      let piece = photos[start..<min(start + FactPack.mostPhotos, photos.count)]
      put.bind(1, id)
      put.bind(2, Int64(place))
      put.bind(3, Int64(piece.count))
      put.bind(4, FactPack.bytes(of: piece))
      try put.run()
    }
    return photos.count
  }

  /// Returns the photos of a folder's packs, in the order of the listing.
  private func packed(_ folder: Int64) throws(DatabaseError) -> [StoredPhoto] {
    var photos: [StoredPhoto] = []
    let packs = try database.prepare(
      "SELECT photos FROM pack WHERE folder = \(folder) ORDER BY place")
    while try packs.step() {
      FactPack.forEach(in: packs.bytes(0)) { name, entry in
        guard let stamp = entry.stamp(entry.facts) else { return }
        photos.append(
          StoredPhoto(
            name: Array(name), facts: entry.facts, stamp: stamp, format: entry.format,
            orientation: entry.orientation, coordinates: entry.coordinates))
      }
    }
    return photos
  }

  /// Returns the photos of a folder that are not in packs, in the order of the listing.
  private func rows(_ folder: Int64) throws(DatabaseError) -> [StoredPhoto] {
    var photos: [StoredPhoto] = []
    let rows = try database.prepare(
      """
      SELECT name, inode, bytes, modified, taken, width, height, format, frames, camera, lens,
      profile, sensitivity, exposure, aperture, focal, latitude, longitude, orientation
      FROM photo WHERE folder = \(folder)
      """)
    while try rows.step() {
      let name = rows.bytes(0)
      guard StoredPhoto.isName(name), rows.number(2) >= 0 else { continue }
      let stamp = FileStamp(
        inode: UInt64(bitPattern: rows.number(1)), byteCount: rows.number(2),
        modified: rows.number(3))
      photos.append(
        StoredPhoto(
          name: Array(name), facts: Self.facts(rows, stamp), stamp: stamp,
          format: Self.text(rows.number(7)), orientation: UInt8(clamping: rows.number(18)),
          coordinates: rows.isNull(16)
            ? nil
            : StoredPhoto.Coordinates(latitude: rows.real(16), longitude: rows.real(17))))
    }
    return photos.sorted { NaturalOrder.precedes($0.name, $1.name) }
  }

  /// Returns the facts of a row, with IDs in place of the numbers of texts.
  private static func facts(_ row: Statement, _ stamp: FileStamp) -> PackedFacts {
    var facts = PackedFacts()
    facts.takenDigits = row.number(4)
    facts.modified = FileStamp.seconds(stamp.modified)
    facts.byteCount = stamp.byteCount
    facts.width = UInt32(clamping: row.number(5))
    facts.height = UInt32(clamping: row.number(6))
    facts.frameCount = UInt16(clamping: max(row.number(8), 1))
    facts.camera = text(row.number(9))
    facts.lens = text(row.number(10))
    facts.profile = text(row.number(11))
    facts.sensitivity = UInt32(clamping: row.number(12))
    facts.exposureTime = Float(row.real(13))
    facts.aperture = Float(row.real(14))
    facts.focalLength = Float(row.real(15))
    facts.hasPlace = !row.isNull(16)
    return facts
  }

  /// Returns the ID of a text as packs have it; 0 for none, and for one of too many.
  private static func text(_ id: Int64) -> UInt16 { UInt16(exactly: id) ?? 0 }

  /// Merges photos in packs with new ones, which replace those of the same names.
  private func merged(_ packed: [StoredPhoto], _ new: [StoredPhoto]) -> [StoredPhoto] {
    guard !packed.isEmpty else { return new }
    var merged: [StoredPhoto] = []
    merged.reserveCapacity(packed.count + new.count)
    var rest = new[...]
    for photo in packed {
      while let first = rest.first, NaturalOrder.precedes(first.name, photo.name) {
        merged.append(first)
        rest.removeFirst()
      }
      if rest.first?.name != photo.name { merged.append(photo) }
    }
    return merged + rest
  }
}
