import Glibc

/// Which layout is asked for, and with what measures.
package struct LayoutStyle: Equatable, Sendable {
  /// The kind of the layout.
  package enum Kind: String, CaseIterable, Sendable { case grid, mosaic, bento }

  package var kind = Kind.grid
  /// The grid's columns, in text columns.
  package var columns = GridColumns([.adaptive(minimum: 18)])
  /// The bento's pattern.
  package var pattern = Split.tray
  /// Between tiles, in quanta.
  package var spacing = 1
  /// Whether a text row stays free under each row of a grid's tiles.
  package var hasLabels = false
  /// How often the tiles were made larger, or smaller where negative.
  package var enlargement = 0

  /// A grid of adaptive columns.
  package init() {}

  /// The most that tiles are made larger or smaller.
  package static let enlargements = -8...8

  /// How much larger tiles are than their measures say.
  private var scale: Double { pow(1.25, Double(enlargement)) }

  /// The layout as it is drawn by cells.
  ///
  /// - Parameters:
  ///   - count: How many photos there are.
  ///   - area: The picture area, in pixels.
  ///   - metrics: The terminal's cells.
  ///   - isCentered: Whether a grid that does not fill the area stands in its middle.
  /// - Returns: Tiles on whole quanta, one quantum free all round.
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

  /// The layout's exact result, fractions kept.
  ///
  /// - Parameters:
  ///   - count: How many photos there are.
  ///   - area: The picture area, in pixels.
  ///   - metrics: The terminal's cells, in which the measures are given.
  /// - Returns: Tiles from the very edge of the area on.
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
