/// Changing the layout and the size of tiles.
extension Grid {
  /// Changes the layout style and moves the tiles to their new positions.
  ///
  /// - Returns: Whether the layout changed.
  @discardableResult
  mutating func restyle(in context: Context, _ change: (inout LayoutStyle) -> Void) -> Bool {
    let before = snapshot(in: context)
    change(&style)
    layOut(in: context)
    updateFitProgress(in: context)
    guard layout != before.layout else { return false }
    moveTiles(from: before, in: context)
    return true
  }

  /// Switches to the next or previous layout, wrapping around.
  mutating func changeLayout(by step: Int, in context: Context) {
    let kinds = LayoutStyle.Kind.allCases
    let present = kinds.firstIndex(of: style.kind) ?? 0
    let next = ((present + step) % kinds.count + kinds.count) % kinds.count
    restyle(in: context) { $0.kind = kinds[next] }
  }

  /// Enlarges the tiles, or shrinks them if `steps` is negative; each step is the smallest change
  /// that is visible.
  ///
  /// - Returns: The limit that prevented the last step; nil if all steps were taken.
  mutating func enlarge(by steps: Int, in context: Context) -> SizeLimit? {
    let columns = style.columns(
      for: context.items, isComplete: isComplete, in: context.viewport)
    let direction = steps > 0 ? 1 : -1
    for _ in 0..<min(abs(steps), LayoutStyle.enlargements.count) {
      var isOther = false
      while !isOther {
        let next = style.enlargement + direction
        guard LayoutStyle.enlargements.contains(next) else {
          return direction < 0 ? .smallest : .largest
        }
        guard direction < 0 || fitsTiles(columns, enlargement: next, in: context) else {
          return .fillsScreen
        }
        isOther = restyle(in: context) {
          ($0.enlargedColumns, $0.enlargement) = (columns, next)
        }
      }
    }
    return nil
  }

  /// The reason why tiles cannot be made larger or smaller.
  enum SizeLimit: Equatable {
    /// A larger tile would not fit on the screen.
    case fillsScreen
    /// The tiles have the smallest or largest size of `LayoutStyle.enlargements`.
    case smallest, largest
  }

  /// Restores the size that the tiles had before they were enlarged or shrunk.
  mutating func resetTiles(in context: Context) {
    restyle(in: context) { ($0.enlargedColumns, $0.enlargement) = (nil, 0) }
  }

  /// Returns whether each of the first tiles would fit on the screen at an enlargement, or would
  /// keep its current size.
  private func fitsTiles(
    _ columns: GridColumns, enlargement: Int, in context: Context
  ) -> Bool {
    var style = style
    (style.enlargedColumns, style.enlargement) = (columns, enlargement)
    let count = context.items.count
    let area = context.viewport.pictureSize
    let larger = style.layout(
      of: context.items, isComplete: isComplete, in: context.viewport)
    return (0..<min(count, Self.fittingTiles)).allSatisfy { index in
      let size = larger.frame(at: index).size
      return size.width <= area.width && size.height <= area.height
        || size == layout.frame(at: index).size
    }
  }

  /// The number of tiles to check: more than any built-in pattern has.
  private static let fittingTiles = 24
}
