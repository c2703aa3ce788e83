/// A perceptual hash (dHash): the hashes of photos that look alike differ in few of their 64 bits.
///
/// The picture is divided into 9 by 8 areas. Each bit is set if an area is darker than the area to
/// its right, so the hash does not depend on the size, the brightness or the contrast of the
/// picture, and little on its compression.
package struct DifferenceHash: Hashable, Sendable {
  package let bits: UInt64

  private static let (columns, rows) = (9, 8)
  /// The largest number of pixels that are read across and down each area.
  private static let maxSamples = 16

  package init(bits: UInt64) { self.bits = bits }

  /// Creates the hash of a picture; nil if all areas have the same brightness, as in a picture of
  /// one color.
  package init?(_ picture: Bitmap) {
    guard picture.width > 0, picture.height > 0 else { return nil }
    let areas = Self.areas(of: picture)
    guard areas.contains(where: { $0 != areas[0] }) else { return nil }
    var bits: UInt64 = 0
    for row in 0..<Self.rows {
      for column in 0..<(Self.columns - 1) {
        let index = row * Self.columns + column
        if areas[index] < areas[index + 1] {
          bits |= 1 << UInt64(row * (Self.columns - 1) + column)
        }
      }
    }
    self.bits = bits
  }

  package func distance(to other: DifferenceHash) -> Int { (bits ^ other.bits).nonzeroBitCount }

  /// Returns the mean brightness of each area, row by row, with the luma weights of ITU-R BT.709.
  private static func areas(of picture: Bitmap) -> [Int] {
    let (width, height) = (picture.width, picture.height)
    func range(_ position: Int, of count: Int, in side: Int) -> Range<Int> {
      // In a picture with fewer pixels than areas, some areas share pixels.
      let start = min(position * side / count, side - 1)
      return start..<max((position + 1) * side / count, start + 1)
    }
    // In a large picture, a part of the pixels is sufficient.
    func samples(_ range: Range<Int>) -> StrideTo<Int> {
      stride(
        from: range.lowerBound, to: range.upperBound,
        by: (range.count + maxSamples - 1) / maxSamples)
    }
    return picture.pixels.withUnsafeBufferPointer { pixels in
      (0..<(columns * rows)).map { area in
        let across = samples(range(area % columns, of: columns, in: width))
        let down = samples(range(area / columns, of: rows, in: height))
        var (sum, count) = (0, 0)
        for y in down {
          for x in across {
            let pixel = (y * width + x) * 4
            sum += 54 * Int(pixels[pixel]) + 183 * Int(pixels[pixel + 1])
            sum += 19 * Int(pixels[pixel + 2])
            count += 1
          }
        }
        return sum / count
      }
    }
  }
}

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
  package static func == (left: HashTable, right: HashTable) -> Bool {
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
