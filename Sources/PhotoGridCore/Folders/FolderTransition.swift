/// The transition from one grid to another: the screen of the inner grid grows out of its tile on
/// the outer one, or shrinks into it.
///
/// The inner grid shows the contents of an item of the outer one: of a folder, a month or a year.
/// Both grids are visible during the transition: the departing one as a still of its last screen,
/// the arriving one live.
struct FolderTransition: Equatable, Sendable {
  /// Whether the arriving grid is the inner one.
  var isInward: Bool
  /// The item whose contents the inner grid shows; nil if it is unknown.
  var tileItem: ItemID?
  /// The frame of the item's tile on the screen of the outer grid, in pixels of the picture area.
  var tile: PixelRect
  /// The placements on the last screen of the departing grid.
  var left: [Placement]
  /// The picture area.
  var screen: PixelRect
  /// The frame of the inner grid's screen, its opacity and, as `backdrop`, the opacity of the outer
  /// grid.
  var progress: Animated<Pose>

  /// Returns the pose of a tile of the arriving grid at a moment, given its pose in that grid.
  func arriving(_ pose: Pose, at now: Instant) -> Pose {
    let present = progress.value(at: now)
    return Pose(
      frame: pose.frame.carried(from: isInward ? screen : tile, to: present.frame),
      backdrop: pose.backdrop,
      opacity: pose.opacity * (isInward ? present.opacity : present.backdrop))
  }

  /// Returns the placements of the departing grid at a moment, clipped to an area; empty once the
  /// grid has faded out.
  func departing(at now: Instant, on area: PixelRect, opacity: Double) -> [Placement] {
    let present = progress.value(at: now)
    let share = opacity * (isInward ? present.backdrop : present.opacity)
    guard share > 1 / 256 else { return [] }
    return left.compactMap { placement in
      var placement = placement
      placement.frame = placement.frame.carried(
        from: isInward ? tile : screen, to: present.frame)
      guard placement.frame.intersects(area) else { return nil }
      placement.opacity *= share
      return placement.clipped(to: area)
    }
  }
}

extension PixelRect {
  /// Returns this rectangle after the move and the scaling that map `from` to `to`.
  ///
  /// A side of `from` shorter than a pixel counts as a pixel.
  func carried(from: PixelRect, to: PixelRect) -> PixelRect {
    let (x, y) = (to.width / max(from.width, 1), to.height / max(from.height, 1))
    return PixelRect(
      x: to.minX + (minX - from.minX) * x, y: to.minY + (minY - from.minY) * y, width: width * x,
      height: height * y)
  }
}
