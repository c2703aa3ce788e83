/// Tiles in a pattern that repeats down the content, with a separate tail for the remaining photos.
///
/// One repetition is computed, so memory and time do not grow with the number of photos. Photos
/// fill each repetition before the next one. Coordinates are content coordinates, in pixels.
package struct RepeatedTiles: Equatable, Sendable {
  package let count: Int
  /// The frames of the first full repetition; not empty.
  private let pattern: [PixelRect]
  /// The distance from the top of one repetition to the top of the next.
  private let pitch: Double
  /// The frames after the last full repetition, positioned as if they were the first repetition.
  private let tail: [PixelRect]
  /// The top of the first repetition.
  private let top: Double
  /// The height of the content, including margins; 0 without photos.
  package let contentHeight: Double

  /// Creates the tiles for a number of photos.
  init(count: Int, pattern: [PixelRect], pitch: Double, tail: [PixelRect], top: Double) {
    precondition(!pattern.isEmpty && pitch > 0, "a pattern needs tiles and a height")
    precondition(
      tail.count == count % pattern.count, "the tail needs a tile for each remaining photo")
    self.count = count
    self.pattern = pattern
    self.pitch = pitch
    self.tail = tail
    self.top = top
    let full = count / pattern.count
    let patternBottom = pattern.map(\.maxY).max() ?? 0
    let bottoms = [
      full > 0 ? patternBottom + Double(full - 1) * pitch : 0,
      (tail.map(\.maxY).max() ?? 0) + (tail.isEmpty ? 0 : Double(full) * pitch),
    ]
    contentHeight = count > 0 ? (bottoms.max() ?? 0) + top : 0
  }

  private var fullRepetitions: Int { count / pattern.count }

  /// The number of repetitions, including the tail.
  private var repetitions: Int { fullRepetitions + (tail.isEmpty ? 0 : 1) }

  /// Returns the frame of the tile at an index; indices past the end continue the pattern below.
  package func frame(at index: Int) -> PixelRect {
    let full = fullRepetitions
    let repetition = index / pattern.count
    if index >= count, !tail.isEmpty {
      let past = index - count
      let y = contentHeight - top + Double(past / pattern.count) * pitch
      return pattern[past % pattern.count].offset(x: 0, y: y)
    }
    let frames = repetition < full || tail.isEmpty ? pattern : tail
    return frames[index % pattern.count].offset(x: 0, y: Double(repetition) * pitch)
  }

  /// Returns the index of the tile that contains a point; nil in the gaps and outside.
  ///
  /// - Complexity: Linear in the tiles of one repetition.
  package func index(at point: PixelPoint) -> Int? {
    guard count > 0 else { return nil }
    return photos(ofRepetition: repetition(at: point.y)).first { frame(at: $0).contains(point) }
  }

  /// Returns the indices from the first to the last tile that overlaps a rectangle vertically; its
  /// left and right edges are ignored.
  ///
  /// - Complexity: Linear in the tiles of one repetition.
  package func indices(in rect: PixelRect) -> Range<Int> {
    guard count > 0 else { return 0..<0 }
    let head = photos(ofRepetition: repetition(at: rect.minY))
    let last = photos(ofRepetition: repetition(at: rect.maxY))
    let isBeside = { [self] (index: Int) in
      let frame = frame(at: index)
      return frame.minY < rect.maxY && frame.maxY > rect.minY
    }
    let lower = head.first(where: isBeside) ?? head.upperBound
    let upper = last.last(where: isBeside).map { $0 + 1 } ?? last.lowerBound
    return lower..<max(upper, lower)
  }

  /// Returns the repetition at a height, clamped to the first and the last.
  private func repetition(at y: Double) -> Int {
    let last = repetitions - 1
    guard y > top else { return 0 }
    let repetition = (y - top) / pitch
    return repetition < Double(last) ? Int(repetition) : last
  }

  private func photos(ofRepetition repetition: Int) -> Range<Int> {
    let start = repetition * pattern.count
    return start..<min(start + pattern.count, count)
  }
}
