import PhotoGridCore

/// Draws scenes with block glyphs and colours, and sends only what changed.
///
/// The picture area starts at the terminal's first row and column. Between frames others may
/// write, but not into the picture area, unless `mask` says where.
package struct CellRenderer: SceneRenderer {
  /// The glyphs that it draws with.
  package let glyphs: GlyphSet
  /// The colours that it draws with.
  package let depth: ColorDepth
  private let appearance: Appearance
  private var compositor: Compositor
  private var planes: SamplePlanes
  private var fitter: GlyphFitter
  private var monochrome: MonochromeFitter
  private var overlay: TextOverlay
  private var damage = Damage()
  private var encoder: CellEncoder
  /// What the terminal shows, row by row.
  private var shown: [Cell] = []
  private var shownSize = CellSize(columns: 0, rows: 0)
  private var coarseness: Coarseness
  /// Rows that were left over by frames that had no room for them.
  private var backlog: Set<Int> = []
  /// The row that is being drawn.
  private var cells: [Cell] = []
  /// The bytes of the row that is being written.
  private var line: [UInt8]

  /// A renderer that has shown nothing yet.
  package init(glyphs: GlyphSet, depth: ColorDepth, appearance: Appearance = Appearance()) {
    self.glyphs = glyphs
    self.depth = depth
    let appearance = appearance.reduced(to: depth)
    self.appearance = appearance
    compositor = Compositor(.glyphs(glyphs), appearance: appearance)
    overlay = TextOverlay(asciiOnly: glyphs == .ascii)
    planes = SamplePlanes(glyphs: glyphs)
    fitter = GlyphFitter(glyphs: glyphs, depth: depth)
    monochrome = MonochromeFitter(glyphs: glyphs, isLight: appearance.isLight)
    encoder = CellEncoder(glyphs: glyphs, depth: depth)
    coarseness = Coarseness(depth: depth)
    line = Array(repeating: 0, count: CellEncoder.byteLimit(columns: 0))
  }

  package var grain: CellMetrics.Grain { .cells }
  package var byteBudget = Int.max
  package var isUnfinished: Bool { !backlog.isEmpty }

  /// Twice as fine as the glyphs, in whichever direction they are finer.
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

  /// Cells with pictures that somebody else draws into the same scene; treated as the mask is.
  var patches: [CellRect] = [] {
    didSet {
      for rect in oldValue where !patches.contains(rect) { forget(rect) }
    }
  }

  /// Cells that show pixels, and are left alone as well; nil for none.
  ///
  /// What they show is unknown only after `forget`.
  var reserved: CellMap? {
    didSet {
      guard var released = oldValue, released.size == shownSize else { return }
      if let reserved, reserved.size == released.size { released.subtract(reserved) }
      for row in 0..<released.size.rows where released.contains(anyOfRow: row) {
        damage.add(columns: 0..<released.size.columns, rows: row..<row + 1)
      }
    }
  }

  package mutating func invalidate() {
    shownSize = CellSize(columns: 0, rows: 0)
    backlog.removeAll()
    damage.addAll()
  }

  package mutating func frame(
    for scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent,
    into bytes: inout FrameBytes
  ) {
    frame(for: scene, metrics: metrics, content: content, into: &bytes.picture)
  }

  /// Appends the bytes that make the terminal show a scene: none if it shows it already.
  ///
  /// `content` says what there is to show of a placement at the moment.
  package mutating func frame(
    for scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent,
    into bytes: inout [UInt8]
  ) {
    prepare(scene, metrics: metrics, content: content)
    let size = compositor.grid.cells
    if size != shownSize {
      shownSize = size
      shown = Array(repeating: .unknown, count: size.columns * size.rows)
    }
    let before = coarseness.level
    if scene.isMoving, depth != .none {
      coarseness.choose(cells: shown.count, byteBudget: byteBudget)
    } else {
      coarseness.end()
    }
    if coarseness.level != before { damage.addAll() }
    damage.update(to: compositor, overlay)
    let start = bytes.count
    encoder.begin()
    for row in takeRows() {
      // What moves is drawn as a whole, lest it tear.
      guard scene.isMoving || bytes.count - start < byteBudget else {
        backlog.insert(row)
        continue
      }
      let free = freeColumns(ofRow: row)
      guard !free.isEmpty else { continue }
      draw(row: row, columns: free)
      cutAtMask(free)
      appendLine(to: &bytes) { renderer, out in
        for columns in free {
          renderer.encoder.write(
            row: row, columns: columns, of: renderer.cells, over: &renderer.shown, to: &out)
        }
      }
    }
    if scene.isMoving {
      coarseness.frameTook(byteCount: bytes.count - start, cells: shown.count)
    } else {
      coarseness.stillFrameTook(byteCount: bytes.count - start, cells: encoder.cellCount)
    }
    guard bytes.count > start else { return }
    appendLine(to: &bytes) { renderer, out in renderer.encoder.end(to: &out) }
  }

  /// The rows to draw: those that have changed just now, then those that were left over.
  private mutating func takeRows() -> [Int] {
    let fresh = (0..<shownSize.rows).filter { damage.cells.contains(anyOfRow: $0) }
    let late = backlog.subtracting(fresh).filter { $0 < shownSize.rows }.sorted()
    damage.clear()
    backlog.removeAll(keepingCapacity: true)
    return fresh + late
  }

  /// The scene as rows of text with colours, for printing: no cursor moves, and nothing after the
  /// last cell of a row that is not background.
  package mutating func text(
    of scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent
  ) -> [UInt8] {
    prepare(scene, metrics: metrics, content: content)
    var bytes: [UInt8] = []
    for row in 0..<compositor.grid.cells.rows {
      draw(row: row, columns: [0..<cells.count])
      let count = cells.lastIndex { $0 != .blank }.map { $0 + 1 } ?? 0
      appendLine(to: &bytes) { renderer, out in
        renderer.encoder.beginLine()
        renderer.encoder.write(renderer.cells.prefix(count), to: &out)
        renderer.encoder.end(to: &out)
        out.put(UInt8(ascii: "\n"))
      }
    }
    return bytes
  }
}

extension CellRenderer {
  /// Takes note that somebody else has drawn over some cells.
  mutating func forget(_ rect: CellRect) {
    let columns = rect.columns.clamped(to: 0..<shownSize.columns)
    let rows = rect.rows.clamped(to: 0..<shownSize.rows)
    for row in rows {
      for column in columns { shown[row * shownSize.columns + column] = .unknown }
    }
    damage.add(columns: columns, rows: rows)
  }

  /// Appends the bytes that make some cells of a row blank.
  mutating func clear(row: Int, columns: Range<Int>, into bytes: inout [UInt8]) {
    for column in cells.indices { cells[column] = .blank }
    let start = bytes.count
    encoder.begin()
    appendLine(to: &bytes) { renderer, out in
      renderer.encoder.write(
        row: row, columns: columns, of: renderer.cells, over: &renderer.shown, to: &out)
    }
    guard bytes.count > start else { return }
    appendLine(to: &bytes) { renderer, out in renderer.encoder.end(to: &out) }
  }

  private mutating func prepare(
    _ scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent
  ) {
    compositor.prepare(scene, metrics: metrics, content: content)
    overlay.prepare(of: scene, on: compositor, depth: depth)
    let columns = compositor.grid.cells.columns
    if cells.count != columns {
      cells = Array(repeating: .blank, count: columns)
      line = Array(repeating: 0, count: CellEncoder.byteLimit(columns: columns))
    }
  }

  /// Draws a row of the scene into `cells`; what is not in `columns` need not be right.
  private mutating func draw(row: Int, columns: [Range<Int>]) {
    if let block = coarseness.block {
      drawCoarsely(row: row, block)
    } else if columns.allSatisfy({ compositor.isEmpty(row: row, columns: $0) }) {
      for column in cells.indices { cells[column] = .blank }
    } else {
      compositor.paint(row: row)
      planes.load(
        compositor.band, cells: cells.count, background: appearance.backdrop)
      if depth != .full {
        compositor.anchor(row: row, cells: cells.count, into: &planes.anchors)
      }
      switch depth {
      case .full, .palette256, .palette16:
        fitter.fit(planes, into: &cells)
      case .none:
        monochrome.fit(planes, into: &cells)
      }
    }
    overlay.draw(row: row, layers: compositor.layers, grid: compositor.grid, into: &cells)
  }

  /// Draws a row of the scene into `cells` as a row of blocks, each the mean of the row of cells in
  /// its middle.
  private mutating func drawCoarsely(row: Int, _ block: Coarseness.Block) {
    let middle = min(row - row % block.rows + block.rows / 2, compositor.grid.cells.rows - 1)
    guard !compositor.isEmpty(row: middle, columns: 0..<cells.count) else {
      for column in cells.indices { cells[column] = .blank }
      return
    }
    compositor.paint(row: middle)
    let grid = compositor.grid
    for start in stride(from: 0, to: cells.count, by: block.columns) {
      let columns = start..<min(start + block.columns, cells.count)
      let samples =
        columns.lowerBound * grid.columnsPerCell..<columns.upperBound * grid.columnsPerCell
      var sum = SIMD4<Float>.zero
      for line in 0..<grid.rowsPerCell {
        for x in samples { sum += compositor.band[line * grid.width + x] }
      }
      let mean = sum / Float(samples.count * grid.rowsPerCell)
      let cell = mean.w == 0 ? .blank : flatCell(mean)
      for column in columns { cells[column] = cell }
    }
  }

  /// A cell of one colour, of which a mean of samples covers the background.
  private func flatCell(_ mean: SIMD4<Float>) -> Cell {
    func channel(_ value: Float, _ behind: UInt8) -> UInt32 {
      UInt32(min(max(value + Float(behind) * (1 - mean.w / 255), 0), 255).rounded())
    }
    let backdrop = appearance.backdrop
    let packed =
      channel(mean.x, backdrop.red) << 16 | channel(mean.y, backdrop.green) << 8
      | channel(mean.z, backdrop.blue)
    let color = CellColor(coarsely: packed, depth: depth)
    return Cell(glyph: .pattern(0), foreground: color, background: color)
  }

  /// Lets `write` fill the line, and appends what it wrote.
  private mutating func appendLine(
    to bytes: inout [UInt8], _ write: (inout CellRenderer, inout ByteWriter) -> Void
  ) {
    // Out of the struct, so that it is not copied when the renderer changes beside it.
    var line: [UInt8] = []
    swap(&line, &self.line)
    line.withUnsafeMutableBufferPointer { line in
      guard let start = line.baseAddress else { return }
      var out = ByteWriter(at: start)
      write(&self, &out)
      assert(out.next - start <= line.count, "a row took \(out.next - start) bytes")
      bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: out.next - start))
    }
    swap(&line, &self.line)
  }

  /// The columns of a row that nobody else draws.
  private func freeColumns(ofRow row: Int) -> [Range<Int>] {
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

  /// Leaves out wide characters of which the mask covers a half.
  private mutating func cutAtMask(_ free: [Range<Int>]) {
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
