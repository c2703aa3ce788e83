import PhotoGridCore

/// Finds the cells that have to be drawn again, by comparing a scene with the last one.
///
/// One picture that arrives in a still grid, or one that plays in it, costs its own cells only.
struct Damage {
  /// The cells that have to be drawn.
  private(set) var cells = CellMap(size: CellSize(columns: 0, rows: 0))
  private var grid: SampleGrid?
  private var layers: [Layer] = []
  private var rings: [RingLayer] = []
  private var runs: [TextOverlay.Run] = []

  /// Takes in the next scene, and notes the cells in which it differs from the last.
  mutating func update(to compositor: Compositor, _ overlay: TextOverlay) {
    if compositor.grid != grid {
      cells = CellMap(size: compositor.grid.cells)
      cells.insertAll()
    } else {
      compare(layers, compositor.layers) { $0.cells.insert($1.cells(in: compositor.grid)) }
      compare(rings, compositor.rings) { damage, ring in
        for side in ring.sides(in: compositor.grid) { damage.cells.insert(side) }
      }
      compare(runs, overlay.runs) {
        $0.cells.insert(columns: $1.columns, rows: $1.row..<$1.row + 1)
      }
    }
    grid = compositor.grid
    rings.removeAll(keepingCapacity: true)
    rings.append(contentsOf: compositor.rings)
    layers.removeAll(keepingCapacity: true)
    layers.append(contentsOf: compositor.layers)
    runs.removeAll(keepingCapacity: true)
    runs.append(contentsOf: overlay.runs)
  }

  /// Notes that all cells have to be drawn, whatever the next scene is.
  mutating func addAll() { grid = nil }

  /// Notes that some cells have to be drawn.
  mutating func add(columns: Range<Int>, rows: Range<Int>) {
    cells.insert(columns: columns, rows: rows)
  }

  /// Notes that everything is drawn.
  mutating func clear() { cells.removeAll() }

  /// Parts are compared by their place in the order from back to front.
  private mutating func compare<Part: Equatable>(
    _ old: [Part], _ new: [Part], mark: (inout Damage, Part) -> Void
  ) {
    for index in 0..<max(old.count, new.count) {
      let before = index < old.count ? old[index] : nil
      let after = index < new.count ? new[index] : nil
      guard before != after else { continue }
      for part in [before, after] { part.map { mark(&self, $0) } }
    }
  }
}
