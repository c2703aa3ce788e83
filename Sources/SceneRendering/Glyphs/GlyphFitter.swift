import Photos

/// Finds for every cell the pattern and the two colors with the least squared error.
///
/// The error of a pattern is the variance of the samples less the part that the means of its two
/// groups explain. Let s be the weighted sum of the pattern's samples, relative to the cell's mean,
/// n the weight of the pattern and N that of the cell: then the part is |s|² · (1/n + 1/(N − n)).
/// If patterns are tried in an order in which one block joins or leaves at a time (Gray code), each
/// pattern costs an addition to s and a multiplication.
struct GlyphFitter {
  /// The glyphs to choose from.
  let glyphs: GlyphSet
  /// The colors to choose from.
  let depth: ColorDepth
  /// The weight of each sample: its height.
  private let weights: [Float]
  /// The patterns to try, in order.
  private let steps: [Step]
  /// The wedges to try where samples are cut into parts; nil for none.
  private var wedges: WedgeTrials?
  /// The blocks that join or leave, as masks.
  private let units: [UInt8]
  /// For each mask, whether the set has a glyph for it.
  private let hasGlyph: [Bool]
  /// Red, green and blue of each sample, then of each unit that joins, then of each unit that
  /// leaves, for eight cells; relative to the cells' means, and weighted.
  private var deltas: [Lanes]
  /// The pattern of cells in which all samples are equal: half of them in the foreground.
  let flatMask: Int32
  /// Chooses among 256 colors; nil at other depths.
  var chain: PaletteChain?
  /// Chooses among sixteen colors; nil at other depths.
  private var mixer: PaletteMixer?

  /// A value for each of eight cells.
  typealias Lanes = SIMD8<Float>

  /// A pattern to try, as a change of the previous one.
  struct Step {
    /// The index in `deltas` of the red to add.
    let delta: Int
    /// 1/n + 1/(N − n).
    let factor: Float
    /// The mask of the pattern.
    let mask: Int32
  }

  /// Creates a fitter for a glyph set and a depth of colors, with wedges if the terminal draws
  /// them.
  init(glyphs: GlyphSet, depth: ColorDepth, hasWedges: Bool = false) {
    self.glyphs = glyphs
    self.depth = depth
    let weights = glyphs.sampleHeights.flatMap {
      Array(repeating: Float($0), count: glyphs.sampleColumns)
    }
    let total = weights.reduce(0, +)
    var units: [UInt8] = []
    for trial in glyphs.trials where !units.contains(trial.toggled) { units.append(trial.toggled) }
    var steps: [Step] = []
    for trial in glyphs.trials {
      let weight = weights.indices.reduce(Float(0)) {
        $0 + (trial.mask & 1 << UInt8($1) == 0 ? 0 : weights[$1])
      }
      let unit = units.firstIndex(of: trial.toggled) ?? 0
      let joins = trial.mask & trial.toggled != 0
      steps.append(
        Step(
          delta: 3 * (weights.count + unit + (joins ? 0 : units.count)),
          factor: 1 / weight + 1 / (total - weight), mask: Int32(trial.mask)))
    }
    self.weights = weights
    self.units = units
    self.steps = steps
    wedges = hasWedges && depth == .full ? WedgeTrials(glyphs) : nil
    mixer = depth == .palette16 ? PaletteMixer(glyphs) : nil
    flatMask =
      switch glyphs {
      case .ascii: 0
      case .half: 0b10
      case .quadrant: 0b0110
      case .sextant: 0b01_10_10_01
      case .octant: 0b01_10_01_10
      }
    chain = depth == .palette256 ? PaletteChain() : nil
    hasGlyph = (0...255).map { glyphs.scalar(for: UInt8($0)) != nil }
    deltas = Array(repeating: .zero, count: 3 * (weights.count + 2 * units.count))
  }

  /// Fills a row of cells from its samples.
  mutating func fit(_ planes: SamplePlanes, into cells: inout [Cell]) {
    mixer?.startRow(columns: cells.count)
    chain?.startRow(columns: cells.count)
    let (weights, units, steps) = (self.weights, self.units, self.steps)
    // Moved out of the struct, so that they can be changed while it is read.
    var deltas: [Lanes] = []
    swap(&deltas, &self.deltas)
    weights.withUnsafeBufferPointer { weights in
      units.withUnsafeBufferPointer { units in
        steps.withUnsafeBufferPointer { steps in
          planes.values.withUnsafeBytes { values in
            deltas.withUnsafeMutableBufferPointer { deltas in
              let row = Row(
                stride: planes.stride, values: values, weights: weights, units: units,
                steps: steps, deltas: deltas)
              for first in Swift.stride(from: 0, to: cells.count, by: SamplePlanes.lanes) {
                if chain == nil {
                  fillGroup(planes, row, at: first, into: &cells)
                } else {
                  addGroup(planes, row, at: first, count: cells.count)
                }
              }
            }
          }
        }
      }
    }
    swap(&deltas, &self.deltas)
    if chain != nil { fillFromPalette(planes, into: &cells) }
  }

  /// Fills the next eight cells, or fewer at the end of the row.
  @inline(__always)
  private mutating func fillGroup(
    _ planes: SamplePlanes, _ row: Row, at first: Int, into cells: inout [Cell]
  ) {
    let lanes = 0..<min(SamplePlanes.lanes, cells.count - first)
    guard lanes.contains(where: { planes.coverage[first + $0] != 0 }) else {
      for lane in lanes { cells[first + lane] = .blank }
      return
    }
    let fit = fitColors(planes, row, at: first)
    for lane in lanes {
      let coverage = planes.coverage[first + lane]
      let block = fit.mask[lane]
      let mask = UInt8(truncatingIfNeeded: block)
      let drawn: Cell
      if let mixed = mixer?.mix(
        row.values, stride: row.stride, cell: first + lane, planes.anchors[first + lane],
        fitted: mask)
      {
        drawn = Self.cell(
          .pattern(mixed.mask), CellColor(index: mixed.foreground),
          CellColor(index: mixed.background))
      } else {
        drawn = Self.cell(
          Glyph(code: UInt64(truncatingIfNeeded: block)), CellColor(code: fit.foreground[lane]),
          CellColor(code: fit.background[lane]))
      }
      cells[first + lane] =
        coverage == glyphs.fullMask
        ? drawn : edgeCell(coverage, of: planes, at: first + lane, fitted: drawn)
    }
  }

  static func cell(
    _ glyph: Glyph, _ foreground: CellColor, _ background: CellColor
  ) -> Cell {
    let isFlat = foreground == background || glyph == .pattern(0)
    return Cell(
      glyph: isFlat ? .pattern(0) : glyph, foreground: isFlat ? background : foreground,
      background: background)
  }

  /// Returns a cell that is partly background, where the terminal's default color must be visible.
  ///
  /// If the set has a glyph with exactly the edge of the background, that is used, since the
  /// background may have any color.
  func edgeCell(
    _ coverage: UInt8, of planes: SamplePlanes, at index: Int, fitted: Cell
  ) -> Cell {
    guard coverage != 0 else { return .blank }
    if hasGlyph[Int(coverage)] {
      var sum = SIMD3<Float>.zero
      var weight: Float = 0
      for sample in weights.indices where coverage & 1 << UInt8(sample) != 0 {
        sum += planes.sample(sample, ofCell: index) * weights[sample]
        weight += weights[sample]
      }
      let mean = sum / weight
      let color = RGB(Self.byte(mean.x), Self.byte(mean.y), Self.byte(mean.z))
      return Cell(
        glyph: .pattern(coverage), foreground: CellColor(color, depth: depth),
        background: .standard)
    }
    let mask = fitted.glyph.pattern ?? 0
    let inverse = ~mask & glyphs.fullMask
    if inverse & coverage == 0 {
      return Cell(
        glyph: .pattern(mask), foreground: fitted.foreground, background: .standard)
    }
    if mask != 0, mask & coverage == 0 {
      return Cell(
        glyph: .pattern(inverse), foreground: fitted.background, background: .standard)
    }
    return fitted
  }

  private static func byte(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value.rounded()))) }
}

extension GlyphFitter {
  @inline(__always)
  private mutating func fitColors(_ planes: SamplePlanes, _ row: Row, at first: Int) -> Fit {
    let means = Self.center(row, at: first)
    Self.sum(row.units, of: row.weights.count, in: row.deltas)
    let best = Self.best(of: row.steps, in: row.deltas)
    // What mixes sixteen colors finds them for itself.
    if depth == .palette16 { return Fit(mask: best.mask, foreground: .zero, background: .zero) }
    var fit = Self.colors(of: best.mask, weights: row.weights, means: means, in: row.deltas)
    if planes.hasParts { wedges?.improve(&fit, planes, at: first, score: best.score, means: means) }
    return fit
  }

  /// Computes the samples of eight cells relative to the cells' means; returns the means.
  @inline(__always)
  static func center(
    _ row: Row, at first: Int
  ) -> (red: Lanes, green: Lanes, blue: Lanes) {
    let deltas = row.deltas
    var total: Float = 0
    for weight in row.weights { total += weight }
    var means = (red: Lanes.zero, green: Lanes.zero, blue: Lanes.zero)
    for (sample, weight) in row.weights.enumerated() {
      means.red += row.plane(sample * 3, at: first) * weight
      means.green += row.plane(sample * 3 + 1, at: first) * weight
      means.blue += row.plane(sample * 3 + 2, at: first) * weight
    }
    means.red /= total
    means.green /= total
    means.blue /= total
    for (sample, weight) in row.weights.enumerated() {
      deltas[sample * 3] = (row.plane(sample * 3, at: first) - means.red) * weight
      deltas[sample * 3 + 1] = (row.plane(sample * 3 + 1, at: first) - means.green) * weight
      deltas[sample * 3 + 2] = (row.plane(sample * 3 + 2, at: first) - means.blue) * weight
    }
    return means
  }

  /// Computes the sums of the samples of each unit, and their negatives for units that leave.
  @inline(__always)
  static func sum(
    _ units: UnsafeBufferPointer<UInt8>, of samples: Int,
    in deltas: UnsafeMutableBufferPointer<Lanes>
  ) {
    for (index, unit) in units.enumerated() {
      for channel in 0..<3 {
        var sum = Lanes.zero
        for sample in 0..<samples where unit & 1 << UInt8(sample) != 0 {
          sum += deltas[sample * 3 + channel]
        }
        deltas[(samples + index) * 3 + channel] = sum
        deltas[(samples + units.count + index) * 3 + channel] = -sum
      }
    }
  }

  @inline(__always)
  static func best(
    of steps: UnsafeBufferPointer<Step>, in deltas: UnsafeMutableBufferPointer<Lanes>
  ) -> (mask: SIMD8<Int32>, score: Lanes) {
    var (red, green, blue) = (Lanes.zero, Lanes.zero, Lanes.zero)
    var best = Lanes.zero
    var mask = SIMD8<Int32>.zero
    for step in steps {
      red += deltas[step.delta]
      green += deltas[step.delta + 1]
      blue += deltas[step.delta + 2]
      let score = (red * red + green * green + blue * blue) * step.factor
      let isBetter = score .> best
      best.replace(with: score, where: isBetter)
      mask.replace(with: SIMD8(repeating: step.mask), where: isBetter)
    }
    return (mask, best)
  }
}

/// The values that are passed on while a row is fitted.
extension GlyphFitter {
  /// The best patterns of eight cells, and their colors, as codes of `CellColor`.
  struct Fit {
    /// The masks of patterns, or the glyph codes of wedges.
    var mask: SIMD8<Int32>
    /// The codes of the foreground colors.
    var foreground: SIMD8<UInt32>
    /// The codes of the background colors.
    var background: SIMD8<UInt32>
  }

  /// The data that all groups of a row share, as pointers, so that no array is retained for each
  /// group.
  struct Row {
    /// The number of values in a plane.
    let stride: Int
    /// The planes of samples.
    let values: UnsafeRawBufferPointer
    /// The weight of each sample.
    let weights: UnsafeBufferPointer<Float>
    /// The blocks that join or leave.
    let units: UnsafeBufferPointer<UInt8>
    /// The patterns to try.
    let steps: UnsafeBufferPointer<Step>
    /// The memory for samples and units of a group, as in `GlyphFitter.deltas`.
    let deltas: UnsafeMutableBufferPointer<Lanes>

    /// Returns the values of eight cells in a plane.
    @inline(__always)
    func plane(_ index: Int, at first: Int) -> Lanes {
      values.loadUnaligned(
        fromByteOffset: (index &* stride &+ first) &* MemoryLayout<Float>.stride, as: Lanes.self)
    }
  }
}

/// Colors for cells whose patterns are chosen.
extension GlyphFitter {
  /// Returns the weighted sums of the samples in each mask, relative to the means, and the weights
  /// of the masks.
  @inline(__always)
  static func sums(
    of mask: SIMD8<Int32>, weights: UnsafeBufferPointer<Float>,
    in deltas: UnsafeMutableBufferPointer<Lanes>
  ) -> (red: Lanes, green: Lanes, blue: Lanes, weight: Lanes) {
    var (red, green, blue, weight) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
    for sample in weights.indices {
      // All ones where the sample is in the pattern.
      let selection = 0 &- (mask &>> Int32(sample) & 1)
      func selected(_ lanes: Lanes) -> Lanes {
        unsafeBitCast(unsafeBitCast(lanes, to: SIMD8<Int32>.self) & selection, to: Lanes.self)
      }
      red += selected(deltas[sample * 3])
      green += selected(deltas[sample * 3 + 1])
      blue += selected(deltas[sample * 3 + 2])
      weight += selected(Lanes(repeating: weights[sample]))
    }
    return (red, green, blue, weight)
  }

  /// Returns a fit with the means of the samples inside and outside of each mask as colors.
  @inline(__always)
  static func colors(
    of mask: SIMD8<Int32>, weights: UnsafeBufferPointer<Float>,
    means: (red: Lanes, green: Lanes, blue: Lanes),
    in deltas: UnsafeMutableBufferPointer<Lanes>
  ) -> Fit {
    var (red, green, blue, weight) = sums(of: mask, weights: weights, in: deltas)
    let rest = 1 / (weights.reduce(0, +) - weight)
    // A cell of one color has an empty mask, whose sums are 0, too.
    weight.replace(with: 1, where: weight .== 0)
    let share = 1 / weight
    return Fit(
      mask: mask,
      foreground: pack(
        means.red + red * share, means.green + green * share, means.blue + blue * share),
      background: pack(
        means.red - red * rest, means.green - green * rest, means.blue - blue * rest))
  }

  /// Rounds channels of 0 to 255 and packs them as 0xRRGGBB.
  @inline(__always)
  static func pack(_ red: Lanes, _ green: Lanes, _ blue: Lanes) -> SIMD8<UInt32> {
    // The last bit of a float of 2^23 has the value 1, so the low bits of the sum are the rounded
    // channel.
    func round(_ channel: Lanes) -> SIMD8<UInt32> {
      let clamped = channel.replacing(with: 255, where: channel .> 255)
        .replacing(with: 0, where: channel .< 0)
      return unsafeBitCast(clamped + 8_388_608, to: SIMD8<UInt32>.self) & 255
    }
    return round(red) &<< 16 | round(green) &<< 8 | round(blue)
  }
}

/// Cells in colors of the 256-color palette: all of a row are added first, since the colors of
/// one depend on those to its left.
extension GlyphFitter {
  /// Adds the next eight cells, or fewer at the end of the row, to those whose colors are chosen
  /// together.
  @inline(__always)
  mutating func addGroup(
    _ planes: SamplePlanes, _ row: Row, at first: Int, count: Int
  ) {
    let lanes = 0..<min(SamplePlanes.lanes, count - first)
    guard lanes.contains(where: { planes.coverage[first + $0] != 0 }) else { return }
    let means = Self.center(row, at: first)
    Self.sum(row.units, of: row.weights.count, in: row.deltas)
    let best = Self.best(of: row.steps, in: row.deltas)
    let group = Self.paletteGroup(
      of: best.mask.replacing(with: flatMask, where: best.score .<= 0), weights: row.weights,
      means: means, in: row.deltas)
    let columns = planes.columns(at: first)
    for lane in lanes where planes.coverage[first + lane] != 0 {
      chain?.add(group, lane: lane, as: first + lane, column: columns[lane])
    }
  }

  /// Fills a row of cells with colors of the 256-color palette.
  mutating func fillFromPalette(_ planes: SamplePlanes, into cells: inout [Cell]) {
    chain?.chooseColors()
    guard let entries = chain?.entries else { return }
    for (index, entry) in entries.enumerated() {
      let coverage = planes.coverage[index]
      let drawn = Self.cell(
        .pattern(entry.mask), CellColor(code: entry.foreground),
        CellColor(code: entry.background))
      cells[index] =
        coverage == glyphs.fullMask
        ? drawn : edgeCell(coverage, of: planes, at: index, fitted: drawn)
    }
  }

  /// Returns what the two parts of each mask should show, which must be neither empty nor full.
  @inline(__always)
  private static func paletteGroup(
    of mask: SIMD8<Int32>, weights: UnsafeBufferPointer<Float>,
    means: (red: Lanes, green: Lanes, blue: Lanes),
    in deltas: UnsafeMutableBufferPointer<Lanes>
  ) -> PaletteGroup {
    let (red, green, blue, weight) = sums(of: mask, weights: weights, in: deltas)
    let total = weights.reduce(0, +)
    var variance = Lanes.zero
    for (sample, weight) in weights.enumerated() {
      for channel in 0..<3 {
        let delta = deltas[sample * 3 + channel]
        variance += delta * delta / (weight * total)
      }
    }
    let (n, m) = (1 / weight, 1 / (total - weight))
    return PaletteGroup(
      mask: mask, share: weight / total,
      front: .init(
        red: means.red + red * n, green: means.green + green * n, blue: means.blue + blue * n),
      back: .init(
        red: means.red - red * m, green: means.green - green * m, blue: means.blue - blue * m),
      means: .init(red: means.red, green: means.green, blue: means.blue), variance: variance)
  }
}
