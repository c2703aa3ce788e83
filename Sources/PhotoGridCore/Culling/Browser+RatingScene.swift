/// The ratings and badges on the tiles.
extension Browser {
  /// Adds the rating of a photo in the lower left corner of its tile, and its badge in the lower
  /// right corner, as far as the tile has room.
  func addRating(
    of index: Int, to scene: inout Scene, opacity: Double, in context: Grid.Context
  ) {
    guard index >= collection.folderCount, viewer == nil else { return }
    let photo = collection.items[index]
    let rating = collection.album.rating(of: photo)
    let texts = [rating?.symbols ?? "", collection.badge(of: photo)]
    guard texts != ["", ""] else { return }
    let cell = viewport.metrics.cell
    let tile = tilePose(of: index, in: context).frame
    let columns = viewport.metrics.columns(inside: tile)
    // Aligned to a row of cells, the text hides no more of the picture than needed.
    let row = ((tile.maxY + 0.01) / cell.height).rounded(.down) - 1
    guard row * cell.height >= tile.minY - 0.01, row >= 0 else { return }
    var free = columns
    for (text, isBadge) in zip(texts, [false, true]) where !text.isEmpty {
      let width = CellText(text).width
      guard width < free.count else { continue }
      let first = isBadge ? free.upperBound - width : free.lowerBound
      var label = Scene.Label(
        text: text,
        frame: PixelRect(
          x: Double(first) * cell.width, y: row * cell.height,
          width: Double(width) * cell.width, height: cell.height),
        opacity: opacity)
      if !isBadge {
        label.color = rating?.label?.color
        free = (first + width)..<free.upperBound
      }
      scene.captions.append(label)
    }
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
