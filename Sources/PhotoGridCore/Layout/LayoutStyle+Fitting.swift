/// Enlarging the tiles of a few photos until they fill the screen.
extension LayoutStyle {
  /// The fewest columns that a grid is enlarged to, so that no tile is wider than a third of the
  /// screen.
  private static let fewestColumns = 3
  /// The fewest columns that set the height of rows; more than in a grid, because tiles in rows are
  /// usually wider than high.
  private static let fewestRowColumns = 5

  /// Returns the layout of items on a screen.
  ///
  /// - Parameters:
  ///   - collection: The items.
  ///   - isComplete: Whether the listing is complete; only then are tiles enlarged to fill the
  ///     screen.
  ///   - viewport: The size of the screen and of its cells.
  /// - Returns: The tiles, centered if they do not fill the screen.
  func layout(
    of collection: PhotoCollection, isComplete: Bool, in viewport: Viewport
  ) -> TileLayout {
    let usual = snapped(collection, in: viewport)
    guard isComplete, growsToFit, enlargedColumns == nil else { return usual }
    return fitting(collection, usual: usual, in: viewport)?.layout ?? usual
  }

  /// Returns the columns that the layout on a screen uses, before `enlargement` scales them.
  func columns(
    for collection: PhotoCollection, isComplete: Bool, in viewport: Viewport
  ) -> GridColumns {
    if let enlargedColumns { return enlargedColumns }
    guard isComplete, growsToFit else { return columns }
    let usual = snapped(collection, in: viewport)
    return fitting(collection, usual: usual, in: viewport)?.columns ?? columns
  }

  /// Returns the layout with the largest tiles that all fit on the screen without scrolling; nil if
  /// no tiles larger than usual fit.
  private func fitting(
    _ collection: PhotoCollection, usual: TileLayout, in viewport: Viewport
  ) -> (columns: GridColumns, layout: TileLayout)? {
    guard !collection.items.isEmpty, fits(usual, in: viewport) else { return nil }
    let fewest: Int
    switch kind {
    case .grid: fewest = Self.fewestColumns
    case .rows: fewest = Self.fewestRowColumns
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
      let layout = larger.snapped(collection, in: viewport)
      if fits(layout, in: viewport) { return (larger.columns, layout) }
    }
    return nil
  }

  private func fits(_ layout: TileLayout, in viewport: Viewport) -> Bool {
    layout.contentHeight <= viewport.pictureSize.height + 1e-6
  }

  private func snapped(_ collection: PhotoCollection, in viewport: Viewport) -> TileLayout {
    let sections = collection.sections
    guard sections.isEmpty else {
      return snapped(
        sections, in: viewport.pictureSize, metrics: viewport.metrics,
        ratio: collection.aspectRatio(at:))
    }
    return snapped(
      collection.items.count, in: viewport.pictureSize, metrics: viewport.metrics,
      isCentered: true, ratio: collection.aspectRatio(at:))
  }
}
