/// The page that mosaic, bento and rows fill with tiles: its area, gaps and rounding.
struct TilePage: Equatable, Sendable {
  /// The first page, in content coordinates, in pixels; the margins around it stay free.
  private(set) var area: PixelRect
  /// The step to which lengths are rounded, in pixels; 0 to keep fractions.
  let step: PixelSize
  /// The free space between two tiles, in pixels.
  let gap: PixelSize
  /// The smallest tile when a page is divided: a step or a pixel larger than a gap, so that beside
  /// every tile there is another tile and not only a gap.
  let smallestTile: PixelSize

  /// The smallest size of a tile: a step, or a pixel if lengths keep fractions.
  var smallestStep: PixelSize { step == .zero ? PixelSize(width: 1, height: 1) : step }

  /// Returns a page whose edges are all on whole quanta, with a gap around it for the selection
  /// ring.
  ///
  /// - Parameters:
  ///   - width: The available width, in pixels.
  ///   - height: The available height, in pixels.
  ///   - spacing: The distance between tiles, in gaps; vertically there is at least one.
  ///   - metrics: The terminal's cells.
  /// - Returns: The page.
  static func snapping(
    width: Double, height: Double, spacing: Int, metrics: CellMetrics
  ) -> TilePage {
    let (quantum, border) = (metrics.quantum, metrics.gap)
    let across = (sanitized(width) / quantum.width).rounded() * quantum.width - 2 * border.width
    let down = (sanitized(height) / quantum.height).rounded() * quantum.height - 2 * border.height
    let gap = PixelSize(
      width: Double(max(spacing, 0)) * border.width,
      height: Double(max(spacing, 1)) * border.height)
    return TilePage(
      area: PixelRect(
        x: border.width, y: border.height, width: max(across, quantum.width),
        height: max(down, quantum.height)),
      step: quantum,
      gap: gap,
      smallestTile: PixelSize(
        width: gap.width + quantum.width, height: gap.height + quantum.height))
  }

  /// Returns a page that fills the available size, in pixels.
  static func exact(width: Double, height: Double, spacing: PixelSize) -> TilePage {
    let gap = PixelSize(width: sanitized(spacing.width), height: sanitized(spacing.height))
    return TilePage(
      area: PixelRect(
        x: 0, y: 0, width: max(sanitized(width), 1), height: max(sanitized(height), 1)),
      step: .zero,
      gap: gap,
      smallestTile: PixelSize(width: gap.width + 1, height: gap.height + 1))
  }

  /// Rounds a length to whole steps along an axis.
  func rounded(
    _ length: Double, along axis: Axis,
    _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
  ) -> Double {
    let step = step.length(along: axis)
    return step > 0 ? (length / step).rounded(rule) * step : length
  }

  /// Returns this page, enlarged to at least the given size; excess width is clipped later.
  func growing(to size: PixelSize) -> TilePage {
    var page = self
    page.area.size = PixelSize(
      width: max(area.width, size.width), height: max(area.height, size.height))
    return page
  }

  private static func sanitized(_ length: Double) -> Double {
    length.isFinite ? min(max(length, 0), 1e9) : 0
  }
}
