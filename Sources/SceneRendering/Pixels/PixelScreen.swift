import Geometry
import SceneModel

/// A picture area in which some cells show pixels and all others glyphs.
///
/// It keeps track of the cells that show pixels, and of the pixels still to be sent. Pixels are
/// sent in pieces: rectangles of whole cells, since text that is written to a cell removes the
/// pixels of just that cell. Text, cells with nothing but background, and moving scenes are drawn
/// by cells:
///
///     wanted     cells that should show pixels
///     fresh      those of them that show the right pixels
///     pending    wanted without fresh: pixels still to be sent
struct PixelScreen {
  /// Draws all other cells.
  private var cells: CellRenderer
  private var compositor: Compositor
  private var overlay: TextOverlay
  private var badges: BadgePictures
  private var damage = Damage()
  /// The cells that should show pixels.
  private var wanted = CellSet(size: CellSize(columns: 0, rows: 0))
  /// The cells that show the pixels that they should show.
  private var fresh = CellSet(size: CellSize(columns: 0, rows: 0))
  /// The scene of the last frame, whose pieces may still be sent.
  private var shownScene: Scene?
  /// The number of cells in which the scene that was prepared last differs from the one before.
  private var changedCount = 0
  /// The number of large changes in a row that came before the previous one was sent completely.
  private var interruptions = 0
  /// The number of frames without a change to wait for before pixels are sent.
  private var patience = 0

  /// The most pixels sent in one frame.
  ///
  /// Painting and encoding them takes about 7 ms, and xterm takes 30 ms to show them.
  static let budget = 6 << 16

  /// The number of frames without a change after which pixels are sent again, if scenes changed too
  /// fast before.
  private static let longPatience = 8

  init(_ traits: PictureTraits) {
    cells = CellRenderer(
      glyphs: traits.glyphs, depth: traits.depth, appearance: traits.appearance)
    badges = BadgePictures(traits.appearance)
    compositor = Compositor(.pixels, appearance: traits.appearance)
    overlay = TextOverlay(asciiOnly: traits.glyphs == .ascii)
  }

  /// Whether there is a text row below the picture area.
  ///
  /// If not, the last row shows no pixels, because terminals scroll after a picture in it.
  var hasRowBelow = true

  /// Cells that others draw, over whatever was there; nil for none.
  var mask: CellRect? {
    didSet {
      for rect in [oldValue, mask] where oldValue != mask { rect.map { fresh.remove($0) } }
      cells.mask = mask
    }
  }

  var byteBudget = Int.max {
    didSet { cells.byteBudget = byteBudget }
  }

  var shownCells: ShownCells? {
    get { cells.shownCells }
    set { cells.shownCells = newValue }
  }

  mutating func invalidate() {
    cells.invalidate()
    fresh.removeAll()
    shownScene = nil
  }

  /// Appends the bytes that show a scene by cells alone.
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

  mutating func prepare(
    _ scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent
  ) -> CellSet {
    let scene = badges.expand(scene, metrics)
    let badges = badges
    compositor.prepare(scene, metrics: metrics) { badges.content(of: $0) ?? content($0) }
    overlay.prepare(of: scene, on: compositor, depth: cells.depth)
    damage.update(to: compositor, overlay)
    let changed = damage.cells
    damage.clear()
    if fresh.size != changed.size { fresh = CellSet(size: changed.size) }
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

  /// Whether a number of cells has more pixels than are sent in one frame.
  private func isLarge(_ count: Int) -> Bool { count * pixelsPerCell > Self.budget }

  private var pixelsPerCell: Int { compositor.grid.columnsPerCell * compositor.grid.rowsPerCell }

  func pixelCount(of rect: CellRect) -> Int {
    rect.size.columns * rect.size.rows * pixelsPerCell
  }

  private var wantedCells: CellSet {
    let grid = compositor.grid
    var wanted = CellSet(size: grid.cells)
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

  private var pending: CellSet {
    var pending = wanted
    if fresh.size == wanted.size { pending.subtract(fresh) }
    return pending
  }

  /// Whether pixels are still to be sent.
  var hasPending: Bool { !pending.isEmpty }

  /// Whether cells are still to be drawn, because they did not fit into a frame.
  var hasBacklog: Bool { cells.isUnfinished }

  /// Appends the bytes that draw the prepared scene in cells that do not show pixels.
  ///
  /// A new scene that is too large for one frame is drawn by cells first, wherever pixels are
  /// pending, because the screen must not show one scene in the upper half and another in the lower
  /// half. The same applies to scenes that change faster than they can be sent, such as animations.
  ///
  /// - Returns: Whether pieces may follow in this frame, rather than in a later one.
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

  /// Returns the next rectangle of cells to send as pixels.
  ///
  /// - Parameters:
  ///   - limit: The largest size in pixels.
  ///   - most: The most pixels, unless a row of cells has more.
  ///   - taken: Rectangles to leave out.
  /// - Returns: The rectangle; nil if there is none.
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

  /// Whether all cells of a rectangle are still to be sent.
  func isPending(_ rect: CellRect) -> Bool { pending.contains(allOf: rect) }

  mutating func wasSent(_ rect: CellRect) {
    fresh.insert(rect)
    cells.forget(rect)
  }

  mutating func paint(_ rect: CellRect, into piece: inout PixelPiece) {
    piece.paint(rect, of: &compositor)
  }

  /// Returns the upper part of a rectangle of cells in which every photo has a single strip (see
  /// `PictureDither`).
  func withinStrips(_ rect: CellRect) -> CellRect {
    let grid = compositor.grid
    let (columns, rows) = (grid.sampleColumns(of: rect), grid.sampleRows(of: rect))
    var end = rows.upperBound
    for layer in compositor.layers where layer.intersects(columns: columns, rows: rows) {
      guard case .picture = layer.paint else { continue }
      let strip = PictureDither.strip(of: layer, at: rows.lowerBound, in: grid)
      if strip.upperBound < layer.rows.upperBound { end = min(end, strip.upperBound) }
    }
    var part = rect
    part.size.rows = max(end / grid.rowsPerCell - rect.origin.row, 1)
    return part
  }

  /// Paints the pixels of a rectangle of cells in few colors.
  ///
  /// - Returns: Whether a picture can have all the colors; if not, the piece must not be used.
  mutating func paint(
    _ rect: CellRect, into piece: inout SixelPiece, with dither: inout PictureDither
  ) -> Bool {
    piece.paint(rect, of: &compositor, with: &dither)
  }

  /// Appends the bytes that blank cells, where they are not blank.
  mutating func clear(_ runs: [CellRect], into bytes: inout [UInt8]) {
    for run in runs {
      for row in run.rows { cells.clear(row: row, columns: run.columns, into: &bytes) }
    }
  }
}

extension Scene {
  /// Whether the same photos are in the same places, within a distance in pixels.
  fileprivate func isClose(to other: Scene, within distance: PixelSize) -> Bool {
    // Placements that are almost invisible may appear and disappear.
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
