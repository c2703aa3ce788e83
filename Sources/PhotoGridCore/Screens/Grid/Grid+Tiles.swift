import Geometry

/// The poses of tiles on the screen.
extension Grid {
  /// Returns the current pose of a tile, in the picture area; if whole photos are shown, its frame
  /// is the frame of the photo inside the tile.
  func tilePose(of index: Int, in context: Context) -> Pose {
    let item = context.items[index]
    let pose = Self.pose(of: index, in: layout, scroll: scroll.value(at: context.now), context)
    return fitted(
      rearrangement.pose(of: item, from: pose, at: context.now), of: item,
      progress: fitProgress.value(at: context.now), context.items, in: context.viewport)
  }

  /// Returns the frame of a tile after all motion, in the picture area, optionally at another
  /// scroll offset.
  func restingTileFrame(
    of index: Int, scrolledTo offset: Double? = nil, _ items: GridItems,
    in viewport: Viewport
  ) -> PixelRect {
    let tile = layout.frame(at: index).offset(x: 0, y: -(offset ?? scroll.target))
    return fitted(
      Pose(frame: tile, backdrop: 1), of: items[index], progress: fitProgress.target,
      items, in: viewport
    ).frame
  }

  func exitingTiles(in context: Context) -> [(item: ItemID, pose: Pose)] {
    let offset = scroll.value(at: context.now)
    return rearrangement.exitingTiles(at: context.now).map { item, tile in
      let pose = fitted(
        tile + .moved(by: -offset), of: item, progress: fitProgress.value(at: context.now),
        context.items, in: context.viewport)
      return (item, pose)
    }
  }

  /// Returns the pose of a photo inside its tile: clipped by the tile at progress 0, whole at 1.
  private func fitted(
    _ pose: Pose, of item: ItemID, progress: Double, _ items: GridItems,
    in viewport: Viewport
  ) -> Pose {
    guard progress > 0 else { return pose }
    let tile = pose.frame
    let size = items.size(of: item)
    let placementStep = viewport.metrics.placementStep
    // In rows, a tile has the shape of its photo except for rounding.
    if size.map({ tile.hasShape(of: $0, placementStep: placementStep) }) ?? true { return pose }
    let whole = tile.wholePhoto(of: size, placementStep: placementStep)
    func mix(_ clipped: Double, _ whole: Double) -> Double {
      clipped + (whole - clipped) * min(progress, 1)
    }
    var fitted = pose
    fitted.frame = PixelRect(
      x: mix(tile.minX, whole.minX), y: mix(tile.minY, whole.minY),
      width: mix(tile.width, whole.width), height: mix(tile.height, whole.height))
    return fitted
  }

  /// Returns the indices of the tiles that may currently be visible, in ascending order.
  func visibleIndices(in context: Context) -> [Int] {
    let area = context.viewport.pictureArea
    let present = layout.indices(in: area.offset(x: 0, y: scroll.value(at: context.now)))
    let count = context.items.count
    guard !rearrangement.movingItems.isEmpty else { return present.filter { $0 < count } }
    // Items can have gone since tiles began to move.
    return Set(present).union(rearrangement.movingItems.values).filter { $0 < count }.sorted()
  }

  /// Returns the visible part of the content after scrolling, in content coordinates.
  func restingView(in viewport: Viewport) -> PixelRect {
    PixelRect(origin: PixelPoint(x: 0, y: scroll.target), size: viewport.pictureSize)
  }

  /// Returns the indices of the items whose pictures are needed, most urgent first.
  ///
  /// - Returns: The visible tiles, starting with those nearest to `index`, and the tiles within two
  ///   scroll steps of the viewport, starting in the direction of the last scroll.
  func demandedIndices(
    around index: Int, in viewport: Viewport
  ) -> (visible: [Int], nearby: [Int]) {
    let view = restingView(in: viewport)
    let visible = layout.indices(in: view)
    let margin = 2 * layout.scrollStep
    let near = layout.indices(
      in: PixelRect(
        x: view.minX, y: view.minY - margin, width: view.width, height: view.height + 2 * margin))
    let below = Array(visible.upperBound..<max(near.upperBound, visible.upperBound))
    let above = (min(near.lowerBound, visible.lowerBound)..<visible.lowerBound).reversed()
    return (
      visible.sorted { abs($0 - index) < abs($1 - index) },
      lastScrolledUp ? above + below : below + above
    )
  }

  /// Returns the pose of a tile at its layout position, in the picture area; a tile far off the
  /// screen is moved to within a screen of it.
  static func pose(
    of index: Int, in layout: TileLayout, scroll: Double, _ context: Context
  ) -> Pose {
    let frame = layout.frame(at: index).offset(x: 0, y: -scroll)
    return Pose(frame: frame.waitingNearby(in: context.viewport), backdrop: 1)
  }
}

extension PixelRect {
  /// Returns the frame of a tile moved so that it is at most a screen away, where it enters and
  /// leaves at a speed the eye can follow.
  func waitingNearby(in viewport: Viewport) -> PixelRect {
    let screen = viewport.pictureSize.height
    let y = min(max(minY, -screen - height), 2 * screen)
    return offset(x: 0, y: y - minY)
  }
}
