import PhotoGridCore

/// A picture area in which some cells show pixels and all others glyphs: which cells do, and which
/// of the pixels are still to be sent.
///
/// Pictures are sent as pieces: rectangles of whole cells, since text that is written over a cell
/// takes the pixels away from just that cell. What is text, what is background only, and everything
/// while something moves, is drawn by cells.
struct PixelScreen {
  private var cells: CellRenderer
  private var compositor: Compositor
  private var overlay: TextOverlay
  private var damage = Damage()
  /// Cells that should show pixels.
  private var wanted = CellMap(size: CellSize(columns: 0, rows: 0))
  /// Cells that show the pixels that they should.
  private var fresh = CellMap(size: CellSize(columns: 0, rows: 0))
  /// What the last frame showed, or is about to show in pieces.
  private var shownScene: Scene?
  /// How many cells of the scene that was prepared last were not as before.
  private var changedCount = 0
  /// How often in a row much has changed before all of the last change was sent.
  private var interruptions = 0
  /// Frames without a change that are waited for before pixels are sent.
  private var patience = 0

  /// More pixels than these are not sent with one frame, but by and by.
  ///
  /// It takes about 7 ms to paint and encode them, and xterm 30 ms to show them.
  static let budget = 3 << 16

  /// Frames without a change until pixels are worth a try again, where they came too late before.
  private static let longPatience = 8

  /// A screen on which nothing is shown yet.
  init(_ traits: PictureTraits) {
    cells = CellRenderer(
      glyphs: traits.glyphs, depth: traits.depth, appearance: traits.appearance)
    compositor = Compositor(.pixels, appearance: traits.appearance)
    overlay = TextOverlay(asciiOnly: traits.glyphs == .ascii)
  }

  /// Whether a text row is free below the picture area.
  ///
  /// Without one the last row shows no pixels: at the end of a picture there, terminals scroll.
  var hasRowBelow = true

  /// Cells drawn by others, which overwrite what was there.
  var mask: CellRect? {
    didSet {
      for rect in [oldValue, mask] where oldValue != mask { rect.map { fresh.remove($0) } }
      cells.mask = mask
    }
  }

  /// Bytes that a frame should not pass.
  var byteBudget = Int.max {
    didSet { cells.byteBudget = byteBudget }
  }

  /// The text cells on the screen.
  var shownCells: ShownCells? {
    get { cells.shownCells }
    set { cells.shownCells = newValue }
  }

  /// Forgets what the screen shows.
  mutating func invalidate() {
    cells.invalidate()
    fresh.removeAll()
    shownScene = nil
  }

  /// Appends what shows a scene by cells alone.
  mutating func drawByCells(
    _ scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent,
    into bytes: inout [UInt8]
  ) {
    fresh.removeAll()
    (interruptions, patience) = (0, 0)
    cells.reserved = nil
    cells.frame(for: scene, metrics: metrics, content: content, into: &bytes)
    shownScene = scene
  }

  /// Takes in a scene at rest.
  ///
  /// - Returns: the cells whose pixels differ from the scene before.
  mutating func prepare(
    _ scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent
  ) -> CellMap {
    compositor.prepare(scene, metrics: metrics, content: content)
    overlay.prepare(of: scene, on: compositor, depth: cells.depth)
    damage.update(to: compositor, overlay)
    let changed = damage.cells
    damage.clear()
    if fresh.size != changed.size { fresh = CellMap(size: changed.size) }
    let wasUnfinished = hasPending
    fresh.subtract(changed)
    wanted = wantedCells
    fresh.formIntersection(wanted)
    changedCount = changed.count
    if !hasPending {
      interruptions = 0
    } else if wasUnfinished, isLarge(changedCount) {
      interruptions += 1
    }
    return changed
  }

  /// Whether so many cells have more pixels than can be sent with a frame.
  private func isLarge(_ count: Int) -> Bool { count * pixelsPerCell > Self.budget }

  private var pixelsPerCell: Int { compositor.grid.columnsPerCell * compositor.grid.rowsPerCell }

  /// The pixels of a rectangle of cells.
  func pixelCount(of rect: CellRect) -> Int {
    rect.size.columns * rect.size.rows * pixelsPerCell
  }

  private var wantedCells: CellMap {
    let grid = compositor.grid
    var wanted = CellMap(size: grid.cells)
    for layer in compositor.layers { wanted.insert(layer.cells(in: grid)) }
    for ring in compositor.rings {
      for side in ring.sides(in: grid) { wanted.insert(side) }
    }
    overlay.removeText(from: &wanted, layers: compositor.layers, grid: grid)
    if let mask { wanted.remove(mask) }
    if !hasRowBelow {
      wanted.remove(columns: 0..<grid.cells.columns, rows: grid.cells.rows - 1..<grid.cells.rows)
    }
    return wanted
  }

  /// Cells that should show other pixels than they do.
  private var pending: CellMap {
    var pending = wanted
    if fresh.size == wanted.size { pending.subtract(fresh) }
    return pending
  }

  /// Whether pixels are still to be sent.
  var hasPending: Bool { !pending.isEmpty }

  /// Whether cells are still to be drawn, because they did not fit into a frame.
  var hasBacklog: Bool { cells.isUnfinished }

  /// Appends what shows the scene that was prepared in the cells that do not show pixels.
  ///
  /// Where the scene is another one than before and is too large for one frame, all that is to be
  /// sent is drawn by cells first: the screen must not show one scene in the upper half and another in the
  /// lower one. So it is where the scene changes faster than it can be sent, such as an animation.
  ///
  /// - Returns: whether pieces may follow now, and not with the next frame only.
  mutating func drawCells(
    of scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent,
    into bytes: inout [UInt8]
  ) -> Bool {
    let isOther = shownScene.map { !scene.isClose(to: $0, within: metrics.cell) } ?? true
    let isTooFast = interruptions > 1 && isLarge(changedCount)
    let isDraft = isTooFast || isOther && isLarge(pending.count)
    if isTooFast {
      patience = Self.longPatience
    } else if changedCount == 0, patience > 0 {
      patience -= 1
    }
    cells.reserved = isDraft ? fresh : wanted
    cells.frame(for: scene, metrics: metrics, content: content, into: &bytes)
    shownScene = scene
    return !isDraft && patience == 0 && !hasBacklog
  }

  /// The next rectangle of cells to send as pixels, or nil if there is none.
  ///
  /// It is no larger than `limit`, in pixels, has no more than `most` pixels unless a row of cells
  /// has, and leaves out what is `taken`.
  func nextPiece(
    within limit: PixelSize, atMost most: Int, except taken: [CellRect] = []
  ) -> CellRect? {
    var pending = pending
    for rect in taken { pending.remove(rect) }
    let grid = compositor.grid
    let side = CellSize(
      columns: Int((limit.width / Double(grid.columnsPerCell)).clamped(to: 1...10_000)),
      rows: Int((limit.height / Double(grid.rowsPerCell)).clamped(to: 1...10_000)))
    return pending.firstRectangle(
      atMost: side, cells: most / pixelsPerCell)
  }

  /// Whether all of a rectangle is still to be sent.
  func isPending(_ rect: CellRect) -> Bool { pending.contains(allOf: rect) }

  /// Takes note that a rectangle's pixels are sent.
  mutating func wasSent(_ rect: CellRect) {
    fresh.insert(rect)
    cells.forget(rect)
  }

  /// Paints the pixels of a rectangle of cells.
  mutating func paint(_ rect: CellRect, into piece: inout PixelPiece) {
    piece.paint(rect, of: &compositor)
  }

  /// Paints the pixels of a rectangle of cells in few colours.
  ///
  /// - Returns: Whether a picture can have so many colours; if not, nothing can be done with the
  ///   piece.
  mutating func paint(
    _ rect: CellRect, into piece: inout SixelPiece, with dither: inout PictureDither
  ) -> Bool {
    piece.paint(rect, of: &compositor, with: &dither)
  }

  /// Appends what makes cells blank, where they are not.
  mutating func clear(_ runs: [CellRect], into bytes: inout [UInt8]) {
    for run in runs {
      for row in run.rows { cells.clear(row: row, columns: run.columns, into: &bytes) }
    }
  }
}

extension Scene {
  /// Whether the same photos are in the same places, give or take a distance.
  fileprivate func isClose(to other: Scene, within distance: PixelSize) -> Bool {
    // What can hardly be seen may come and go.
    let visible = placements.filter { $0.opacity > 0.1 }
    let others = other.placements.filter { $0.opacity > 0.1 }
    return size == other.size && visible.count == others.count
      && zip(visible, others).allSatisfy {
        $0.photo == $1.photo
          && abs($0.frame.minX - $1.frame.minX) <= distance.width
          && abs($0.frame.maxX - $1.frame.maxX) <= distance.width
          && abs($0.frame.minY - $1.frame.minY) <= distance.height
          && abs($0.frame.maxY - $1.frame.maxY) <= distance.height
      }
  }
}
