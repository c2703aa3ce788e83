/// The ratings and badges on the tiles.
extension Browser {
  /// Adds the rating of a photo in the lower left corner of its tile, its badge in the lower right
  /// corner, and its name between them, as far as the tile has room.
  ///
  /// - `name`: The name, if the layout has no row of its own for it.
  func addRating(
    of index: Int, _ name: String?, to scene: inout Scene, opacity: Double,
    in context: Grid.Context
  ) {
    guard index >= collection.folderCount, viewer == nil else { return }
    let photo = collection.items[index]
    let rating = collection.album.rating(of: photo)
    let texts = [rating?.symbols ?? "", collection.badge(of: photo)]
    guard name != nil || texts != ["", ""],
      let row = Scene.Label.lastRow(
        of: tilePose(of: index, in: context).frame, viewport.metrics)
    else { return }
    var free = row.columns
    for (text, isBadge) in zip(texts, [false, true]) where !text.isEmpty {
      let width = CellText(text).width
      guard width < free.count else { continue }
      let first = isBadge ? free.upperBound - width : free.lowerBound
      var label = Scene.Label(
        text: text, at: first, row: row.number, viewport.metrics, opacity: opacity)
      if isBadge {
        free = free.lowerBound..<first
      } else {
        label.color = rating?.label?.color
        free = (first + width)..<free.upperBound
      }
      scene.captions.append(label)
    }
    guard let name, !free.isEmpty else { return }
    scene.captions.append(
      Scene.Label(
        text: CellText(name).truncatedMiddle(to: free.count).string, at: free.lowerBound,
        row: row.number, viewport.metrics, opacity: opacity))
  }
}

extension Scene.Label {
  /// Returns the last row of cells that a tile covers, and the columns in it; nil if the tile is
  /// lower than a row.
  ///
  /// Aligned to a row of cells, a text hides no more of the picture than needed.
  package static func lastRow(
    of tile: PixelRect, _ metrics: CellMetrics
  ) -> (number: Int, columns: Range<Int>)? {
    let row = ((tile.maxY + 0.01) / metrics.cell.height).rounded(.down) - 1
    guard row * metrics.cell.height >= tile.minY - 0.01, row >= 0 else { return nil }
    return (Int(row), metrics.columns(inside: tile))
  }

  /// Creates a label of a text in one row of cells.
  package init(
    text: String, at column: Int, row: Int, _ metrics: CellMetrics, opacity: Double
  ) {
    let cell = metrics.cell
    self.init(
      text: text,
      frame: PixelRect(
        x: Double(column) * cell.width, y: Double(row) * cell.height,
        width: Double(CellText(text).width) * cell.width, height: cell.height),
      opacity: opacity)
  }
}

extension PhotoCollection {
  /// Returns the text in a corner of a photo's tile for the files that the tile stands for, such as
  /// "RAW ×3"; empty for a single file.
  func badge(of photo: Photo.ID) -> String {
    let count = album.stackCount(of: photo)
    let parts = [album.pairedFiles(of: photo).isEmpty ? "" : "RAW", count > 1 ? "×\(count)" : ""]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }
}
