/// The panel about the photo that keys are about.
extension Browser {
  /// Widest and narrowest text of the panel, in cells.
  private static let informationWidth = 36
  private static let narrowestInformation = 18

  /// The photo that the panel is about; nil where it is not to be seen.
  package var inspectedPhoto: Photo.ID? {
    statusBar.showsInformation && slideshow == nil && helpPage == nil ? current : nil
  }

  /// The folder that the panel is about; nil where it is not to be seen.
  package var inspectedFolder: Photo.ID? {
    statusBar.showsInformation && slideshow == nil && helpPage == nil ? currentFolder : nil
  }

  /// The room for the panel's text, in cells; nil where there is none.
  package var informationRoom: CellSize? {
    let cells = viewport.pictureCells
    let columns = min(
      Self.informationWidth, max(cells.columns * 6 / 10 - 4, Self.narrowestInformation),
      cells.columns - 4)
    let room = CellSize(columns: columns, rows: cells.rows - 2)
    return room.columns > 0 && room.rows > 0 ? room : nil
  }

  /// Where the panel is drawn: at the right, at the left where it would hide the selected tile there
  /// and does not here.
  package func place(of panel: Panel) -> Panel.Place {
    guard viewer?.isClosing ?? true, photos.indices.contains(selection) else { return .right }
    let cell = viewport.metrics.cell
    let columns = panel.lines.map { CellText($0).width }.max() ?? 0
    let size = PixelSize(
      width: Double(columns + 4) * cell.width, height: Double(panel.lines.count + 2) * cell.height)
    let tile = restingTileFrame(of: selection)
    let right = PixelRect(
      origin: PixelPoint(x: viewport.pictureSize.width - size.width, y: 0), size: size)
    let left = PixelRect(origin: .zero, size: size)
    return tile.intersects(right) && !tile.intersects(left) ? .left : .right
  }
}
