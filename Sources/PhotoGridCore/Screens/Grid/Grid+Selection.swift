/// Selecting tiles by index and by direction.
extension Grid {
  /// Selects the tile at an index, clamped to the existing ones, and scrolls it into view.
  mutating func select(_ index: Int, in context: Context) {
    let items = context.items
    guard !items.isEmpty else { return }
    let index = min(max(index, 0), items.count - 1)
    selected = items[index]
    scroll(to: scrollOffset(showing: index, from: scroll.target, in: context.viewport), in: context)
  }

  /// Moves the selection a number of times in a direction, as far as possible.
  ///
  /// Past the end of a row comes the next or previous item; below the last row, the last item.
  mutating func move(_ direction: Direction, _ count: Int, in context: Context) {
    guard !context.items.isEmpty else { return }
    var index = selection(in: context.items)
    for _ in 0..<count {
      guard
        let next = layout.neighbor(of: index, in: direction)
          ?? successor(of: index, direction, count: context.items.count)
      else { break }
      index = next
    }
    select(index, in: context)
  }

  /// Returns the index that follows a tile without a neighbor in the given direction; nil at the
  /// end.
  private func successor(of index: Int, _ direction: Direction, count: Int) -> Int? {
    switch direction {
    case .left: index > 0 ? index - 1 : nil
    case .right: index < count - 1 ? index + 1 : nil
    case .down: index < count - 1 ? count - 1 : nil
    case .up: nil
    }
  }

  /// Moves the selection by pages, or fractions of a page, to the nearest item; past the first or
  /// last row, to an item in that row.
  ///
  /// A page is the number of whole rows of tiles that the screen shows.
  mutating func movePages(_ pages: Double, in context: Context) {
    let count = context.items.count
    guard count > 0 else { return }
    let selection = selection(in: context.items)
    let step = layout.scrollStep
    let height = context.viewport.pictureSize.height
    let rows = max((height / step).rounded(.down) * abs(pages), 1)
    let distance = rows.rounded(.down) * step * (pages < 0 ? -1 : 1)
    let from = layout.frame(at: selection).center
    let highest = layout.frame(at: 0).minY
    let lowest = max(layout.frame(at: count - 1).maxY - step / 2, highest)
    let aim = PixelPoint(x: from.x, y: min(max(from.y + distance, highest), lowest))
    let reach = layout.largestGap
    let band = PixelRect(x: 0, y: aim.y - reach, width: 1, height: 2 * reach)
    select(nearest(to: aim, among: layout.indices(in: band)) ?? selection, in: context)
  }

  /// Returns the index of the tile whose center is nearest to a point in content coordinates; nil
  /// if `indices` is empty.
  func nearest(to aim: PixelPoint, among indices: some Sequence<Int>) -> Int? {
    indices.min {
      layout.frame(at: $0).center.distance(to: aim)
        < layout.frame(at: $1).center.distance(to: aim)
    }
  }
}
