import Geometry
import SceneModel

/// Frames that fit a slow line.
///
/// A frame shows one scene in all cells, never the upper half of one and the lower half of another.
/// A scene that would take too many bytes is drawn coarsely first. Later frames then draw coarse
/// cells that stand still in full, as many as the line allows.
extension CellRenderer {
  /// Appends the bytes that make the terminal show a scene: none if it shows the scene already.
  ///
  /// `content` returns what can be shown of a placement now.
  package mutating func frame(
    for scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent,
    into bytes: inout [UInt8]
  ) {
    prepare(scene, metrics: metrics, content: content)
    prepareMaps()
    damage.update(to: compositor, overlay, isMoving: scene.isMoving)
    var (changed, improved) = (damage.cells, damage.improved)
    damage.clear()
    coarseRows.removeAll(keepingCapacity: true)
    let start = bytes.count
    encoder.begin()
    if appearance.hasFontBlocks { drawn.formUnion(changed) }
    if scene.isMoving {
      drawMotion(changed, into: &bytes)
    } else {
      if !drawn.isEmpty { forgetNeighborsOfDrawn(&changed) }
      if !drawRest(changed, into: &bytes) {
        // Photos that already show an earlier, worse picture are left to `repair`.
        changed.subtract(improved)
        improved.subtract(changed)
        drawAtRestCoarsely(changed, into: &bytes)
        coarse.formUnion(improved)
      }
    }
    repair(except: changed, start: start, into: &bytes)
    guard bytes.count > start else { return }
    appendLine(to: &bytes) { renderer, out in renderer.encoder.end(to: &out) }
  }

  /// Adds the cells around those that were drawn since the last scene at rest to the changed ones.
  ///
  /// Blocks of a font may reach a pixel into the next cell, where xterm, st, and others leave it when
  /// the block itself is replaced. On a slow line only the background is drawn again: on photos such
  /// pixels are hardly visible.
  private mutating func forgetNeighborsOfDrawn(_ changed: inout CellSet) {
    let (columns, rows) = (shownSize.columns, shownSize.rows)
    for row in 0..<rows {
      for run in drawn.runs(inRow: row, columns: 0..<columns) {
        let near = CellRect(
          columns: max(run.lowerBound - 1, 0)..<min(run.upperBound + 1, columns),
          rows: max(row - 1, 0)..<min(row + 2, rows))
        if byteBudget == .max { changed.insert(near) }
        for position in near.rows.lazy.flatMap({ row in near.columns.map { (row, $0) } }) {
          let index = position.0 * columns + position.1
          if byteBudget == .max {
            shown[index] = .unknown
          } else if shown[index].background == .standard {
            shown[index] = .unknown
            changed.insert(columns: position.1..<position.1 + 1, rows: position.0..<position.0 + 1)
          }
        }
      }
    }
    drawn.removeAll()
  }

  private mutating func prepareMaps() {
    let size = compositor.grid.cells
    if size != shownSize {
      shownSize = size
      shown = Array(repeating: .unknown, count: size.columns * size.rows)
    }
    if coarse.size != size { coarse = CellSet(size: size) }
    if drawn.size != size { drawn = CellSet(size: size) }
  }

  /// Draws a frame of a motion, as coarsely as the sizes of the previous frames suggest.
  private mutating func drawMotion(_ changed: CellSet, into bytes: inout [UInt8]) {
    if depth != .none { coarseness.choose(cells: shown.count, byteBudget: byteBudget) }
    let start = bytes.count
    draw(changed, coarseness.block, limit: .max, into: &bytes)
    coarseness.frameTook(byteCount: bytes.count - start, cells: shown.count)
  }

  /// Draws a scene at rest in full.
  ///
  /// - Returns: False if that takes too many bytes; in that case nothing is drawn.
  private mutating func drawRest(_ changed: CellSet, into bytes: inout [UInt8]) -> Bool {
    coarseness.end()
    let start = bytes.count
    let isLimited = byteBudget < .max && depth != .none
    let before = isLimited ? (shown, coarse, encoder) : nil
    let isDone = draw(changed, nil, limit: isLimited ? byteBudget : .max, into: &bytes)
    guard !isDone, let before else {
      coarseness.stillFrameTook(byteCount: bytes.count - start, cells: encoder.cellCount)
      return true
    }
    bytes.removeLast(bytes.count - start)
    (shown, coarse, encoder) = before
    return false
  }

  private mutating func drawAtRestCoarsely(_ changed: CellSet, into bytes: inout [UInt8]) {
    let block = coarseness.block(for: changed.count, byteBudget: byteBudget)
    draw(changed, block, limit: .max, into: &bytes)
  }

  @discardableResult
  private mutating func draw(
    _ map: CellSet, _ block: Coarseness.Block?, limit: Int, into bytes: inout [UInt8]
  ) -> Bool {
    let start = bytes.count
    let isWhole = byteBudget == .max && coarse.isEmpty
    for row in 0..<shownSize.rows where map.contains(anyOfRow: row) {
      guard bytes.count - start <= limit else { return false }
      // In a coarse frame only changed cells are drawn: the others show a better picture already.
      draw(row: row, isWhole ? nil : map, block, into: &bytes)
    }
    return bytes.count - start <= limit
  }

  private mutating func draw(
    row: Int, _ map: CellSet?, _ block: Coarseness.Block?, into bytes: inout [UInt8]
  ) {
    let free = freeColumns(ofRow: row)
    guard !free.isEmpty else { return }
    paint(row: row, columns: free, block)
    cutAtMask(free)
    let carriesErrors = depth != .full && block == nil && !isMoving
    let map = carriesErrors ? map.map { withCellsAfter($0, inRow: row) } : map
    let columns = map.map { map in free.flatMap { wholeRuns(of: map, row: row, in: $0) } } ?? free
    appendLine(to: &bytes) { renderer, out in
      for columns in columns {
        renderer.encoder.encode(
          row: row, columns: columns, of: renderer.cells, over: &renderer.shown, to: &out)
      }
    }
    // Without a map nothing is coarse.
    guard map != nil else { return }
    for run in columns {
      if block == nil {
        coarse.remove(columns: run, rows: row..<row + 1)
      } else {
        coarse.insert(columns: run, rows: row..<row + 1)
      }
    }
  }

  /// Adds the cells to the right of a map's first one in a row, apart from coarse ones.
  ///
  /// In few colors a cell's error is carried to the next cells, whose colors may change, too.
  private func withCellsAfter(_ map: CellSet, inRow row: Int) -> CellSet {
    let all = 0..<shownSize.columns
    guard let first = map.runs(inRow: row, columns: all).first?.lowerBound else { return map }
    var map = map
    for run in coarse.gaps(inRow: row, columns: first..<shownSize.columns) {
      map.insert(columns: run, rows: row..<row + 1)
    }
    return map
  }

  /// The runs of a map in a part of a row, with both halves of wide characters.
  private func wholeRuns(of map: CellSet, row: Int, in part: Range<Int>) -> [Range<Int>] {
    map.runs(inRow: row, columns: part).map { run in
      var (start, end) = (run.lowerBound, run.upperBound)
      if start > part.lowerBound, cells[start].glyph == .continuation { start -= 1 }
      if end < part.upperBound, cells[end].glyph == .continuation { end += 1 }
      return start..<end
    }
  }

  /// Draws coarse cells that stand still in full, as far as the frame has room for them.
  private mutating func repair(except changed: CellSet, start: Int, into bytes: inout [UInt8]) {
    guard !coarse.isEmpty else { return }
    var still = coarse
    still.subtract(changed)
    for row in 0..<shownSize.rows where still.contains(anyOfRow: row) {
      guard bytes.count - start < byteBudget else { return }
      draw(row: row, still, nil, into: &bytes)
      // Cells that other renderers draw by now need no repair.
      for run in still.runs(inRow: row, columns: 0..<shownSize.columns) {
        coarse.remove(columns: run, rows: row..<row + 1)
      }
    }
  }
}
