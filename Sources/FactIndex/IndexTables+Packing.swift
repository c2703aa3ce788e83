import PhotoGridCore

/// Merging new packs into sorted ones.
extension IndexTables {
  /// Merges the new packs of a folder into its sorted packs, if there are enough new entries.
  ///
  /// Merging writes all entries again, so it waits until an eighth as many are new as are sorted:
  /// the time stays in proportion to the new entries.
  ///
  /// - Returns: The number of entries in the packs that were written.
  func pack(_ folder: [UInt8]) throws(DatabaseError) -> Int {
    let find = try database.prepare("SELECT id FROM folder WHERE path = ?")
    find.bind(1, folder)
    guard try find.step() else { return 0 }
    let id = find.number(0)
    find.reset()
    return try merge(StoredPhoto.self, folder: id)
      + merge(StoredValue<HashValue>.self, folder: id)
      + merge(StoredValue<RatingValue>.self, folder: id)
  }

  private func merge<Entry: StoredEntry>(
    _ type: Entry.Type, folder: Int64
  ) throws(DatabaseError) -> Int {
    let packs = "pack WHERE folder = \(folder) AND kind = \(Entry.kind.rawValue)"
    let newCount =
      try database.number("SELECT coalesce(sum(count), 0) FROM \(packs) AND new") ?? 0
    let packedCount =
      try database.number("SELECT coalesce(sum(count), 0) FROM \(packs) AND NOT new") ?? 0
    guard newCount > 0, newCount >= packedCount / 8 else { return 0 }
    let packed: [Entry] = try entries("SELECT photos FROM \(packs) AND NOT new ORDER BY place")
    let new: [Entry] = try entries("SELECT photos FROM \(packs) AND new ORDER BY place")
    let merged = merged(packed, sorted(new))
    try database.run("DELETE FROM \(packs)")
    try put(merged, folder: folder, isNew: false)
    return merged.count
  }

  /// Returns the entries of all packs that a query finds.
  private func entries<Entry: StoredEntry>(_ query: String) throws(DatabaseError) -> [Entry] {
    var entries: [Entry] = []
    let packs = try database.prepare(query)
    while try packs.step() { entries += Entry.entries(in: packs.bytes(0)) }
    return entries
  }

  /// Returns entries in the order of the listing, with only the last entry for each name.
  private func sorted<Entry: StoredEntry>(_ entries: [Entry]) -> [Entry] {
    // Photos are usually recorded in the order of the listing, once each.
    let isSorted = zip(entries, entries.dropFirst()).allSatisfy {
      NaturalOrder.precedes($0.name, $1.name)
    }
    if isSorted { return entries }
    let places = entries.indices.sorted { left, right in
      let (first, second) = (entries[left].name, entries[right].name)
      if NaturalOrder.precedes(first, second) { return true }
      return first == second && left < right
    }
    var sorted: [Entry] = []
    sorted.reserveCapacity(entries.count)
    for place in places {
      if sorted.last?.name == entries[place].name { sorted.removeLast() }
      sorted.append(entries[place])
    }
    return sorted
  }

  /// Merges sorted entries with new ones, which replace entries of the same names.
  private func merged<Entry: StoredEntry>(_ packed: [Entry], _ new: [Entry]) -> [Entry] {
    guard !packed.isEmpty else { return new }
    var merged: [Entry] = []
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
