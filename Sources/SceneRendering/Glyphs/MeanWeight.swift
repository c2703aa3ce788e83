/// What the mean of a cell weighs beside its details, by the width of the window.
///
/// In a narrow window a face has a few cells, and each cell's details are what makes it one. In a wide
/// one cells are small beside what they show: they are seen together, and a wrong mean shows first.
struct MeanWeight {
  /// The weight in windows of up to `narrow` columns.
  private let least: Float
  /// The weight in windows of `wide` columns and more.
  private let most: Float

  private static let narrow: Float = 80
  private static let wide: Float = 200

  /// A weight that grows with the window, for cells with details.
  ///
  /// Both are found with the benchmark `fidelity`: more makes areas truer from afar, less keeps more
  /// detail.
  init(narrow least: Float, wide most: Float) { (self.least, self.most) = (least, most) }

  /// The weight in a window of some columns.
  func value(columns: Int) -> Float {
    let share = (Float(columns) - Self.narrow) / (Self.wide - Self.narrow)
    return least + (most - least) * max(0, min(1, share))
  }
}
