/// The division of the screen among the photos of a comparison.
struct ComparisonLayout: Equatable, Sendable {
  /// The panes, in the order of the photos.
  let frames: [PixelRect]

  /// Divides the screen into the number of rows with which the smallest photo is largest.
  ///
  /// - Parameters:
  ///   - sizes: The sizes of the photos, of which only the proportions count; nil for unknown ones.
  ///   - viewport: The screen.
  init(_ sizes: [PixelSize?], in viewport: Viewport) {
    guard sizes.count > 1 else {
      // A single photo has the same area as in the viewer.
      frames = sizes.map { _ in viewport.pictureArea }
      return
    }
    let divisions = (1...sizes.count).map { rows in
      Self.frames(sizes.count, rows: rows, in: viewport)
    }
    func smallest(_ frames: [PixelRect]) -> Double {
      zip(sizes, frames).map { size, frame in
        let photo = (size ?? PixelSize(width: 3, height: 2)).fitted(in: frame.size)
        return photo.width * photo.height
      }.min() ?? 0
    }
    var best = divisions[0]
    for frames in divisions.dropFirst() where smallest(frames) > smallest(best) * 1.001 {
      best = frames
    }
    frames = best
  }

  /// Divides the screen by the bento layout, into rows that differ by at most one photo.
  private static func frames(_ count: Int, rows: Int, in viewport: Viewport) -> [PixelRect] {
    let pattern = Split(
      (0..<rows).map { row in
        let length = count * (row + 1) / rows - count * row / rows
        return Split(Array(repeating: .leaf, count: length))
      })
    let layout = BentoLayout(
      snapping: count, width: viewport.pictureSize.width, pageHeight: viewport.pictureSize.height,
      pattern: pattern, metrics: viewport.metrics)
    return (0..<count).map(layout.tiles.frame(at:))
  }
}
