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
