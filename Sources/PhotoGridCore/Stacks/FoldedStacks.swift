/// The stacks of a listing, each folded into the tile of one photo or fanned out.
struct FoldedStacks: Equatable, Sendable {
  var table = StackTable()
  /// The photos that were chosen as the faces of their stacks.
  private var faces = PhotoSet()
  private var fannedOut = PhotoSet()
  /// The photo that stands for each stack, by stack number; −1 for a stack that is fanned out or
  /// not shown.
  private var tiles: [Int32] = []
  /// The number of photos that each of `tiles` stands for, by stack number.
  private var counts: [Int32] = []
  /// The photos that pass the filter; nil for all.
  private var passing: PhotoSet?

  /// Folds the stacks among photos.
  ///
  /// - `isFiltered`: Whether other photos are filtered out.
  /// - Returns: The photos that have tiles; nil if all of them do.
  mutating func fold(_ list: [Photo.ID], isFiltered: Bool) -> [Photo.ID]? {
    unfold()
    guard table.count > 0 else { return nil }
    var isOpen = [Bool](repeating: false, count: table.count)
    for photo in fannedOut.photos { if let stack = table[photo] { isOpen[stack] = true } }
    tiles = Array(repeating: -1, count: table.count)
    counts = Array(repeating: 0, count: table.count)
    for photo in list {
      guard let stack = table[photo], !isOpen[stack] else { continue }
      counts[stack] += 1
      if tiles[stack] < 0 || faces.contains(photo) { tiles[stack] = photo.number }
    }
    guard counts.contains(where: { $0 > 1 }) else {
      unfold()
      return nil
    }
    if isFiltered { passing = PhotoSet(list) }
    return list.filter { photo in
      table[photo].map { isOpen[$0] || tiles[$0] == photo.number } ?? true
    }
  }

  /// Shows every photo.
  private mutating func unfold() { (tiles, counts, passing) = ([], [], nil) }

  /// Returns the photo whose tile stands for a photo: the face of its folded stack, or the photo
  /// itself.
  func tile(of photo: Photo.ID) -> Photo.ID {
    guard !tiles.isEmpty, let stack = table[photo], tiles[stack] >= 0 else { return photo }
    return Photo.ID(Int(tiles[stack]))
  }

  /// Returns the number of photos that a tile stands for.
  func count(of tile: Photo.ID) -> Int {
    guard !tiles.isEmpty, let stack = table[tile], tiles[stack] == tile.number else { return 1 }
    return Int(counts[stack])
  }

  /// Returns the photos that a tile stands for, in the order in which they were taken.
  func photos(of tile: Photo.ID) -> [Photo.ID] {
    guard count(of: tile) > 1, let stack = table[tile] else { return [tile] }
    let photos = table.photos(ofStack: stack)
    return photos.filter { passing?.contains($0) ?? true }
  }

  // MARK: - Changes

  /// Fans a photo's stack out, or folds it.
  mutating func fanOut(_ photo: Photo.ID, _ isOut: Bool) {
    guard let stack = table[photo] else { return }
    for photo in table.photos(ofStack: stack) {
      if isOut { fannedOut.insert(photo) } else { fannedOut.remove(photo) }
    }
  }

  mutating func foldAll() { fannedOut = PhotoSet() }

  mutating func fanOutAll() {
    for stack in 0..<table.count {
      for photo in table.photos(ofStack: stack) { fannedOut.insert(photo) }
    }
  }

  mutating func choose(_ face: Photo.ID) {
    guard let stack = table[face] else { return }
    for photo in table.photos(ofStack: stack) { faces.remove(photo) }
    faces.insert(face)
  }
}
