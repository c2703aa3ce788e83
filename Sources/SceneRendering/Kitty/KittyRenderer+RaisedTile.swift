import PhotoGridCore

/// The tile that flies above its neighbors.
///
/// A crop that changes in flight ends at whole cells, up to a cell inside of its tile, and neighbors
/// would show in the gap between it and its ring.
extension KittyRenderer {
  /// The area of the largest tile with strips, in pixels: the image of a larger ring would take more
  /// than a millisecond a frame.
  private static let maxTileWithStrips = 500_000.0

  /// Fills the gap: by strips of the photo that are sent with the ring in every frame, or, on a remote
  /// terminal and around a large tile, by drawing the ring around the visible part.
  func closeGap(aroundRaisedTileIn view: inout KittyView) {
    guard view.scene.isMoving, let ring = view.scene.ring, ring.isRaised,
      let visible = view.visiblePlacements.last(where: {
        $0?.frame == ring.tile && $0?.isBadge == false
      }) ?? nil,
      let picture = pictures(for: visible, in: view).pictures.first,
      let alignment = CellAlignment(
        picture.spec, frame: visible.frame, crop: visible.crop, cell: view.cell, area: view.area)
    else { return }
    let shown = Self.part(of: visible.frame, shownOn: alignment.cells, in: view)
    let isSmall =
      visible.frame.width * visible.frame.height <= Self.maxTileWithStrips
    guard store.transport.medium.isLocal, isSmall, let picture = visible.picture else {
      view.raisedTile = shown
      return
    }
    view.strips = KittyStrips(of: visible, around: shown)
    view.raisedPicture = picture
  }

  private static func part(
    of frame: PixelRect, shownOn cells: CellRect, in view: KittyView
  ) -> PixelRect {
    let (area, cells) = (view.areaFrame, cells.frame(cell: view.cell))
    // Edges outside of the screen stay as they are.
    let left = frame.minX < 0 ? frame.minX : max(frame.minX, cells.minX)
    let right = frame.maxX > area.maxX ? frame.maxX : min(frame.maxX, cells.maxX)
    let top = frame.minY < 0 ? frame.minY : max(frame.minY, cells.minY)
    let bottom = frame.maxY > area.maxY ? frame.maxY : min(frame.maxY, cells.maxY)
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }
}

/// The strips along the edges of a tile that the image of its photo leaves free.
struct KittyStrips: Hashable {
  /// The subject of the tile's image.
  let subject: KittySubject
  /// The part of the subject that the whole tile shows, in fractions of its sides.
  let crop: PixelRect
  /// The breadth of each strip, in pixels; 0 for none.
  let widths: Insets

  /// Creates the strips of a placement around its visible part; nil if that is the whole tile.
  init?(of visible: KittyView.VisiblePlacement, around shown: PixelRect) {
    let frame = visible.frame
    // The ring's image is placed at whole pixels, up to half a pixel from its exact place.
    func width(_ gap: Double) -> Int { gap > 0 ? Int(gap.rounded(.up)) + 1 : 0 }
    widths = Insets(
      left: width(shown.minX - frame.minX), top: width(shown.minY - frame.minY),
      right: width(frame.maxX - shown.maxX), bottom: width(frame.maxY - shown.maxY))
    guard widths != .zero else { return nil }
    (subject, crop) = (visible.subject, visible.crop)
  }
}
