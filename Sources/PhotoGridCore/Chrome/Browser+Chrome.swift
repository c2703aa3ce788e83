/// The status bar and the window title.
extension Browser {
  /// Returns the content of the status bar at a moment.
  package func bar(_ facts: Bar.Facts, at now: Instant) -> Bar {
    if let palette {
      return Bar(
        left: "", right: palette.status, entry: Bar.Entry(label: ":", line: palette.line))
    }
    if let help, help.isTyping, let line = help.search {
      return Bar(left: "", right: "", entry: Bar.Entry(label: "help: /", line: line))
    }
    let leaving = files.isLeaving ? "Quitting when that is done. q quits now." : nil
    return statusBar.bar(
      statusContent(facts, question: leaving ?? question), at: now)
  }

  /// Returns the window title.
  package func title(_ facts: Bar.Facts) -> String {
    statusBar.title(statusContent(facts, question: nil))
  }

  /// The question that the next key answers; nil if there is none.
  private var question: String? {
    if case .confirmation(let confirmation)? = modal { confirmation.question } else { nil }
  }

  private func statusContent(_ facts: Bar.Facts, question: String?) -> StatusBar.Content {
    let frameCount = facts.info?.frameCount ?? 1
    let prompt = prompt
    var content = StatusBar.Content(
      facts: facts, collection: collection, selection: selection, photoIndex: currentIndex,
      isFolder: currentFolder != nil, question: question, prompt: prompt,
      commandPhotoCount: prompt?.kind == .command ? chosenFiles.count : 0,
      count: keyboard.reader.count, fileProgress: files.progress, isLeaving: files.isLeaving,
      frames: frameCount > 1 ? gallery.animator.frameLabel(frameCount: frameCount) : nil,
      isReadOnly: options.isReadOnly,
      culling: culling == nil ? nil : Culling.status(left: album.unratedCount),
      rating: current.flatMap { album.rating(of: $0) }?.symbols)
    for screen in screens { screen.describe(&content, in: gallery) }
    return content
  }

  /// Shows a message in the bar for a number of seconds.
  mutating func showNotice(_ text: String, for seconds: Double, at now: Instant) {
    statusBar.show(text, for: seconds, at: now)
  }

  /// Shows a message in the bar, if there is one.
  mutating func showNotice(_ notice: Notice.Text?, at now: Instant) {
    if let notice { showNotice(notice.text, for: notice.seconds, at: now) }
  }
}

/// The information panel about the current item.
extension Browser {
  /// The largest width of the panel's text, in cells.
  private static let informationWidth = 36
  /// The smallest width of the panel's text, in cells, unless the screen is narrower.
  private static let narrowestInformation = 18

  /// The photo that the panel describes; nil if the panel is hidden or describes a folder.
  package var inspectedPhoto: Photo.ID? {
    statusBar.showsInformation && slideshow == nil && help == nil && palette == nil ? current : nil
  }

  /// The folder that the panel describes; nil if the panel is hidden or describes a photo.
  package var inspectedFolder: Photo.ID? {
    statusBar.showsInformation && slideshow == nil && help == nil && palette == nil
      ? currentFolder : nil
  }

  /// The space for the panel's text, in cells; nil if there is none.
  package var informationSize: CellSize? {
    let cells = viewport.pictureCells
    let columns = min(
      Self.informationWidth, max(cells.columns * 6 / 10 - 4, Self.narrowestInformation),
      cells.columns - 4)
    let room = CellSize(columns: columns, rows: cells.rows - 2)
    return room.columns > 0 && room.rows > 0 ? room : nil
  }

  /// Returns the side on which the panel is drawn: the left if a panel on the right would hide the
  /// selected tile and a panel on the left would not, otherwise the right.
  package func place(of panel: Panel) -> Panel.Place {
    guard keyView == .grid, items.indices.contains(selection) else { return .right }
    let cell = viewport.metrics.cell
    let columns = panel.lines.map { CellText($0).width }.max() ?? 0
    let size = PixelSize(
      width: Double(columns + 4) * cell.width, height: Double(panel.lines.count + 2) * cell.height)
    let tile = gallery.restingTileFrame(of: selection)
    let right = PixelRect(
      origin: PixelPoint(x: viewport.pictureSize.width - size.width, y: 0), size: size)
    let left = PixelRect(origin: .zero, size: size)
    return tile.intersects(right) && !tile.intersects(left) ? .left : .right
  }
}
