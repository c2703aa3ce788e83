/// Keys in the grid: selection, scrolling, opening.
extension Browser {
  /// Moves the selection, opens what is selected, or takes a step out.
  mutating func navigateInGrid(
    _ command: Command.Navigation, _ count: Int?, at now: Instant, effects: inout [Effect]
  ) {
    let number = count ?? 1
    switch command {
    case .left: move(.left, number, at: now)
    case .right: move(.right, number, at: now)
    case .up: move(.up, number, at: now)
    case .down: move(.down, number, at: now)
    case .pageForward: movePages(Double(number), at: now)
    case .pageBack: movePages(-Double(number), at: now)
    case .halfPageForward: movePages(Double(number) / 2, at: now)
    case .halfPageBack: movePages(-Double(number) / 2, at: now)
    case .open: open(selection, at: now, effects: &effects)
    case .first, .last, .forwardTen, .backTen:
      if let index = destination(of: command, count, from: selection) { select(index, at: now) }
    case .stepOut: stepOutOfAlbum(at: now)
    case .next, .previous: break  // no key of the grid
    }
  }

  /// Where the commands that count photos one by one lead, in both views; nil for all others.
  func destination(of command: Command.Navigation, _ count: Int?, from index: Int) -> Int? {
    let number = count ?? 1
    switch command {
    case .first: return count.map { folderCount + $0 - 1 } ?? 0
    case .last: return count.map { folderCount + $0 - 1 } ?? photos.count - 1
    case .forwardTen: return index + 10 * number
    case .backTen: return index - 10 * number
    case .next: return index + number
    case .previous: return index - number
    case .left, .right, .up, .down, .pageForward, .pageBack, .halfPageForward, .halfPageBack,
      .open, .stepOut:
      return nil
    }
  }

  /// Selects the tile at an index, or the nearest one that there is, and brings it into sight.
  mutating func select(_ index: Int, at now: Instant) {
    guard !photos.isEmpty else { return }
    selection = min(max(index, 0), photos.count - 1)
    scroll(to: scrollOffset(showing: selection, from: scroll.target), at: now)
  }

  /// Goes to the nearest neighbour in a direction, so many times as there is one.
  ///
  /// At the end of a row it goes on with the next photo, or the one before; below the last row it
  /// ends at the last photo.
  private mutating func move(_ direction: Direction, _ count: Int, at now: Instant) {
    guard !photos.isEmpty else { return }
    var index = selection
    for _ in 0..<count {
      guard let next = layout.neighbor(of: index, in: direction) ?? photo(after: index, direction)
      else { break }
      index = next
    }
    select(index, at: now)
  }

  /// Where a direction leads from a tile without a neighbour there.
  private func photo(after index: Int, _ direction: Direction) -> Int? {
    let last = photos.count - 1
    return switch direction {
    case .left: index > 0 ? index - 1 : nil
    case .right: index < last ? index + 1 : nil
    case .down: index < last ? last : nil
    case .up: nil
    }
  }

  /// Goes by pages, or parts of one, to the photo nearest to the same place; at the end to the last
  /// row.
  private mutating func movePages(_ pages: Double, at now: Instant) {
    guard !photos.isEmpty else { return }
    let step = layout.scrollStep
    let rows = max((viewport.pictureSize.height / step).rounded(.down) * abs(pages), 1)
    let distance = rows.rounded(.down) * step * (pages < 0 ? -1 : 1)
    let from = layout.frame(at: selection).center
    let highest = layout.frame(at: 0).minY
    let lowest = max(layout.frame(at: photos.count - 1).maxY - step / 2, highest)
    let aim = PixelPoint(x: from.x, y: min(max(from.y + distance, highest), lowest))
    let band = PixelRect(x: 0, y: aim.y - step, width: 1, height: 2 * step)
    select(nearest(to: aim, among: layout.indices(in: band)) ?? selection, at: now)
  }

  /// The photo whose tile's middle is nearest to a place in the content.
  private func nearest(to aim: PixelPoint, among indices: some Sequence<Int>) -> Int? {
    indices.min {
      layout.frame(at: $0).center.distance(to: aim)
        < layout.frame(at: $1).center.distance(to: aim)
    }
  }

  // MARK: - Scrolling

  /// The furthest that the content scrolls: whole text rows.
  var scrollLimit: Double {
    let row = viewport.metrics.cell.height
    let overflow = layout.contentHeight - viewport.pictureSize.height
    return max((overflow / row).rounded(.up) * row, 0)
  }

  /// The offset nearest to `offset` at which the photo and a quarter of the next row are in sight.
  ///
  /// Whole text rows, so that labels and half blocks rest on cells.
  func scrollOffset(showing index: Int, from offset: Double) -> Double {
    scrollOffset(showing: index, from: offset, peek: layout.scrollStep / 4)
  }

  private func scrollOffset(showing index: Int, from offset: Double, peek: Double) -> Double {
    let row = viewport.metrics.cell.height
    let frame = layout.frame(at: index)
    let height = viewport.pictureSize.height
    let bottom = layout.labelFrame(at: index)?.maxY ?? frame.maxY
    let highest = ((bottom + peek - height) / row).rounded(.up) * row
    let lowest = ((frame.minY - peek) / row).rounded(.down) * row
    // Where a tile is higher than the screen its top wins.
    return min(max(min(max(offset, highest), lowest), 0), scrollLimit)
  }

  /// Screens over which scrolling is eased; nothing is to be seen of a longer way.
  private static let longestWay = 4.0

  /// Scrolls to an offset, eased if it is near; a photo on its way to its tile follows.
  mutating func scroll(to offset: Double, at now: Instant) {
    scrollGrid(to: offset, at: now)
    retargetReturn(options.motion.scroll, at: now)
  }

  /// Scrolls to an offset, eased if it is near; a new target takes over from the old one.
  mutating func scrollGrid(to offset: Double, at now: Instant) {
    if offset != scroll.target { scrollsUp = offset < scroll.target }
    let isNear =
      abs(offset - scroll.target) <= Self.longestWay * viewport.pictureSize.height
    if options.motion.travels, isNear {
      scroll.retarget(to: offset, options.motion.scroll, at: now)
    } else {
      scroll.jump(to: offset)
    }
  }

  /// Scrolls by rows of tiles; the selection moves only as far as it must to stay in sight.
  mutating func scrollRows(_ rows: Int, at now: Instant) {
    guard !photos.isEmpty else { return }
    let row = viewport.metrics.cell.height
    let step = layout.scrollStep
    // From whole rows of tiles to whole rows, so that there and back is the same place.
    let present = (scroll.target / step).rounded()
    let wanted = ((present + Double(rows)) * step / row).rounded() * row
    let offset = min(max(wanted, 0), scrollLimit)
    if scrollOffset(showing: selection, from: offset, peek: 0) != offset {
      let view = PixelRect(
        x: 0, y: offset, width: viewport.pictureSize.width, height: viewport.pictureSize.height)
      let seen = layout.indices(in: view).filter { layout.frame(at: $0).intersects(view) }
      let whole = seen.filter {
        let frame = layout.frame(at: $0)
        return frame.minY >= view.minY && frame.maxY <= view.maxY
      }
      let place = layout.frame(at: selection).center
      selection = nearest(to: place, among: whole.isEmpty ? seen : whole) ?? selection
    }
    scroll(to: offset, at: now)
  }
}
