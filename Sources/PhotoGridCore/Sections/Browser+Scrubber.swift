/// Drawing the scrubber, and dragging it.
extension Browser {
  /// The height of the content above which there is a scrubber, in screens.
  private static let fewestScreens = 1.5
  /// The width of the strip at the right edge where a hidden scrubber can be grabbed, in text
  /// columns.
  private static let edgeColumns = 1.0

  /// The scale of the scrubber; nil if there is no scrubber.
  private var scrubberScale: ScrubberScale? {
    guard grid.layout.contentHeight > Self.fewestScreens * viewport.pictureSize.height else {
      return nil
    }
    return ScrubberScale(collection.sections, rowCount: viewport.pictureCells.rows)
  }

  /// Shows the scrubber for a while after the grid has scrolled, if there are sections.
  mutating func showScrubber(at now: Instant) {
    if grid.layout.sectioned != nil { grid.scrubber.show(at: now) }
  }

  // MARK: - Drawing

  /// Adds the scrubber's years and months and its current position to the scene.
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

  /// Returns the row of the current position: the pointer's row while it holds the scrubber,
  /// otherwise the row of the first visible tile.
  private func presentRow(on scale: ScrubberScale, at now: Instant) -> Int {
    if let y = grid.scrubber.heldAt {
      let row = (y / viewport.metrics.cell.height).rounded(.down)
      return Int(min(max(row, 1), Double(scale.rowCount - 1)))
    }
    let isAtEnd = grid.scroll.value(at: now) >= grid.scrollLimit(in: viewport)
    return isAtEnd ? scale.rowCount - 1 : scale.row(ofItem: firstVisibleTile(at: now))
  }

  /// Returns the index of the first tile below the heading at the top of the screen.
  private func firstVisibleTile(at now: Instant) -> Int {
    let top = grid.scroll.value(at: now) + grid.layout.headingHeight
    let view = PixelRect(x: 0, y: top, width: 1, height: viewport.pictureSize.height)
    return min(grid.layout.indices(in: view).lowerBound, max(collection.items.count - 1, 0))
  }

  // MARK: - The pointer

  /// Grabs the scrubber if a position, in pixels of the picture area, is on it.
  ///
  /// - Returns: Whether the position is on the scrubber.
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

  /// Scrolls to the photos at a height of the scrubber, in pixels from the top of the picture area.
  mutating func scrub(to y: Double, at now: Instant) {
    guard let scale = scrubberScale else { return grid.scrubber.release(at: now) }
    grid.scrubber.hold(at: y, now)
    // Pointing at the middle of a row selects the first photo of that row.
    let share = scale.share(atRow: y / viewport.metrics.cell.height - 0.5 + 1e-9)
    let index = scale.item(at: share)
    changeGrid(at: now) { grid, context in
      grid.jump(to: share >= 1 ? .infinity : grid.offset(showingAtTop: index), in: context)
    }
  }
}
