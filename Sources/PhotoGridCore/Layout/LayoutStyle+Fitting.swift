/// The size of tiles on a screen.
extension LayoutStyle {
  /// The fewest tiles side by side for which there is room: none is wider than a third of the screen.
  private static let fewestColumns = 3
  /// The same for rows, whose tiles are wider than high.
  private static let fewestRowColumns = 5

  /// The layout of items on a screen.
  ///
  /// - Parameters:
  ///   - collection: The items.
  ///   - isComplete: Whether all items are there, so that tiles can be as large as lets all be seen.
  ///   - viewport: The screen.
  /// - Returns: Tiles in the middle of the screen where they do not fill it.
  func layout(
    of collection: PhotoCollection, isComplete: Bool, in viewport: Viewport
  ) -> TileLayout {
    let usual = snapped(collection, in: viewport)
    guard isComplete, growsToFit, enlargedColumns == nil else { return usual }
    return fitting(collection, usual: usual, in: viewport)?.layout ?? usual
  }

  /// The columns that tiles on a screen have, before they are enlarged by hand.
  func columns(
    for collection: PhotoCollection, isComplete: Bool, in viewport: Viewport
  ) -> GridColumns {
    if let enlargedColumns { return enlargedColumns }
    guard isComplete, growsToFit else { return columns }
    let usual = snapped(collection, in: viewport)
    return fitting(collection, usual: usual, in: viewport)?.columns ?? columns
  }

  /// The layout with the largest tiles of which all can be seen without scrolling; nil if there is
  /// none with larger tiles than usual.
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
      // A little less than its share, so that rounding leaves room for all.
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
