/// Keys in the grid: selection, scrolling, opening.
extension Browser {
  mutating func runInGrid(_ reading: KeyReader.Reading, at now: Instant) {
    let count = reading.count ?? 1
    switch reading.command {
    case .left: select(selection - count, at: now)
    case .right: select(selection + count, at: now)
    case .up: moveRows(-count, at: now)
    case .down: moveRows(count, at: now)
    case .pageForward: moveRows(count * rowsPerPage, at: now)
    case .pageBack: moveRows(-count * rowsPerPage, at: now)
    case .halfPageForward: moveRows(count * max(rowsPerPage / 2, 1), at: now)
    case .halfPageBack: moveRows(-count * max(rowsPerPage / 2, 1), at: now)
    case .open: open(selection, at: now)
    case .first, .last, .forwardTen, .backTen:
      if let index = destination(of: reading, from: selection) { select(index, at: now) }
    case .stepOut, .next, .previous: break
    case .toggleHelp, .toggleBar, .toggleLabels, .toggleSlowMotion, .redraw, .suspend,
      .interrupt, .quit, .quitAndPrint, .unbuilt:
      break  // done before for both views
    }
  }

  /// Where the commands that count photos one by one lead, in both views.
  func destination(of reading: KeyReader.Reading, from index: Int) -> Int? {
    let count = reading.count ?? 1
    switch reading.command {
    case .first: return (reading.count ?? 1) - 1
    case .last: return (reading.count ?? photos.count) - 1
    case .forwardTen: return index + 10 * count
    case .backTen: return index - 10 * count
    case .next: return index + count
    case .previous: return index - count
    default: return nil  // the others do not count photos
    }
  }

  /// Selects the photo at an index, or the nearest one that there is, and brings it into sight.
  mutating func select(_ index: Int, at now: Instant) {
    guard !photos.isEmpty else { return }
    selection = min(max(index, 0), photos.count - 1)
    scroll(to: scrollOffset(showing: selection, from: scroll.target), at: now)
  }

  /// Moves by rows in the same column; below the last full row, to the last photo.
  private mutating func moveRows(_ rows: Int, at now: Instant) {
    guard !photos.isEmpty else { return }
    let columns = layout.columnCount
    let row = selection / columns
    let newRow = min(max(row + rows, 0), layout.rowCount - 1)
    guard newRow != row else { return }
    select(min(newRow * columns + selection % columns, photos.count - 1), at: now)
  }

  /// Whole rows of tiles that a page holds; at least 1.
  private var rowsPerPage: Int {
    max(Int(viewport.pictureSize.height / layout.rowPitch), 1)
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
    scrollOffset(showing: index, from: offset, peek: layout.rowPitch / 4)
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

  /// Scrolls to an offset, eased; a new target takes over from the old one.
  mutating func scroll(to offset: Double, at now: Instant) {
    if options.motion.travels {
      scroll.retarget(to: offset, options.motion.scroll, at: now)
    } else {
      scroll.jump(to: offset)
    }
    followScroll(at: now)
  }

  /// Scrolls by rows of tiles; the selection moves only as far as it must to stay in sight.
  mutating func scrollRows(_ rows: Int, at now: Instant) {
    guard !photos.isEmpty else { return }
    let row = viewport.metrics.cell.height
    // From whole rows of tiles to whole rows, so that there and back is the same place.
    let present = (scroll.target / layout.rowPitch).rounded()
    let wanted = ((present + Double(rows)) * layout.rowPitch / row).rounded() * row
    let offset = min(max(wanted, 0), scrollLimit)
    // One direction only, so that it ends even where no tile fits the screen.
    let isAbove = layout.frame(at: selection).minY < offset + viewport.pictureSize.height / 2
    let step = isAbove ? layout.columnCount : -layout.columnCount
    while scrollOffset(showing: selection, from: offset, peek: 0) != offset {
      let next = min(selection + step, photos.count - 1)
      guard next >= 0, next / layout.columnCount != selection / layout.columnCount else { break }
      selection = next
    }
    scroll(to: offset, at: now)
  }
}
