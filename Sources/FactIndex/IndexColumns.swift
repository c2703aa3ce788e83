import Glibc
import Photos

/// What the index has about photos of a folder, as columns with an element for each photo.
///
/// A blob of the index, a pack, has the columns of many photos one after the other:
///
///     offset         contents, in the byte order of the processor
///     0              number of photos, stride of PackedInfo, Parts: UInt64 each
///     24             PackedInfo per photo; cameras, lenses and profiles are IDs of texts
///     hashes         the bits of the picture's hash: UInt64 per photo, if any has one
///     rating stamps  RatingStamp: UInt64 per photo, if any has a rating
///     locations         latitude and longitude in degrees: two Doubles per photo, if any has a location
///     words          the offset in the texts: UInt32 per photo, if any has words
///     texts          their length as UInt64, then each record of words followed by a NUL
///     names          each followed by a NUL
struct IndexColumns {
  /// Those that are not `isKnown` have only a hash, with the stamp of its file, or a rating.
  private(set) var rows: [PackedInfo] = []
  // These columns are empty as long as all of their elements are zero.
  private var hashes: [UInt64] = []
  private var ratingStamps: [UInt64] = []
  private var locations: [SIMD2<Double>] = []
  /// The offsets of records in `texts` plus 1; 0 for a photo without words.
  private var wordStarts: [UInt32] = []
  /// Records of words, each followed by a NUL; neighbors with the same words share one.
  private var texts: [UInt8] = []
  private var lastWords = 0..<0
  private var names: [UInt8] = []
  /// The offsets of the names, and of the end of the last one.
  private var nameStarts: [UInt32] = [0]

  /// The most photos in a pack.
  static let maxPackCount = 4096
  private static let headLength = 24

  /// An element of all columns, besides the name.
  struct Entry {
    var row = PackedInfo()
    var hash: UInt64 = 0
    var ratingStamp: UInt64 = 0
    /// Only used if the row says that there is a location.
    var location = SIMD2<Double>.zero
    /// The record of the words; only used if the row says that there are words.
    var words: [UInt8] = []

    /// Replaces what a later entry about the same photo knows better, and removes what was read from
    /// another state of the file.
    mutating func update(with new: Entry) {
      let rated = new.row.rating == nil ? self : new
      if new.row.isKnown || new.row.isHashKnown {
        let old = row.stamp == new.row.stamp ? self : Entry()
        let hashed = new.row.isHashKnown ? new : old
        self = new.row.isKnown ? new : old
        row.stamp = new.row.stamp
        hash = hashed.hash
        row.copyHash(of: hashed.row)
      }
      (row.rating, ratingStamp) = (rated.row.rating, rated.ratingStamp)
    }
  }

  var count: Int { rows.count }

  mutating func reserve(_ count: Int) {
    rows.reserveCapacity(count)
    nameStarts.reserveCapacity(count + 1)
  }

  subscript(index: Int) -> Entry {
    get {
      Entry(
        row: rows[index], hash: hashes.isEmpty ? 0 : hashes[index],
        ratingStamp: ratingStamps.isEmpty ? 0 : ratingStamps[index],
        location: locations.isEmpty ? .zero : locations[index],
        words: rows[index].hasWords ? Array(words(index)) : [])
    }
    set {
      rows[index] = newValue.row
      Self.set(newValue.hash, zero: 0, at: index, of: count, in: &hashes)
      Self.set(newValue.ratingStamp, zero: 0, at: index, of: count, in: &ratingStamps)
      Self.set(newValue.location, zero: .zero, at: index, of: count, in: &locations)
      let start = newValue.row.hasWords ? start(of: newValue.words) : 0
      Self.set(start, zero: 0, at: index, of: count, in: &wordStarts)
      if start == 0 { rows[index].hasWords = false }
    }
  }

  /// Adds a record of words, unless the last one is the same.
  ///
  /// - Returns: Its offset plus 1; 0 if there is none, or no room.
  private mutating func start(of record: [UInt8]) -> UInt32 {
    guard !record.isEmpty, texts.count + record.count < Int(UInt32.max) / 2 else { return 0 }
    if texts[lastWords] != record[...] {
      lastWords = texts.count..<texts.count + record.count
      texts += record
      texts.append(0)
    }
    return UInt32(lastWords.lowerBound + 1)
  }

  /// Returns the record of the words of the photo at an index; empty if it has none.
  func words(_ index: Int) -> ArraySlice<UInt8> {
    guard index < wordStarts.count, wordStarts[index] > 0 else { return [] }
    let rest = texts[(Int(wordStarts[index]) - 1)...]
    return rest[..<(rest.firstIndex(of: 0) ?? rest.endIndex)]
  }

  private static func set<Value: Equatable>(
    _ value: Value, zero: Value, at index: Int, of count: Int, in column: inout [Value]
  ) {
    if column.isEmpty, value == zero { return }
    if column.count < count {
      column.append(contentsOf: repeatElement(zero, count: count - column.count))
    }
    column[index] = value
  }

  /// Appends an entry if its name fits.
  mutating func append(_ entry: Entry, name: some Collection<UInt8>) {
    guard let end = UInt32(exactly: names.count + name.count + 1) else { return }
    names.append(contentsOf: name)
    names.append(0)
    nameStarts.append(end)
    rows.append(entry.row)
    self[count - 1] = entry
  }

  func name(_ index: Int) -> ArraySlice<UInt8> {
    names[Int(nameStarts[index])..<Int(nameStarts[index + 1]) - 1]
  }

  // MARK: - Packs

  /// The columns that a pack has besides the rows.
  private struct Parts: OptionSet {
    let rawValue: UInt64
    static let hashes = Parts(rawValue: 1)
    static let ratingStamps = Parts(rawValue: 2)
    static let locations = Parts(rawValue: 4)
    static let words = Parts(rawValue: 8)
  }

  /// Returns a pack of photos, at most `maxPackCount`.
  func pack(_ indices: some Collection<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    func append<Value: BitwiseCopyable>(_ value: Value) {
      withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
    }
    var parts: Parts = []
    if !hashes.isEmpty { parts.insert(.hashes) }
    if !ratingStamps.isEmpty { parts.insert(.ratingStamps) }
    if !locations.isEmpty { parts.insert(.locations) }
    if !wordStarts.isEmpty { parts.insert(.words) }
    append(UInt64(indices.count))
    append(UInt64(MemoryLayout<PackedInfo>.stride))
    append(parts.rawValue)
    for index in indices { append(rows[index]) }
    if parts.contains(.hashes) { for index in indices { append(hashes[index]) } }
    if parts.contains(.ratingStamps) { for index in indices { append(ratingStamps[index]) } }
    if parts.contains(.locations) { for index in indices { append(locations[index]) } }
    if parts.contains(.words) {
      var (starts, packed): ([UInt32], [UInt8]) = ([], [])
      var last: (start: UInt32, packed: UInt32) = (0, 0)
      for index in indices {
        let start = index < wordStarts.count ? wordStarts[index] : 0
        if start == 0 {
          starts.append(0)
        } else if start == last.start {
          starts.append(last.packed)
        } else {
          last = (start, UInt32(packed.count + 1))
          starts.append(last.packed)
          packed += words(index) + [0]
        }
      }
      for start in starts { append(start) }
      append(UInt64(packed.count))
      bytes += packed
    }
    for index in indices {
      bytes += name(index)
      bytes.append(0)
    }
    return bytes
  }

  /// Calls a function with each valid entry of a pack and its name; not at all for an invalid pack.
  static func forEach(
    in pack: UnsafeRawBufferPointer, _ body: (Entry, UnsafeRawBufferPointer) -> Void
  ) {
    guard pack.count > headLength, pack.last == 0, let base = pack.baseAddress else { return }
    let head = (0..<3).map { pack.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
    let stride = MemoryLayout<PackedInfo>.stride
    guard head[0] <= maxPackCount, head[1] == UInt64(stride), head[2] < 16 else { return }
    let (count, parts) = (Int(head[0]), Parts(rawValue: head[2]))
    let hashes = headLength + stride * count
    let ratingStamps = hashes + (parts.contains(.hashes) ? 8 * count : 0)
    let locations = ratingStamps + (parts.contains(.ratingStamps) ? 8 * count : 0)
    let words = locations + (parts.contains(.locations) ? 16 * count : 0)
    var start = words
    var texts = 0..<0
    if parts.contains(.words) {
      let first = words + 4 * count + 8
      guard first < pack.count,
        let length = Int(
          exactly: pack.loadUnaligned(fromByteOffset: first - 8, as: UInt64.self)),
        length < pack.count - first, length == 0 || pack[first + length - 1] == 0
      else { return }
      texts = first..<first + length
      start = texts.upperBound
    }
    func value<Value: BitwiseCopyable>(_ offset: Int, _ index: Int, _ type: Value.Type) -> Value {
      pack.loadUnaligned(fromByteOffset: offset + MemoryLayout<Value>.stride * index, as: type)
    }
    guard start < pack.count else { return }
    for index in 0..<count {
      guard start < pack.count, let nul = memchr(base + start, 0, pack.count - start) else {
        return
      }
      let name = UnsafeRawBufferPointer(
        start: base + start, count: UnsafeRawPointer(nul) - (base + start))
      start += name.count + 1
      var entry = Entry(row: value(headLength, index, PackedInfo.self))
      if parts.contains(.hashes) { entry.hash = value(hashes, index, UInt64.self) }
      if parts.contains(.ratingStamps) {
        entry.ratingStamp = value(ratingStamps, index, UInt64.self)
      }
      if parts.contains(.locations) { entry.location = value(locations, index, SIMD2<Double>.self) }
      if parts.contains(.words), entry.row.hasWords {
        let offset = texts.lowerBound + Int(value(words, index, UInt32.self)) - 1
        if texts.contains(offset), let nul = memchr(base + offset, 0, texts.upperBound - offset) {
          let length = min(UnsafeRawPointer(nul) - (base + offset), PhotoWords.maxBytes)
          entry.words = Array(UnsafeRawBufferPointer(start: base + offset, count: length))
        }
      }
      if entry.isValid, isFileName(name) { body(entry, name) }
    }
  }

  private static func isFileName(_ name: UnsafeRawBufferPointer) -> Bool {
    guard let start = name.baseAddress, !name.isEmpty else { return false }
    return memchr(start, 0x2f, name.count) == nil
  }
}

extension IndexColumns.Entry {
  /// Whether this can be stored, and was not damaged in the index.
  var isValid: Bool {
    if row.isKnown, !row.isReadable { return false }
    if row.isKnown || row.isHashKnown { return row.byteCount >= 0 && row.stamp.isSettled }
    return row.rating != nil
  }

  /// Creates the entry of a photo in a block, whose texts are numbers in its pools.
  ///
  /// Left out is what is not known, was read only in part, or in a state of the file that cannot be
  /// identified.
  init(_ block: InfoBlock, _ index: Int) {
    let new = block.rows[index]
    let isIdentified = new.stamp.isSettled && !new.isIncomplete
    if isIdentified, new.isKnown, new.hasMetadata {
      row = new
      if let found = block.locations[index] {
        location = SIMD2(found.latitude, found.longitude)
      } else {
        row.hasLocation = false
      }
      words = block.words[index] ?? []
      row.hasWords = !words.isEmpty
    } else {
      row.stamp = new.stamp
    }
    row.removeHash()
    if isIdentified, new.isHashKnown {
      row.setHash(block.hash(at: index))
      hash = block.hash(at: index)?.bits ?? 0
    }
    row.rating = nil
    if let rating = new.rating, index < block.ratingStamps.count, block.ratingStamps[index] != 0 {
      (row.rating, ratingStamp) = (rating, block.ratingStamps[index])
    }
  }
}
