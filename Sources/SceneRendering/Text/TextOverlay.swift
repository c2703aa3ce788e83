import Geometry
import Photos
import SceneModel

struct TextOverlay {
  let asciiOnly: Bool
  /// The texts of the scene.
  private(set) var runs: [Run] = []

  init(asciiOnly: Bool) { self.asciiOnly = asciiOnly }

  struct Run: Equatable {
    var row: Int
    /// The column of the first cell, from 0; it may lie outside of the picture area.
    var column: Int
    var text: GlyphLine
    var foreground: CellColor
    /// The color behind the text; nil to keep the background of the cells.
    var background: CellColor?
    /// The index of the layer that the text lies on; nil if it lies behind all layers.
    var layer: Int?
    /// The sample rows in which a layer in front hides the text; nil for all of its row.
    var sampleRows: Range<Int>?
    /// How far the text has faded in over the mean color of each cell, whatever its glyph was, 0 to
    /// 1; nil if it is on its own background.
    var opacityOnMean: Double?

    var columns: Range<Int> { column..<column + text.glyphs.count }
  }

  mutating func prepare(
    of scene: Scene, on compositor: Compositor, depth: ColorDepth
  ) {
    let (layers, grid, appearance) = (compositor.layers, compositor.grid, compositor.appearance)
    runs.removeAll(keepingCapacity: true)
    for label in scene.labels {
      draw(label, sampleRows: true, layer: nil, grid: grid, appearance: appearance, depth: depth)
    }
    let tileCount = compositor.tileLayerCount
    for caption in scene.captions {
      draw(
        caption, sampleRows: false, layer: tileCount > 0 ? tileCount - 1 : nil, grid: grid,
        appearance: appearance, depth: depth)
    }
    for (index, layer) in layers.enumerated() {
      if let badge = layer.badge {
        draw(badge, layer: index, opacity: layer.opacity, appearance: appearance, depth: depth)
      }
      guard case .words(let words, on: let tone) = layer.paint else { continue }
      func color(_ color: RGB) -> CellColor {
        CellColor(
          appearance.faded(color, to: layer.opacity), depth: depth)
      }
      // Among the dots of a dithered tone, words would be hard to read.
      draw(
        words, in: layer.frame, layer: index, foreground: color(appearance.wordColor),
        background: depth == .palette16 ? color(tone) : nil, grid: grid)
    }
  }

  private mutating func draw(
    _ badge: BadgeLine, layer: Int, opacity: Double, appearance: Appearance, depth: ColorDepth
  ) {
    // Colors of a palette cannot be mixed.
    guard depth == .full || badge.opacity > 0.5 else { return }
    let color = appearance.faded(
      badge.color, to: min(opacity / (BadgeLine.shade * max(badge.opacity, 0.01)), 1))
    runs.append(
      Run(
        row: badge.cells.origin.row, column: badge.cells.origin.column,
        text: GlyphLine(badge.text, width: badge.cells.size.columns, asciiOnly: asciiOnly),
        foreground: CellColor(color, depth: depth), background: nil, layer: layer,
        opacityOnMean: depth == .full ? badge.opacity : nil))
  }

  /// Draws a label or a caption; a caption lies over tiles, and fills its whole row with spaces.
  private mutating func draw(
    _ label: Scene.Label, sampleRows isBetweenTiles: Bool, layer: Int?, grid: SampleGrid,
    appearance: Appearance, depth: ColorDepth
  ) {
    guard label.opacity > 0, let cells = label.cells(grid.metrics) else { return }
    let (row, columns) = (cells.origin.row, cells.columns)
    var text = GlyphLine(label.text, width: columns.count, asciiOnly: asciiOnly)
    if !isBetweenTiles { text.pad(to: columns.count) }
    let ink =
      label.color
      ?? (label.isAccented
        ? appearance.accent : label.isHeading ? appearance.headingColor : appearance.labelColor)
    let color = appearance.faded(ink, to: label.opacity.clamped(to: 0...1))
    runs.append(
      Run(
        row: row, column: columns.lowerBound, text: text,
        foreground: CellColor(color, depth: depth), background: .standard, layer: layer,
        sampleRows: isBetweenTiles
          ? Self.sampleRows(of: label.frame, inRow: row, grid: grid) : nil))
  }

  /// Returns the sample rows of a cell row that lie in a frame; nil if all of them do, or none.
  private static func sampleRows(
    of frame: PixelRect, inRow row: Int, grid: SampleGrid
  ) -> Range<Int>? {
    let whole = row * grid.rowsPerCell..<(row + 1) * grid.rowsPerCell
    let inside = grid.rows(from: frame.minY, to: frame.maxY).clamped(to: whole)
    return inside.isEmpty || inside == whole ? nil : inside
  }

  private mutating func draw(
    _ words: String, in frame: PixelRect, layer: Int, foreground: CellColor,
    background: CellColor?, grid: SampleGrid
  ) {
    guard let cells = Self.cells(inside: frame, grid: grid) else { return }
    let lines = GlyphLine.wrapped(
      words, width: cells.size.columns, height: cells.size.rows, asciiOnly: asciiOnly)
    let top = cells.origin.row + (cells.size.rows - lines.count) / 2
    for (number, line) in lines.enumerated() {
      let indent = (cells.size.columns - line.glyphs.count) / 2
      runs.append(
        Run(
          row: top + number, column: cells.origin.column + indent, text: line,
          foreground: foreground, background: background, layer: layer))
    }
  }

  /// Returns the cells that lie wholly inside a frame, even outside of the picture area.
  private static func cells(inside frame: PixelRect, grid: SampleGrid) -> CellRect? {
    let cell = grid.metrics.cell
    // A frame counts as aligned to cells within a hundredth of a cell.
    func index(_ position: Double, _ side: Double, _ rule: FloatingPointRoundingRule) -> Int {
      let slack = rule == .up ? -0.01 : 0.01
      return Int((position / side + slack).rounded(rule).clamped(to: -20_000...20_000))
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
  /// Draws the text of a row over its cells, except behind layers in front of the text.
  func draw(row: Int, layers: [Layer], grid: SampleGrid, into cells: inout [Cell]) {
    for run in runs where run.row == row {
      for (glyph, column, isWide) in glyphs(of: run, layers: layers, grid: grid) {
        var background = run.background ?? cells[column].background
        var color = run.foreground
        if let opacity = run.opacityOnMean {
          background = cells[column].meanColor(of: grid)
          color = background.mixed(with: color, share: opacity)
        }
        Self.put(glyph, at: column, color, on: background, in: &cells)
        guard isWide else { continue }
        Self.put(.continuation, at: column + 1, color, on: background, in: &cells)
      }
    }
  }

  func removeText(from map: inout CellSet, layers: [Layer], grid: SampleGrid) {
    for run in runs where (0..<map.size.rows).contains(run.row) {
      for (_, column, isWide) in glyphs(of: run, layers: layers, grid: grid) {
        map.remove(columns: column..<column + (isWide ? 2 : 1), rows: run.row..<run.row + 1)
      }
    }
  }

  /// Returns the glyphs of a run that no layer in front covers, with their columns, and whether
  /// each is two cells wide.
  private func glyphs(
    of run: Run, layers: [Layer], grid: SampleGrid
  ) -> [(Glyph, column: Int, isWide: Bool)] {
    let inFront = layers.dropFirst(run.layer.map { $0 + 1 } ?? 0)
    func isFree(_ column: Int) -> Bool {
      let samples = column * grid.columnsPerCell..<(column + 1) * grid.columnsPerCell
      let rows = run.sampleRows ?? run.row * grid.rowsPerCell..<(run.row + 1) * grid.rowsPerCell
      return (0..<grid.cells.columns).contains(column)
        && !inFront.contains { $0.intersects(columns: samples, rows: rows) }
    }
    let glyphs = run.text.glyphs
    return glyphs.indices.compactMap { offset in
      let column = run.column + offset
      let isWide = offset + 1 < glyphs.count && glyphs[offset + 1] == .continuation
      guard glyphs[offset] != .continuation, isFree(column), !isWide || isFree(column + 1) else {
        return nil
      }
      return (glyphs[offset], column, isWide)
    }
  }

  /// Writes a glyph to a cell; if it overwrites half of a wide character, the other half becomes a
  /// space.
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

extension Scene.Label {
  /// Returns the cells in which the label is drawn; nil if it has none.
  ///
  /// While tiles scroll, the label is in the row that its frame covers most.
  func cells(_ metrics: CellMetrics) -> CellRect? {
    let columns = metrics.columns(inside: frame)
    guard !columns.isEmpty, frame.minY.isFinite else { return nil }
    let row = Int((frame.minY / metrics.cell.height).rounded().clamped(to: -20_000...20_000))
    return CellRect(columns: columns, rows: row..<row + 1)
  }
}

extension Cell {
  /// Returns the mean of the cell's 24-bit colors, weighted by the samples of its pattern; the
  /// background of a cell that is no pattern.
  fileprivate func meanColor(of grid: SampleGrid) -> CellColor {
    guard let mask = glyph.pattern, foreground != .standard, background != .standard else {
      return background
    }
    let samples = grid.columnsPerCell * grid.rowsPerCell
    return background.mixed(
      with: foreground, share: Double(min(mask.nonzeroBitCount, samples)) / Double(samples))
  }
}

extension CellColor {
  /// Returns the mixture of two 24-bit colors; `share` is the other one's, 0 to 1.
  fileprivate func mixed(with other: CellColor, share: Double) -> CellColor {
    guard self != .standard, other != .standard, share < 1 else { return other }
    func channel(_ shift: UInt32) -> UInt32 {
      let (own, new) = (Double(code >> shift & 255), Double(other.code >> shift & 255))
      return UInt32((own + (new - own) * share).rounded()) << shift
    }
    return CellColor(code: channel(16) | channel(8) | channel(0))
  }
}

struct GlyphLine: Equatable {
  /// A glyph for each cell; the second cell of a wide character is a continuation.
  private(set) var glyphs: [Glyph] = []

  /// Lays out text from the left, in at most `width` cells; characters that do not fit are dropped.
  ///
  /// With `asciiOnly`, other characters are replaced by similar ones, or by question marks; the
  /// characters before an ellipsis make room for its three dots.
  init(_ text: some StringProtocol, width: Int = .max, asciiOnly: Bool = false) {
    var source = CellText(String(text)).glyphs
    if asciiOnly, let ellipsis = source.lastIndex(where: { $0.string == "…" }) {
      let overflow = source.reduce(2) { $0 + $1.width } - width
      var (first, removed) = (ellipsis, 0)
      while removed < overflow, first > 0 {
        first -= 1
        removed += source[first].width
      }
      source.removeSubrange(first..<ellipsis)
    }
    for glyph in source {
      guard width - glyphs.count >= glyph.width else { return }
      let scalars = Array(glyph.string.unicodeScalars)
      guard let base = scalars.first else { continue }
      let isShown = !asciiOnly || base.isASCII
      if !isShown, let substitute = CellText.substitute(for: base) {
        let room = max(width - glyphs.count, 0)
        glyphs += substitute.unicodeScalars.prefix(room).map { .text($0) }
        continue
      }
      glyphs.append(.text(isShown ? base : "?", marks: isShown ? scalars.dropFirst() : []))
      if glyph.width == 2 { glyphs.append(isShown ? .continuation : .text(" ", marks: [])) }
    }
  }

  /// Appends spaces up to a width in cells.
  mutating func pad(to width: Int) {
    if glyphs.count < width {
      glyphs += repeatElement(.text(" ", marks: []), count: width - glyphs.count)
    }
  }

  /// Lays out words in up to `height` lines of at most `width` cells; words longer than a line
  /// continue in the next.
  static func wrapped(
    _ words: String, width: Int, height: Int, asciiOnly: Bool
  ) -> [GlyphLine] {
    guard width > 0, height > 0 else { return [] }
    var lines: [GlyphLine] = []
    var line = GlyphLine("")
    for word in words.split(whereSeparator: \.isWhitespace) {
      var rest = GlyphLine(word, asciiOnly: asciiOnly).glyphs[...]
      let space = line.glyphs.isEmpty ? 0 : 1
      if line.glyphs.count + space + rest.count <= width {
        if space == 1 { line.glyphs.append(.text(" ")) }
        line.glyphs += rest
        continue
      }
      if !line.glyphs.isEmpty { lines.append(line) }
      while rest.count > width {
        var count = width
        if rest[rest.startIndex + count] == .continuation { count -= 1 }
        // A wide character does not fit into a line of one cell.
        guard count > 0 else { return lines }
        lines.append(GlyphLine(glyphs: rest.prefix(count)))
        rest = rest.dropFirst(count)
        if lines.count >= height { return Array(lines.prefix(height)) }
      }
      line = GlyphLine(glyphs: rest)
    }
    if !line.glyphs.isEmpty { lines.append(line) }
    return Array(lines.prefix(height))
  }

  private init(glyphs: ArraySlice<Glyph>) { self.glyphs = Array(glyphs) }
}
