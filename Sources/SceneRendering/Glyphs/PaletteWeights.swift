/// The weights of errors in a cell in colours of the 256-colour palette; found with the benchmark
/// `fidelity`, and by eye.
///
/// In a flat cell a wrong mean is visible, and so is a colour beside another one of the same luma.
/// Where there are details, eyes do not see the hue of each.
struct PaletteWeights {
  /// The weight of the mean of a cell with details.
  private let detailMean: Float

  private static let detailMean = MeanWeight(narrow: 0.3, wide: 0.6)
  /// The weight that is added to that of the mean in a flat cell.
  private static let flatMean: Float = 4
  /// The variance of samples, summed over the channels, at which half of `flatMean` is added.
  private static let meanVariance: Float = 0.2
  /// The weight of each channel in the error of a cell's two colours, if it has details.
  private static let detailHue: Float = 0.4
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

  /// Returns the weight of each channel in the error of the two colours of a cell.
  @inline(__always)
  func hue(_ variance: Float) -> Float {
    Self.detailHue + Self.flatHue * Self.hueVariance / (variance + Self.hueVariance)
  }
}
