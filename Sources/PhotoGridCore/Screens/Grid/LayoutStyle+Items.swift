import Geometry

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
    var style = self
    style.hasNamedTiles = items.collection.folderCount > 0
    guard sections.isEmpty else {
      return style.snapped(
        sections.ranges, in: viewport.pictureSize, metrics: viewport.metrics,
        ratio: items.aspectRatio(at:))
    }
    return style.snapped(
      items.count, in: viewport.pictureSize, metrics: viewport.metrics,
      isCentered: true, ratio: items.aspectRatio(at:))
  }
}
