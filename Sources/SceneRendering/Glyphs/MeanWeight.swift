/// The factor by which the contrast inside a cell is increased, so that details that are fainter
/// than the steps of a palette are visible; the cell's mean stays.
///
/// The lines of a drawing differ from the paper by a tenth of the step between two of sixteen
/// colors, and would become the same color. Where there is much contrast it stays as it is, and so
/// it does in cells without details, whose noise would become a pattern.
struct DetailContrast {
  /// The standard deviation of the luma in a cell that is aimed at, with luma from 0 to 255.
  let goal: Float
  /// The greatest factor.
  let most: Float

  /// The standard deviation below which there are no details; half of it gets a quarter of the
  /// increase.
  private static let noise: Float = 3

  /// Returns the factor for a cell with a standard deviation of luma.
  @inline(__always)
  func factor(deviation: Float) -> Float {
    let factor = Swift.max(1, Swift.min(most, goal / Swift.max(deviation, 0.01)))
    guard deviation < Self.noise else { return factor }
    let share = deviation / Self.noise
    return 1 + (factor - 1) * share * share
  }
}

/// The weight of a cell's mean relative to its details, which grows with the width of the window.
///
/// In a narrow window a face has only a few cells, and it is recognized by the details of each. In
/// a wide window cells are small compared with what they show: they are seen together, and a wrong
/// mean is the most visible error.
struct MeanWeight {
  /// The weight in windows of up to `narrow` columns.
  private let least: Float
  /// The weight in windows of `wide` columns and more.
  private let most: Float

  private static let narrow: Float = 80
  private static let wide: Float = 200

  /// Creates a weight for cells with details.
  ///
  /// Both values are found with the benchmark `fidelity`: larger ones make areas truer from a
  /// distance, smaller ones keep more details.
  init(narrow least: Float, wide most: Float) { (self.least, self.most) = (least, most) }

  /// Returns the weight in a window of a number of columns.
  func value(columns: Int) -> Float {
    let share = (Float(columns) - Self.narrow) / (Self.wide - Self.narrow)
    return least + (most - least) * max(0, min(1, share))
  }
}
