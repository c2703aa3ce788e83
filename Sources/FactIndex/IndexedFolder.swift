import Glibc
import PhotoGridCore

/// The indexed facts of the files in a folder, by their names.
///
/// Facts stay in the packs as they were read, until somebody asks for them.
package struct IndexedFolder {
  private let texts: IndexTexts
  /// The packs, one after the other, between the names of files that are in none.
  private var bytes: [UInt8] = []
  private var packs: [Pack] = []
  private var files: [File] = []
  /// The files that are in no pack.
  private var loose: [(facts: PackedFacts, format: UInt16, stamp: FileStamp)] = []
  /// The ratings, with the stamps by which changes are recognized, by the indices of the files.
  private var ratings: [Int: (rating: Rating, stamp: UInt64)] = [:]
  /// The hashes of pictures, with the stamps of their files, by the indices of the files.
  private var hashes: [Int: (hash: DifferenceHash?, stamp: FileStamp)] = [:]
  /// The number of files at the beginning that an earlier session has sorted.
  package private(set) var sortedCount = 0
  /// The index of the name that is probably looked up next.
  private var next = 0
  /// The indices of files by their names; empty until a name is looked up.
  private var table = NameTable()

  /// A pack of photos.
  private struct Pack {
    /// Its bytes.
    var range: Range<Int>
    /// Where its columns begin.
    var layout: FactPack.Layout
  }

  /// Where the name and the facts of a file are.
  private struct File {
    /// The index of the name's first byte in `bytes`.
    var nameStart: UInt32
    var nameCount: UInt16
    /// The index of the pack in `packs`; `loosePack` for a file in `loose`.
    var pack: UInt16
    /// The index in the pack, or in `loose`.
    var place: UInt32
  }

  private static let loosePack = UInt16.max

  /// Creates a folder without files, whose facts refer to texts.
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

  /// Adds the photos of a pack, except those that no file can have.
  mutating func append(pack: UnsafeRawBufferPointer) {
    guard let layout = FactPack.layout(of: pack), packs.count < Int(Self.loosePack),
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
      files.append(
        File(
          nameStart: UInt32(start + (first - base)), nameCount: nameCount, pack: number,
          place: UInt32(entry.place)))
    }
  }

  /// Records that all files so far are in the order of a listing.
  mutating func markSorted() { sortedCount = count }

  /// Sets the facts of a file, which is appended unless it is known.
  mutating func put(_ photo: StoredPhoto) {
    guard texts.areFacts(photo.facts, format: photo.format) else { return }
    photo.name.withUnsafeBytes { put($0, photo.facts, photo.format, photo.stamp) }
  }

  /// Sets the hash of a file's picture, which is appended without facts unless it is known; a hash
  /// of another state of the file than its facts is dropped.
  mutating func put(_ name: UnsafeRawBufferPointer, _ hash: DifferenceHash?, _ stamp: FileStamp) {
    guard let index = indexAppending(name) else { return }
    if !hasFacts(index) || self.stamp(index) == stamp { hashes[index] = (hash, stamp) }
  }

  /// Sets the rating of a file, which is appended without facts unless it is known.
  mutating func put(_ name: UnsafeRawBufferPointer, _ rating: Rating, stamp: UInt64) {
    if let index = indexAppending(name) { ratings[index] = (rating, stamp) }
  }

  /// Returns the index of a file, which is appended without facts unless it is known; nil if there
  /// is no room for it.
  private mutating func indexAppending(_ name: UnsafeRawBufferPointer) -> Int? {
    if let index = index(of: name) { return index }
    put(name, PackedFacts(), 0, .none)
    return index(of: name)
  }

  private mutating func put(
    _ name: UnsafeRawBufferPointer, _ facts: PackedFacts, _ format: UInt16, _ stamp: FileStamp
  ) {
    let place = UInt32(loose.count)
    let known = index(of: name)
    guard known != nil || bytes.count + name.count < Int(UInt32.max),
      let nameCount = UInt16(exactly: name.count)
    else { return }
    loose.append((facts, format, stamp))
    if let known {
      (files[known].pack, files[known].place) = (Self.loosePack, place)
      return
    }
    files.append(
      File(
        nameStart: UInt32(bytes.count), nameCount: nameCount, pack: Self.loosePack, place: place))
    bytes.append(contentsOf: name)
    if table.hasRoom { table.enter(name, index: count - 1) } else { enterAll() }
  }

  // MARK: - Facts

  /// Returns the name of the file at an index.
  package func name(_ index: Int) -> ArraySlice<UInt8> { bytes[nameRange(index)] }

  private func nameRange(_ index: Int) -> Range<Int> {
    let start = Int(files[index].nameStart)
    return start..<start + Int(files[index].nameCount)
  }

  /// Returns the stamp of the file at an index, by which a change is recognized.
  package func stamp(_ index: Int) -> FileStamp {
    let file = files[index]
    guard file.pack == Self.loosePack else {
      return withEntry(file) { $0.stamp($0.facts) } ?? .none
    }
    return hasFacts(index) ? loose[Int(file.place)].stamp : hashes[index]?.stamp ?? .none
  }

  /// Returns the stamp of a rating, by which a change is recognized; nil if no rating is known.
  package func ratingStamp(_ index: Int) -> UInt64? {
    ratings.isEmpty ? nil : ratings[index]?.stamp
  }

  /// Whether facts or the hash of the file at an index are known, rather than only a rating.
  package func hasStamp(_ index: Int) -> Bool { hasFacts(index) || hashes[index] != nil }

  /// Whether facts of the file at an index are known.
  private func hasFacts(_ index: Int) -> Bool {
    let file = files[index]
    return file.pack != Self.loosePack || loose[Int(file.place)].stamp.byteCount >= 0
  }

  /// Returns the facts of the file at an index.
  package func facts(_ index: Int) -> PackedFacts {
    var facts = PackedFacts()
    let file = files[index]
    if file.pack != Self.loosePack {
      facts = withEntry(file) { texts.facts($0.facts, format: $0.format) }
    } else if hasFacts(index) {
      facts = texts.facts(loose[Int(file.place)].facts, format: loose[Int(file.place)].format)
    }
    if !ratings.isEmpty { facts.rating = ratings[index]?.rating }
    if let known = hashes[index] { facts.setHash(known.hash) }
    return facts
  }

  private func withEntry<Result>(_ file: File, _ body: (FactPack.Entry) -> Result) -> Result {
    let pack = packs[Int(file.pack)]
    return bytes.withUnsafeBytes { bytes in
      body(
        FactPack.Entry(
          bytes: UnsafeRawBufferPointer(rebasing: bytes[pack.range]), layout: pack.layout,
          place: Int(file.place), placeNumber: 0))
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

extension FileStamp {
  /// The stamp of no file.
  fileprivate static let none = FileStamp(inode: 0, byteCount: -1, modified: 0)
}
