import PhotoGridCore

/// Finds the rows of cells that have to be drawn again, by comparing a scene with the last one.
///
/// One picture that arrives in a still grid, or one that plays in it, costs its own rows only.
struct Damage {
  /// For each row of cells whether it has to be drawn.
  private(set) var rows: [Bool] = []
  private var grid: SampleGrid?
  private var layers: [Layer] = []
  private var ring: RingLayer?
  private var runs: [TextOverlay.Run] = []

  /// Takes in the next scene, and notes the rows in which it differs from the last.
  mutating func update(to compositor: Compositor, _ overlay: TextOverlay) {
    let rowsPerCell = compositor.grid.rowsPerCell
    if compositor.grid != grid {
      rows = Array(repeating: true, count: compositor.grid.cells.rows)
    } else {
      compare(layers, compositor.layers) { $0.rows }
      compare(ring.map { [$0] } ?? [], compositor.ring.map { [$0] } ?? []) { $0.rows }
      compare(runs, overlay.runs) { $0.row * rowsPerCell..<($0.row + 1) * rowsPerCell }
    }
    grid = compositor.grid
    ring = compositor.ring
    layers.removeAll(keepingCapacity: true)
    layers.append(contentsOf: compositor.layers)
    runs.removeAll(keepingCapacity: true)
    runs.append(contentsOf: overlay.runs)
  }

  /// Notes that all rows have to be drawn, whatever the next scene is.
  mutating func addAll() { grid = nil }

  /// Notes that some rows have to be drawn.
  mutating func add(rows damaged: Range<Int>) {
    for row in damaged.clamped(to: rows.indices) { rows[row] = true }
  }

  /// Notes that everything is drawn.
  mutating func clear() {
    for row in rows.indices { rows[row] = false }
  }

  /// Parts are compared by their place in the order from back to front.
  private mutating func compare<Part: Equatable>(
    _ old: [Part], _ new: [Part], rowsOf: (Part) -> Range<Int>
  ) {
    for index in 0..<max(old.count, new.count) {
      let before = index < old.count ? old[index] : nil
      let after = index < new.count ? new[index] : nil
      guard before != after else { continue }
      for part in [before, after] { part.map { add(sampleRows: rowsOf($0)) } }
    }
  }

  private mutating func add(sampleRows: Range<Int>) {
    guard let perCell = grid?.rowsPerCell, !sampleRows.isEmpty else { return }
    add(rows: sampleRows.lowerBound / perCell..<(sampleRows.upperBound - 1) / perCell + 1)
  }
}
