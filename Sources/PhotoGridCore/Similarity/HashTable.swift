struct HashTable: Equatable, Sendable {
  /// The bits of the hashes, by photo number; 0 for a photo without a hash.
  private var bits: [UInt64] = []
  private var states: [State] = []

  private enum State: UInt8 {
    /// No picture has been hashed yet.
    case unknown
    /// The photo has no hash, because it has only one color or cannot be shown.
    case none
    case known
  }

  /// The largest number of bits in which a new hash of a photo differs without replacing the old
  /// one.
  ///
  /// Previews and pictures of other sizes differ in a few bits, for which no tile should move.
  private static let tolerance = 3

  subscript(photo: Photo.ID) -> DifferenceHash? {
    state(of: photo) == .known ? DifferenceHash(bits: bits[photo.index]) : nil
  }

  /// Whether a picture of a photo was hashed, or the photo cannot have a hash.
  func isKnown(_ photo: Photo.ID) -> Bool { state(of: photo) != .unknown }

  /// Whether a hash differs from the known hash of a photo by more than the size of the picture
  /// explains, or none is known.
  func isNew(_ hash: DifferenceHash?, of photo: Photo.ID) -> Bool {
    guard isKnown(photo) else { return true }
    guard let hash, let old = self[photo] else { return hash != self[photo] }
    return hash.distance(to: old) > Self.tolerance
  }

  /// Stores the hash of a photo; nil for a photo that has none.
  ///
  /// - Returns: Whether the hash has changed.
  mutating func update(_ hash: DifferenceHash?, of photo: Photo.ID) -> Bool {
    guard photo.index >= 0, isNew(hash, of: photo) else { return false }
    if photo.index >= states.count {
      let more = max(photo.index + 1, states.count * 2) - states.count
      bits.append(contentsOf: repeatElement(0, count: more))
      states.append(contentsOf: repeatElement(.unknown, count: more))
    }
    bits[photo.index] = hash?.bits ?? 0
    states[photo.index] = hash == nil ? .none : .known
    return true
  }

  mutating func forget(_ photo: Photo.ID) -> Bool {
    guard isKnown(photo) else { return false }
    (bits[photo.index], states[photo.index]) = (0, .unknown)
    return true
  }

  private func state(of photo: Photo.ID) -> State {
    states.indices.contains(photo.index) ? states[photo.index] : .unknown
  }

  /// Returns whether two tables have the same hashes, regardless of their capacity.
  static func == (left: HashTable, right: HashTable) -> Bool {
    let (short, long) = left.states.count < right.states.count ? (left, right) : (right, left)
    return long.states.starts(with: short.states) && long.bits.starts(with: short.bits)
      && long.states[short.states.count...].allSatisfy { $0 == .unknown }
  }
}

package struct HashUpdate: Equatable, Sendable {
  package var photo: Photo.ID
  /// The hash; nil for a photo without one, because it has only one color or cannot be shown.
  package var hash: DifferenceHash?

  package init(_ photo: Photo.ID, _ hash: DifferenceHash?) {
    self.photo = photo
    self.hash = hash
  }
}
