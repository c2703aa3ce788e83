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
