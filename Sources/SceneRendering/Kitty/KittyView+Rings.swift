import PhotoGridCore

/// The rings around tiles, and the transparent borders of images.
extension KittyView {
  /// The ring of the selection, around the visible part of its tile; nil if it is not visible.
  var ring: Scene.Ring? {
    guard fade.showsGround, var ring = scene.ring else { return nil }
    if let raisedTile { ring.tile = raisedTile }
    return ring
  }

  /// The visible rings of marked tiles.
  var marks: [Scene.Ring] { fade.showsGround ? scene.marks : [] }

  /// All visible rings.
  var rings: [Scene.Ring] { (ring.map { [$0] } ?? []) + marks }

  /// Returns the outer frame of a ring, in pixels; its tile is in the middle.
  func ringFrame(_ ring: Scene.Ring) -> PixelRect {
    let tile = scene.isMoving ? ring.tile : ring.tile.roundedToPixels
    return PixelRect(
      x: tile.minX - gap.width, y: tile.minY - gap.height, width: tile.width + 2 * gap.width,
      height: tile.height + 2 * gap.height)
  }

  /// Returns the image of a ring.
  func ringSpec(_ ring: Scene.Ring) -> KittySpec {
    let (width, height) = (Int(ring.tile.width.rounded()), Int(ring.tile.height.rounded()))
    return KittySpec(
      subject: .ring(
        ring.meaning, width: width, height: height, strips: ring.isRaised ? strips : nil),
      region: .unit,
      width: width + 2 * Int(gap.width.rounded()), height: height + 2 * Int(gap.height.rounded()),
      border: border(cells: 1))
  }

  /// Returns a border of a number of cells on all sides, in pixels.
  func border(cells count: Int) -> Insets {
    let (width, height) = (
      count * Int(cell.width.rounded(.up)), count * Int(cell.height.rounded(.up))
    )
    return Insets(left: width, top: height, right: width, bottom: height)
  }
}
