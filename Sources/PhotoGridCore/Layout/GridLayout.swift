import Glibc

/// Square tiles in rows: the frames of a grid's photos for one width.
///
/// All coordinates are content coordinates: pixels from the top left of the first row's space.
package struct GridLayout: Equatable, Sendable {
  package let count: Int
  /// Left edge and side of each column's tile.
  private let columns: [Tile]
  /// From one row's top to the next one's.
  package let rowPitch: Double
  /// Free space above the first row and below the last one.
  private var verticalMargin: Double
  private let rowHeight: Double
  /// From a tile row's top to the top of its labels; nil without labels.
  private let labelOffset: Double?
  private let labelHeight: Double

  private struct Tile: Equatable, Sendable {
    var x: Double
    /// Below the row's top; tiles are in the middle of their rows.
    var y: Double
    var width: Double
    var height: Double
  }

  /// The exact layout, fractions kept: squares as wide as their slots.
  ///
  /// - Parameters:
  ///   - count: How many photos there are.
  ///   - width: The width offered, in pixels.
  ///   - columns: The columns, in pixels.
  ///   - spacing: Between tiles, in pixels, across and down.
  ///   - labelHeight: The height of the labels right under the tiles; nil without labels.
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

  /// The layout as it is drawn: every edge on a whole quantum, and what snapping leaves over in the
  /// outer margins equally.
  ///
  /// In a grid of adaptive columns all tiles are of one size, and one gap is free all round. A tile
  /// counts as many quanta across as down.
  ///
  /// - Parameters:
  ///   - count: How many photos there are.
  ///   - width: The width offered, in pixels.
  ///   - columns: The columns, in pixels.
  ///   - spacing: Between tiles, in whole gaps.
  ///   - metrics: The terminal's cells; their `quantum` is the step, their `gap` the unit of spacing.
  ///   - hasLabels: Whether a text row stays free under each row of tiles.
  ///   - windowHeight: The height in whose middle rows of tiles stand that do not fill it, and a row
  ///     that is not full in the middle of the width; nil for tiles at the upper left.
  package init(
    snapping count: Int, width: Double, columns: GridColumns, spacing: Int, metrics: CellMetrics,
    hasLabels: Bool, windowHeight: Double? = nil
  ) {
    let (quantum, gap) = (metrics.quantum, metrics.gap)
    let slots = columns.slots(width: width, spacing: Double(spacing) * gap.width)
    let quanta = Int((width / quantum.width).rounded())
    let photoCount = count
    let border = Int((gap.width / quantum.width).rounded())
    let spread = spacing * border
    let sides: [Int]
    var x: Int
    if columns.isAdaptiveOnly {
      // Where tiles are hardly wider than a quantum, a column gives way to the margins.
      let count = max(1, min(slots.count, (quanta - 2 * border + spread) / (1 + spread)))
      let side = max(1, (quanta - 2 * border - spread * (count - 1)) / count)
      sides = Array(repeating: side, count: count)
      let isOneRow = windowHeight != nil && (1..<count).contains(photoCount)
      let seen = isOneRow ? photoCount : count
      x = max((quanta - side * seen - spread * (seen - 1)) / 2, 0)
    } else {
      sides = slots.map { max(1, Int(($0.width / quantum.width).rounded(.down))) }
      let used = sides.reduce(spread * (sides.count - 1), +)
      let (left, right) = (slots.first?.x ?? 0, slots.last.map { $0.x + $0.width } ?? 0)
      let middle = (left + right) / 2 / quantum.width
      x = Int((middle - Double(used) / 2).rounded(.down))
    }
    let highest = sides.max() ?? 1
    var tiles: [Tile] = []
    for side in sides {
      tiles.append(
        Tile(
          x: Double(x) * quantum.width, y: Double((highest - side) / 2) * quantum.height,
          width: Double(side) * quantum.width, height: Double(side) * quantum.height))
      x += side + spread
    }
    self.columns = tiles
    rowHeight = Double(highest) * quantum.height
    self.count = count
    verticalMargin = gap.height
    if hasLabels {
      // A label is a text row: it and the next row of tiles begin on whole rows. One gap above it
      // belongs to the selection's ring, and so does the one that `verticalMargin` leaves.
      let rows = ((rowHeight + 2 * gap.height) / metrics.cell.height - 1e-6).rounded(.up)
      labelOffset = rows * metrics.cell.height - gap.height
      labelHeight = metrics.cell.height
      rowPitch = (rows + 1) * metrics.cell.height
    } else {
      labelOffset = nil
      labelHeight = 0
      rowPitch = rowHeight + Double(max(spacing, 1)) * gap.height
    }
    if let windowHeight, photoCount > 0 {
      // Labels rest on text rows, tiles on quanta.
      let step = hasLabels ? metrics.cell.height : quantum.height
      let free = max(windowHeight - contentHeight, 0) / 2
      verticalMargin += (free / step + 1e-6).rounded(.down) * step
    }
  }

  /// Photos in a full row; at least 1.
  package var columnCount: Int { max(columns.count, 1) }

  /// Rows, the last one perhaps not full.
  package var rowCount: Int { (count + columnCount - 1) / columnCount }

  /// The height of everything, margins included.
  package var contentHeight: Double {
    guard rowCount > 0 else { return 0 }
    let last = labelOffset.map { $0 + labelHeight } ?? rowHeight
    return Double(rowCount - 1) * rowPitch + last + verticalMargin * 2
  }

  /// The tile of the photo at an index; indexes past the end continue the pattern.
  package func frame(at index: Int) -> PixelRect {
    let tile = columns[index % columnCount]
    let top = verticalMargin + Double(index / columnCount) * rowPitch
    return PixelRect(x: tile.x, y: top + tile.y, width: tile.width, height: tile.height)
  }

  /// The text row under a tile, as wide as the tile; nil without labels.
  package func labelFrame(at index: Int) -> PixelRect? {
    guard let labelOffset else { return nil }
    let tile = columns[index % columnCount]
    let top = verticalMargin + Double(index / columnCount) * rowPitch
    return PixelRect(x: tile.x, y: top + labelOffset, width: tile.width, height: labelHeight)
  }

  /// The photo whose tile holds the point; nil in the gaps and past the last photo.
  package func index(at point: PixelPoint) -> Int? {
    let row = Int(((point.y - verticalMargin) / rowPitch).rounded(.down))
    guard row >= 0, row < rowCount else { return nil }
    let start = row * columnCount
    return (start..<min(start + columnCount, count)).first { frame(at: $0).contains(point) }
  }

  /// The photos of all rows that meet the rectangle.
  package func indices(in rect: PixelRect) -> Range<Int> {
    let rows = max(rowCount, 0)
    let first = ((rect.minY - verticalMargin) / rowPitch).rounded(.down)
    let end = ((rect.maxY - verticalMargin) / rowPitch).rounded(.up)
    let from = Int(min(max(first, 0), Double(rows)))
    let to = Int(min(max(end, Double(from)), Double(rows)))
    return min(from * columnCount, count)..<min(to * columnCount, count)
  }
}
