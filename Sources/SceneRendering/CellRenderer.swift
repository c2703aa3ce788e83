import Geometry
import Photos
import SceneModel

/// Draws scenes with block glyphs and colors, and sends only what changed.
///
/// The picture area starts at the terminal's first row and column. Between frames, other writers
/// may change only the cells of `mask` in the picture area, and any cells outside of it.
package struct CellRenderer: SceneRenderer {
  package let glyphs: GlyphSet
  package let depth: ColorDepth
  /// The colors beside photos, reduced to `depth`.
  let appearance: Appearance
  /// Paints the scene as samples.
  var compositor: Compositor
  /// The samples of the row that is being drawn.
  var planes: SamplePlanes
  private var fitter: GlyphFitter
  /// How samples are cut into parts while the scene stands still; nil without wedges.
  private let cut: SampleCut?
  /// Whether the scene to draw moves.
  var isMoving = false
  /// The cells drawn since the last scene at rest; empty unless blocks come from a font.
  var drawn = CellSet(size: CellSize(columns: 0, rows: 0))
  private var monochrome: MonochromeFitter
  var overlay: TextOverlay
  /// The cells that must be drawn again.
  var damage = Damage()
  var encoder: CellEncoder
  /// The cells that the terminal shows, row by row.
  var shown: [Cell] = []
  var shownSize = CellSize(columns: 0, rows: 0)
  /// How coarsely the next frame of a motion is drawn.
  var coarseness: Coarseness
  /// The cells that show a coarse picture.
  var coarse = CellSet(size: CellSize(columns: 0, rows: 0))
  /// The rows of the current frame that were painted as means, by row.
  var coarseRows: [Int: CoarseRow] = [:]
  var cells: [Cell] = []
  /// The bytes of the row that is being written.
  private var line: [UInt8]

  package init(glyphs: GlyphSet, depth: ColorDepth, appearance: Appearance = Appearance()) {
    self.glyphs = glyphs
    self.depth = depth
    let appearance = appearance.reduced(to: depth)
    self.appearance = appearance
    compositor = Compositor(.glyphs(glyphs), appearance: appearance)
    overlay = TextOverlay(asciiOnly: glyphs == .ascii)
    planes = SamplePlanes(glyphs: glyphs)
    fitter = GlyphFitter(glyphs: glyphs, depth: depth, hasWedges: appearance.hasWedges)
    cut = SampleCut(glyphs, for: appearance)
    monochrome = MonochromeFitter(glyphs: glyphs, isLight: appearance.isLight)
    encoder = CellEncoder(
      glyphs: glyphs, depth: depth, usesInverses: !appearance.hasFontBlocks)
    coarseness = Coarseness(depth: depth)
    line = Array(repeating: 0, count: CellEncoder.byteLimit(columns: 0))
  }

  package var placementUnit: CellMetrics.PlacementUnit { .cells }
  package var byteBudget = Int.max
  package var isUnfinished: Bool { !coarse.isEmpty }

  /// Twice the glyphs' samples per pixel, in the direction in which they are finer.
  package func samplesPerPixel(cell: PixelSize) -> Double {
    2
      * max(
        Double(glyphs.sampleColumns) / cell.width,
        Double(glyphs.sampleHeights.count) / cell.height)
  }

  package var mask: CellRect? {
    didSet {
      for rect in [oldValue, mask] where oldValue != mask { rect.map { forget($0) } }
    }
  }

  /// Cells in which another renderer draws pictures of the same scene; like the mask, they are left
  /// alone.
  var patches: [CellRect] = [] {
    didSet {
      for rect in oldValue where !patches.contains(rect) { forget(rect) }
    }
  }

  /// Cells that are left alone because they show pixels, or soon will; nil for none.
  ///
  /// Until `forget` is called for a cell, it still shows what this renderer has drawn there.
  var reserved: CellSet? {
    didSet {
      guard var released = oldValue, released.size == shownSize else { return }
      if let reserved, reserved.size == released.size { released.subtract(reserved) }
      for row in 0..<released.size.rows where released.contains(anyOfRow: row) {
        damage.insert(columns: 0..<released.size.columns, rows: row..<row + 1)
      }
    }
  }

  package mutating func invalidate() {
    shownSize = CellSize(columns: 0, rows: 0)
    coarse.removeAll()
    damage.addAll()
  }

  package mutating func frame(
    for scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent,
    into bytes: inout FrameBytes
  ) {
    frame(for: scene, metrics: metrics, content: content, into: &bytes.picture)
  }

  /// Returns a scene as rows of text with colors, for printing.
  ///
  /// There are no cursor moves, and each row ends with its last cell that is not background.
  package mutating func text(
    of scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent
  ) -> [UInt8] {
    prepare(scene, metrics: metrics, content: content)
    var bytes: [UInt8] = []
    for row in 0..<compositor.grid.cells.rows {
      paint(row: row, columns: [0..<cells.count])
      let count = cells.lastIndex { $0 != .blank }.map { $0 + 1 } ?? 0
      appendLine(to: &bytes) { renderer, out in
        renderer.encoder.beginLine()
        renderer.encoder.encode(renderer.cells.prefix(count), to: &out)
        renderer.encoder.end(to: &out)
        out.put(UInt8(ascii: "\n"))
      }
    }
    return bytes
  }
}

extension CellRenderer {
  mutating func clear(row: Int, columns: Range<Int>, into bytes: inout [UInt8]) {
    for column in cells.indices { cells[column] = .blank }
    let start = bytes.count
    encoder.begin()
    appendLine(to: &bytes) { renderer, out in
      renderer.encoder.encode(
        row: row, columns: columns, of: renderer.cells, over: &renderer.shown, to: &out)
    }
    guard bytes.count > start else { return }
    appendLine(to: &bytes) { renderer, out in renderer.encoder.end(to: &out) }
  }

  mutating func prepare(
    _ scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent
  ) {
    isMoving = scene.isMoving
    compositor.prepare(scene, metrics: metrics, content: content)
    overlay.prepare(of: scene, on: compositor, depth: depth)
    let columns = compositor.grid.cells.columns
    if cells.count != columns {
      cells = Array(repeating: .blank, count: columns)
      line = Array(repeating: 0, count: CellEncoder.byteLimit(columns: columns))
    }
  }

  /// Draws a row of the scene into `cells`; cells outside of `columns` may be wrong.
  mutating func paint(row: Int, columns: [Range<Int>], _ block: Coarseness.Block? = nil) {
    if let block {
      drawCoarsely(row: row, block)
    } else if compositor.isEmpty(row: row, columns: columns) {
      for column in cells.indices { cells[column] = .blank }
    } else {
      sample(row: row)
      if depth != .full {
        compositor.anchor(row: row, cells: cells.count, into: &planes.anchors)
      }
      switch depth {
      case .full, .palette256, .palette16:
        fitter.fit(planes, into: &cells)
      case .none:
        monochrome.fit(planes, into: &cells)
      }
      avoidUpperBlocks()
    }
    overlay.draw(row: row, layers: compositor.layers, grid: compositor.grid, into: &cells)
  }

  /// Paints a row of cells, and sorts its samples into planes.
  private mutating func sample(row: Int) {
    let background = appearance.backdrop
    if let cut, !isMoving {
      compositor.paint(row: row, cut: cut)
      planes.load(compositor.band, cells: cells.count, background: background, cut: cut)
    } else {
      compositor.paint(row: row)
      planes.load(compositor.band, cells: cells.count, background: background)
    }
  }

  /// Draws the background below a photo's lower edge as a block, instead of the photo above the
  /// edge (see `Appearance.hasShortUpperBlock`).
  private mutating func avoidUpperBlocks() {
    guard appearance.hasShortUpperBlock, depth == .full, let color = appearance.background else {
      return
    }
    let background = CellColor(color, depth: depth)
    let (upper, lower) = (glyphs.firstRow, glyphs.lastRow)
    for column in cells.indices where cells[column].background == .standard {
      guard let mask = cells[column].glyph.pattern, mask & upper != 0, mask & lower == 0 else {
        continue
      }
      cells[column] = Cell(
        glyph: .pattern(~mask & glyphs.fullMask), foreground: background,
        background: cells[column].foreground)
    }
  }

  mutating func appendLine(
    to bytes: inout [UInt8], _ write: (inout CellRenderer, inout ByteWriter) -> Void
  ) {
    // Moved out of the struct, so that `write` may change the renderer without copying the line.
    var line: [UInt8] = []
    swap(&line, &self.line)
    line.withUnsafeMutableBufferPointer { line in
      guard let start = line.baseAddress else { return }
      var out = ByteWriter(at: start)
      write(&self, &out)
      assert(out.next - start <= line.count, "a row has too many bytes: \(out.next - start)")
      bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: out.next - start))
    }
    swap(&line, &self.line)
  }
}

extension CellRenderer {
  mutating func forget(_ rect: CellRect) {
    let columns = rect.columns.clamped(to: 0..<shownSize.columns)
    let rows = rect.rows.clamped(to: 0..<shownSize.rows)
    for row in rows {
      for column in columns { shown[row * shownSize.columns + column] = .unknown }
    }
    damage.insert(columns: columns, rows: rows)
  }

  /// Returns the columns of a row that this renderer draws.
  func freeColumns(ofRow row: Int) -> [Range<Int>] {
    var free = [0..<shownSize.columns]
    func remove(_ rect: CellRect) {
      guard rect.rows.contains(row) else { return }
      free = free.flatMap { range in
        let cut = rect.columns.clamped(to: range)
        return cut.isEmpty
          ? [range] : [range.lowerBound..<cut.lowerBound, cut.upperBound..<range.upperBound]
      }
    }
    if let mask { remove(mask) }
    for rect in patches { remove(rect) }
    free.removeAll { $0.isEmpty }
    guard let reserved, reserved.size == shownSize else { return free }
    return free.flatMap { reserved.gaps(inRow: row, columns: $0) }
  }

  /// Replaces wide characters by blanks where the mask covers one of their halves.
  mutating func cutAtMask(_ free: [Range<Int>]) {
    for column in free.flatMap({ [$0.lowerBound, $0.upperBound] })
    where cells.indices.contains(column) && column > 0 {
      guard cells[column].glyph == .continuation else { continue }
      for half in [column - 1, column] {
        cells[half] = Cell(
          glyph: .pattern(0), foreground: cells[half].background,
          background: cells[half].background)
      }
    }
  }
}

extension CellRenderer {
  /// Draws a row of the scene into `cells` in blocks of one color.
  ///
  /// A block never spans two photos: its color is the mean of its cells, which all lie wholly
  /// inside one photo. Cells at the edge of a photo, and between photos, show their own mean.
  mutating func drawCoarsely(row: Int, _ block: Coarseness.Block) {
    let own = coarseRow(row)
    // Not methods of the renderer, which would be copied for each cell.
    let (layers, grid, appearance, depth) =
      (compositor.layers, compositor.grid, appearance, depth)
    var column = 0
    while column < cells.count {
      let layer = own.fronts[column]
      guard layer >= 0,
        let tile = Interior(of: layers[Int(layer)], grid, row: row, column: column)
      else {
        cells[column] = appearance.flatCell(own.means[column], depth)
        column += 1
        continue
      }
      let columns = tile.block(block.columns, at: column, in: tile.columns)
      let rows = tile.block(block.rows, at: row, in: tile.rows)
      let mean = mean(ofLayer: layer, columns: columns, rows: rows)
      let cell = appearance.flatCell(mean, depth)
      let start = column
      while column < columns.upperBound, own.fronts[column] == layer {
        cells[column] = cell
        column += 1
      }
      assert(column > start, "a block must be as wide as a cell")
    }
  }

  /// The cells that lie wholly inside a layer.
  private struct Interior {
    let columns: Range<Int>
    let rows: Range<Int>

    /// Creates the interior of a layer; nil if the cell at this place is not in it.
    init?(of layer: Layer, _ grid: SampleGrid, row: Int, column: Int) {
      func cells(_ samples: Range<Int>, _ perCell: Int) -> Range<Int> {
        let first = (samples.lowerBound + perCell - 1) / perCell
        return first..<max(first, samples.upperBound / perCell)
      }
      columns = cells(layer.columns, grid.columnsPerCell)
      rows = cells(layer.rows, grid.rowsPerCell)
      guard columns.contains(column), rows.contains(row) else { return nil }
    }

    /// Returns the block of a given length that contains a cell.
    ///
    /// Blocks are counted from the layer's edge, so that they move with the photo.
    func block(_ length: Int, at position: Int, in range: Range<Int>) -> Range<Int> {
      let start = position - (position - range.lowerBound) % length
      return start..<min(start + length, range.upperBound)
    }
  }

  /// Returns the mean of those cells of a block in which a layer is in front.
  private mutating func mean(
    ofLayer layer: Int32, columns: Range<Int>, rows: Range<Int>
  ) -> SIMD4<Float> {
    var (sum, count) = (SIMD4<Float>.zero, Float(0))
    for row in rows {
      let samples = coarseRow(row)
      for column in columns where samples.fronts[column] == layer {
        sum += samples.means[column]
        count += 1
      }
    }
    return sum / max(count, 1)
  }

  /// Returns the means of a row's cells, which are painted at most once in a frame.
  private mutating func coarseRow(_ row: Int) -> CoarseRow {
    if let known = coarseRows[row] { return known }
    compositor.paint(row: row)
    compositor.anchor(row: row, cells: cells.count, into: &planes.anchors)
    let grid = compositor.grid
    let count = Float(grid.columnsPerCell * grid.rowsPerCell)
    let means = cells.indices.map { column in
      var sum = SIMD4<Float>.zero
      for line in 0..<grid.rowsPerCell {
        let start = line * grid.width + column * grid.columnsPerCell
        for x in start..<start + grid.columnsPerCell { sum += compositor.band[x] }
      }
      return sum / count
    }
    let made = CoarseRow(fronts: planes.anchors.map(\.layer), means: means)
    coarseRows[row] = made
    return made
  }
}

extension Appearance {
  /// Returns a cell of one color: a mean of samples, blended over the background.
  fileprivate func flatCell(_ mean: SIMD4<Float>, _ depth: ColorDepth) -> Cell {
    guard mean.w > 0 else { return .blank }
    let isKnown = background != nil
    func channel(_ value: Float, _ behind: UInt8) -> UInt8 {
      let color =
        isKnown ? value + Float(behind) * (1 - mean.w / 255) : value * (255 / mean.w)
      return UInt8(min(max(color, 0), 255).rounded())
    }
    let backdrop = backdrop
    let color = CellColor(
      RGB(
        channel(mean.x, backdrop.red), channel(mean.y, backdrop.green),
        channel(mean.z, backdrop.blue)), depth: depth)
    return Cell(glyph: .pattern(0), foreground: color, background: color)
  }
}

/// A row of cells as means of their samples.
struct CoarseRow {
  /// The layer in front of each cell; -1 if there is none.
  var fronts: [Int32]
  /// The mean of each cell's samples: RGBA, premultiplied, 0 to 255.
  var means: [SIMD4<Float>]
}
