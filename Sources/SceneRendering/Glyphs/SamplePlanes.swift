import PhotoGridCore

/// The samples of a row of cells, sorted for working on eight cells at once: one plane for each
/// sample of a cell and channel, each with a value for every cell.
struct SamplePlanes {
  let glyphs: GlyphSet
  /// Values of the row in a plane: its cells, rounded up to a multiple of `lanes`.
  private(set) var stride = 0
  /// Red, green and blue of sample 0, then of sample 1, and so on: 0 to 255.
  private(set) var values: [Float] = []
  /// For each cell the samples that are not only background, as a mask.
  private(set) var coverage: [UInt8] = []

  /// For each cell the tile that it shows, as far as palettes need it.
  var anchors: [Anchor] = []

  /// Where the first sample of a cell lies in the tile that it shows.
  struct Anchor: Equatable {
    /// The number of the tile's layer; -1 for none.
    var layer: Int32 = -1
    var column: Int32 = 0
    var row: Int32 = 0
  }

  /// How many cells are worked on at once.
  static let lanes = 8

  /// Planes of no cells yet.
  init(glyphs: GlyphSet) { self.glyphs = glyphs }

  /// Sorts a band of samples as the compositor leaves them, over a background.
  mutating func load(_ band: [SIMD4<Float>], cells: Int, background: RGB) {
    let stride = (cells + Self.lanes - 1) / Self.lanes * Self.lanes
    if stride != self.stride {
      self.stride = stride
      values = Array(repeating: 0, count: stride * glyphs.sampleCount * 3)
      coverage = Array(repeating: 0, count: stride)
    }
    let columns = glyphs.sampleColumns
    let rows = glyphs.sampleHeights.count
    precondition(band.count >= cells * columns * rows, "the band is shorter than \(cells) cells")
    let backdrop = SIMD4(Float(background.red), Float(background.green), Float(background.blue), 0)
    coverage.withUnsafeMutableBufferPointer { coverage in
      coverage.update(repeating: 0)
      values.withUnsafeMutableBufferPointer { values in
        band.withUnsafeBufferPointer { band in
          guard let coverage = coverage.baseAddress, let values = values.baseAddress,
            let band = band.baseAddress
          else { return }
          for sample in 0..<rows * columns {
            let (row, column) = sample.quotientAndRemainder(dividingBy: columns)
            let source = band + row * cells * columns + column
            let red = values + sample * 3 * stride
            let green = red + stride
            let blue = green + stride
            let bit: UInt8 = 1 << UInt8(sample)
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

  /// A sample of a cell: red, green and blue.
  func sample(_ sample: Int, ofCell cell: Int) -> SIMD3<Float> {
    let base = sample * 3 * stride + cell
    return SIMD3(values[base], values[base + stride], values[base + 2 * stride])
  }

  /// For each of eight cells how many lie to its left in its tile, and one more in every other row,
  /// but 0 at the tile's edge.
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
