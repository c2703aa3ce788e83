/// Changing the layout while looking: every photo flies from its old frame to its new one.
extension Browser {
  /// Goes on to another of the layouts, in a circle.
  mutating func changeLayout(by step: Int, at now: Instant) {
    let kinds = [LayoutStyle.Kind.grid, .mosaic, .bento]
    let present = kinds.firstIndex(of: options.layout.kind) ?? 0
    let next = ((present + step) % kinds.count + kinds.count) % kinds.count
    rearrange(at: now) { $0.kind = kinds[next] }
    switch options.layout.kind {
    case .grid: showNotice("grid", for: 1, at: now)
    case .mosaic: showNotice("mosaic", for: 1, at: now)
    case .bento: showNotice("bento", for: 1, at: now)
    }
  }

  /// Makes tiles larger or smaller by as little as makes a difference.
  mutating func enlarge(by steps: Int, at now: Instant) {
    let direction = steps > 0 ? 1 : -1
    for _ in 0..<min(abs(steps), LayoutStyle.enlargements.count) {
      let before = layout
      repeat {
        let next = options.layout.enlargement + direction
        guard LayoutStyle.enlargements.contains(next) else { return }
        guard direction < 0 || fitsTiles(enlargement: next) else {
          showNotice("a tile fills the view already", for: 1, at: now)
          return
        }
        rearrange(at: now) { $0.enlargement = next }
      } while layout == before
    }
  }

  /// Whether the first tiles fit the picture area at an enlargement, or are as they are now.
  private func fitsTiles(enlargement: Int) -> Bool {
    var style = options.layout
    style.enlargement = enlargement
    let area = viewport.pictureSize
    let larger = style.snapped(
      photos.count, in: area, metrics: viewport.metrics, isCentered: true)
    return (0..<min(photos.count, Self.tilesThatMustFit)).allSatisfy { index in
      let size = larger.frame(at: index).size
      return size.width <= area.width && size.height <= area.height
        || size == layout.frame(at: index).size
    }
  }

  /// As many tiles as a pattern has, and more.
  private static let tilesThatMustFit = 24

  /// Takes the tiles to what a change of the style makes of the layout; the selection stays in
  /// sight, near to where it was.
  mutating func rearrange(at now: Instant, _ change: (inout LayoutStyle) -> Void) {
    pointer.gridPress = nil
    moveTiles(at: now) { change(&$0.options.layout) }
  }

  /// Clipped photos become whole ones in their tiles, or the other way round.
  mutating func toggleCrop(at now: Instant) {
    options.crop = options.crop == .fill ? .fit : .fill
    let target = options.crop == .fit ? 1.0 : 0
    if options.motion.travels {
      fitProgress.retarget(to: target, options.motion.rearrangement, at: now)
    } else {
      fitProgress.jump(to: target)
    }
    retargetReturn(options.motion.rearrangement, at: now)
  }

  // MARK: - Frames

  /// How a photo's tile is seen at a moment, in the picture area: its frame is that of the photo
  /// itself where it is shown whole.
  func tilePose(of index: Int, at now: Instant) -> Pose {
    let place = layout.frame(at: index).offset(x: 0, y: -scroll.value(at: now))
    let pose = rearrangement.pose(
      of: photos[index], from: Pose(frame: waitingPlace(place), backdrop: 1), at: now)
    let seen = pictured(pose, of: photos[index], fitProgress: fitProgress.value(at: now))
    return folders.transition?.arriving(seen, at: now) ?? seen
  }

  /// Where a photo's tile is at a moment, as `tilePose` says.
  func tileFrame(of index: Int, at now: Instant) -> PixelRect { tilePose(of: index, at: now).frame }

  /// Where a photo's tile will be when everything has come to rest, or would be if the grid were
  /// scrolled to an offset.
  func restingTileFrame(of index: Int, scrolledTo offset: Double? = nil) -> PixelRect {
    let tile = layout.frame(at: index).offset(x: 0, y: -(offset ?? scroll.target))
    return pictured(
      Pose(frame: tile, backdrop: 1), of: photos[index], fitProgress: fitProgress.target
    ).frame
  }

  /// A pose between a tile's and that of the whole photo inside of it.
  func pictured(_ pose: Pose, of photo: Photo.ID, fitProgress: Double) -> Pose {
    guard fitProgress > 0, !album.isFolder(photo) else { return pose }
    let tile = pose.frame
    let whole = tile.wholePhoto(of: size(of: photo), quantum: viewport.metrics.quantum)
    func mix(_ clipped: Double, _ whole: Double) -> Double {
      clipped + (whole - clipped) * min(fitProgress, 1)
    }
    var pictured = pose
    pictured.frame = PixelRect(
      x: mix(tile.minX, whole.minX), y: mix(tile.minY, whole.minY),
      width: mix(tile.width, whole.width), height: mix(tile.height, whole.height))
    return pictured
  }

  /// The photos of which something may be seen at a moment.
  func visibleIndices(at now: Instant) -> [Int] {
    let area = viewport.pictureArea
    let present = layout.indices(in: area.offset(x: 0, y: scroll.value(at: now)))
    guard !rearrangement.movingItems.isEmpty else { return Array(present) }
    return Set(present).union(rearrangement.movingItems.values).sorted()
  }

  /// The photo that is seen at a point.
  func index(at point: PixelPoint, _ now: Instant) -> Int? {
    // Where tiles cross on their way, the one drawn last is in front.
    visibleIndices(at: now).last { tileFrame(of: $0, at: now).contains(point) }
  }
}
