extension GlyphFitter {
  /// Tries wedges on samples that are cut into parts.
  ///
  /// Let a be the wedge's share of each part. The error that a wedge leaves has the same form as
  /// that of a pattern: the variance of the parts less |s|² / v, where s is the sum of the parts,
  /// relative to their mean, weighted by a, and v the weighted variance of a. The two colors are
  /// the values at a = 0 and a = 1 of the least-squares line through the parts over a; they may lie
  /// outside of the range of the parts' colors.
  struct WedgeTrials {
    /// The squared error of a part, summed over the channels, above which a slanted edge is
    /// visible.
    private static let leastLeft: Float = 4
    /// The share of the error of the best pattern that a wedge must remove.
    private static let minGain: Float = 0.1
    /// The least share that a wedge must explain of the variance explained by the means of lines,
    /// or of columns.
    ///
    /// The means of lines explain a level edge completely, wherever it is. The best wedge explains
    /// less than this share of that variance, except for edges near the middle of a cell, which the
    /// best pattern explains better. So a level horizon never becomes a saw.
    private static let straightShare: Float = 0.8

    private let trials: [Trial]
    /// The terms that the wedges add up, one wedge after the other.
    private let terms: [Term]
    private let shape: Shape
    /// For each part, the red, green and blue of the sum of it and the parts below it in its
    /// column; for eight cells, relative to their means, and weighted.
    private var sums: [Lanes]

    /// The number and the weight of the parts of a cell.
    fileprivate struct Shape {
      let columns: Int
      let lines: Int
      /// The weight of a part; a cell has the total weight of its samples.
      let weight: Float

      /// The weight of a cell.
      var total: Float { weight * Float(columns * lines) }
    }

    /// A wedge to try.
    private struct Trial {
      let termCount: Int
      /// The mean of its shares of the parts.
      let mean: Float
      /// 1 over the weighted variance of its shares.
      let factor: Float
      let code: Int32
    }

    /// A sum of parts, and its factor in the sum of a wedge.
    private struct Term {
      /// The index of the sum's red in `sums`.
      let sum: Int
      let share: Float
    }
  }
}

extension GlyphFitter.WedgeTrials {
  private typealias Lanes = GlyphFitter.Lanes

  /// Creates the trials of a glyph set's wedges; returns nil if it has none.
  init?(_ glyphs: GlyphSet) {
    guard !glyphs.wedges.isEmpty else { return nil }
    let cut = SampleCut(glyphs)
    let (columns, lines) = (glyphs.sampleColumns * cut.columns, cut.lineCount)
    let total = Float(glyphs.sampleHeights.reduce(0, +) * glyphs.sampleColumns)
    let weight = total / Float(columns * lines)
    shape = Shape(columns: columns, lines: lines, weight: weight)
    sums = Array(repeating: .zero, count: columns * lines * 3)
    var (trials, terms): ([Trial], [Term]) = ([], [])
    for wedge in glyphs.wedges {
      let before = terms.count
      var (sum, squares) = (Float(0), Float(0))
      for column in 0..<columns {
        // Down a column shares never shrink, and few grow: only the growth is stored, as a factor
        // of the sum of all parts from there on.
        var above = Float(0)
        for line in 0..<lines {
          let share = wedge.share(
            ofColumns: Double(column) / Double(columns)...Double(column + 1) / Double(columns),
            rows: Double(line) / Double(lines)...Double(line + 1) / Double(lines))
          if share > above {
            terms.append(Term(sum: (line * columns + column) * 3, share: share - above))
          }
          above = share
          sum += share * weight
          squares += share * share * weight
        }
      }
      trials.append(
        Trial(
          termCount: terms.count - before, mean: sum / total,
          factor: 1 / (squares - sum * sum / total),
          code: Int32(truncatingIfNeeded: Glyph.wedge(wedge.index).code)))
    }
    (self.trials, self.terms) = (trials, terms)
  }

  /// Replaces patterns by wedges where those leave less error.
  ///
  /// `score` is the part of each cell's variance that its pattern explains.
  mutating func improve(
    _ fit: inout GlyphFitter.Fit, _ planes: SamplePlanes, at first: Int, score: SIMD8<Float>,
    means: (red: SIMD8<Float>, green: SIMD8<Float>, blue: SIMD8<Float>)
  ) {
    let shape = self.shape
    sums.withUnsafeMutableBufferPointer { sums in
      planes.parts.withUnsafeBytes { parts in
        trials.withUnsafeBufferPointer { trials in
          terms.withUnsafeBufferPointer { terms in
            let variance = shape.addUp(
              parts, stride: planes.stride, at: first, means: means, into: sums)
            let left = variance - score
            guard left.max() > Self.leastLeft * shape.total else { return }
            let straight = shape.straight(sums) * Self.straightShare
            let better = score + left * Self.minGain
            let least = better.replacing(with: straight, where: straight .> better)
            Self.choose(&fit, trials, terms, sums, least: least, means: means)
          }
        }
      }
    }
  }

  /// Puts the wedges that explain the most into a fit, if they explain more than `least`.
  @inline(__always)
  private static func choose(
    _ fit: inout GlyphFitter.Fit, _ trials: UnsafeBufferPointer<Trial>,
    _ terms: UnsafeBufferPointer<Term>, _ sums: UnsafeMutableBufferPointer<Lanes>, least: Lanes,
    means: (red: Lanes, green: Lanes, blue: Lanes)
  ) {
    var score = least
    var (red, green, blue, mean) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
    var next = 0
    for trial in trials {
      var (r, g, b) = (Lanes.zero, Lanes.zero, Lanes.zero)
      for index in next..<next &+ trial.termCount {
        let term = terms[index]
        r += sums[term.sum] * term.share
        g += sums[term.sum &+ 1] * term.share
        b += sums[term.sum &+ 2] * term.share
      }
      next &+= trial.termCount
      let explained = (r * r + g * g + b * b) * trial.factor
      let isBetter = explained .> score
      score.replace(with: explained, where: isBetter)
      fit.mask.replace(with: SIMD8(repeating: trial.code), where: isBetter)
      red.replace(with: r * trial.factor, where: isBetter)
      green.replace(with: g * trial.factor, where: isBetter)
      blue.replace(with: b * trial.factor, where: isBetter)
      mean.replace(with: Lanes(repeating: trial.mean), where: isBetter)
    }
    let isWedge = fit.mask .> 255
    let rest = 1 - mean
    fit.foreground.replace(
      with: GlyphFitter.pack(
        means.red + red * rest, means.green + green * rest, means.blue + blue * rest),
      where: isWedge)
    fit.background.replace(
      with: GlyphFitter.pack(
        means.red - red * mean, means.green - green * mean, means.blue - blue * mean),
      where: isWedge)
  }
}

extension GlyphFitter.WedgeTrials.Shape {
  fileprivate typealias Lanes = GlyphFitter.Lanes

  /// Computes the sums of the parts of each column from below; returns the variance of all parts.
  @inline(__always)
  fileprivate func addUp(
    _ parts: UnsafeRawBufferPointer, stride: Int, at first: Int,
    means: (red: Lanes, green: Lanes, blue: Lanes), into sums: UnsafeMutableBufferPointer<Lanes>
  ) -> Lanes {
    var squares = Lanes.zero
    func delta(_ index: Int, _ mean: Lanes) -> Lanes {
      (parts.loadUnaligned(
        fromByteOffset: (index &* stride &+ first) &* MemoryLayout<Float>.stride, as: Lanes.self)
        - mean) * weight
    }
    for column in 0..<columns {
      var (r, g, b) = (Lanes.zero, Lanes.zero, Lanes.zero)
      for line in (0..<lines).reversed() {
        let index = (line &* columns &+ column) &* 3
        let red = delta(index, means.red)
        let green = delta(index &+ 1, means.green)
        let blue = delta(index &+ 2, means.blue)
        squares += red * red + green * green + blue * blue
        r += red
        g += green
        b += blue
        sums[index] = r
        sums[index &+ 1] = g
        sums[index &+ 2] = b
      }
    }
    return squares * (1 / weight)
  }

  /// Returns the part of the variance that the means of lines or those of columns explain,
  /// whichever is larger.
  @inline(__always)
  fileprivate func straight(_ sums: UnsafeMutableBufferPointer<Lanes>) -> Lanes {
    var (level, upright) = (Lanes.zero, Lanes.zero)
    for channel in 0..<3 {
      var below = Lanes.zero
      for line in (0..<lines).reversed() {
        var sum = Lanes.zero
        for column in 0..<columns { sum += sums[(line &* columns &+ column) &* 3 &+ channel] }
        let own = sum - below
        level += own * own
        below = sum
      }
      for column in 0..<columns {
        let own = sums[column &* 3 &+ channel]
        upright += own * own
      }
    }
    level *= 1 / (weight * Float(columns))
    upright *= 1 / (weight * Float(lines))
    return level.replacing(with: upright, where: upright .> level)
  }
}

/// The part of a cell below a slanted line from edge to edge.
///
/// Unicode 13, "Symbols for Legacy Computing", has characters for 22 of these parts, and for the
/// parts above the same lines. The lines end at thirds of the cell's height, or at halves of its
/// width. For example, the first line goes from two thirds down the left edge to the middle of the
/// lower edge:
///
///     ┌────┐
///     │    │
///     │\   │
///     └─\──┘
package struct Wedge {
  package let index: Int
  /// The points where the line meets the cell's edges, in halves of its width and thirds of its
  /// height, from the upper left corner.
  private let ends: (left: (x: Int, y: Int), right: (x: Int, y: Int))

  /// The first character of the parts below the lines; the parts above follow after all of them.
  private static let firstScalar: UInt32 = 0x1FB3C

  /// The parts below all lines, in the order of their characters.
  package static let all: [Wedge] = [
    ((0, 2), (1, 3)), ((0, 2), (2, 3)), ((0, 1), (1, 3)), ((0, 1), (2, 3)), ((0, 0), (1, 3)),
    ((0, 1), (1, 0)), ((0, 1), (2, 0)), ((0, 2), (1, 0)), ((0, 2), (2, 0)), ((0, 3), (1, 0)),
    ((0, 2), (2, 1)), ((1, 3), (2, 2)), ((0, 3), (2, 2)), ((1, 3), (2, 1)), ((0, 3), (2, 1)),
    ((1, 3), (2, 0)), ((1, 0), (2, 1)), ((0, 0), (2, 1)), ((1, 0), (2, 2)), ((0, 0), (2, 2)),
    ((1, 0), (2, 3)), ((0, 1), (2, 2)),
  ].enumerated().map { Wedge(index: $0, ends: $1) }

  private init(index: Int, ends: ((Int, Int), (Int, Int))) {
    self.index = index
    self.ends = (left: (x: ends.0.0, y: ends.0.1), right: (x: ends.1.0, y: ends.1.1))
  }

  /// The number of characters, for the parts below the lines and those above.
  package static var glyphCount: Int { 2 * all.count }

  /// Returns the character of a part, by its index among the parts below the lines, then above
  /// them.
  package static func scalar(_ glyph: Int) -> Unicode.Scalar? {
    Unicode.Scalar(firstScalar + UInt32(glyph))
  }

  /// Returns the index of the other part of the cell, on the other side of the same line.
  package static func inverse(of glyph: Int) -> Int { (glyph + all.count) % glyphCount }

  /// Measures how much of a part of the cell lies below the line.
  ///
  /// - Parameters:
  ///   - columns: The part from left to right, as shares of the cell's width.
  ///   - rows: The part from top to bottom, as shares of the cell's height.
  /// - Returns: The share of the part, 0 to 1.
  package func share(ofColumns columns: ClosedRange<Double>, rows: ClosedRange<Double>) -> Float {
    let steps = 64
    let (x, y) = (Double(ends.left.x) / 2, Double(ends.left.y) / 3)
    let slope = (Double(ends.right.y) / 3 - y) / (Double(ends.right.x) / 2 - x)
    let width = columns.upperBound - columns.lowerBound
    let height = rows.upperBound - rows.lowerBound
    // The mean of thin columns. Beyond its ends the line continues outside of the cell.
    let sum = (0..<steps).reduce(0.0) { sum, step in
      let column = columns.lowerBound + (Double(step) + 0.5) / Double(steps) * width
      let line = y + slope * (column - x)
      return sum + ((rows.upperBound - line) / height).clamped(to: 0...1)
    }
    return Float(sum / Double(steps))
  }
}

extension GlyphSet {
  /// The wedges to use with the set's patterns, if the terminal draws them.
  ///
  /// They were added to Unicode together with sextants, so coarser sets have none.
  var wedges: [Wedge] { self == .sextant || self == .octant ? Wedge.all : [] }
}
