import Glibc
import Photos

/// What the index has about the files in a folder, by name.
package struct IndexedFolder {
  private let texts: IndexTexts
  private var columns = IndexColumns()
  /// The number of files, from index 0 on, that an earlier session stored in the listing's order.
  package private(set) var sortedCount = 0
  /// The index of the name that is probably looked up next.
  private var next = 0
  /// The indices of files by their names; empty until a name is looked up.
  private var table = NameTable()

  /// Creates a folder without files; the packs added later refer to these texts.
  init(_ texts: IndexTexts) { self.texts = texts }

  /// The texts that the facts returned so far refer to.
  package var pools: TextPools { texts.pools }

  /// The number of files.
  package var count: Int { columns.count }

  // MARK: - Files

  /// Reserves memory for a number of files in packs.
  mutating func reserve(_ count: Int) {
    // A damaged index may claim any number.
    columns.reserve(min(count, 1 << 20))
  }

  /// Appends the files of a pack, which must be in the order of the listing and all unknown.
  mutating func append(pack: UnsafeRawBufferPointer) {
    IndexColumns.forEach(in: pack) { columns.append($0, name: $1) }
    sortedCount = count
  }

  /// Updates the files of a pack, and appends those that are unknown.
  mutating func update(pack: UnsafeRawBufferPointer) {
    IndexColumns.forEach(in: pack) { entry, name in
      if let index = index(of: name) {
        columns[index].update(with: entry)
      } else {
        columns.append(entry, name: name)
        if table.hasRoom { table.enter(name, index: count - 1) } else { enterAll() }
        next = count
      }
    }
  }

  /// Returns packs of all files in the order of the listing.
  func sortedPacks() -> [(count: Int, bytes: [UInt8])] {
    let indices = (0..<count).sorted { left, right in
      columns.name(left).withUnsafeBufferPointer { left in
        columns.name(right).withUnsafeBufferPointer { NaturalOrder.precedes(left, $0) }
      }
    }
    return stride(from: 0, to: count, by: IndexColumns.maxPackCount).map { start in
      let piece = indices[start..<min(start + IndexColumns.maxPackCount, count)]
      return (piece.count, columns.pack(piece))
    }
  }

  // MARK: - Facts

  /// Returns the name of the file at an index.
  package func name(_ index: Int) -> ArraySlice<UInt8> { columns.name(index) }

  /// Returns the stamp of the file at an index, when its facts or its hash were recorded.
  package func stamp(_ index: Int) -> FileStamp { columns.rows[index].stamp }

  /// Returns the `RatingStamp` of the files from which a rating was read; nil if none is known.
  package func ratingStamp(_ index: Int) -> UInt64? {
    columns.rows[index].rating == nil ? nil : columns[index].ratingStamp
  }

  /// Whether the facts or the hash of the file at an index are known, rather than only its rating.
  package func hasStamp(_ index: Int) -> Bool {
    columns.rows[index].isKnown || columns.rows[index].isHashKnown
  }

  /// Returns the facts of the file at an index, with its rating, and its hash if that is known.
  package func facts(_ index: Int) -> PackedInfo { texts.facts(columns.rows[index]) }

  /// Returns where the photo at an index was taken; nil if that is not known.
  package func location(_ index: Int) -> PhotoMetadata.Location? {
    guard columns.rows[index].isKnown, columns.rows[index].hasLocation else { return nil }
    let location = columns[index].location
    return PhotoMetadata.Location(latitude: location.x, longitude: location.y)
  }

  /// Returns the words of the photo at an index, as a record; nil if it has none.
  package func words(_ index: Int) -> [UInt8]? {
    let words = columns.words(index)
    return words.isEmpty ? nil : Array(words)
  }

  /// Returns the hash of the picture in the file at an index; nil if it has none, or none is known.
  package func hash(_ index: Int) -> DifferenceHash? {
    columns.rows[index].hasHash ? DifferenceHash(bits: columns[index].hash) : nil
  }

  // MARK: - Looking up names

  /// Finds a file by its name, in constant time.
  ///
  /// - Returns: The file's index; nil if nothing is known about it.
  package mutating func index(of name: ArraySlice<UInt8>) -> Int? {
    name.withUnsafeBytes { index(of: $0) }
  }

  /// Finds a file by its name, in constant time.
  package mutating func index(of name: UnsafeRawBufferPointer) -> Int? {
    if next < count, isName(name, at: next) {
      next += 1
      return next - 1
    }
    if !table.hasRoom { enterAll() }
    guard let index = table.index(of: name, where: { isName(name, at: $0) }) else { return nil }
    next = index + 1
    return index
  }

  private func isName(_ name: UnsafeRawBufferPointer, at index: Int) -> Bool {
    columns.name(index).withUnsafeBytes { other in
      guard other.count == name.count, let left = other.baseAddress, let right = name.baseAddress
      else { return false }
      return memcmp(left, right, name.count) == 0
    }
  }

  private mutating func enterAll() {
    table.reset(count: count + count / 4)
    for index in 0..<count {
      columns.name(index).withUnsafeBytes { table.enter($0, index: index) }
    }
  }
}

/// A hash table of names with open addressing, which finds the index of a name in constant time.
///
/// The hash has a random key, because anyone may have created the files and could otherwise choose
/// names with equal hashes. It is faster than `Hasher`, which matters for millions of names.
struct NameTable {
  /// The slots, in which a name is at its hash or at the first slot after that which was free.
  ///
  /// The upper 32 bits of a slot are those of the hash, the lower 32 the index of the name plus 1.
  /// A free slot is 0.
  private var slots: [UInt64] = []
  private var count = 0
  private let keys = (UInt64.random(in: 0...(.max)), UInt64.random(in: 0...(.max)) | 1)

  /// Whether another name can be entered: fewer than half of the slots are used.
  var hasRoom: Bool { count < slots.count / 2 }

  /// Empties the table, and makes room for at least a number of names.
  mutating func reset(count: Int) {
    var size = 64
    while size < 2 * (count + 1) { size *= 2 }
    slots = Array(repeating: 0, count: size)
    self.count = 0
  }

  /// Enters a name that is not in the table yet, if there is room.
  mutating func enter(_ name: UnsafeRawBufferPointer, index: Int) {
    guard hasRoom else { return }
    let hash = hash(name)
    let entry = hash & 0xffff_ffff_0000_0000 | UInt64(UInt32(truncatingIfNeeded: index + 1))
    slots.withUnsafeMutableBufferPointer { slots in
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = entry
    }
    count += 1
  }

  /// Returns the index of a name; nil if it is not in the table.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - isName: Returns whether the name at an index is equal to `name`.
  /// - Returns: The index.
  func index(of name: UnsafeRawBufferPointer, where isName: (Int) -> Bool) -> Int? {
    guard !slots.isEmpty else { return nil }
    let hash = hash(name)
    return slots.withUnsafeBufferPointer { slots in
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] != 0 {
        if slots[slot] >> 32 == hash >> 32 {
          let index = Int(UInt32(truncatingIfNeeded: slots[slot])) - 1
          if isName(index) { return index }
        }
        slot = (slot + 1) & (slots.count - 1)
      }
      return nil
    }
  }

  /// Returns the hash of a name: eight bytes at a time, each time multiplied by a random number and
  /// folded.
  private func hash(_ name: UnsafeRawBufferPointer) -> UInt64 {
    var hash = keys.0 ^ UInt64(truncatingIfNeeded: name.count)
    var offset = 0
    while offset + 8 <= name.count {
      hash = mixed(hash ^ name.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < name.count {
      rest = rest << 8 | UInt64(name[offset])
      offset += 1
    }
    return mixed(mixed(hash ^ rest))
  }

  private func mixed(_ number: UInt64) -> UInt64 {
    let product = number.multipliedFullWidth(by: keys.1)
    return product.high ^ product.low ^ number >> 29
  }
}
