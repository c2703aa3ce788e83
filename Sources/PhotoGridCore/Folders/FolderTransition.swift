/// The way from one folder's grid to another's: the tile of the inner folder is the screen of its
/// grid, and grows to the whole screen or shrinks from it.
///
/// Both grids are seen meanwhile. The one that is left is what was on the screen, standing still; the
/// one that comes is alive.
struct FolderTransition: Equatable, Sendable {
  /// Whether the grid that comes is the inner one.
  var isInward: Bool
  /// The folder between the two.
  var folder: Photo.ID?
  /// Its tile on the screen of the outer grid, in pixels of the picture area.
  var tile: PixelRect
  /// What was on the screen of the grid that is left.
  var left: [Placement]
  /// The picture area.
  var screen: PixelRect
  /// The inner grid's screen, its opacity, and as backdrop that of the outer grid.
  var progress: Animated<Pose>

  /// How a tile of the grid that comes is seen at a moment.
  func arriving(_ pose: Pose, at now: Instant) -> Pose {
    let present = progress.value(at: now)
    return Pose(
      frame: pose.frame.carried(from: isInward ? screen : tile, to: present.frame),
      backdrop: pose.backdrop,
      opacity: pose.opacity * (isInward ? present.opacity : present.backdrop))
  }

  /// What is still seen of the grid that is left, as far as it is in an area.
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
  /// Where this is when all in one rectangle, which need have no size, is moved and scaled into
  /// another.
  func carried(from: PixelRect, to: PixelRect) -> PixelRect {
    let (x, y) = (to.width / max(from.width, 1), to.height / max(from.height, 1))
    return PixelRect(
      x: to.minX + (minX - from.minX) * x, y: to.minY + (minY - from.minY) * y, width: width * x,
      height: height * y)
  }
}
