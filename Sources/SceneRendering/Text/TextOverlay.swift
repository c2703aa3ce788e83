import PhotoGridCore

/// The text in a scene, placed in cells: labels, and the words in tiles without a picture.
struct TextOverlay {
  private(set) var runs: [Run] = []

  /// Text in one row of cells.
  struct Run: Equatable {
    var row: Int
    var column: Int
    var text: GlyphLine
    var foreground: CellColor
    /// What is behind the text; nil for what the cells show.
    var background: CellColor?
    /// The number of the layer that the text belongs to; nil if it lies behind all.
    var layer: Int?
  }

  /// Takes in the texts of a scene; those that fall outside of the picture area are left out.
  mutating func prepare(
    labels: [Scene.Label], layers: [Layer], grid: SampleGrid, appearance: Appearance,
    depth: ColorDepth
  ) {
    runs.removeAll(keepingCapacity: true)
    for label in labels { add(label, grid: grid, appearance: appearance, depth: depth) }
    for (index, layer) in layers.enumerated() {
      guard case .words(let words, on: let tone) = layer.paint else { continue }
      func color(_ color: RGB) -> CellColor {
        CellColor(
          color.blended(over: appearance.backdrop, share: layer.opacity), depth: depth)
      }
      // Between the dots of a dithered tone, words are hard to read.
      add(
        words, in: layer.frame, layer: index, foreground: color(appearance.wordColor),
        background: depth == .palette16 ? color(tone) : nil, grid: grid)
    }
  }

  private mutating func add(
    _ label: Scene.Label, grid: SampleGrid, appearance: Appearance, depth: ColorDepth
  ) {
    guard label.opacity > 0, let cells = Self.cells(inside: label.frame, grid: grid) else { return }
    let text = GlyphLine(
      label.text, width: cells.size.columns, asciiOnly: grid.glyphs == .ascii)
    let color = appearance.labelColor
      .blended(over: appearance.backdrop, share: label.opacity.clamped(to: 0...1))
    runs.append(
      Run(
        row: cells.origin.row, column: cells.origin.column, text: text,
        foreground: CellColor(color, depth: depth), background: .standard, layer: nil))
  }

  /// Centres words in the cells that lie wholly inside a frame.
  private mutating func add(
    _ words: String, in frame: PixelRect, layer: Int, foreground: CellColor,
    background: CellColor?, grid: SampleGrid
  ) {
    guard let cells = Self.cells(inside: frame, grid: grid) else { return }
    let lines = GlyphLine.wrapped(
      words, width: cells.size.columns, height: cells.size.rows, asciiOnly: grid.glyphs == .ascii)
    let top = cells.origin.row + (cells.size.rows - lines.count) / 2
    for (number, line) in lines.enumerated() {
      let indent = (cells.size.columns - line.glyphs.count) / 2
      runs.append(
        Run(
          row: top + number, column: cells.origin.column + indent, text: line,
          foreground: foreground, background: background, layer: layer))
    }
  }

  /// The cells that lie wholly inside a frame, on or off the picture area.
  private static func cells(inside frame: PixelRect, grid: SampleGrid) -> CellRect? {
    let cell = grid.metrics.cell
    // A frame is meant to be aligned where it is so within a hundredth of a cell.
    func index(_ place: Double, _ side: Double, _ rule: FloatingPointRoundingRule) -> Int {
      let slack = rule == .up ? -0.01 : 0.01
      return Int((place / side + slack).rounded(rule).clamped(to: -20_000...20_000))
    }
    let left = index(frame.minX, cell.width, .up)
    let right = index(frame.maxX, cell.width, .down)
    let top = index(frame.minY, cell.height, .up)
    let bottom = index(frame.maxY, cell.height, .down)
    guard right > left, bottom > top else { return nil }
    return CellRect(
      origin: CellPoint(column: left, row: top),
      size: CellSize(columns: right - left, rows: bottom - top))
  }
}

extension TextOverlay {
  /// Puts the text of a row over its cells, except where a layer in front of it lies.
  func draw(row: Int, layers: [Layer], grid: SampleGrid, into cells: inout [Cell]) {
    for run in runs where run.row == row {
      let inFront = layers.dropFirst(run.layer.map { $0 + 1 } ?? 0)
      func isFree(_ column: Int) -> Bool {
        let samples = column * grid.columnsPerCell..<(column + 1) * grid.columnsPerCell
        let rows = row * grid.rowsPerCell..<(row + 1) * grid.rowsPerCell
        return cells.indices.contains(column)
          && !inFront.contains { $0.intersects(columns: samples, rows: rows) }
      }
      for (offset, glyph) in run.text.glyphs.enumerated() where glyph != .continuation {
        let column = run.column + offset
        let isWide =
          offset + 1 < run.text.glyphs.count && run.text.glyphs[offset + 1] == .continuation
        guard isFree(column), !isWide || isFree(column + 1) else { continue }
        let background = run.background ?? cells[column].background
        let color = run.foreground
        Self.put(glyph, at: column, color, on: background, in: &cells)
        guard isWide else { continue }
        Self.put(.continuation, at: column + 1, color, on: background, in: &cells)
      }
    }
  }

  /// Puts a glyph in a cell; of a wide character that loses a half to it nothing stays.
  private static func put(
    _ glyph: Glyph, at column: Int, _ foreground: CellColor, on background: CellColor,
    in cells: inout [Cell]
  ) {
    if cells[column].glyph == .continuation, glyph != .continuation {
      cells[column - 1].glyph = .text(" ")
    }
    if column + 1 < cells.count, cells[column + 1].glyph == .continuation {
      cells[column + 1].glyph = .text(" ")
    }
    cells[column] = Cell(glyph: glyph, foreground: foreground, background: background)
  }
}
