/// How tiles are seen at a moment.
extension Grid {
  /// How a tile is seen at a moment, in the picture area: its frame is that of the photo itself where
  /// whole photos are shown.
  func tilePose(of index: Int, in context: Context) -> Pose {
    let item = context.collection.items[index]
    let place = Self.pose(of: index, in: layout, scroll: scroll.value(at: context.now), context)
    return fitted(
      rearrangement.pose(of: item, from: place, at: context.now), of: item,
      progress: fitProgress.value(at: context.now), context.collection, in: context.viewport)
  }

  /// The frame of a tile once everything has come to rest, or would have if the grid were scrolled to
  /// an offset.
  func restingTileFrame(
    of index: Int, scrolledTo offset: Double? = nil, _ collection: PhotoCollection,
    in viewport: Viewport
  ) -> PixelRect {
    let tile = layout.frame(at: index).offset(x: 0, y: -(offset ?? scroll.target))
    return fitted(
      Pose(frame: tile, backdrop: 1), of: collection.items[index], progress: fitProgress.target,
      collection, in: viewport
    ).frame
  }

  /// The tiles of items that are gone, on their way out, in the picture area.
  func exitingTiles(in context: Context) -> [(item: Photo.ID, pose: Pose)] {
    let offset = scroll.value(at: context.now)
    return rearrangement.exitingTiles(at: context.now).map { item, tile in
      let pose = fitted(
        tile + .moved(by: -offset), of: item, progress: fitProgress.value(at: context.now),
        context.collection, in: context.viewport)
      return (item, pose)
    }
  }

  /// The pose of a photo inside of its tile's: clipped by it at progress 0, whole at 1.
  private func fitted(
    _ pose: Pose, of item: Photo.ID, progress: Double, _ collection: PhotoCollection,
    in viewport: Viewport
  ) -> Pose {
    guard progress > 0, !collection.album.isFolder(item) else { return pose }
    let tile = pose.frame
    let size = collection.size(of: item)
    let quantum = viewport.metrics.quantum
    // In rows a tile has the shape of its photo, but for a rounding.
    if size.map({ tile.hasShape(of: $0, quantum: quantum) }) ?? true { return pose }
    let whole = tile.wholePhoto(of: size, quantum: quantum)
    func mix(_ clipped: Double, _ whole: Double) -> Double {
      clipped + (whole - clipped) * min(progress, 1)
    }
    var fitted = pose
    fitted.frame = PixelRect(
      x: mix(tile.minX, whole.minX), y: mix(tile.minY, whole.minY),
      width: mix(tile.width, whole.width), height: mix(tile.height, whole.height))
    return fitted
  }

  /// The indices of the tiles of which something may be seen at a moment, in order.
  func visibleIndices(in context: Context) -> [Int] {
    let area = context.viewport.pictureArea
    let present = layout.indices(in: area.offset(x: 0, y: scroll.value(at: context.now)))
    guard !rearrangement.movingItems.isEmpty else { return Array(present) }
    return Set(present).union(rearrangement.movingItems.values).sorted()
  }

  /// The part of the content that is in sight once the scrolling is over.
  func restingView(in viewport: Viewport) -> PixelRect {
    PixelRect(origin: PixelPoint(x: 0, y: scroll.target), size: viewport.pictureSize)
  }

  /// The pose of a tile in its own place, in the picture area.
  ///
  /// One that is far out of sight waits a screen away, so that it comes and goes at a speed that can
  /// be followed.
  static func pose(
    of index: Int, in layout: TileLayout, scroll: Double, _ context: Context
  ) -> Pose {
    let frame = layout.frame(at: index).offset(x: 0, y: -scroll)
    let height = context.viewport.pictureSize.height
    let y = min(max(frame.minY, -height - frame.height), 2 * height)
    return Pose(frame: frame.offset(x: 0, y: y - frame.minY), backdrop: 1)
  }
}
