/// Chooses colors of the 256-color palette for a row of cells, with error diffusion from each cell
/// to the next one.
///
/// The two colors of a cell can only mix to a few means. The error of a cell's mean is added to
/// the wanted mean of the next cell, in chains that begin at the left edge of a tile, so that the
/// pattern moves with the tile, and again at every fourth cell, so that eight chains can be
/// computed together:
///
///     tile    ┌────────────────────── ┌───────
///     cells    a b c d e f g h i j k   l m n o
///     chains   1 1 1 1 2 2 2 2 3 3 3   4 4 4 4
struct PaletteChain {
  /// A cell and the colors that are chosen for it.
  struct Entry {
    /// The samples that show the foreground.
    var mask: UInt8 = 0
    fileprivate var parts = PaletteColors256.Parts()
    /// The index into the palette.
    fileprivate(set) var foreground: UInt32 = 0
    /// The index into the palette.
    fileprivate(set) var background: UInt32 = 0
  }

  /// The cells of the row; those that were not added have no meaning.
  private(set) var entries: [Entry] = []
  /// The cells at which chains begin and end, from left to right.
  private var chains: [Range<Int>] = []
  /// The weights of errors in a window of the current width.
  private var weights = PaletteWeights(columns: 0)

  /// The most cells in a chain.
  private static let length = 4

  /// Starts a row of cells.
  mutating func startRow(columns: Int) {
    if entries.count != columns { entries = Array(repeating: Entry(), count: columns) }
    chains.removeAll(keepingCapacity: true)
    weights = PaletteWeights(columns: columns)
  }

  /// Adds a cell to the row, from left to right.
  ///
  /// `column` is the number of cells to the left of it in its tile, plus one in every other row, so
  /// that the pattern has no stripes.
  @inline(__always)
  mutating func add(_ group: PaletteGroup, lane: Int, as cell: Int, column: Int32) {
    let variance = group.variance[lane]
    entries[cell] = Entry(
      mask: UInt8(truncatingIfNeeded: group.mask[lane]),
      parts: .init(
        front: group.front.color(lane, group.share[lane]),
        back: group.back.color(lane, weights.mean(variance)),
        mean: group.means.color(lane, weights.hue(variance))))
    if let last = chains.last, last.upperBound == cell, Int(column) % Self.length != 0 {
      chains[chains.count - 1] = last.lowerBound..<cell + 1
    } else {
      chains.append(cell..<cell + 1)
    }
  }

  /// Chooses the colors of all cells that were added.
  mutating func chooseColors() {
    for first in stride(from: 0, to: chains.count, by: 8) {
      let some = chains[first..<min(first + 8, chains.count)]
      entries.withUnsafeMutableBufferPointer { entries in
        Self.chooseColors(of: some, in: entries)
      }
    }
  }

  /// Chooses the colors of up to eight chains.
  private static func chooseColors(
    of chains: ArraySlice<Range<Int>>, in entries: UnsafeMutableBufferPointer<Entry>
  ) {
    var lacking: PaletteColors256.Colors?
    let longest = chains.lazy.map(\.count).max() ?? 0
    for step in 0..<longest {
      // Shorter chains repeat their last cell, whose colors stay as they are.
      var cells = SIMD8<Int>(repeating: chains.first?.lowerBound ?? 0)
      for (lane, chain) in chains.enumerated() {
        cells[lane] = min(chain.lowerBound + step, chain.upperBound - 1)
      }
      let colors = PaletteColors256(cells) { entries[$0].parts }
      let wanted = lacking.map { colors.means.adding($0) } ?? colors.means
      let choice = colors.choose(wanted)
      lacking = wanted.lacking(choice.mean)
      for (lane, chain) in chains.enumerated() where step < chain.count {
        entries[cells[lane]].foreground = UInt32(truncatingIfNeeded: choice.foreground[lane])
        entries[cells[lane]].background = UInt32(truncatingIfNeeded: choice.background[lane])
      }
    }
  }
}

/// The patterns of eight cells, and what their two parts should show.
struct PaletteGroup {
  /// The samples that show the foreground.
  var mask: SIMD8<Int32>
  /// The share of each cell that shows the foreground, 0 to 1.
  var share: SIMD8<Float>
  /// The means of the samples inside the pattern.
  var front: PaletteColors256.Colors
  /// The means of the samples outside of the pattern.
  var back: PaletteColors256.Colors
  /// The means of all samples.
  var means: PaletteColors256.Colors
  /// The variance of the samples, summed over the channels.
  var variance: SIMD8<Float>
}

/// The weights of errors in a cell in colors of the 256-color palette; found with the benchmark
/// `fidelity`, and by eye.
///
/// In a flat cell a wrong mean is visible, and so is a color beside another one of the same luma.
/// Where there are details, eyes do not see the hue of each.
struct PaletteWeights {
  /// The weight of the mean of a cell with details.
  private let detailMean: Float

  private static let detailMean = MeanWeight(narrow: 0.3, wide: 0.6)
  /// The weight that is added to that of the mean in a flat cell.
  private static let flatMean: Float = 4
  /// The variance of samples, summed over the channels, at which half of `flatMean` is added.
  private static let meanVariance: Float = 0.2
  /// The weight of each channel in the error of a cell's two colors, if it has details.
  private static let detailHue: Float = 0.5
  /// The weight that is added to `detailHue` in a flat cell.
  private static let flatHue: Float = 0.6
  /// The variance of samples at which half of `flatHue` is added.
  private static let hueVariance: Float = 8

  /// Creates the weights for a window with a number of columns.
  init(columns: Int) { detailMean = Self.detailMean.value(columns: columns) }

  /// Returns the weight of the error of the mean of a cell whose samples have a variance.
  @inline(__always)
  func mean(_ variance: Float) -> Float {
    detailMean + Self.flatMean * Self.meanVariance / (variance + Self.meanVariance)
  }

  /// Returns the weight of each channel in the error of the two colors of a cell.
  @inline(__always)
  func hue(_ variance: Float) -> Float {
    Self.detailHue + Self.flatHue * Self.hueVariance / (variance + Self.hueVariance)
  }
}
