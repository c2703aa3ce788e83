import Geometry
import Glibc

/// The names of consecutively numbered photos in one folder.
package struct NameBatch: Equatable, Sendable {
  package var first: Photo.ID
  /// The prefix of every path: a folder that ends in a slash, or nothing.
  package var folder: [UInt8]
  package var names: [UInt8]

  package init(first: Photo.ID, folder: [UInt8], names: [UInt8]) {
    self.first = first
    self.folder = folder
    self.names = names
  }

  package var count: Int { names.count { $0 == 0 } }

  /// Splits the paths of photos numbered from `first` into batches, with a new batch whenever the
  /// folder changes.
  package static func batches(of paths: some Sequence<[UInt8]>, first: Photo.ID) -> [NameBatch] {
    var batches: [NameBatch] = []
    for (offset, path) in paths.enumerated() {
      let start = path.nameStart
      if batches.last?.folder.elementsEqual(path[..<start]) != true {
        batches.append(
          NameBatch(
            first: Photo.ID(first.index + offset), folder: Array(path[..<start]), names: []))
      }
      batches[batches.count - 1].names += path[start...]
      batches[batches.count - 1].names.append(0)
    }
    return batches
  }
}

/// The lowercase names of all photos, with composed letters, which are searched while the user types.
///
/// A name takes nine bytes beyond its own: a NUL, and four each for its location and its folder.
package struct PhotoNames: Equatable, Sendable {
  /// All names in lowercase.
  private var names = NameBlocks()
  /// The location of each photo's name, by photo number; `missing` if the name is unknown.
  private var locations: [NameBlocks.Location] = []
  /// The index of each photo's folder in `folders`, by photo number.
  private var folderNumbers: [UInt32] = []
  private var folders: [[UInt8]] = []
  /// The folders in lowercase.
  private var foldedFolders: [[UInt8]] = []
  private var numbers: [[UInt8]: UInt32] = [:]

  private static let missing = NameBlocks.Location.max

  package init() {}

  /// Learns names, replacing earlier names of the same photos; the memory of these is not reused.
  ///
  /// A batch for which `NameBlocks.limit` leaves no room is ignored.
  package mutating func learn(_ batch: NameBatch) {
    // In lowercase, a byte that is not UTF-8 takes three bytes, as U+FFFD.
    guard batch.first.index >= 0, names.byteCount + 3 * batch.names.count < NameBlocks.limit
    else { return }
    let folder = number(of: batch.folder)
    for (offset, location) in names.append(Self.folded(batch.names)).enumerated() {
      set(location, folder, of: batch.first.index + offset)
    }
  }

  /// Converts names, each followed by a NUL, to lowercase.
  private static func folded(_ names: [UInt8]) -> [UInt8] {
    // Names that are all ASCII, as in most huge folders, are converted many bytes at a time.
    var union: UInt8 = 0
    for byte in names { union |= byte }
    guard union >= 0x80 else { return names.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 } }
    var result: [UInt8] = []
    var start = 0
    while let end = names[start...].firstIndex(of: 0) {
      fold(names[start..<end], into: &result)
      result.append(0)
      start = end + 1
    }
    return result
  }

  private mutating func set(_ location: NameBlocks.Location, _ folder: UInt32, of photo: Int) {
    while locations.count <= photo {
      locations.append(Self.missing)
      folderNumbers.append(0)
    }
    locations[photo] = location
    folderNumbers[photo] = folder
  }

  /// Converts a text to the form in which names are searched: lowercase, with composed letters, without
  /// NUL.
  package static func folded(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    fold(Array(text.utf8)[...], into: &result)
    return result
  }

  private static func fold(_ name: ArraySlice<UInt8>, into result: inout [UInt8]) {
    if name.allSatisfy({ $0 < 0x80 && $0 != 0 }) {
      result.append(contentsOf: name.lazy.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 })
    } else {
      // Lowercase letters may have other marks, so these are composed last.
      let text = ComposedText.of(String(decoding: name, as: UTF8.self).lowercased())
      result.append(contentsOf: text.utf8.lazy.filter { $0 != 0 })
    }
  }

  private mutating func number(of folder: [UInt8]) -> UInt32 {
    if let last = folderNumbers.last, folders[Int(last)] == folder { return last }
    if let number = numbers[folder] { return number }
    let number = UInt32(folders.count)
    folders.append(folder)
    var folded: [UInt8] = []
    Self.fold(folder[...], into: &folded)
    foldedFolders.append(folded)
    numbers[folder] = number
    return number
  }
}

extension PhotoNames {
  /// Whether a photo's name contains a word, which must be folded.
  package func contains(_ word: [UInt8], in photo: Photo.ID) -> Bool {
    containing(word, [photo], where: [1]) == [FilterEvaluation.Verdict.passes]
  }

  /// Searches photos' names for a folded word.
  ///
  /// Photos whose `needed` is 0 are skipped and get `fails`.
  func containing(_ word: [UInt8], _ photos: [Photo.ID], where needed: [UInt8]) -> [UInt8] {
    let word = word.terminated
    return test(textsOf: photos, where: needed) { name in strstr(name, word) != nil }
  }

  /// Tests the lowercase names of photos; the verdict is `fails` for a photo whose entry in
  /// `needed` is 0.
  func test(
    _ photos: [Photo.ID], where needed: [UInt8], _ passes: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> [UInt8] {
    test(textsOf: photos, where: needed) { name in passes(NameBlocks.Pointers.name(name)) }
  }

  /// Tests the lowercase paths of photos; the verdict is `fails` for a photo whose entry in
  /// `needed` is 0.
  func test(
    paths photos: [Photo.ID], where needed: [UInt8], _ passes: ([UInt8]) -> Bool
  ) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: photos.count)
    for (index, photo) in photos.enumerated() where needed[index] != 0 {
      guard let name = name(of: photo) else { continue }
      let isPassed = passes(foldedFolders[Int(folderNumbers[photo.index])] + name)
      result[index] = isPassed ? FilterEvaluation.Verdict.passes : FilterEvaluation.Verdict.fails
    }
    return result
  }

  /// Lets photos pass whose folders satisfy a predicate, which gets each folder once, in lowercase
  /// and without the part of its path that leads to `base`.
  ///
  /// - `base`: The path of a folder, with a slash at its end; of folders that are not in it,
  ///   the predicate gets the whole path.
  func pass(
    _ photos: [Photo.ID], _ result: inout [UInt8], where needed: [UInt8], below base: [UInt8],
    inFoldersThat isWanted: (UnsafeBufferPointer<UInt8>) -> Bool
  ) {
    var folded: [UInt8] = []
    Self.fold(base[...], into: &folded)
    let matches = foldedFolders.map { folder in
      let start = folder.starts(with: folded) ? folded.count : 0
      return folder[start...].withUnsafeBufferPointer(isWanted)
    }
    guard matches.contains(true) else { return }
    for index in photos.indices where needed[index] != 0 {
      let photo = photos[index].index
      guard folderNumbers.indices.contains(photo), locations[photo] != Self.missing else {
        continue
      }
      if matches[Int(folderNumbers[photo])] { result[index] = FilterEvaluation.Verdict.passes }
    }
  }

  private func test(
    textsOf photos: [Photo.ID], where needed: [UInt8], _ passes: (UnsafePointer<CChar>) -> Bool
  ) -> [UInt8] {
    var result = [UInt8](repeating: FilterEvaluation.Verdict.fails, count: photos.count)
    names.withPointers { names in
      locations.withUnsafeBufferPointer { locations in
        for (index, photo) in photos.enumerated() where needed[index] != 0 {
          guard photo.index < locations.count, locations[photo.index] != Self.missing else {
            continue
          }
          if passes(names.text(at: locations[photo.index])) {
            result[index] = FilterEvaluation.Verdict.passes
          }
        }
      }
    }
    return result
  }

  private func location(of photo: Photo.ID) -> NameBlocks.Location? {
    guard locations.indices.contains(photo.index), locations[photo.index] != Self.missing else {
      return nil
    }
    return locations[photo.index]
  }

  package func name(of photo: Photo.ID) -> ArraySlice<UInt8>? {
    location(of: photo).map { names[$0] }
  }

  /// Returns the number of the folder that contains a photo; nil if the photo's name is unknown.
  func folderNumber(of photo: Photo.ID) -> Int? {
    location(of: photo).map { _ in Int(folderNumbers[photo.index]) }
  }

  /// Returns the folder of a photo and its name, which is in lowercase; nil if they are unknown.
  package func path(of photo: Photo.ID) -> (folder: [UInt8], name: ArraySlice<UInt8>)? {
    name(of: photo).map { (folders[Int(folderNumbers[photo.index])], $0) }
  }

  /// Whether two photos are in the same folder, and have names that differ only in the extension
  /// and in case.
  func haveSameStem(_ photo: Photo.ID, _ other: Photo.ID) -> Bool {
    guard let folder = folderNumber(of: photo), folder == folderNumber(of: other) else {
      return false
    }
    return stem(of: photo) == stem(of: other)
  }

  /// The lowercase name of a photo without its extension.
  private func stem(of photo: Photo.ID) -> ArraySlice<UInt8>? {
    name(of: photo).map { name in
      name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name
    }
  }

  /// Returns the path of the folder with a number, which ends in a slash or is empty.
  func folder(_ number: Int) -> [UInt8] { folders.indices.contains(number) ? folders[number] : [] }

  /// Returns the format by the extension of a photo's name; nil if the extension is not known.
  func kind(of photo: Photo.ID) -> ImageFormat? {
    guard let name = name(of: photo), let dot = name.lastIndex(of: UInt8(ascii: ".")) else {
      return nil
    }
    return ImageFormat(word: String(decoding: name[(dot + 1)...], as: UTF8.self))
  }

  /// Returns photos sorted by folder and name; photos whose names are unknown come last.
  func sorted(_ photos: [Photo.ID]) -> [Photo.ID] {
    let ranks = folderRanks
    return names.withPointers { names in
      let entries = photos.enumerated().map { index, photo in
        let location = location(of: photo)
        return (
          photo: photo, index: index,
          folder: location == nil ? .max : ranks[Int(folderNumbers[photo.index])],
          name: location.map(names.name) ?? UnsafeBufferPointer(start: nil, count: 0)
        )
      }
      return entries.sorted { left, right in
        if left.folder != right.folder { return left.folder < right.folder }
        if NaturalOrder.precedes(left.name, right.name) { return true }
        if NaturalOrder.precedes(right.name, left.name) { return false }
        return left.index < right.index
      }.map(\.photo)
    }
  }

  /// The rank of each folder in the listing order.
  private var folderRanks: [Int] {
    var ranks = Array(repeating: 0, count: folders.count)
    let order = folders.indices.sorted {
      ListingOrder.order(of: folders[$0], folders[$1]) < 0
    }
    for (rank, folder) in order.enumerated() { ranks[folder] = rank }
    return ranks
  }
}
