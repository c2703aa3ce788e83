/// Tiles in a pattern that repeats down the content, with an end of its own for the photos left.
///
/// A repetition is computed once, whatever the number of photos, so memory and time do not grow with
/// them. Photos fill each repetition before the next one. Content coordinates, in pixels.
package struct RepeatedTiles: Equatable, Sendable {
  package let count: Int
  /// The frames of the first full repetition; not empty.
  private let pattern: [PixelRect]
  /// From one repetition's top to the next one's.
  private let pitch: Double
  /// The frames of what follows the full repetitions, as if it were the first repetition.
  private let tail: [PixelRect]
  /// Top of the first repetition.
  private let top: Double
  /// The height of everything, margins included; 0 without photos.
  package let contentHeight: Double

  /// Tiles for a number of photos.
  ///
  /// - Parameters:
  ///   - count: How many photos there are.
  ///   - pattern: The frames of the first full repetition, in the order of the photos; there must
  ///     be one.
  ///   - pitch: From one repetition's top to the next one's; more than 0.
  ///   - tail: As many frames as photos are left after the full repetitions, placed as if they
  ///     were the first.
  ///   - top: Top of the first repetition; as much stays free below the last tile.
  init(count: Int, pattern: [PixelRect], pitch: Double, tail: [PixelRect], top: Double) {
    precondition(!pattern.isEmpty && pitch > 0, "a repetition needs tiles and a height")
    precondition(tail.count == count % pattern.count, "the end must match the photos left")
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

  /// The repetitions, the end counted as one.
  private var repetitions: Int { fullRepetitions + (tail.isEmpty ? 0 : 1) }

  /// The tile of the photo at an index; indexes past the end continue the pattern below it.
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

  /// The photo whose tile holds the point; nil in the gaps and outside.
  ///
  /// - Complexity: Linear in the tiles of one repetition.
  package func index(at point: PixelPoint) -> Int? {
    guard count > 0 else { return nil }
    return photos(ofRepetition: repetition(at: point.y)).first { frame(at: $0).contains(point) }
  }

  /// From the first to the last photo whose tile meets the rectangle.
  ///
  /// - Complexity: Linear in the tiles of one repetition.
  package func indices(in rect: PixelRect) -> Range<Int> {
    guard count > 0 else { return 0..<0 }
    let head = photos(ofRepetition: repetition(at: rect.minY))
    let last = photos(ofRepetition: repetition(at: rect.maxY))
    let lower = head.first { frame(at: $0).intersects(rect) } ?? head.upperBound
    let upper = last.last { frame(at: $0).intersects(rect) }.map { $0 + 1 } ?? last.lowerBound
    return lower..<max(upper, lower)
  }

  /// The repetition at a height; the nearest one above the first and in and below the end.
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
