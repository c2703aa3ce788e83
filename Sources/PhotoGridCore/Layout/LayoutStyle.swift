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
  package internal(set) var enlargedColumns: GridColumns?
  package var pattern = Split.tray
  /// The distance between tiles, in gaps.
  package var spacing = 1
  package var hasLabels = false
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
          metrics: metrics, hasLabels: hasLabels, windowHeight: windowHeight))
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

/// Enlarging the tiles of a few photos until they fill the screen.
extension LayoutStyle {
  /// The fewest columns that a grid is enlarged to, so that no tile is wider than a third of the
  /// screen.
  private static let minColumns = 3
  /// The fewest columns that set the height of rows; more than in a grid, because tiles in rows are
  /// usually wider than high.
  private static let minRowColumns = 5

  func layout(of items: GridItems, isComplete: Bool, in viewport: Viewport) -> TileLayout {
    let usual = snapped(items, in: viewport)
    guard isComplete, growsToFit, enlargedColumns == nil else { return usual }
    return fitting(items, usual: usual, in: viewport)?.layout ?? usual
  }

  /// Returns the columns that the layout on a screen uses, before `enlargement` scales them.
  func columns(for items: GridItems, isComplete: Bool, in viewport: Viewport) -> GridColumns {
    if let enlargedColumns { return enlargedColumns }
    guard isComplete, growsToFit else { return columns }
    let usual = snapped(items, in: viewport)
    return fitting(items, usual: usual, in: viewport)?.columns ?? columns
  }

  /// Returns the layout with the largest tiles that all fit on the screen without scrolling; nil if
  /// no tiles larger than usual fit.
  private func fitting(
    _ items: GridItems, usual: TileLayout, in viewport: Viewport
  ) -> (columns: GridColumns, layout: TileLayout)? {
    guard !items.isEmpty, fits(usual, in: viewport) else { return nil }
    let fewest: Int
    switch kind {
    case .grid: fewest = Self.minColumns
    case .rows: fewest = Self.minRowColumns
    case .mosaic, .bento: return nil
    }
    let cell = viewport.metrics.cell.width
    let width = viewport.pictureSize.width / cell
    let gap = Double(spacing) * viewport.metrics.gap.width / cell
    let usualCount = columns.slots(width: width, spacing: gap).count
    var larger = self
    for count in fewest..<max(usualCount, fewest) {
      let share = (width - gap * Double(count - 1)) / Double(count)
      // Subtract a little from the share, so that rounding errors leave room for all.
      larger.columns = GridColumns([.adaptive(minimum: share * (1 - 1e-9))])
      let layout = larger.snapped(items, in: viewport)
      if fits(layout, in: viewport) { return (larger.columns, layout) }
    }
    return nil
  }

  private func fits(_ layout: TileLayout, in viewport: Viewport) -> Bool {
    layout.contentHeight <= viewport.pictureSize.height + 1e-6
  }

  private func snapped(_ items: GridItems, in viewport: Viewport) -> TileLayout {
    let sections = items.sections
    guard sections.isEmpty else {
      return snapped(
        sections, in: viewport.pictureSize, metrics: viewport.metrics,
        ratio: items.aspectRatio(at:))
    }
    return snapped(
      items.count, in: viewport.pictureSize, metrics: viewport.metrics,
      isCentered: true, ratio: items.aspectRatio(at:))
  }
}
