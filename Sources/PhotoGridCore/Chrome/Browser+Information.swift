/// The information panel about the current item.
extension Browser {
  /// The largest width of the panel's text, in cells.
  private static let informationWidth = 36
  /// The smallest width of the panel's text, in cells, unless the screen is narrower.
  private static let narrowestInformation = 18

  /// The photo that the panel describes; nil if the panel is hidden or describes a folder.
  package var inspectedPhoto: Photo.ID? {
    statusBar.showsInformation && slideshow == nil && helpPage == nil ? current : nil
  }

  /// The folder that the panel describes; nil if the panel is hidden or describes a photo.
  package var inspectedFolder: Photo.ID? {
    statusBar.showsInformation && slideshow == nil && helpPage == nil ? currentFolder : nil
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
    guard viewer?.isClosing ?? true, !isComparing, photos.indices.contains(selection) else {
      return .right
    }
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
