package struct StackTable: Equatable, Sendable {
  /// The photos of all stacks, stack by stack, each in the order in which they were taken.
  private var photos: [Photo.ID] = []
  /// The index in `photos` of the first photo of each stack.
  private var starts: [Int] = []
  /// The number of each photo's stack, by photo number; −1 for a photo in no stack.
  private var numbers: [Int32] = []

  /// The camera that took a photo, and the time.
  package struct Shot: Equatable, Sendable {
    package var camera: UInt16
    package var time: Int64

    package init(camera: UInt16, time: Int64) {
      self.camera = camera
      self.time = time
    }
  }

  package init() {}

  /// Finds the stacks among photos.
  package init(_ listing: [Photo.ID], within seconds: Double, shot: (Photo.ID) -> Shot?) {
    var shots: [(camera: UInt16, time: Int64, index: Int)] = []
    for (index, photo) in listing.enumerated() {
      if let shot = shot(photo) { shots.append((shot.camera, shot.time, index)) }
    }
    shots.sort { ($0.camera, $0.time, $0.index) < ($1.camera, $1.time, $1.index) }
    var first = 0
    for end in 1..<max(shots.count + 1, 1) {
      if end < shots.count, shots[end].camera == shots[end - 1].camera,
        Double(shots[end].time - shots[end - 1].time) < seconds
      {
        continue
      }
      if end - first > 1 { append(shots[first..<end].map { listing[$0.index] }) }
      first = end
    }
  }

  private mutating func append(_ stack: [Photo.ID]) {
    let highest = stack.max()?.index ?? 0
    if highest >= numbers.count {
      let count = max(highest + 1, numbers.count * 2)
      numbers.append(contentsOf: repeatElement(-1, count: count - numbers.count))
    }
    for photo in stack { numbers[photo.index] = Int32(starts.count) }
    starts.append(photos.count)
    photos += stack
  }

  package var count: Int { starts.count }

  /// The number of a photo's stack, from 0; nil for a photo in no stack.
  package subscript(photo: Photo.ID) -> Int? {
    guard numbers.indices.contains(photo.index), numbers[photo.index] >= 0 else { return nil }
    return Int(numbers[photo.index])
  }

  package func photos(ofStack stack: Int) -> ArraySlice<Photo.ID> {
    photos[starts[stack]..<(stack + 1 < starts.count ? starts[stack + 1] : photos.count)]
  }

  /// Returns whether two tables have the same stacks, regardless of their capacity.
  package static func == (left: StackTable, right: StackTable) -> Bool {
    left.photos == right.photos && left.starts == right.starts
  }
}

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

  func isFannedOut(_ photo: Photo.ID) -> Bool {
    table[photo] != nil && fannedOut.contains(photo)
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
