import PhotoGridCore

/// Draws cells with two colours of a palette so that details stay and areas keep their mean.
///
/// The colours nearest to a cell's own are each off by up to half a step of the palette, and whole
/// areas by the same. So a pattern is chosen that minimizes the squared error of the samples and,
/// weighed in addition, that of the cell's mean together with what the cell before was off. Which
/// samples show which colour follows from the picture itself, and in flat areas from the place in
/// the tile: nothing of it stays with the screen when the picture moves.
struct PaletteMixer {
  /// A cell that was chosen.
  struct Choice {
    var mask: UInt8
    /// Indices into the palette.
    var foreground: Int
    var background: Int
  }

  private let glyphs: GlyphSet
  private let depth: ColorDepth
  /// The samples' shares of a cell, in order.
  private let shares: [Float]
  /// The parts that patterns are made of, as masks.
  private let blocks: [UInt8]
  /// The samples of the present cell.
  private var samples: [SIMD4<Float>]
  /// Blocks from the brightest to the darkest.
  private var order: [Int]
  private var keys: [Float]
  /// What the mean of the cell before was off.
  private var carried = SIMD4<Float>.zero
  private var lastLayer: Int32 = -1
  private var best = Choice(mask: 0, foreground: 0, background: 0)
  private var least = Float.infinity
  private var drawn = SIMD4<Float>.zero

  /// How much the mean of the present cell weighs beside its samples.
  private var meanWeight: Float = 0
  /// How much it weighs in a cell with detail.
  private let leastWeight: Float
  /// What it weighs more in a flat cell, where a pattern hides nothing and a wrong colour shows.
  private static let flatWeight: Float = 4
  /// The variance of samples, summed over the channels, at which a cell is half flat.
  ///
  /// Small, since with 6 the photos lost a third of their structure to patterns.
  private static let flatVariance: Float = 0.2
  /// The most that is carried from cell to cell, in steps of 255.
  private let mostCarried: Float
  /// How far places in the tile tell equal samples apart, in steps of 255.
  private static let tieBreak: Float = 2

  /// A mixer for a set's glyphs and a palette.
  init(glyphs: GlyphSet, depth: ColorDepth) {
    self.glyphs = glyphs
    self.depth = depth
    let weights = glyphs.sampleHeights.flatMap {
      Array(repeating: Float($0), count: glyphs.sampleColumns)
    }
    let total = weights.reduce(0, +)
    shares = weights.map { $0 / total }
    blocks = glyphs.blocks
    samples = Array(repeating: .zero, count: shares.count)
    order = Array(blocks.indices)
    keys = Array(repeating: 0, count: blocks.count)
    // Found with the benchmark `fidelity`: more makes areas truer from afar, less keeps more detail.
    leastWeight =
      switch depth {
      case .palette256, .full: 0.06
      case .palette16: 0.16
      case .none: 0.18
      }
    mostCarried = depth == .palette256 ? 48 : 128
  }

  /// Forgets the cell before; at the start of a row.
  mutating func startRow() {
    carried = .zero
    lastLayer = -1
  }

  /// Chooses pattern and colours of a cell; `fitted` is the pattern that suits its details best.
  mutating func mix(_ planes: SamplePlanes, cell: Int, fitted: UInt8) -> Choice {
    let anchor = planes.anchors[cell]
    if anchor.layer != lastLayer { carried = .zero }
    lastLayer = anchor.layer
    var (mean, energy) = (SIMD4<Float>.zero, Float(0))
    for index in samples.indices {
      var sample = SIMD4(planes.sample(index, ofCell: cell), 0)
      if depth == .none {
        let luma = (sample * Self.lumaShares).sum()
        sample = SIMD4(luma, luma, luma, 0)
      }
      energy += (sample * sample).sum() * shares[index]
      sample = Self.withLuma(sample)
      samples[index] = sample
      mean += sample * shares[index]
    }
    let (red, green, blue) = (mean.x, mean.y, mean.z)
    let variance = max(0, energy - red * red - green * green - blue * blue)
    meanWeight =
      leastWeight + Self.flatWeight * Self.flatVariance / (Self.flatVariance + variance)
    least = .infinity
    let wanted = mean + carried
    sortBlocks(anchor)
    if depth == .none {
      var mask: UInt8 = 0
      tryMask(mask, wanted)
      for block in order {
        mask |= blocks[block]
        tryMask(mask, wanted)
      }
    } else {
      tryMask(fitted, wanted)
      var mask: UInt8 = 0
      let step = max(1, blocks.count / 4)
      for (place, block) in order.enumerated().dropLast() {
        mask |= blocks[block]
        if (place + 1).isMultiple(of: step), mask != fitted { tryMask(mask, wanted) }
      }
    }
    carried = (wanted - drawn).clamped(
      lowerBound: SIMD4(repeating: -mostCarried), upperBound: SIMD4(repeating: mostCarried))
    return best
  }

  /// Sorts the blocks by how bright they are; those of one brightness by their place in the tile.
  private mutating func sortBlocks(_ anchor: SamplePlanes.Anchor) {
    for index in blocks.indices {
      var (sum, share) = (SIMD4<Float>.zero, Float(0))
      for sample in samples.indices where blocks[index] & 1 << UInt8(sample) != 0 {
        sum += samples[sample] * shares[sample]
        share += shares[sample]
      }
      let luma = (sum * Self.lumaShares).sum() / share
      let (row, column) = index.quotientAndRemainder(dividingBy: glyphs.sampleColumns)
      let threshold = OrderedDither.threshold(
        column: Int(anchor.column) + column, row: Int(anchor.row) + row)
      keys[index] = luma + threshold * Self.tieBreak
    }
    // By insertion: there are eight at most.
    for index in 1..<max(order.count, 1) {
      var place = index
      while place > 0, keys[order[place]] > keys[order[place - 1]] {
        order.swapAt(place, place - 1)
        place -= 1
      }
    }
  }

  private mutating func tryMask(_ mask: UInt8, _ wanted: SIMD4<Float>) {
    var (inside, all) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    var (share, energy) = (Float(0), Float(0))
    for index in samples.indices {
      let weighted = samples[index] * shares[index]
      all += weighted
      energy += (samples[index] * weighted).sum()
      if mask & 1 << UInt8(index) != 0 {
        inside += weighted
        share += shares[index]
      }
    }
    let front = share > 0 ? inside / share : all
    let back = share < 1 ? (all - inside) / (1 - share) : all
    let rest =
      energy - share * (front * front).sum() - (1 - share) * (back * back).sum()
    let parts = Parts(mask: mask, share: share, front: front, back: back, rest: max(rest, 0))
    switch depth {
    case .palette256: tryCube(parts, wanted)
    case .palette16: trySixteen(parts, wanted)
    case .none: tryInk(parts, wanted)
    case .full: break
    }
  }

  /// The two means that a mask makes of a cell, and the error that it leaves.
  private struct Parts {
    var mask: UInt8
    var share: Float
    var front: SIMD4<Float>
    var back: SIMD4<Float>
    var rest: Float
  }

  /// Takes two colours if they are better than the best so far.
  @inline(__always)
  private mutating func take(
    _ parts: Parts, _ front: SIMD4<Float>, _ back: SIMD4<Float>, _ wanted: SIMD4<Float>,
    _ indices: @autoclosure () -> (Int, Int)
  ) {
    let (front, back) = (Self.withLuma(front), Self.withLuma(back))
    let (f, b) = (front - parts.front, back - parts.back)
    let mean = front * parts.share + back * (1 - parts.share)
    let off = mean - wanted
    let cost =
      parts.rest + parts.share * (f * f).sum() + (1 - parts.share) * (b * b).sum()
      + meanWeight * (off * off).sum()
    guard cost < least else { return }
    least = cost
    drawn = mean
    let (foreground, background) = indices()
    best = Choice(mask: parts.mask, foreground: foreground, background: background)
  }

  /// A colour with its luma as a fourth channel, since eyes tell brightness apart better than hues.
  @inline(__always)
  private static func withLuma(_ color: SIMD4<Float>) -> SIMD4<Float> {
    var color = color
    color.w = (color * lumaShares).sum() * lumaGain
    return color
  }

  private static let lumaShares = SIMD4<Float>(0.299, 0.587, 0.114, 0)
  /// How much an error of luma weighs beside one of a channel.
  private static let lumaGain: Float = 2

  // MARK: - 256 colours

  /// Channels of the cube do not depend on each other, so four pairs of levels each are tried.
  private mutating func tryCube(_ parts: Parts, _ wanted: SIMD4<Float>) {
    let (f0, f1) = Self.levels(around: parts.front)
    let (b0, b1) = Self.levels(around: parts.back)
    var cost = SIMD4<Float>(repeating: .infinity)
    var (front, back) = (f0, b0)
    func attempt(_ f: SIMD4<Float>, _ b: SIMD4<Float>) {
      let (offF, offB) = (f - parts.front, b - parts.back)
      let off = f * parts.share + b * (1 - parts.share) - wanted
      let total =
        offF * offF * parts.share + offB * offB * (1 - parts.share) + off * off * meanWeight
      let isBetter = total .< cost
      cost.replace(with: total, where: isBetter)
      front.replace(with: f, where: isBetter)
      back.replace(with: b, where: isBetter)
    }
    attempt(f0, b0)
    attempt(f0, b1)
    attempt(f1, b0)
    attempt(f1, b1)
    take(parts, front, back, wanted, (Self.index(front), Self.index(back)))
    tryGrays(parts, wanted)
  }

  private mutating func tryGrays(_ parts: Parts, _ wanted: SIMD4<Float>) {
    func gray(_ color: SIMD4<Float>) -> Int {
      max(0, min(22, Int((color.x + color.y + color.z) / 30 - 0.8)))
    }
    func level(_ step: Int) -> SIMD4<Float> {
      let level = Float(8 + 10 * step)
      return SIMD4(level, level, level, 0)
    }
    let (f, b) = (gray(parts.front), gray(parts.back))
    for front in f...f + 1 {
      for back in b...b + 1 {
        take(parts, level(front), level(back), wanted, (232 + front, 232 + back))
      }
    }
  }

  /// The levels of the cube below and above each channel.
  private static func levels(
    around color: SIMD4<Float>
  ) -> (SIMD4<Float>, SIMD4<Float>) {
    var (low, high) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    for channel in 0..<3 {
      let value = color[channel]
      let step = value < 95 ? 0 : min(4, Int((value - 55) / 40))
      low[channel] = step == 0 ? 0 : Float(55 + 40 * step)
      high[channel] = Float(95 + 40 * step)
    }
    return (low, high)
  }

  private static func index(_ color: SIMD4<Float>) -> Int {
    func step(_ level: Float) -> Int { level == 0 ? 0 : (Int(level) - 55) / 40 }
    return 16 + 36 * step(color.x) + 6 * step(color.y) + step(color.z)
  }

  // MARK: - Sixteen colours

  private mutating func trySixteen(_ parts: Parts, _ wanted: SIMD4<Float>) {
    let fronts = SixteenColorChoices.near(parts.front)
    let backs = SixteenColorChoices.near(parts.back)
    for f in 0..<4 {
      let front = Int(fronts[f])
      for b in 0..<4 {
        let back = Int(backs[b])
        take(
          parts, SixteenColorChoices.colors[front], SixteenColorChoices.colors[back], wanted,
          (front, back))
      }
    }
  }

  // MARK: - Ink

  private mutating func tryInk(_ parts: Parts, _ wanted: SIMD4<Float>) {
    take(parts, SIMD4(255, 255, 255, 0), .zero, wanted, (1, 0))
  }
}
