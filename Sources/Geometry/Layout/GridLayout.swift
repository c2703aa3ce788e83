import Glibc

/// Square tiles in rows: the frames of a grid's photos for a given width.
///
/// All coordinates are content coordinates: pixels from the top left of the scrollable content.
package struct GridLayout: Equatable, Sendable {
  package let count: Int
  /// The frame of each column's tile, relative to the row's top.
  private let columns: [Tile]
  /// The distance from the top of one row to the top of the next, in pixels.
  package let rowPitch: Double
  /// The free space above the first row and below the last one, in pixels.
  private var verticalMargin: Double
  private let rowHeight: Double
  /// The distance from the top of a row to the top of its labels, in pixels; nil without labels.
  private let labelOffset: Double?
  private let labelHeight: Double

  private struct Tile: Equatable, Sendable {
    var x: Double
    /// The distance from the row's top; tiles are centered vertically in their rows.
    var y: Double
    var width: Double
    var height: Double
  }

  /// Creates the exact layout, with fractions: squares as wide as their slots.
  package init(
    exactly count: Int, width: Double, columns: GridColumns, spacing: PixelSize,
    labelHeight: Double? = nil
  ) {
    self.count = count
    let slots = columns.slots(width: width, spacing: spacing.width)
    let rowHeight = slots.map(\.width).max() ?? 0
    self.rowHeight = rowHeight
    self.columns = slots.map {
      Tile(x: $0.x, y: (rowHeight - $0.width) / 2, width: $0.width, height: $0.width)
    }
    rowPitch = max(rowHeight + (labelHeight ?? 0) + spacing.height, .ulpOfOne)
    verticalMargin = 0
    labelOffset = labelHeight.map { _ in rowHeight }
    self.labelHeight = labelHeight ?? 0
  }

  /// Creates the layout to draw: every edge is on a whole placement step, and the width that snapping
  /// leaves over is split between the outer margins.
  ///
  /// In a grid of adaptive columns, all tiles have the same size, with a margin of one gap around
  /// them. A tile has as many placement steps in width as in height. With `alignsText`, these tiles
  /// repeat in whole text columns, so that the text of each begins at the same distance from its edge.
  package init(
    snapping count: Int, width: Double, columns: GridColumns, spacing: Int, metrics: CellMetrics,
    hasLabels: Bool, alignsText: Bool = false, windowHeight: Double? = nil
  ) {
    let (placementStep, gap) = (metrics.placementStep, metrics.gap)
    let spread = spacing * Int((gap.width / placementStep.width).rounded())
    let isCentered = windowHeight != nil
    var (sides, x) = Self.snappedColumns(
      columns, width: width, spacing: spacing, metrics, photoCount: isCentered ? count : nil,
      alignsText: alignsText)
    let highest = sides.max() ?? 1
    self.columns = sides.map { side in
      defer { x += side + spread }
      return Tile(
        x: Double(x) * placementStep.width, y: Double((highest - side) / 2) * placementStep.height,
        width: Double(side) * placementStep.width, height: Double(side) * placementStep.height)
    }
    rowHeight = Double(highest) * placementStep.height
    self.count = count
    verticalMargin = gap.height
    if hasLabels {
      // A label is a text row: it and the next row of tiles begin on whole text rows. The gap above
      // it belongs to the selection ring, and so does the gap of `verticalMargin`.
      let rows = ((rowHeight + 2 * gap.height) / metrics.cell.height - 1e-6).rounded(.up)
      labelOffset = rows * metrics.cell.height - gap.height
      labelHeight = metrics.cell.height
      rowPitch = (rows + 1) * metrics.cell.height
    } else {
      labelOffset = nil
      labelHeight = 0
      rowPitch = rowHeight + Double(max(spacing, 1)) * gap.height
    }
    if let windowHeight, count > 0 {
      // Labels stay on text rows, tiles on placement steps.
      let step = hasLabels ? metrics.cell.height : placementStep.height
      let free = max(windowHeight - contentHeight, 0) / 2
      verticalMargin += (free / step + 1e-6).rounded(.down) * step
    }
  }

  /// Snaps the columns of a row to whole placement steps.
  ///
  /// - Returns: The sides of the tiles, and the left edge of the first one, in placement steps.
  private static func snappedColumns(
    _ columns: GridColumns, width: Double, spacing: Int, _ metrics: CellMetrics, photoCount: Int?,
    alignsText: Bool
  ) -> (sides: [Int], left: Int) {
    let (placementStep, gap) = (metrics.placementStep.width, metrics.gap.width)
    let slots = columns.slots(width: width, spacing: Double(spacing) * gap)
    let border = Int((gap / placementStep).rounded())
    let spread = spacing * border
    guard columns.isAdaptiveOnly else {
      let sides = slots.map { max(1, Int(($0.width / placementStep).rounded(.down))) }
      let used = sides.reduce(spread * (sides.count - 1), +)
      let (left, right) = (slots.first?.x ?? 0, slots.last.map { $0.x + $0.width } ?? 0)
      let middle = (left + right) / 2 / placementStep
      return (sides, Int((middle - Double(used) / 2).rounded(.down)))
    }
    // If tiles are hardly wider than a placement step, drop a column to make room for the margins.
    let quanta = Int((width / placementStep).rounded())
    let count = max(1, min(slots.count, (quanta - 2 * border + spread) / (1 + spread)))
    var side = max(1, (quanta - 2 * border - spread * (count - 1)) / count)
    let seen = photoCount.map { (1..<count).contains($0) ? $0 : count } ?? count
    let cell = Int((metrics.cell.width / placementStep).rounded())
    if alignsText, Double(cell) * placementStep == metrics.cell.width {
      side = max((side + spread) / cell * cell - spread, min(side, cell))
    }
    var left = max((quanta - side * seen - spread * (seen - 1)) / 2, 0)
    if alignsText, left / cell * cell >= border { left = left / cell * cell }
    return (Array(repeating: side, count: count), left)
  }

  /// The number of photos in a full row; at least 1.
  package var columnCount: Int { max(columns.count, 1) }

  /// Whether all columns have the same width, so that tiles moved sideways by columns stay exact.
  var hasEqualColumns: Bool { columns.allSatisfy { $0.width == columns[0].width } }

  /// Returns the distance from the first column's tile to that of another column, in pixels.
  func distance(toColumn column: Int) -> Double { columns[column].x - columns[0].x }

  /// The number of rows, including a last row that is not full.
  package var rowCount: Int { (count + columnCount - 1) / columnCount }

  /// The height of the content in pixels, including margins; 0 without photos.
  package var contentHeight: Double {
    guard rowCount > 0 else { return 0 }
    let last = labelOffset.map { $0 + labelHeight } ?? rowHeight
    return Double(rowCount - 1) * rowPitch + last + verticalMargin * 2
  }

  /// Returns the frame of the tile at an index; indices past the end continue the pattern.
  package func frame(at index: Int) -> PixelRect {
    let tile = columns[index % columnCount]
    let top = verticalMargin + Double(index / columnCount) * rowPitch
    return PixelRect(x: tile.x, y: top + tile.y, width: tile.width, height: tile.height)
  }

  /// Returns the frame of the text row below a tile, as wide as the tile; nil without labels.
  package func labelFrame(at index: Int) -> PixelRect? {
    guard let labelOffset else { return nil }
    let tile = columns[index % columnCount]
    let top = verticalMargin + Double(index / columnCount) * rowPitch
    return PixelRect(x: tile.x, y: top + labelOffset, width: tile.width, height: labelHeight)
  }

  /// Returns the index of the tile that contains a point; nil in the gaps and past the last photo.
  package func index(at point: PixelPoint) -> Int? {
    let row = Int(((point.y - verticalMargin) / rowPitch).rounded(.down))
    guard row >= 0, row < rowCount else { return nil }
    let start = row * columnCount
    return (start..<min(start + columnCount, count)).first { frame(at: $0).contains(point) }
  }

  /// Returns the indices of the photos in all rows that intersect a rectangle.
  package func indices(in rect: PixelRect) -> Range<Int> {
    let rows = max(rowCount, 0)
    let first = ((rect.minY - verticalMargin) / rowPitch).rounded(.down)
    let end = ((rect.maxY - verticalMargin) / rowPitch).rounded(.up)
    let from = Int(min(max(first, 0), Double(rows)))
    let to = Int(min(max(end, Double(from)), Double(rows)))
    return min(from * columnCount, count)..<min(to * columnCount, count)
  }
}
