import Geometry
import Photos
import SceneModel

/// Paints a scene into samples, one band at a time.
///
/// A band is usually one row of cells, which fits into the processor's first cache, whatever the
/// size of the screen.
struct Compositor {
  let appearance: Appearance
  private(set) var grid: SampleGrid
  /// The visible placements, back to front.
  private(set) var layers: [Layer] = []
  /// The number of layers of tiles, over which captions lie; they are the first layers.
  private(set) var tileLayerCount = 0
  /// The rings around tiles; where two meet, the first is visible.
  private(set) var rings: [RingLayer] = []
  /// The samples of the current band, row by row: RGBA, premultiplied, 0 to 255 in each channel.
  ///
  /// Alpha is how much the scene covers the background.
  private(set) var band: [SIMD4<Float>] = []
  private var scratch: [SIMD4<Float>] = []

  init(_ sampling: SampleGrid.Sampling, appearance: Appearance) {
    self.appearance = appearance
    grid = SampleGrid(sampling, metrics: .standard, area: .zero)
  }

  mutating func prepare(
    _ scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent
  ) {
    grid = SampleGrid(grid.sampling, metrics: metrics, area: scene.size)
    layers.removeAll(keepingCapacity: true)
    tileLayerCount = 0
    for (index, placement) in scene.placements.enumerated() {
      let layer = Layer(
        placement, content: content(placement), isTile: index < scene.tileCount, on: grid,
        isMoving: scene.isMoving, appearance: appearance)
      if let layer {
        layers += layer.parted(by: placement.outside, on: grid)
        if grid.sampling != .pixels {
          layers += Layer.shades(
            behind: placement, on: grid, opacity: layer.opacity, backdrop: appearance.backdrop)
        }
      }
      if index < scene.tileCount { tileLayerCount = layers.count }
    }
    removeHidden()
    rings.removeAll(keepingCapacity: true)
    if let ring = scene.ring { draw(ring) }
    for ring in scene.marks + scene.outlines { draw(ring) }
  }

  private mutating func draw(_ ring: Scene.Ring) {
    let layer = RingLayer(
      ring, appearance.ink(of: ring.meaning), on: grid, isOutlined: appearance.hasOutlinedRings)
    if let layer { rings.append(layer) }
  }

  /// Whether some cells of a row show only background.
  func isEmpty(row: Int, columns: [Range<Int>]) -> Bool {
    for columns in columns where !isEmpty(row: row, columns: columns) { return false }
    return true
  }

  private func isEmpty(row: Int, columns: Range<Int>) -> Bool {
    let rows = sampleRows(ofRow: row)
    let columns =
      columns.lowerBound * grid.columnsPerCell..<columns.upperBound * grid.columnsPerCell
    return !rings.contains { $0.rows.overlaps(rows) && $0.columns.overlaps(columns) }
      && !layers.contains { $0.intersects(columns: columns, rows: rows) }
  }

  /// Returns the sample rows in a row of cells.
  func sampleRows(ofRow row: Int) -> Range<Int> {
    row * grid.rowsPerCell..<(row + 1) * grid.rowsPerCell
  }

  /// Paints a row of cells into `band`, each sample cut into parts if `cut` is given.
  mutating func paint(row: Int, cut: SampleCut? = nil) {
    paint(rows: sampleRows(ofRow: row), columns: 0..<grid.width, cut: cut)
  }

  /// The parts of a scene to paint.
  enum Part {
    /// All layers, then all rings.
    case everything
    case layer(Int)
    /// One layer and those behind it.
    case layers(through: Int)
    /// Everything except pictures: samples with a picture in front are `hole`.
    case allButPictures
  }

  /// The sample of a picture that was left out; no color equals it.
  static let hole = SIMD4<Float>(-255, -255, -255, 255)

  /// Paints some samples into `band`, `columns.count` to a row.
  ///
  /// - Parameters:
  ///   - rows: The sample rows; if samples are cut, they must be those of a row of cells.
  ///   - columns: The sample columns.
  ///   - part: The part of the scene to paint.
  ///   - cut: How each sample is cut into parts, of which the band then consists; nil for whole
  ///     samples.
  mutating func paint(
    rows: Range<Int>, columns: Range<Int>, _ part: Part = .everything, cut: SampleCut? = nil
  ) {
    let count = columns.count * (cut?.columns ?? 1) * (cut?.lineCount ?? rows.count)
    // Moved out of the struct, so that layers can be read while these arrays are written.
    var (band, scratch) = ([SIMD4<Float>](), [SIMD4<Float>]())
    swap(&band, &self.band)
    swap(&scratch, &self.scratch)
    if band.count < count { band = Array(repeating: .zero, count: count) }
    band.withUnsafeMutableBufferPointer { band in
      guard let base = band.baseAddress else { return }
      band[..<count].update(repeating: .zero)
      let lines = BandLines(base: base, rows: rows, columns: columns, cut: cut)
      // Taking a layer out of the array counts references, so only those in sight are.
      for index in layers(of: part) where layers[index].rows.overlaps(rows) {
        paint(layers[index], into: lines, leavesHole: part.hasHoles, scratch: &scratch)
      }
      for ring in part.hasRings ? rings : [] where ring.isOutlined { outline(ring, in: lines) }
      for ring in part.hasRings ? rings : [] { paint(ring, into: lines) }
      if appearance.background == nil, grid.sampling != .pixels { Self.undim(band[..<count]) }
    }
    swap(&band, &self.band)
    swap(&scratch, &self.scratch)
  }

  /// Makes translucent samples opaque in their own colors: over an unknown background, a fade to
  /// black would be a flash on a light terminal.
  private static func undim(_ band: Slice<UnsafeMutableBufferPointer<SIMD4<Float>>>) {
    for index in band.indices where band[index].w > 0 && band[index].w < 255 {
      band.base[index] *= 255 / band[index].w
    }
  }

  private func layers(of part: Part) -> Range<Int> {
    switch part {
    case .everything, .allButPictures: layers.indices
    case .layer(let index): index..<index + 1
    case .layers(let last): 0..<last + 1
    }
  }

  /// Finds the front layer of each cell of a row, and the cell's position in that layer.
  func anchor(row: Int, cells: Int, into anchors: inout [SamplePlanes.Anchor]) {
    if anchors.count != cells { anchors = Array(repeating: .init(), count: cells) }
    for cell in anchors.indices { anchors[cell] = .init() }
    let rows = sampleRows(ofRow: row)
    for index in layers.indices where layers[index].rows.overlaps(rows) {
      let layer = layers[index]
      let (first, last) = (
        layer.columns.lowerBound / grid.columnsPerCell,
        (layer.columns.upperBound - 1) / grid.columnsPerCell
      )
      for cell in first...last where anchors.indices.contains(cell) {
        anchors[cell] = SamplePlanes.Anchor(
          layer: Int32(index),
          column: Int32(cell * grid.columnsPerCell - layer.columns.lowerBound),
          row: Int32(rows.lowerBound - layer.rows.lowerBound))
      }
    }
  }

  /// Paints a layer, or holes where it is a picture and `leavesHole` is true.
  private func paint(
    _ layer: Layer, into band: BandLines, leavesHole: Bool, scratch: inout [SIMD4<Float>]
  ) {
    let shown = layer.columns.clamped(to: band.columns)
    guard !shown.isEmpty else { return }
    let columns = shown.lowerBound * band.split..<shown.upperBound * band.split
    for row in layer.rows.clamped(to: band.rows) {
      for line in band.lines(ofRow: row) {
        let samples = band.samples(ofLine: line)
        switch layer.paint {
        case .flat(let color), .words(_, on: let color):
          Self.fill(columns, of: samples, with: color, opacity: layer.opacity)
        case .picture where leavesHole:
          for x in columns { samples[x] = Self.hole }
        case .picture(let sampler):
          sampler.paint(
            columns: columns, sampleWidth: grid.sampleWidth / Double(band.split),
            extent: grid.extent(ofRow: row, line: line, of: band.cut), opacity: layer.opacity,
            over: samples, scratch: &scratch)
        }
      }
    }
  }

  /// Clears the samples of a ring and those beside it.
  private func outline(_ ring: RingLayer, in band: BandLines) {
    let columns = (ring.columns.lowerBound - 1..<ring.columns.upperBound + 1).clamped(
      to: band.columns)
    let rows = (ring.rows.lowerBound - 1..<ring.rows.upperBound + 1).clamped(to: band.rows)
    let steps = -1...1
    for row in rows {
      for x in columns
      where steps.contains(where: { dy in
        steps.contains { ring.color(x + $0, row + dy) != nil }
      }) {
        for line in band.lines(ofRow: row) {
          for part in x * band.split..<(x + 1) * band.split {
            band.samples(ofLine: line)[part] = .zero
          }
        }
      }
    }
  }

  /// Paints a ring in the gaps between placements; a raised ring over placements, too.
  private func paint(_ ring: RingLayer, into band: BandLines) {
    for row in ring.rows.clamped(to: band.rows) {
      // In the rows of the tile, the ring is only left and right of it.
      let isBeside = ring.innerRows.contains(row)
      let inner =
        isBeside ? ring.innerColumns : ring.columns.upperBound..<ring.columns.upperBound
      for line in band.lines(ofRow: row) {
        let samples = band.samples(ofLine: line)
        for side in [
          ring.columns.lowerBound..<inner.lowerBound, inner.upperBound..<ring.columns.upperBound,
        ] {
          for x in side.clamped(to: band.columns) {
            guard let color = ring.color(x, row) else { continue }
            for part in x * band.split..<(x + 1) * band.split
            where ring.isRaised || samples[part].w == 0 {
              Self.fill(part..<part + 1, of: samples, with: color, opacity: ring.opacity)
            }
          }
        }
      }
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

  /// Removes layers that lie wholly behind the largest opaque layer.
  private mutating func removeHidden() {
    var hiding: (index: Int, area: Int)?
    for (index, layer) in layers.enumerated() where layer.isOpaque {
      let area = layer.columns.count * layer.rows.count
      if area >= hiding?.area ?? 0 { hiding = (index, area) }
    }
    guard let hiding else { return }
    let front = layers[hiding.index]
    var (index, removedTiles) = (0, 0)
    let tileCount = tileLayerCount
    layers.removeAll { layer in
      defer { index += 1 }
      guard index < hiding.index && front.contains(layer) else { return false }
      if index < tileCount { removedTiles += 1 }
      return true
    }
    tileLayerCount -= removedTiles
  }
}

extension Compositor.Part {
  /// Whether rings are painted, too.
  fileprivate var hasRings: Bool {
    switch self {
    case .everything, .allButPictures: true
    case .layer, .layers: false
    }
  }

  fileprivate var hasHoles: Bool {
    if case .allButPictures = self { true } else { false }
  }
}

/// The memory of a band that is being painted, line by line.
///
/// A line is a row of samples, or of the parts of samples if they are cut.
struct BandLines {
  /// The first sample of the band.
  let base: UnsafeMutablePointer<SIMD4<Float>>
  /// The rows of samples in the band.
  let rows: Range<Int>
  /// The columns of samples in the band.
  let columns: Range<Int>
  /// How each sample is cut into parts; nil for whole samples.
  let cut: SampleCut?

  /// The number of parts of a sample side by side.
  var split: Int { cut?.columns ?? 1 }

  /// Returns the lines in a row of samples.
  func lines(ofRow row: Int) -> Range<Int> {
    let index = row - rows.lowerBound
    return cut?.lines(ofRow: index) ?? index..<index + 1
  }

  /// Returns the address that column 0 of a line would have.
  ///
  /// Only the band's columns exist in memory.
  func samples(ofLine line: Int) -> UnsafeMutablePointer<SIMD4<Float>> {
    base + (line * columns.count - columns.lowerBound) * split
  }
}
