/// The stacks of successive photos of a camera, and which of them are folded into a tile.
struct FoldedStacks: Equatable, Sendable {
  /// The time in seconds below which successive photos of a camera are in the same stack; nil shows
  /// every photo.
  var seconds: Double?
  /// The photos that pass the filter, with one photo for each folded stack; nil while no stack is
  /// folded.
  var folded: [Photo.ID]?
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

  /// Folds the stacks among photos into `folded`.
  ///
  /// - `isFiltered`: Whether other photos are filtered out.
  mutating func fold(_ list: [Photo.ID], isFiltered: Bool) {
    unfold()
    guard table.count > 0 else { return }
    var isOpen = [Bool](repeating: false, count: table.count)
    for photo in fannedOut.photos { if let stack = table[photo] { isOpen[stack] = true } }
    tiles = Array(repeating: -1, count: table.count)
    counts = Array(repeating: 0, count: table.count)
    for photo in list {
      guard let stack = table[photo], !isOpen[stack] else { continue }
      counts[stack] += 1
      if tiles[stack] < 0 || faces.contains(photo) { tiles[stack] = photo.number }
    }
    guard counts.contains(where: { $0 > 1 }) else { return unfold() }
    if isFiltered { passing = PhotoSet(list) }
    folded = list.filter { photo in
      table[photo].map { isOpen[$0] || tiles[$0] == photo.number } ?? true
    }
  }

  private mutating func unfold() { (folded, tiles, counts, passing) = (nil, [], [], nil) }

  /// Returns the photo whose tile stands for a photo: the face of its folded stack, or the photo
  /// itself.
  func tile(of photo: Photo.ID) -> Photo.ID {
    guard !tiles.isEmpty, let stack = table[photo], tiles[stack] >= 0 else { return photo }
    return Photo.ID(Int(tiles[stack]))
  }

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
