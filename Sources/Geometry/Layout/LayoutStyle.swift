import Glibc

/// The kind of layout and its measurements.
package struct LayoutStyle: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable { case grid, mosaic, bento, rows }

  package var kind = Kind.grid
  /// The grid's columns, with widths in text columns; in `rows`, the usual height of a row is the
  /// width of the grid's widest tile.
  package var columns = GridColumns([.adaptive(minimum: 18)])
  /// Whether a few photos get larger tiles than `columns` says, as large as fit on the screen
  /// without scrolling.
  package var growsToFit = true
  /// The columns that `enlargement` scales, fixed when the user first changed the size of the
  /// tiles; nil if they are `columns`.
  package var enlargedColumns: GridColumns?
  package var pattern = Split.tray
  /// The distance between tiles, in gaps.
  package var spacing = 1
  package var hasLabels = false
  /// Whether some tiles have names of their own, as folders do.
  package var hasNamedTiles = false
  /// Whether labels are titles or captions, and names only of photos without either.
  package var prefersCaptions = false
  /// The number of steps by which tiles are enlarged, or shrunk if negative.
  package var enlargement = 0

  package init() {}

  package static let enlargements = -8...8

  /// The factor by which `enlargement` scales the tiles.
  var scale: Double { pow(1.25, Double(enlargement)) }

  /// Returns the layout to draw.
  ///
  /// - Returns: Tiles with every edge on a whole placement step and a margin of one gap around them.
  package func snapped(
    _ count: Int, in area: PixelSize, metrics: CellMetrics, isCentered: Bool = false,
    ratio: (Int) -> Double? = { _ in nil }
  ) -> TileLayout {
    let page = area.height * scale
    let columns = (enlargedColumns ?? columns).scaled(by: metrics.cell.width * scale)
    let windowHeight = isCentered ? area.height : nil
    switch kind {
    case .grid:
      return .grid(
        GridLayout(
          snapping: count, width: area.width, columns: columns, spacing: spacing,
          metrics: metrics, hasLabels: hasLabels, alignsText: hasLabels || hasNamedTiles,
          windowHeight: windowHeight))
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
    case .rows:
      let gap = Double(spacing) * metrics.gap.width
      return .rows(
        RowsLayout(
          snapping: count, width: area.width,
          rowHeight: columns.widest(width: area.width, spacing: gap), spacing: spacing,
          metrics: metrics, windowHeight: windowHeight, ratio: ratio))
    }
  }

  /// Returns the exact layout, with fractions.
  ///
  /// - Returns: Tiles that begin at the edge of the area, without a margin.
  package func exact(
    _ count: Int, in area: PixelSize, metrics: CellMetrics,
    ratio: (Int) -> Double? = { _ in nil }
  ) -> TileLayout {
    let gap = metrics.gap.scaled(by: Double(spacing))
    let columns = columns.scaled(by: metrics.cell.width)
    switch kind {
    case .grid:
      return .grid(
        GridLayout(
          exactly: count, width: area.width, columns: columns, spacing: gap,
          labelHeight: hasLabels ? metrics.cell.height : nil))
    case .mosaic:
      return .mosaic(
        MosaicLayout(exactly: count, width: area.width, pageHeight: area.height, spacing: gap))
    case .bento:
      return .bento(
        BentoLayout(
          exactly: count, width: area.width, pageHeight: area.height, pattern: pattern,
          spacing: gap, metrics: metrics))
    case .rows:
      return .rows(
        RowsLayout(
          exactly: count, width: area.width,
          rowHeight: columns.widest(width: area.width, spacing: gap.width), spacing: gap,
          ratio: ratio))
    }
  }
}
