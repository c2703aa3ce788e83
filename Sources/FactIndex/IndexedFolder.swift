import Glibc
import PhotoGridCore

/// The indexed facts, hashes and ratings of the files in a folder, by name.
///
/// Facts stay packed, and are unpacked one file at a time when they are requested.
package struct IndexedFolder {
  private let texts: IndexTexts
  /// All packs of facts, and the names of files that are in none of them.
  private var bytes: [UInt8] = []
  private var packs: [Pack] = []
  private var files: [File] = []
  /// The ratings, with the stamps of the files from which they were read.
  private var ratings = FileValues<RatingValue>()
  /// The hashes of pictures, with the stamps of their files.
  private var hashes = FileValues<HashValue>()
  /// The number of files, from index 0 on, that an earlier session stored in the listing's order.
  package private(set) var sortedCount = 0
  /// The index of the name that is probably looked up next.
  private var next = 0
  /// The indices of files by their names; empty until a name is looked up.
  private var table = NameTable()

  /// A pack of photos.
  private struct Pack {
    /// The range of its bytes in `bytes`.
    var range: Range<Int>
    /// The offsets of its columns, from the start of the pack.
    var layout: FactPack.Layout
  }

  /// The locations of a file's name and facts.
  private struct File {
    /// The index of the name's first byte in `bytes`.
    var nameStart: UInt32
    var nameCount: UInt16
    /// The index of the pack in `packs`; `noPack` for a file without facts.
    var pack: UInt16
    /// The index in the pack.
    var place: UInt32
  }

  private static let noPack = UInt16.max

  /// Creates a folder without files; the facts added later refer to these texts.
  init(_ texts: IndexTexts) { self.texts = texts }

  /// The texts that the facts returned so far refer to.
  package var pools: TextPools { texts.pools }

  /// The number of files.
  package var count: Int { files.count }

  // MARK: - Files

  /// Reserves memory for a number of files in packs.
  mutating func reserve(_ count: Int) {
    // A damaged index may claim any number.
    files.reserveCapacity(min(count, 1 << 20))
  }

  /// Appends the valid photos of a pack, which must be in the order of the listing and all unknown.
  mutating func append(pack: UnsafeRawBufferPointer) {
    forEachFile(in: pack) { contents, _, file in contents.files.append(file) }
    sortedCount = count
  }

  /// Sets the facts of the valid photos of a pack, and appends the photos that are unknown.
  mutating func put(pack: UnsafeRawBufferPointer) {
    forEachFile(in: pack) { contents, name, file in
      if let known = contents.index(of: name) {
        contents.files[known].pack = file.pack
        contents.files[known].place = file.place
      } else {
        contents.append(file, name)
      }
    }
  }

  /// Stores a pack, and calls a function with each of its valid files.
  private mutating func forEachFile(
    in pack: UnsafeRawBufferPointer,
    _ body: (inout IndexedFolder, UnsafeRawBufferPointer, File) -> Void
  ) {
    guard let layout = FactPack.layout(of: pack), packs.count < Int(Self.noPack),
      bytes.count + pack.count < Int(UInt32.max)
    else { return }
    let start = bytes.count
    bytes.append(contentsOf: pack)
    let number = UInt16(packs.count)
    packs.append(Pack(range: start..<bytes.count, layout: layout))
    FactPack.forEach(in: pack) { name, entry in
      let facts = entry.facts
      guard entry.stamp(facts) != nil, texts.areFacts(facts, format: entry.format),
        let nameCount = UInt16(exactly: name.count), let first = name.baseAddress,
        let base = pack.baseAddress
      else { return }
      let file = File(
        nameStart: UInt32(start + (first - base)), nameCount: nameCount, pack: number,
        place: UInt32(entry.place))
      body(&self, name, file)
    }
  }

  private mutating func append(_ file: File, _ name: UnsafeRawBufferPointer) {
    files.append(file)
    if table.hasRoom { table.enter(name, index: count - 1) } else { enterAll() }
  }

  /// Sets the hashes of a pack, except a hash whose stamp differs from that of the file's facts.
  mutating func put(hashes pack: UnsafeRawBufferPointer) {
    ValuePack<HashValue>.forEach(in: pack) { name, value in
      guard let index = indexAppending(name) else { return }
      if !hasFacts(index) || stamp(index) == value.stamp { hashes.set(value, ofFile: index) }
    }
  }

  /// Sets the ratings of a pack.
  mutating func put(ratings pack: UnsafeRawBufferPointer) {
    ValuePack<RatingValue>.forEach(in: pack) { name, value in
      if let index = indexAppending(name) { ratings.set(value, ofFile: index) }
    }
  }

  /// Returns the index of a file, which is appended without facts unless it is known; nil if there
  /// is no room for it.
  private mutating func indexAppending(_ name: UnsafeRawBufferPointer) -> Int? {
    if let index = index(of: name) { return index }
    guard bytes.count + name.count < Int(UInt32.max), let nameCount = UInt16(exactly: name.count)
    else { return nil }
    let file = File(
      nameStart: UInt32(bytes.count), nameCount: nameCount, pack: Self.noPack, place: 0)
    bytes.append(contentsOf: name)
    append(file, name)
    next = count
    return count - 1
  }

  // MARK: - Facts

  /// Returns the name of the file at an index.
  package func name(_ index: Int) -> ArraySlice<UInt8> { bytes[nameRange(index)] }

  private func nameRange(_ index: Int) -> Range<Int> {
    let start = Int(files[index].nameStart)
    return start..<start + Int(files[index].nameCount)
  }

  /// Returns the stamp of the file at an index, when its facts or else its hash were recorded.
  package func stamp(_ index: Int) -> FileStamp {
    guard hasFacts(index) else { return hashes[index]?.stamp ?? .none }
    return withEntry(files[index]) { $0.stamp($0.facts) } ?? .none
  }

  /// Returns the stamp of the files from which a rating was read; nil if no rating is known.
  package func ratingStamp(_ index: Int) -> UInt64? { ratings[index]?.stamp }

  /// Whether the facts or the hash of the file at an index are known, rather than only its rating.
  package func hasStamp(_ index: Int) -> Bool { hasFacts(index) || hashes[index] != nil }

  /// Whether the facts of the file at an index are known.
  private func hasFacts(_ index: Int) -> Bool { files[index].pack != Self.noPack }

  /// Returns the facts of the file at an index, with its rating, and its hash if that is known.
  package func facts(_ index: Int) -> PackedFacts {
    var facts = PackedFacts()
    if hasFacts(index) {
      facts = withEntry(files[index]) { texts.facts($0.facts, format: $0.format) }
    }
    facts.rating = ratings[index]?.rating
    if let known = hashes[index] { facts.setHash(known.hash) }
    return facts
  }

  /// Returns where the photo at an index was taken; nil if that is not known.
  package func place(_ index: Int) -> PhotoMetadata.Place? {
    guard hasFacts(index), let found = withEntry(files[index], { $0.coordinates }) else {
      return nil
    }
    return PhotoMetadata.Place(latitude: found.latitude, longitude: found.longitude)
  }

  /// Returns the hash of the picture in the file at an index; nil if it has none, or none is known.
  package func hash(_ index: Int) -> DifferenceHash? { hashes[index]?.hash }

  private func withEntry<Result>(_ file: File, _ body: (FactPack.Entry) -> Result) -> Result {
    let pack = packs[Int(file.pack)]
    return bytes.withUnsafeBytes { bytes in
      body(
        FactPack.Entry(
          bytes: UnsafeRawBufferPointer(rebasing: bytes[pack.range]), layout: pack.layout,
          place: Int(file.place)))
    }
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
    let range = nameRange(index)
    guard range.count == name.count, let other = name.baseAddress else { return false }
    return bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.map { memcmp($0 + range.lowerBound, other, name.count) == 0 } ?? false
    }
  }

  private mutating func enterAll() {
    table.reset(count: count + count / 4)
    bytes.withUnsafeBytes { bytes in
      for index in files.indices {
        table.enter(UnsafeRawBufferPointer(rebasing: bytes[nameRange(index)]), index: index)
      }
    }
  }
}

/// Values for some of a folder's files, by the files' indices.
private struct FileValues<Value> {
  private var values: [Value] = []
  /// The index in `values` by the index of the file, plus 1; 0 for a file without a value.
  private var places: [UInt32] = []

  /// The value of the file at an index; nil if it has none.
  subscript(_ file: Int) -> Value? {
    guard file < places.count, places[file] > 0 else { return nil }
    return values[Int(places[file]) - 1]
  }

  /// Sets the value of a file.
  mutating func set(_ value: Value, ofFile file: Int) {
    if file >= places.count {
      places.append(contentsOf: repeatElement(0, count: file + 1 - places.count))
    }
    if places[file] > 0 {
      values[Int(places[file]) - 1] = value
    } else {
      values.append(value)
      places[file] = UInt32(values.count)
    }
  }
}

extension FileStamp {
  /// A stamp that no file has.
  fileprivate static let none = FileStamp(inode: 0, byteCount: -1, modified: 0)
}
