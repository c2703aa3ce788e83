/// The known sizes and aspect ratios of photos, and the user's rotations.
struct PhotoShapes: Equatable, Sendable {
  /// Sizes in pixels, after the orientation in the files, before the user's rotation.
  private var sizes: [Photo.ID: PixelSize] = [:]
  /// Aspect ratios before the user's rotation, width divided by height, by photo number; 0 if
  /// unknown.
  private var ratios: [Float] = []
  /// The user's rotations and flips, on top of the orientation in the files; photos without any are
  /// missing.
  private(set) var rotations: [Photo.ID: Orientation] = [:]
  /// The photos whose aspect ratios have changed since the last `drainChanged()`.
  private(set) var changed: [Photo.ID] = []

  /// Returns the displayed size of a photo, after the user's rotation; nil if it is unknown.
  func size(of photo: Photo.ID) -> PixelSize? {
    sizes[photo].map(orientation(of: photo).turned)
  }

  /// Returns the aspect ratio of a photo after the user's rotation, width divided by height; nil if
  /// it is unknown.
  func aspectRatio(of photo: Photo.ID) -> Double? {
    guard let ratio = ratio(of: photo), ratio > 0 else { return nil }
    guard !rotations.isEmpty else { return Double(ratio) }
    return orientation(of: photo).turned(PixelSize(width: Double(ratio), height: 1)).aspectRatio
  }

  /// Returns the user's rotation and flip of a photo, on top of the orientation in its file.
  func orientation(of photo: Photo.ID) -> Orientation { rotations[photo] ?? .upright }

  private func ratio(of photo: Photo.ID) -> Float? {
    ratios.indices.contains(photo.index) ? ratios[photo.index] : nil
  }

  /// Receives the exact size of a photo, after the orientation in its file.
  ///
  /// - Returns: Whether the size has changed.
  mutating func receive(size: PixelSize, of photo: Photo.ID, capacity: Int) -> Bool {
    guard !size.isEmpty, sizes[photo] != size else { return false }
    sizes[photo] = size
    receive(shape: size, of: photo, capacity: capacity)
    return true
  }

  /// Receives the size of a photo in its facts, which is used until its picture has the exact size.
  mutating func receive(_ facts: PackedFacts, of photo: Photo.ID, capacity: Int) {
    guard sizes.isEmpty || sizes[photo] == nil else { return }
    let size = PixelSize(width: Double(facts.width), height: Double(facts.height))
    receive(shape: size, of: photo, capacity: capacity)
  }

  private mutating func receive(shape size: PixelSize, of photo: Photo.ID, capacity: Int) {
    let ratio = Float(size.aspectRatio)
    guard !size.isEmpty, photo.index >= 0, self.ratio(of: photo) != ratio else { return }
    if photo.index >= ratios.count {
      let count = max(photo.index + 1, capacity)
      ratios.append(contentsOf: repeatElement(0, count: count - ratios.count))
    }
    ratios[photo.index] = ratio
    changed.append(photo)
  }

  /// Rotates or flips a photo as it is displayed, until the session ends.
  mutating func turn(_ photo: Photo.ID, by turning: Orientation) {
    let turned = orientation(of: photo).followed(by: turning)
    rotations[photo] = turned == .upright ? nil : turned
    changed.append(photo)
  }

  /// Returns the photos whose aspect ratios have changed since the last call.
  mutating func drainChanged() -> [Photo.ID] {
    defer { changed = [] }
    return changed
  }
}
