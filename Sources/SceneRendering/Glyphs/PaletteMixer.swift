import Geometry

/// Draws cells with two of sixteen colors, so that details stay and areas keep their mean.
///
/// The nearest colors alone would be wrong by up to half a step of the palette, and in the same
/// way over whole areas. So the chosen pattern minimizes the squared error of the samples plus the
/// weighted squared error of the cell's mean, to which the error of the previous cell was added.
/// The order in which samples get the foreground follows from the picture itself, and in flat areas
/// from the position in the tile: the pattern moves with the picture, rather than staying with the
/// screen.
struct PaletteMixer {
  /// The pattern and the colors of a cell.
  struct Choice {
    /// The samples that show the foreground.
    var mask: UInt8
    /// The index into the palette.
    var foreground: Int
    /// The index into the palette.
    var background: Int
  }

  private let masks: CellMasks
  /// The error of the mean of the previous cell.
  private var carried = SIMD4<Float>.zero
  /// The layer of the previous cell; errors are not carried to another layer.
  private var lastLayer: Int32 = -1
  /// The weight of the mean of a cell with details, in a window of the current width.
  private var meanWeight: Float = 0
  private let tables = SixteenColorTables()

  /// The weight of the mean of a cell with details; its samples have weight 1.
  private static let minWeight = MeanWeight(narrow: 0.41, wide: 0.41)
  private static let contrast = DetailContrast(goal: 25, most: 3)
  /// The largest error that is carried from cell to cell, in each channel.
  private static let maxCarried: Float = 128
  /// The weight that is added in a flat cell, where a wrong mean is visible.
  private static let flatWeight: Float = 4
  /// The variance of samples, summed over the channels, at which half of `flatWeight` is added.
  ///
  /// That is only in cells of one color: with more, smooth skies and dark clothes get specks.
  private static let flatVariance: Float = 0.004

  init(_ glyphs: GlyphSet) { masks = CellMasks(glyphs) }

  /// Starts a row of cells, the first of which gets no error.
  mutating func startRow(columns: Int) {
    carried = .zero
    lastLayer = -1
    meanWeight = Self.minWeight.value(columns: columns)
  }

  /// Chooses the pattern and the colors of a cell.
  ///
  /// `fitted` is the pattern with the least error if any colors could be used.
  @inline(__always)
  mutating func mix(
    _ values: UnsafeRawBufferPointer, stride: Int, cell: Int, _ anchor: SamplePlanes.Anchor,
    fitted: UInt8
  ) -> Choice {
    guard masks.sampleCount != 2 else {
      return mix(CellHalves(values, stride: stride, cell: cell), anchor, fitted: fitted)
    }
    let samples = CellSamples(values, stride: stride, count: masks.sampleCount, cell: cell)
    return mix(samples, anchor, fitted: fitted)
  }

  private mutating func mix(
    _ samples: CellSamples, _ anchor: SamplePlanes.Anchor, fitted: UInt8
  ) -> Choice {
    let mean = samples.sum(masks.weights(of: masks.full))
    let energy = samples.energy(masks.weights(of: masks.full))
    var search = search(mean, energy, anchor)
    let contrast = Self.contrast(samples.luma, masks.weights(of: masks.full), mean)
    func attempt(_ mask: UInt8) {
      self.attempt(mask, samples.sum(masks.weights(of: mask)), mean, energy, contrast, &search)
    }
    if fitted != 0 { attempt(fitted) }
    let ranks = masks.ranks(of: samples.luma, anchor)
    for count in masks.counts(isFine: false) {
      let mask = masks.brightest(count, ranks)
      // The inverse in exchanged colors is the same.
      if mask != fitted, mask != ~fitted & masks.full { attempt(mask) }
    }
    return choice(of: search)
  }

  /// Chooses the colors of a cell of two samples, which has only one pattern, apart from its
  /// inverse.
  private mutating func mix(
    _ halves: CellHalves, _ anchor: SamplePlanes.Anchor, fitted: UInt8
  ) -> Choice {
    let (mean, energy) = (halves.mean, halves.energy)
    var search = search(mean, energy, anchor)
    var mask = fitted
    if mask == 0 { mask = masks.brightest(1, masks.ranks(of: halves.luma, anchor)) }
    let contrast = Self.contrast(halves.luma, masks.weights(of: masks.full), mean)
    if mask != masks.full { attempt(mask, halves.sum(mask), mean, energy, contrast, &search) }
    return choice(of: search)
  }

  /// Begins the search for the best pattern and colors of a cell.
  @inline(__always)
  private mutating func search(
    _ mean: SIMD4<Float>, _ energy: Float, _ anchor: SamplePlanes.Anchor
  ) -> PaletteSearch {
    if anchor.layer != lastLayer { carried = .zero }
    lastLayer = anchor.layer
    let variance = max(0, energy - (mean * mean).total)
    return PaletteSearch(
      wanted: mean + carried,
      meanWeight: meanWeight + Self.flatWeight * Self.flatVariance
        / (Self.flatVariance + variance))
  }

  /// Returns the best choice, and carries its error to the next cell.
  @inline(__always)
  private mutating func choice(of search: PaletteSearch) -> Choice {
    carried = (search.wanted - search.drawn(by: tables)).bounded(by: Self.maxCarried)
    return search.choice
  }

  /// Returns the factor of the contrast inside a cell with the given samples.
  @inline(__always)
  private static func contrast(
    _ luma: SIMD8<Float>, _ weights: SIMD8<Float>, _ mean: SIMD4<Float>
  ) -> Float {
    let variance = max(0, (luma * luma * weights).total - mean.w * mean.w)
    return contrast.factor(deviation: variance.squareRoot() / CellSamples.lumaGain)
  }

  /// Tries a pattern with the two best colors for it, and keeps it if it is better than the best
  /// so far; `inside` is the weighted sum of the pattern's samples.
  @inline(__always)
  private func attempt(
    _ mask: UInt8, _ inside: SIMD4<Float>, _ mean: SIMD4<Float>, _ energy: Float, _ contrast: Float,
    _ search: inout PaletteSearch
  ) {
    let share = masks.share(of: mask)
    let front = share > 0 ? inside / share : mean
    let back = share < 1 ? (mean - inside) / (1 - share) : mean
    let explained = share * (front * front).total + (1 - share) * (back * back).total
    let rest = max(energy - explained, 0) * (contrast * contrast)
    guard rest < search.least else { return }
    let parts = CellParts(
      mask: mask, share: share, front: mean + (front - mean) * contrast,
      back: mean + (back - mean) * contrast, rest: rest)
    search.tryColors(parts, of: tables)
  }
}

/// The samples of a cell by channel, with luma as a fourth channel, since eyes distinguish
/// brightness better than hue.
struct CellSamples {
  private var red: SIMD8<Float>
  private var green: SIMD8<Float>
  private var blue: SIMD8<Float>
  /// The luma, multiplied by `lumaGain`.
  private(set) var luma: SIMD8<Float>

  /// The factor of luma, so that its errors count more than those of the other channels.
  static let lumaGain: Float = 2.5

  /// Reads the samples of a cell, at most eight, from planes.
  @inline(__always)
  init(_ values: UnsafeRawBufferPointer, stride: Int, count: Int, cell: Int) {
    (red, green, blue, luma) = (.zero, .zero, .zero, .zero)
    let size = MemoryLayout<Float>.stride
    var offset = cell &* size
    for sample in 0..<count {
      red[sample] = values.load(fromByteOffset: offset, as: Float.self)
      green[sample] = values.load(fromByteOffset: offset &+ stride &* size, as: Float.self)
      blue[sample] = values.load(fromByteOffset: offset &+ 2 &* stride &* size, as: Float.self)
      offset &+= 3 &* stride &* size
    }
    luma = (red * 0.299 + green * 0.587 + blue * 0.114) * Self.lumaGain
  }

  @inline(__always)
  func sum(_ weights: SIMD8<Float>) -> SIMD4<Float> {
    SIMD4(
      (red * weights).total, (green * weights).total, (blue * weights).total,
      (luma * weights).total)
  }

  /// Returns the weighted sum of the squares of the samples, over all channels.
  @inline(__always)
  func energy(_ weights: SIMD8<Float>) -> Float {
    ((red * red + green * green + blue * blue + luma * luma) * weights).total
  }

  /// Returns a color with its luma as a fourth channel, multiplied by `lumaGain`.
  @inline(__always)
  static func withLuma(_ color: SIMD4<Float>) -> SIMD4<Float> {
    var color = color
    color.w = (color.x * 0.299 + color.y * 0.587 + color.z * 0.114) * lumaGain
    return color
  }
}

/// The two samples of a cell of half blocks, each with luma as a fourth channel.
struct CellHalves {
  private let upper: SIMD4<Float>
  private let lower: SIMD4<Float>

  /// Reads the samples of a cell; the parameters are those of `CellSamples`.
  @inline(__always)
  init(_ values: UnsafeRawBufferPointer, stride: Int, cell: Int) {
    @inline(__always)
    func value(_ plane: Int) -> Float {
      values.load(
        fromByteOffset: (plane &* stride &+ cell) &* MemoryLayout<Float>.stride, as: Float.self)
    }
    upper = CellSamples.withLuma(SIMD4(value(0), value(1), value(2), 0))
    lower = CellSamples.withLuma(SIMD4(value(3), value(4), value(5), 0))
  }

  /// The mean of both samples.
  @inline(__always)
  var mean: SIMD4<Float> { upper * 0.5 + lower * 0.5 }

  /// The mean of the squares of the samples, summed over the channels.
  @inline(__always)
  var energy: Float {
    let (above, below) = (upper * upper, lower * lower)
    return (above.x + above.y + above.z + above.w) * 0.5
      + (below.x + below.y + below.z + below.w) * 0.5
  }

  /// Returns the weighted sum of the sample in a pattern of one sample.
  @inline(__always)
  func sum(_ mask: UInt8) -> SIMD4<Float> { (mask & 1 != 0 ? upper : lower) * 0.5 }

  /// The luma of both samples, as the first two of eight.
  var luma: SIMD8<Float> { SIMD8(upper.w, lower.w, 0, 0, 0, 0, 0, 0) }
}

/// A pattern of a cell, the two colors that it should have, and the error that it leaves.
struct CellParts {
  /// The samples that show the foreground.
  var mask: UInt8
  /// The share of the cell that shows the foreground.
  var share: Float
  /// The wanted foreground.
  var front: SIMD4<Float>
  /// The wanted background.
  var back: SIMD4<Float>
  /// The squared error of the samples if each has the mean of its group.
  var rest: Float
}
