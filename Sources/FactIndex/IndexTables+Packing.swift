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
        if let photo = StoredPhoto(name: name, entry) { photos.append(photo) }
      }
    }
    return photos
  }

  /// Returns the photos of a folder that are not in packs, in the order of the listing.
  private func rows(_ folder: Int64) throws(DatabaseError) -> [StoredPhoto] {
    var photos: [StoredPhoto] = []
    let rows = try database.prepare(
      "SELECT \(StoredPhoto.columns) FROM photo WHERE folder = \(folder)")
    while try rows.step() {
      if let photo = StoredPhoto(rows) { photos.append(photo) }
    }
    return photos.sorted { NaturalOrder.precedes($0.name, $1.name) }
  }

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
