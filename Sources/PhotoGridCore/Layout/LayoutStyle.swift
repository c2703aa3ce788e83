import Glibc

/// The kind of layout and its measurements.
package struct LayoutStyle: Equatable, Sendable {
  /// A kind of layout.
  package enum Kind: String, CaseIterable, Sendable { case grid, mosaic, bento }

  package var kind = Kind.grid
  /// The grid's columns, in text columns.
  package var columns = GridColumns([.adaptive(minimum: 18)])
  /// The pattern of the bento layout.
  package var pattern = Split.tray
  /// The distance between tiles, in gaps.
  package var spacing = 1
  /// Whether a text row stays free below each row of tiles in a grid.
  package var hasLabels = false
  /// The number of steps by which tiles are enlarged, or shrunk if negative.
  package var enlargement = 0

  /// Creates a grid of adaptive columns.
  package init() {}

  /// The allowed values of `enlargement`.
  package static let enlargements = -8...8

  /// The factor by which `enlargement` scales the tiles.
  private var scale: Double { pow(1.25, Double(enlargement)) }

  /// Returns the layout to draw.
  ///
  /// - Parameters:
  ///   - count: The number of photos.
  ///   - area: The size of the picture area, in pixels.
  ///   - metrics: The terminal's cells.
  ///   - isCentered: Whether to center a grid that does not fill the area.
  /// - Returns: Tiles on whole quanta, with one gap free around them.
  package func snapped(
    _ count: Int, in area: PixelSize, metrics: CellMetrics, isCentered: Bool = false
  ) -> TileLayout {
    let page = area.height * scale
    switch kind {
    case .grid:
      return .grid(
        GridLayout(
          snapping: count, width: area.width,
          columns: columns.scaled(by: metrics.cell.width * scale), spacing: spacing,
          metrics: metrics, hasLabels: hasLabels,
          windowHeight: isCentered ? area.height : nil))
    case .mosaic:
      return .mosaic(
        MosaicLayout(
          snapping: count, width: area.width, pageHeight: page, spacing: spacing,
          metrics: metrics))
    case .bento:
      return .bento(
        BentoLayout(
          snapping: count, width: area.width, pageHeight: page, pattern: pattern,
          spacing: spacing, metrics: metrics))
    }
  }

  /// Returns the exact layout, with fractions.
  ///
  /// - Parameters:
  ///   - count: The number of photos.
  ///   - area: The size of the picture area, in pixels.
  ///   - metrics: The terminal's cells, the unit of the measurements.
  /// - Returns: Tiles that begin at the edge of the area.
  package func exact(_ count: Int, in area: PixelSize, metrics: CellMetrics) -> TileLayout {
    let gap = metrics.gap.scaled(by: Double(spacing))
    switch kind {
    case .grid:
      return .grid(
        GridLayout(
          exactly: count, width: area.width, columns: columns.scaled(by: metrics.cell.width),
          spacing: gap, labelHeight: hasLabels ? metrics.cell.height : nil))
    case .mosaic:
      return .mosaic(
        MosaicLayout(exactly: count, width: area.width, pageHeight: area.height, spacing: gap))
    case .bento:
      return .bento(
        BentoLayout(
          exactly: count, width: area.width, pageHeight: area.height, pattern: pattern,
          spacing: gap, metrics: metrics))
    }
  }
}
