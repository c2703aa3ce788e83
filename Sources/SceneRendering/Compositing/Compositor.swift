import PhotoGridCore

/// Paints a scene into samples, one row of cells at a time.
///
/// A row of cells at a time stays in the processor's first cache, whatever the size of the screen.
struct Compositor {
  let appearance: Appearance
  private(set) var grid: SampleGrid
  /// The placements that show, back to front.
  private(set) var layers: [Layer] = []
  private(set) var ring: RingLayer?
  /// Samples of the present row of cells, `grid.width` to a sample row: what covers the
  /// background, premultiplied, 0 to 255 in all four channels; the fourth is how much it covers.
  private(set) var band: [SIMD4<Float>] = []
  private var scratch: [SIMD4<Float>] = []

  /// A compositor with nothing to paint yet.
  init(glyphs: GlyphSet, appearance: Appearance) {
    self.appearance = appearance
    grid = SampleGrid(glyphs: glyphs, metrics: .standard, area: .zero)
  }

  /// Takes in a scene; `content` says what there is to show of each placement.
  mutating func prepare(
    _ scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent
  ) {
    grid = SampleGrid(glyphs: grid.glyphs, metrics: metrics, area: scene.size)
    layers.removeAll(keepingCapacity: true)
    for placement in scene.placements {
      let layer = Layer(
        placement, content: content(placement), on: grid, isMoving: scene.isMoving,
        appearance: appearance)
      if let layer { layers.append(layer) }
    }
    removeHidden()
    ring = scene.ring.flatMap { RingLayer($0, on: grid) }
  }

  /// Whether there is anything but background in a row of cells.
  func isEmpty(row: Int) -> Bool {
    let rows = sampleRows(ofRow: row)
    return ring?.rows.overlaps(rows) != true && !layers.contains { $0.rows.overlaps(rows) }
  }

  /// The sample rows in a row of cells.
  func sampleRows(ofRow row: Int) -> Range<Int> {
    row * grid.rowsPerCell..<(row + 1) * grid.rowsPerCell
  }

  /// Paints a row of cells into `band`.
  mutating func paint(row: Int) {
    let rows = sampleRows(ofRow: row)
    let count = grid.width * grid.rowsPerCell
    // Out of the struct, so that the layers can be read while they are written.
    var (band, scratch) = ([SIMD4<Float>](), [SIMD4<Float>]())
    swap(&band, &self.band)
    swap(&scratch, &self.scratch)
    if band.count != count { band = Array(repeating: .zero, count: count) }
    band.withUnsafeMutableBufferPointer { band in
      guard let base = band.baseAddress else { return }
      band.update(repeating: .zero)
      for layer in layers {
        for row in layer.rows.clamped(to: rows) {
          let samples = base + (row - rows.lowerBound) * grid.width
          paint(layer, row: row, over: samples, scratch: &scratch)
        }
      }
      guard let ring else { return }
      for row in ring.rows.clamped(to: rows) {
        paint(ring, row: row, over: base + (row - rows.lowerBound) * grid.width)
      }
    }
    swap(&band, &self.band)
    swap(&scratch, &self.scratch)
  }

  private func paint(
    _ layer: Layer, row: Int, over samples: UnsafeMutablePointer<SIMD4<Float>>,
    scratch: inout [SIMD4<Float>]
  ) {
    switch layer.paint {
    case .flat(let color), .words(_, on: let color):
      Self.fill(layer.columns, of: samples, with: color, opacity: layer.opacity)
    case .picture(let sampler):
      sampler.paint(
        columns: layer.columns, sampleWidth: grid.sampleWidth, extent: grid.extent(ofRow: row),
        opacity: layer.opacity, over: samples, scratch: &scratch)
    }
  }

  /// Where placements are, the ring is not: it belongs to the gaps between them.
  private func paint(
    _ ring: RingLayer, row: Int, over samples: UnsafeMutablePointer<SIMD4<Float>>
  ) {
    let isBesideTile = ring.innerRows.contains(row)
    let color = appearance.accent
    for x in ring.columns where samples[x].w == 0 {
      if isBesideTile && ring.innerColumns.contains(x) { continue }
      Self.fill(x..<x + 1, of: samples, with: color, opacity: ring.opacity)
    }
  }

  private static func fill(
    _ columns: Range<Int>, of samples: UnsafeMutablePointer<SIMD4<Float>>, with color: RGB,
    opacity: Double
  ) {
    let opacity = Float(opacity)
    let sample = SIMD4(Float(color.red), Float(color.green), Float(color.blue), 255) * opacity
    for x in columns { samples[x] = sample + samples[x] * (1 - opacity) }
  }

  /// Drops what lies wholly behind the largest layer that hides.
  private mutating func removeHidden() {
    var hiding: (index: Int, area: Int)?
    for (index, layer) in layers.enumerated() where layer.isOpaque {
      let area = layer.columns.count * layer.rows.count
      if area >= hiding?.area ?? 0 { hiding = (index, area) }
    }
    guard let hiding else { return }
    let front = layers[hiding.index]
    var index = 0
    layers.removeAll { layer in
      defer { index += 1 }
      return index < hiding.index && front.contains(layer)
    }
  }
}
