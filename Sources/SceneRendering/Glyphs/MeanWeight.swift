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
