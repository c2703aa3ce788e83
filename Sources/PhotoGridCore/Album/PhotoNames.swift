import Glibc

/// The names of photos with consecutive numbers that are in one folder.
package struct NameBatch: Equatable, Sendable {
  /// The first of the photos.
  package var first: Photo.ID
  /// What stands before each name in its path: a folder with its slash, or nothing.
  package var folder: [UInt8]
  /// One after the other, a NUL behind each.
  package var names: [UInt8]

  /// The names of photos from `first` on.
  package init(first: Photo.ID, folder: [UInt8], names: [UInt8]) {
    self.first = first
    self.folder = folder
    self.names = names
  }

  /// How many photos there are.
  package var count: Int { names.count { $0 == 0 } }

  /// The names of photos from `first` on whose paths are given, in as few batches as there are
  /// changes of the folder.
  package static func batches(of paths: some Sequence<[UInt8]>, first: Photo.ID) -> [NameBatch] {
    var batches: [NameBatch] = []
    for (offset, path) in paths.enumerated() {
      let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
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

/// The names of all photos in small letters, so that they can be searched while one types.
///
/// A name takes its own bytes and nine more.
package struct PhotoNames: Equatable, Sendable {
  /// Small letters, one name after the other, a NUL behind each.
  private var bytes: [UInt8] = []
  /// Where each photo's name begins, by its number; `missing` where it is not known.
  private var starts: [UInt32] = []
  /// The place of each photo's folder in `folders`, by its number.
  private var folderNumbers: [UInt32] = []
  private var folders: [[UInt8]] = []
  private var numbers: [[UInt8]: UInt32] = [:]

  private static let missing = UInt32.max

  /// No names.
  package init() {}

  /// Takes names in, in place of those that the same photos had before, whose memory is not used
  /// again.
  package mutating func add(_ batch: NameBatch) {
    guard batch.first.index >= 0, bytes.count + 3 * batch.names.count < Int(Self.missing) else {
      return
    }
    let folder = number(of: batch.folder)
    var photo = batch.first.index
    var start = 0
    while let end = batch.names[start...].firstIndex(of: 0) {
      while starts.count <= photo {
        starts.append(Self.missing)
        folderNumbers.append(0)
      }
      starts[photo] = UInt32(bytes.count)
      folderNumbers[photo] = folder
      Self.fold(batch.names[start..<end], into: &bytes)
      bytes.append(0)
      photo += 1
      start = end + 1
    }
  }

  /// Text in the form in which names are searched: in small letters, without NUL.
  package static func folded(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    fold(Array(text.utf8)[...], into: &result)
    return result
  }

  private static func fold(_ name: ArraySlice<UInt8>, into result: inout [UInt8]) {
    if name.allSatisfy({ $0 < 0x80 && $0 != 0 }) {
      result.append(contentsOf: name.lazy.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 })
    } else {
      let text = String(decoding: name, as: UTF8.self).lowercased()
      result.append(contentsOf: text.utf8.lazy.filter { $0 != 0 })
    }
  }

  private mutating func number(of folder: [UInt8]) -> UInt32 {
    if let last = folderNumbers.last, folders[Int(last)] == folder { return last }
    if let number = numbers[folder] { return number }
    let number = UInt32(folders.count)
    folders.append(folder)
    numbers[folder] = number
    return number
  }
}

extension PhotoNames {
  /// Whether a photo's name has a word in it that was folded.
  package func contains(_ word: [UInt8], in photo: Photo.ID) -> Bool {
    containing(word, [photo], where: [1]) == [FilterEvaluation.Verdict.passes]
  }

  /// Which of some photos' names have a folded word in them, as verdicts of a filter; only where
  /// `needed` is not 0.
  func containing(_ word: [UInt8], _ photos: [Photo.ID], where needed: [UInt8]) -> [UInt8] {
    let word = (word + [0]).map { CChar(bitPattern: $0) }
    return test(starts: photos, where: needed) { name in strstr(name, word) != nil }
  }

  /// Which of some photos' names, in small letters, pass a test.
  func test(
    _ photos: [Photo.ID], where needed: [UInt8], _ passes: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> [UInt8] {
    test(starts: photos, where: needed) { name in
      let count = strlen(name)
      return name.withMemoryRebound(to: UInt8.self, capacity: count) {
        passes(UnsafeBufferPointer(start: $0, count: count))
      }
    }
  }

  /// Which of some photos' paths, in small letters, pass a test.
  func test(
    paths photos: [Photo.ID], where needed: [UInt8], _ passes: ([UInt8]) -> Bool
  ) -> [UInt8] {
    let folders = folders.map { folder in
      var folded: [UInt8] = []
      Self.fold(folder[...], into: &folded)
      return folded
    }
    var result = [UInt8](repeating: 0, count: photos.count)
    for (place, photo) in photos.enumerated() where needed[place] != 0 {
      guard photo.index < starts.count, starts[photo.index] != Self.missing else { continue }
      let name = bytes[Int(starts[photo.index])...].prefix { $0 != 0 }
      let isPassed = passes(folders[Int(folderNumbers[photo.index])] + name)
      result[place] = isPassed ? FilterEvaluation.Verdict.passes : FilterEvaluation.Verdict.fails
    }
    return result
  }

  private func test(
    starts photos: [Photo.ID], where needed: [UInt8], _ passes: (UnsafePointer<CChar>) -> Bool
  ) -> [UInt8] {
    var result = [UInt8](repeating: FilterEvaluation.Verdict.fails, count: photos.count)
    bytes.withUnsafeBytes { bytes in
      starts.withUnsafeBufferPointer { starts in
        for (place, photo) in photos.enumerated() where needed[place] != 0 {
          guard photo.index < starts.count, starts[photo.index] != Self.missing,
            let base = bytes.baseAddress
          else { continue }
          let name = (base + Int(starts[photo.index])).assumingMemoryBound(to: CChar.self)
          if passes(name) { result[place] = FilterEvaluation.Verdict.passes }
        }
      }
    }
    return result
  }

  /// The number of the folder that a photo is in; nil where its name is not known.
  func folderNumber(of photo: Photo.ID) -> Int? {
    guard starts.indices.contains(photo.index), starts[photo.index] != Self.missing else {
      return nil
    }
    return Int(folderNumbers[photo.index])
  }

  /// The path of the folder of a number: with its slash, or empty.
  func folder(_ number: Int) -> [UInt8] { folders.indices.contains(number) ? folders[number] : [] }

  /// What a photo's name says about its kind; nil where it has no known extension.
  func kind(of photo: Photo.ID) -> ImageFormat? {
    guard photo.index < starts.count, starts[photo.index] != Self.missing else { return nil }
    let name = bytes[Int(starts[photo.index])...].prefix { $0 != 0 }
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    return ImageFormat(word: String(decoding: name[(dot + 1)...], as: UTF8.self))
  }

  /// Photos in the order of their folders and names; those that are alike stay as they are.
  func sorted(_ photos: [Photo.ID]) -> [Photo.ID] {
    let ranks = folderRanks
    return bytes.withUnsafeBufferPointer { bytes in
      func name(_ start: UInt32) -> UnsafeBufferPointer<UInt8> {
        let rest = UnsafeBufferPointer(rebasing: bytes[Int(start)...])
        return UnsafeBufferPointer(rebasing: rest.prefix { $0 != 0 })
      }
      func start(_ photo: Photo.ID) -> UInt32 {
        photo.index < starts.count ? starts[photo.index] : Self.missing
      }
      let entries = photos.enumerated().map { place, photo in
        let start = start(photo)
        return (
          photo: photo, place: place,
          folder: start == Self.missing ? .max : ranks[Int(folderNumbers[photo.index])],
          name: start == Self.missing ? UnsafeBufferPointer(start: nil, count: 0) : name(start)
        )
      }
      return entries.sorted { left, right in
        if left.folder != right.folder { return left.folder < right.folder }
        if NaturalOrder.precedes(left.name, right.name) { return true }
        if NaturalOrder.precedes(right.name, left.name) { return false }
        return left.place < right.place
      }.map(\.photo)
    }
  }

  /// The place of each folder among all in their order.
  private var folderRanks: [Int] {
    var ranks = Array(repeating: 0, count: folders.count)
    let order = folders.indices.sorted {
      ListingOrder.order(of: folders[$0], folders[$1]) < 0
    }
    for (rank, folder) in order.enumerated() { ranks[folder] = rank }
    return ranks
  }
}
