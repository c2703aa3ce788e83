import Photos

/// The samples of a row of cells in planes, so that eight cells can be computed together.
///
/// There is a plane for each sample of a cell and each channel, with a value for every cell:
///
///     sample 0, red      cell 0, cell 1, cell 2, …
///     sample 0, green    cell 0, cell 1, cell 2, …
///     sample 0, blue     cell 0, cell 1, cell 2, …
///     sample 1, red      …
struct SamplePlanes {
  /// The glyphs that divide a cell into samples.
  let glyphs: GlyphSet
  /// The number of values in a plane: the cells of the row, rounded up to a multiple of `lanes`.
  private(set) var stride = 0
  /// The planes of samples; values are 0 to 255.
  private(set) var values: [Float] = []
  /// The planes of parts of samples, if they are cut; values are 0 to 255.
  private(set) var parts: [Float] = []
  /// Whether the samples of the row are cut into parts.
  private(set) var hasParts = false
  /// For each cell, the samples that the scene covers at least in part, as a mask.
  private(set) var coverage: [UInt8] = []

  /// For each cell, its position in the tile that it shows, which dithering depends on.
  var anchors: [Anchor] = []

  /// The position of a cell's first sample in the tile that the cell shows.
  struct Anchor: Equatable {
    /// The index of the tile's layer; -1 for none.
    var layer: Int32 = -1
    /// The sample column, from the tile's left edge.
    var column: Int32 = 0
    /// The sample row, from the tile's upper edge.
    var row: Int32 = 0
  }

  /// The number of cells that are computed together.
  static let lanes = 8

  /// Creates planes without cells.
  init(glyphs: GlyphSet) { self.glyphs = glyphs }

  /// Loads a band of samples, as the compositor paints them, blended over a background.
  mutating func load(_ band: [SIMD4<Float>], cells: Int, background: RGB) {
    resize(cells: cells)
    hasParts = false
    let columns = glyphs.sampleColumns
    precondition(
      band.count >= cells * glyphs.sampleCount, "the band is shorter than \(cells) cells")
    let bits = (0..<glyphs.sampleCount).map { UInt8(1) << UInt8($0) }
    // Moved out of the struct, so that they can be changed while it is read.
    var values: [Float] = []
    swap(&values, &self.values)
    sort(band, cells: cells, columns: columns, bits: bits, background, into: &values)
    swap(&values, &self.values)
  }

  /// Loads a band of samples that are cut into parts; a sample is the mean of its parts.
  mutating func load(
    _ band: [SIMD4<Float>], cells: Int, background: RGB, cut: SampleCut
  ) {
    resize(cells: cells)
    hasParts = true
    let columns = glyphs.sampleColumns * cut.columns
    precondition(
      band.count >= cells * columns * cut.lineCount, "the band is shorter than \(cells) cells")
    let size = stride * cut.lineCount * columns * 3
    if parts.count != size { parts = Array(repeating: 0, count: size) }
    var parts: [Float] = []
    swap(&parts, &self.parts)
    sort(
      band, cells: cells, columns: columns, bits: cut.samples.map { 1 << UInt8($0) }, background,
      into: &parts)
    swap(&parts, &self.parts)
    addUp(cut.samples)
  }

  private mutating func resize(cells: Int) {
    let stride = (cells + Self.lanes - 1) / Self.lanes * Self.lanes
    guard stride != self.stride else { return }
    self.stride = stride
    values = Array(repeating: 0, count: stride * glyphs.sampleCount * 3)
    coverage = Array(repeating: 0, count: stride)
  }

  /// Writes the means of parts to the planes of samples; `samples` is the sample of each part.
  private mutating func addUp(_ samples: [Int]) {
    let stride = self.stride
    let plane = stride * 3
    values.withUnsafeMutableBufferPointer { values in
      parts.withUnsafeBufferPointer { parts in
        values.update(repeating: 0)
        for (part, sample) in samples.enumerated() {
          let share = 1 / Float(samples.count { $0 == sample })
          for index in 0..<plane {
            values[sample * plane + index] += parts[part * plane + index] * share
          }
        }
      }
    }
  }

  /// Sorts a band into planes, and sets the bits of covered samples in `coverage`.
  private mutating func sort(
    _ band: [SIMD4<Float>], cells: Int, columns: Int, bits: [UInt8], _ background: RGB,
    into planes: inout [Float]
  ) {
    let stride = self.stride
    let backdrop = SIMD4(Float(background.red), Float(background.green), Float(background.blue), 0)
    coverage.withUnsafeMutableBufferPointer { coverage in
      coverage.update(repeating: 0)
      planes.withUnsafeMutableBufferPointer { values in
        band.withUnsafeBufferPointer { band in
          guard let coverage = coverage.baseAddress, let values = values.baseAddress,
            let band = band.baseAddress
          else { return }
          for (sample, bit) in bits.enumerated() {
            let (row, column) = sample.quotientAndRemainder(dividingBy: columns)
            let source = band + row * cells * columns + column
            let red = values + sample * 3 * stride
            let green = red + stride
            let blue = green + stride
            for cell in 0..<cells {
              let value = source[cell * columns]
              let over = value + backdrop * (1 - value.w * (1 / 255))
              red[cell] = over.x
              green[cell] = over.y
              blue[cell] = over.z
              coverage[cell] |= value.w > 0 ? bit : 0
            }
          }
        }
      }
    }
  }

  /// Returns a sample of a cell: red, green and blue, 0 to 255.
  func sample(_ sample: Int, ofCell cell: Int) -> SIMD3<Float> {
    let base = sample * 3 * stride + cell
    return SIMD3(values[base], values[base + stride], values[base + 2 * stride])
  }

  /// Returns for each of eight cells how many cells lie to its left in its tile.
  ///
  /// It is one more in every other row, except for the first cell, for which it is always 0.
  func columns(at first: Int) -> SIMD8<Int32> {
    var result = SIMD8<Int32>.zero
    let (columns, rows) = (Int32(glyphs.sampleColumns), Int32(glyphs.sampleHeights.count))
    for lane in 0..<min(Self.lanes, anchors.count - first) {
      let anchor = anchors[first + lane]
      let column = max(anchor.column + columns - 1, 0) / columns
      result[lane] = column == 0 ? 0 : column + (anchor.row + rows - 1) / rows & 1
    }
    return result
  }
}
