/// The ratings on the tiles.
extension Browser {
  /// Adds the rating of a photo in the lower left corner of its tile, where the tile has room.
  func addRating(
    of index: Int, to scene: inout Scene, opacity: Double, in context: Grid.Context
  ) {
    guard index >= collection.folderCount,
      let rating = collection.album.rating(of: collection.items[index]), viewer == nil
    else { return }
    let text = rating.symbols
    guard !text.isEmpty else { return }
    let cell = viewport.metrics.cell
    let tile = tilePose(of: index, in: context).frame
    let columns = viewport.metrics.columns(inside: tile)
    let width = CellText(text).width
    // In whole cells, so that it hides no more of the picture than needed.
    let row = ((tile.maxY + 0.01) / cell.height).rounded(.down) - 1
    guard width < columns.count, row * cell.height >= tile.minY - 0.01, row >= 0 else { return }
    var label = Scene.Label(
      text: text,
      frame: PixelRect(
        x: Double(columns.lowerBound) * cell.width, y: row * cell.height,
        width: Double(width) * cell.width, height: cell.height),
      opacity: opacity)
    label.color = rating.label?.color
    scene.captions.append(label)
  }
}
