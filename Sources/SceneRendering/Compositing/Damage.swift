import Geometry

/// Finds the cells that must be drawn again, by comparing a scene with the previous one.
///
/// A picture that arrives in a still grid, or an animation in it, damages only its own cells.
struct Damage {
  /// The damaged cells, which must be drawn.
  private(set) var cells = CellSet(size: CellSize(columns: 0, rows: 0))
  /// Damaged cells whose only change is a better picture of the same photo in the same place.
  ///
  /// The picture that they show is not wrong, only not the best.
  private(set) var improved = CellSet(size: CellSize(columns: 0, rows: 0))
  private var grid: SampleGrid?
  private var layers: [Layer] = []
  private var rings: [RingLayer] = []
  private var runs: [TextOverlay.Run] = []

  /// Adds the cells in which the next scene differs from the previous one.
  ///
  /// While something moves, photos that stay in place count as unchanged, although moving scenes
  /// are painted from smaller levels of them.
  mutating func update(
    to compositor: Compositor, _ overlay: TextOverlay, isMoving: Bool = false
  ) {
    let grid = compositor.grid
    // Cells that were overwritten show no picture that could be kept for now.
    let overwritten = cells
    if grid != self.grid {
      cells = CellSet(size: grid.cells)
      cells.insertAll()
      improved = CellSet(size: grid.cells)
    } else {
      update(layers: compositor.layers, on: grid, isMoving: isMoving)
      compare(rings, compositor.rings) { damage, _, ring in
        for side in ring.sides(in: grid) { damage.insert(side) }
      }
      compare(runs, overlay.runs) { damage, _, run in
        damage.cells.insert(columns: run.columns, rows: run.row..<run.row + 1)
        damage.improved.remove(columns: run.columns, rows: run.row..<run.row + 1)
      }
      if improved.size == overwritten.size { improved.subtract(overwritten) }
    }
    self.grid = grid
    rings.removeAll(keepingCapacity: true)
    rings.append(contentsOf: compositor.rings)
    layers.removeAll(keepingCapacity: true)
    layers.append(contentsOf: compositor.layers)
    runs.removeAll(keepingCapacity: true)
    runs.append(contentsOf: overlay.runs)
  }

  /// Adds the cells of changed layers; those of photos with a better picture first, so that any
  /// other change in them removes them from `improved`.
  private mutating func update(layers next: [Layer], on grid: SampleGrid, isMoving: Bool) {
    var others: [CellRect] = []
    compare(layers, next) { damage, pair, layer in
      if let (old, new) = pair, old.showsSamePhoto(as: new) {
        if isMoving, old.showsSamePicture(as: new) { return }
        damage.cells.insert(new.cells(in: grid))
        damage.improved.insert(new.cells(in: grid))
      } else {
        others.append(layer.cells(in: grid))
      }
    }
    for rect in others { insert(rect) }
  }

  private mutating func insert(_ rect: CellRect) {
    cells.insert(rect)
    improved.remove(rect)
  }

  mutating func addAll() { grid = nil }

  mutating func insert(columns: Range<Int>, rows: Range<Int>) {
    cells.insert(columns: columns, rows: rows)
    improved.remove(columns: columns, rows: rows)
  }

  /// Clears the damage, after all cells were drawn.
  mutating func clear() {
    cells.removeAll()
    improved.removeAll()
  }

  /// Compares the parts at the same index in two lists from back to front.
  ///
  /// `mark` is called with each part that differs, and with both parts if both lists have one.
  private mutating func compare<Part: Equatable>(
    _ old: [Part], _ new: [Part], mark: (inout Damage, (Part, Part)?, Part) -> Void
  ) {
    for index in 0..<max(old.count, new.count) {
      let before = index < old.count ? old[index] : nil
      let after = index < new.count ? new[index] : nil
      guard before != after else { continue }
      let pair = before.flatMap { before in after.map { (before, $0) } }
      for part in [before, after] { part.map { mark(&self, pair, $0) } }
    }
  }
}
