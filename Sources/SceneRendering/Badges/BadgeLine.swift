import PhotoGridCore

/// A badge by cells: a few glyphs in a corner of a tile.
struct BadgeLine: Equatable {
  let text: String
  let color: RGB
  /// The cells, in one row.
  let cells: CellRect
  /// How far the badge has faded in, 0 to 1.
  let opacity: Double

  /// The opacity of the shade behind badges: gold is legible on it over white, too.
  static let shade = 0.6

  /// Returns the badges of a placement that have room in its tile.
  static func lines(of placement: Placement, _ metrics: CellMetrics) -> [BadgeLine] {
    guard let badges = placement.badges else { return [] }
    let frame = placement.frame
    let columns = metrics.columns(inside: frame)
    let (top, bottom) = (
      (frame.minY - 0.01) / metrics.cell.height, (frame.maxY + 0.01) / metrics.cell.height
    )
    guard top.isFinite, bottom.isFinite, abs(top) < 20_000, abs(bottom) < 20_000 else { return [] }
    // A name is in the last row of text.
    let end = Int(bottom.rounded(.down)) - (badges.isAboveName ? 1 : 0)
    let rows = Int(top.rounded(.up))..<max(end, Int(top.rounded(.up)))
    guard let first = rows.first, let last = rows.last else { return [] }
    var lines: [BadgeLine] = []
    func add(_ left: (String, RGB), _ right: String, row: Int) {
      var free = columns
      for (text, color, isLeft) in [
        (left.0, left.1, true), (right, RGB(255, 255, 255), false),
      ] where !text.isEmpty {
        let width = CellText(text).width
        guard width < free.count else { continue }
        let start = isLeft ? free.lowerBound : free.upperBound - width
        lines.append(
          BadgeLine(
            text: text, color: color,
            cells: CellRect(columns: start..<start + width, rows: row..<row + 1),
            opacity: placement.badgeOpacity))
        if isLeft { free = start + width..<free.upperBound }
      }
    }
    let rating =
      badges.isRejected
      ? ("✕", BadgeDrawing.cross)
      : (String(repeating: "★", count: badges.stars), BadgeDrawing.gold)
    let label = badges.label.map { ("●", $0) } ?? ("", .black)
    let isOneRow = first == last
    add(isOneRow && rating.0.isEmpty ? label : rating, badges.note, row: last)
    if !isOneRow { add(label, badges.countText, row: first) }
    return lines
  }
}

extension Layer {
  /// Returns the layers that shade a tile behind its badges by cells, and carry their glyphs.
  static func shades(
    behind placement: Placement, on grid: SampleGrid, opacity: Double
  ) -> [Layer] {
    guard placement.badges != nil else { return [] }
    var shades: [Layer] = []
    func add(_ frame: PixelRect, _ share: Double, _ line: BadgeLine? = nil) {
      guard var layer = Layer(shading: frame, opacity: opacity * share, on: grid) else { return }
      layer.badge = line
      shades.append(layer)
    }
    if placement.shade > 0 { add(placement.frame, placement.shade) }
    for line in BadgeLine.lines(of: placement, grid.metrics) {
      add(
        line.cells.frame(cell: grid.metrics.cell), BadgeLine.shade * placement.badgeOpacity, line)
    }
    return shades
  }
}
