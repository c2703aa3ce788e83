import PhotoGridCore

/// Cells in colours of the 256-colour palette: all of a row are added first, since the colours of
/// one depend on those to its left.
extension GlyphFitter {
  /// Adds the next eight cells, or fewer at the end of the row, to those whose colours are chosen
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

  /// Fills a row of cells with colours of the 256-colour palette.
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
