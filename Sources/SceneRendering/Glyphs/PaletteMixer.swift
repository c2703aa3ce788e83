import PhotoGridCore

/// Draws cells with two of sixteen colours, so that details stay and areas keep their mean.
///
/// The colours nearest to a cell's own are each off by up to half a step of the palette, and whole
/// areas by the same. So a pattern is chosen that minimizes the squared error of the samples and,
/// weighed in addition, that of the cell's mean together with the error of the cell before. Which
/// samples show which colour follows from the picture itself, and in flat areas from the place in
/// the tile: nothing of it stays with the screen when the picture moves.
struct PaletteMixer {
  /// The pattern and the colours of a cell.
  struct Choice {
    var mask: UInt8
    /// Indices into the palette.
    var foreground: Int
    var background: Int
  }

  private let masks: CellMasks
  /// The error of the mean of the cell before.
  private var carried = SIMD4<Float>.zero
  private var lastLayer: Int32 = -1
  /// What the mean of a cell with detail weighs in this window.
  private var meanWeight: Float = 0
  private let tables = SixteenColorTables()

  /// How much the mean of a cell with detail weighs beside its samples.
  private static let leastWeight = MeanWeight(narrow: 0.31, wide: 0.35)
  /// How much more contrast a cell is drawn with than it has, since the sixteen are far apart.
  private static let contrast: Float = 1.8
  /// The most that is carried from cell to cell, in steps of 255.
  private static let mostCarried: Float = 128
  /// What the mean weighs more in a flat cell, where a pattern hides nothing and a wrong colour shows.
  private static let flatWeight: Float = 4
  /// The variance of samples, summed over the channels, at which a cell is half flat.
  ///
  /// Small, since with 6 the photos lost a third of their structure to patterns.
  private static let flatVariance: Float = 0.2

  /// A mixer for a set's glyphs.
  init(_ glyphs: GlyphSet) { masks = CellMasks(glyphs) }

  /// Forgets the cell before; at the start of a row of some cells.
  mutating func startRow(columns: Int) {
    carried = .zero
    lastLayer = -1
    meanWeight = Self.leastWeight.value(columns: columns)
  }

  /// Chooses pattern and colours of a cell; `fitted` is the pattern that suits its details best.
  mutating func mix(
    _ samples: CellSamples, _ anchor: SamplePlanes.Anchor, fitted: UInt8
  ) -> Choice {
    if anchor.layer != lastLayer { carried = .zero }
    lastLayer = anchor.layer
    let mean = samples.sum(masks.weights(of: masks.full))
    let energy = samples.energy(masks.weights(of: masks.full))
    let squares = mean * mean
    let variance = max(0, energy - squares.total)
    let wanted = mean + carried
    var search = PaletteSearch(
      wanted: wanted,
      meanWeight: meanWeight + Self.flatWeight * Self.flatVariance
        / (Self.flatVariance + variance))
    if fitted != 0 { attempt(fitted, samples, mean, energy, &search) }
    // Two halves can be told apart in one way only.
    if fitted == 0 || masks.sampleCount > 2 {
      let ranks = masks.ranks(of: samples.luma, anchor)
      for count in masks.counts(isFine: false) {
        let mask = masks.brightest(count, ranks)
        // The inverse in exchanged colours is the same.
        if mask != fitted, mask != ~fitted & masks.full {
          attempt(mask, samples, mean, energy, &search)
        }
      }
    }
    carried = (wanted - search.drawn(by: tables)).bounded(by: Self.mostCarried)
    return search.choice
  }

  /// Takes a pattern with the best two colours for it, if they are better than the best so far.
  @inline(__always)
  private func attempt(
    _ mask: UInt8, _ samples: CellSamples, _ mean: SIMD4<Float>, _ energy: Float,
    _ search: inout PaletteSearch
  ) {
    let share = masks.share(of: mask)
    let inside = samples.sum(masks.weights(of: mask))
    let front = share > 0 ? inside / share : mean
    let back = share < 1 ? (mean - inside) / (1 - share) : mean
    let explained = share * (front * front).total + (1 - share) * (back * back).total
    let rest = max(energy - explained, 0)
    guard rest < search.least else { return }
    let parts = CellParts(
      mask: mask, share: share, front: mean + (front - mean) * Self.contrast,
      back: mean + (back - mean) * Self.contrast, rest: rest)
    search.tryColors(parts, of: tables)
  }
}

/// The samples of a cell by channel, and a fourth channel of luma, since eyes tell brightness apart
/// better than hues.
struct CellSamples {
  private var red: SIMD8<Float>
  private var green: SIMD8<Float>
  private var blue: SIMD8<Float>
  /// Luma, times `lumaGain`.
  private(set) var luma: SIMD8<Float>

  /// How much an error of luma weighs beside one of a channel.
  static let lumaGain: Float = 2.5

  /// The samples of a cell.
  ///
  /// - Parameters:
  ///   - values: The planes of a row.
  ///   - stride: The values in a plane.
  ///   - count: The samples of a cell, at most eight.
  ///   - cell: The cell's place in the row.
  @inline(__always)
  init(_ values: UnsafeRawBufferPointer, stride: Int, count: Int, cell: Int) {
    (red, green, blue, luma) = (.zero, .zero, .zero, .zero)
    let size = MemoryLayout<Float>.stride
    var place = cell &* size
    for sample in 0..<count {
      red[sample] = values.load(fromByteOffset: place, as: Float.self)
      green[sample] = values.load(fromByteOffset: place &+ stride &* size, as: Float.self)
      blue[sample] = values.load(fromByteOffset: place &+ 2 &* stride &* size, as: Float.self)
      place &+= 3 &* stride &* size
    }
    luma = (red * 0.299 + green * 0.587 + blue * 0.114) * Self.lumaGain
  }

  /// The weighted sum of the samples.
  @inline(__always)
  func sum(_ weights: SIMD8<Float>) -> SIMD4<Float> {
    SIMD4(
      (red * weights).total, (green * weights).total, (blue * weights).total,
      (luma * weights).total)
  }

  /// The weighted sum of their squares.
  func energy(_ weights: SIMD8<Float>) -> Float {
    ((red * red + green * green + blue * blue + luma * luma) * weights).total
  }

  /// A colour with its luma as a fourth channel.
  @inline(__always)
  static func withLuma(_ color: SIMD4<Float>) -> SIMD4<Float> {
    var color = color
    color.w = (color.x * 0.299 + color.y * 0.587 + color.z * 0.114) * lumaGain
    return color
  }
}

/// The two colours that a mask should have in a cell, and the error that it leaves.
struct CellParts {
  var mask: UInt8
  /// The share of the cell that shows the foreground.
  var share: Float
  var front: SIMD4<Float>
  var back: SIMD4<Float>
  /// The squared error that the two means leave.
  var rest: Float
}
