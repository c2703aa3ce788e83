/// The page that mosaic, bento and rows fill with tiles: where it lies and how lengths are measured out.
struct TilePage: Equatable, Sendable {
  /// The first page in content coordinates, in pixels; what surrounds it stays free.
  private(set) var area: PixelRect
  /// Lengths are rounded to whole steps, fractions kept where it is 0.
  let step: PixelSize
  /// What stays free between two tiles.
  let gap: PixelSize
  /// The smallest tile: a step or pixel larger than a gap, so that none lies beside gaps alone.
  let smallestTile: PixelSize

  /// What the sides of a tile are at least: a step, or a pixel where lengths keep their fractions.
  var smallestStep: PixelSize { step == .zero ? PixelSize(width: 1, height: 1) : step }

  /// A page whose edges all lie on whole quanta, one gap free all round for the ring.
  ///
  /// Width and height are what is offered, in pixels; the spacing is in gaps, at least one between
  /// tiles above each other.
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

  /// A page that fills what it is offered.
  static func exact(width: Double, height: Double, spacing: PixelSize) -> TilePage {
    let gap = PixelSize(width: sanitized(spacing.width), height: sanitized(spacing.height))
    return TilePage(
      area: PixelRect(
        x: 0, y: 0, width: max(sanitized(width), 1), height: max(sanitized(height), 1)),
      step: .zero,
      gap: gap,
      smallestTile: PixelSize(width: gap.width + 1, height: gap.height + 1))
  }

  /// A length in whole steps of an axis, the nearest one or rounded by a rule.
  func rounded(
    _ length: Double, along axis: Axis,
    _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
  ) -> Double {
    let step = step.length(along: axis)
    return step > 0 ? (length / step).rounded(rule) * step : length
  }

  /// This page, made larger where it has not the given size; what is too wide is clipped later.
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
