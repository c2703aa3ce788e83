/// The scrubber: where it is, what it shows, and how it is dragged.
extension Browser {
  /// Screens of tiles from which on there is a scrubber.
  private static let fewestScreens = 1.5
  /// Columns at the right edge by which a hidden scrubber is taken hold of.
  private static let edgeColumns = 1.0

  /// The scale of the scrubber; nil where there is none.
  private var scrubberScale: ScrubberScale? {
    guard grid.layout.contentHeight > Self.fewestScreens * viewport.pictureSize.height else {
      return nil
    }
    return ScrubberScale(collection.sections, rowCount: viewport.pictureCells.rows)
  }

  /// Shows the scrubber for a while, since the grid scrolls.
  mutating func showScrubber(at now: Instant) {
    if grid.layout.sectioned != nil { grid.scrubber.show(at: now) }
  }

  // MARK: - Drawing

  /// Adds what there is to see of the scrubber: its marks, and where one is.
  func addScrubber(to scene: inout Scene, opacity: Double, at now: Instant) {
    guard grid.scrubber.isShown, folders.transition == nil, let scale = scrubberScale else {
      return
    }
    let columns = viewport.pictureCells.columns
    let row = presentRow(on: scale, at: now)
    for mark in scale.marks(options.dates) where mark.row != row {
      add(" \(mark.text) ", atRow: mark.row, endingAt: columns, to: &scene, opacity: opacity)
    }
    add("←", atRow: row, endingAt: columns, to: &scene, opacity: opacity)
    guard grid.scrubber.heldAt != nil,
      let section = collection.section(ofItem: firstVisibleTile(at: now))
    else { return }
    let title = CellText(collection.title(ofSection: section, options.dates))
      .truncatedMiddle(to: max(columns - 4, 1))
    add(
      " \(title.string) ", atRow: row, endingAt: columns - 1, to: &scene, opacity: opacity,
      isHeading: true)
  }

  private func add(
    _ text: String, atRow row: Int, endingAt end: Int, to scene: inout Scene, opacity: Double,
    isHeading: Bool = false
  ) {
    let cell = viewport.metrics.cell
    let width = CellText(text).width
    guard width <= end else { return }
    scene.captions.append(
      Scene.Label(
        text: text,
        frame: PixelRect(
          x: Double(end - width) * cell.width, y: Double(row) * cell.height,
          width: Double(width) * cell.width, height: cell.height),
        opacity: opacity, isHeading: isHeading))
  }

  /// The row of the pointer, or of what is at the top of the screen.
  private func presentRow(on scale: ScrubberScale, at now: Instant) -> Int {
    if let y = grid.scrubber.heldAt {
      let row = (y / viewport.metrics.cell.height).rounded(.down)
      return Int(min(max(row, 1), Double(scale.rowCount - 1)))
    }
    let isAtEnd = grid.scroll.value(at: now) >= grid.scrollLimit(in: viewport)
    return isAtEnd ? scale.rowCount - 1 : scale.row(ofItem: firstVisibleTile(at: now))
  }

  /// The index of the first tile below the heading at the top.
  private func firstVisibleTile(at now: Instant) -> Int {
    let top = grid.scroll.value(at: now) + grid.layout.headingHeight
    let view = PixelRect(x: 0, y: top, width: 1, height: viewport.pictureSize.height)
    return min(grid.layout.indices(in: view).lowerBound, max(collection.items.count - 1, 0))
  }

  // MARK: - The pointer

  /// Takes hold of the scrubber, if the pointer is on it.
  ///
  /// - Returns: Whether it is.
  mutating func grabScrubber(at position: PixelPoint, _ now: Instant) -> Bool {
    guard viewer == nil, let scale = scrubberScale else { return false }
    let cell = viewport.metrics.cell
    let row = Int((position.y / cell.height).rounded(.down))
    let mark =
      grid.scrubber.isShown ? scale.marks(options.dates).first { $0.row == row }?.text ?? "" : ""
    let columns = max(Self.edgeColumns, mark.isEmpty ? 0 : Double(CellText(mark).width + 2))
    guard row > 0, position.x >= viewport.pictureSize.width - columns * cell.width,
      viewport.pictureArea.contains(position)
    else { return false }
    scrub(to: position.y, at: now)
    return true
  }

  /// Scrolls to the photos that the scrubber has at a height.
  mutating func scrub(to y: Double, at now: Instant) {
    guard let scale = scrubberScale else { return grid.scrubber.release(at: now) }
    grid.scrubber.hold(at: y, now)
    // The middle of a row stands for its beginning.
    let share = scale.share(atRow: y / viewport.metrics.cell.height - 0.5 + 1e-9)
    let index = scale.item(at: share)
    changeGrid(at: now) { grid, context in
      grid.jump(to: share >= 1 ? .infinity : grid.offset(showingAtTop: index), in: context)
    }
  }
}
