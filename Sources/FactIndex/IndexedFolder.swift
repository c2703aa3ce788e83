import Glibc
import Photos
import WorkerProtocol

/// The entries of a folder's photos in the index, by name, as columns with an element for each
/// photo.
///
/// The index has one value for each folder, a `snapshot`, in which the photos are in the order of the
/// listing.
package struct IndexedFolder {
  private var rows: [PackedInfo] = []
  // These two columns are empty as long as all of their elements are 0.
  private var hashes: [UInt64] = []
  private var ratingStamps: [UInt64] = []
  private var locations: [Int: PhotoMetadata.Location] = [:]
  /// Records of words.
  private var words: [Int: [UInt8]] = [:]
  /// The texts that the facts refer to.
  package private(set) var pools = TextPools()
  /// The names, each followed by a NUL.
  private var names: [UInt8] = []
  /// The offsets of the names, and of the end of the last one.
  private var nameStarts: [Int] = [0]
  /// The index of the name that is probably looked up next.
  private var next = 0
  /// The indices of photos by their names; empty until a name is looked up.
  private var table = NameTable()

  /// Creates a folder without photos.
  init() {}

  /// Creates the folder of a snapshot; nil if that is damaged.
  init?(snapshot: UnsafeRawBufferPointer) {
    guard let photos = PhotoBatch(snapshot: snapshot), let block = photos.facts else { return nil }
    (rows, hashes, ratingStamps) = (block.rows, block.hashBits, block.ratingStamps)
    (locations, words, pools) = (block.locations, block.words, block.pools)
    names = photos.names
    nameStarts.reserveCapacity(count + 1)
    for (index, byte) in names.enumerated() where byte == 0 { nameStarts.append(index + 1) }
  }

  /// The bytes from which a folder with the same photos can be created.
  var snapshot: [UInt8] {
    var block = InfoBlock(rows, hashBits: hashes, ratingStamps: ratingStamps, pools)
    block.setLocations(locations)
    block.setWords(words)
    return PhotoBatch(root: 0, folder: [], names: names, facts: block).snapshot
  }

  /// The number of photos.
  package var count: Int { rows.count }

  // MARK: - Changes

  /// Records what was read of photos.
  mutating func update(_ photos: PhotoBatch) {
    guard let block = photos.facts else { return }
    var renumbering = PoolRenumbering(from: block.pools)
    var index = 0
    photos.forEachName { name in
      defer { index += 1 }
      guard var entry = IndexEntry(block, index) else { return }
      renumbering.translate(&entry.row, to: &pools)
      if let index = self.index(of: name) {
        var updated = self[index]
        updated.update(with: entry)
        self[index] = updated
      } else {
        append(entry, name: name)
        name.withUnsafeBytes { name in
          if table.hasRoom { table.enter(name, index: count - 1) } else { enterAll() }
        }
        next = count
      }
    }
  }

  /// Puts the photos in the order of the listing.
  mutating func sort() {
    let order = names.withUnsafeBufferPointer { names in
      NaturalOrder.sorted(Array(0..<count)) {
        UnsafeBufferPointer(rebasing: names[nameStarts[$0]..<nameStarts[$0 + 1] - 1])
      }
    }
    var sorted = IndexedFolder()
    sorted.pools = pools
    for index in order { sorted.append(self[index], name: name(index)) }
    self = sorted
  }

  private mutating func append(_ entry: IndexEntry, name: ArraySlice<UInt8>) {
    names += name
    names.append(0)
    nameStarts.append(names.count)
    rows.append(entry.row)
    self[count - 1] = entry
  }

  private subscript(index: Int) -> IndexEntry {
    get {
      var entry = IndexEntry()
      entry.row = rows[index]
      entry.hash = hashes.isEmpty ? 0 : hashes[index]
      entry.ratingStamp = ratingStamps.isEmpty ? 0 : ratingStamps[index]
      (entry.location, entry.words) = (locations[index], words[index])
      return entry
    }
    set {
      rows[index] = newValue.row
      Self.set(newValue.hash, at: index, of: count, in: &hashes)
      Self.set(newValue.ratingStamp, at: index, of: count, in: &ratingStamps)
      (locations[index], words[index]) = (newValue.location, newValue.words)
    }
  }

  private static func set(
    _ value: UInt64, at index: Int, of count: Int, in column: inout [UInt64]
  ) {
    if column.isEmpty, value == 0 { return }
    column += repeatElement(0, count: count - column.count)
    column[index] = value
  }

  // MARK: - Facts

  /// Returns the name of the photo at an index.
  package func name(_ index: Int) -> ArraySlice<UInt8> {
    names[nameStarts[index]..<nameStarts[index + 1] - 1]
  }

  /// Returns the stamp of the file at an index, when its facts or its hash were recorded.
  package func stamp(_ index: Int) -> FileStamp { rows[index].stamp }

  /// Returns the `RatingStamp` of the files from which a rating was read; nil if none is known.
  package func ratingStamp(_ index: Int) -> UInt64? {
    rows[index].rating == nil || ratingStamps.isEmpty ? nil : ratingStamps[index]
  }

  /// Whether the facts or the hash of the photo at an index are known, rather than only its rating.
  package func hasStamp(_ index: Int) -> Bool { rows[index].isKnown || rows[index].isHashKnown }

  /// Returns the facts of the photo at an index, with its rating, and its hash if that is known.
  package func facts(_ index: Int) -> PackedInfo {
    guard !rows[index].isKnown else { return rows[index] }
    var row = PackedInfo()
    row.rating = rows[index].rating
    row.copyHash(of: rows[index])
    return row
  }

  /// Returns where the photo at an index was taken; nil if that is not known.
  package func location(_ index: Int) -> PhotoMetadata.Location? { locations[index] }

  /// Returns the words of the photo at an index, as a record; nil if it has none.
  package func words(_ index: Int) -> [UInt8]? { words[index] }

  /// Returns the hash of the picture of the photo at an index; nil if it has none, or none is known.
  package func hash(_ index: Int) -> DifferenceHash? {
    rows[index].hasHash && !hashes.isEmpty ? DifferenceHash(bits: hashes[index]) : nil
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
    self.name(index).withUnsafeBytes { other in
      guard other.count == name.count, let left = other.baseAddress, let right = name.baseAddress
      else { return false }
      return memcmp(left, right, name.count) == 0
    }
  }

  private mutating func enterAll() {
    table.reset(count: count + count / 4)
    for index in 0..<count {
      name(index).withUnsafeBytes { table.enter($0, index: index) }
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
