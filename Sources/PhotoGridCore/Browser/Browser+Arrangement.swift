/// Photos in another order or with other neighbours, and tiles in another layout: every tile flies
/// from its old place to its new one.
extension Browser {
  /// New tiles grow from this share of their size, and shrink to it where their photo is gone.
  private static let smallTile = 0.8

  /// How things were before a change.
  private struct Before {
    var collection: PhotoCollection
    var layout: TileLayout
    /// The scrolling at the moment of the change, in pixels.
    var scroll: Double
    /// The top of the selected tile when everything rests, in the picture area.
    var selectedTop: Double
    /// The photos of which something is seen, with their indices.
    var seen: [Photo.ID: Int]
    /// The photo that is out of its tile.
    var pose: Pose?
  }

  /// Photos are shown in another order, some of them perhaps for the first time, others no more.
  mutating func arrange(_ order: [Photo.ID], at now: Instant) {
    guard
      order.count != album.folders.count + album.listing.count
        || order != album.folders + album.listing
    else { return }
    changeCollection(at: now) { $0.relist(order) }
  }

  /// Takes the tiles to what a change makes of the order or the layout.
  ///
  /// The selected photo stays selected and, as far as possible, at the same place of the screen.
  mutating func moveTiles(at now: Instant, _ change: (inout Browser) -> Void) {
    let seen = visibleIndices(at: now)
    let before = Before(
      collection: collection, layout: layout, scroll: scroll.value(at: now),
      selectedTop: layout.frame(at: selection).minY - scroll.target,
      seen: Dictionary(uniqueKeysWithValues: seen.map { (photos[$0], $0) }),
      pose: currentPose(at: now))
    change(&self)
    relayout()
    let hasOtherItems = photos != before.collection.items
    guard hasOtherItems || layout != before.layout else { return }
    if hasOtherItems { follow(before, at: now) }
    if hasOtherItems || !keepsScrolling() { holdSelection(at: before.selectedTop) }
    send(from: before, at: now)
    retargetReturn(options.motion.rearrangement, at: now)
  }

  // MARK: - What follows its photo

  /// Selection and viewer follow their photos to their new places.
  private mutating func follow(_ before: Before, at now: Instant) {
    let isUntouched = collection.listingNotes == nil && !hasUserInteracted
    func replacement(of index: Int) -> Int? {
      guard before.collection.items.indices.contains(index) else { return nil }
      return collection.replacement(for: before.collection.items[index], in: before.collection)
        .flatMap { collection.index(of: $0) }
    }
    selection = isUntouched ? collection.firstIndex : replacement(of: selection) ?? 0
    if let removalFade, collection.index(of: removalFade.photo) != nil { self.removalFade = nil }
    guard let viewer, let pose = before.pose else { return }
    let photo = before.collection.items[viewer.index]
    if let index = collection.index(of: photo) {
      self.viewer?.index = index
    } else {
      replace(viewer, photo, at: pose, by: replacement(of: viewer.index), now)
    }
  }

  /// The photo that is out is gone: on the screen the next one takes its place, on its way home or
  /// in the hand it fades where it is.
  private mutating func replace(
    _ viewer: Viewer, _ photo: Photo.ID, at pose: Pose, by replacement: Int?, _ now: Instant
  ) {
    if options.motion != .none {
      removalFade = RemovalFade(
        photo: photo,
        way: Animated(from: pose, to: vanished(pose), options.motion.rearrangement, at: now))
    }
    let isOnScreen =
      switch viewer.phase {
      case .flying(_, to: .tile), .held, .dragging, .panning: false
      case .flying(_, to: .screen), .resting, .swiping, .snapping: true
      }
    guard isOnScreen, let replacement, replacement >= folderCount,
      let context = viewerContext(of: replacement, at: now)
    else {
      self.viewer = nil
      return
    }
    selection = replacement
    self.viewer = Viewer(replacing: pose, with: replacement, in: context)
  }

  /// Stays where it is scrolled to if the selected tile is in sight there in another layout too.
  private func keepsScrolling() -> Bool {
    !photos.isEmpty && scroll.target <= scrollLimit
      && scrollOffset(showing: selection, from: scroll.target) == scroll.target
  }

  /// Scrolls so that the selected tile keeps its place on the screen, as far as it can.
  private mutating func holdSelection(at top: Double) {
    guard !photos.isEmpty else { return scroll.jump(to: 0) }
    let row = viewport.metrics.cell.height
    let wanted = ((layout.frame(at: selection).minY - top) / row).rounded() * row
    let offset = scrollOffset(showing: selection, from: min(max(wanted, 0), scrollLimit))
    scroll.shift(by: offset - scroll.target)
  }

  // MARK: - Sending tiles

  /// Sends every tile that was or will be seen from its old place to its new one.
  private mutating func send(from before: Before, at now: Instant) {
    guard options.motion != .none, !before.collection.items.isEmpty else {
      rearrangement = Rearrangement()
      return
    }
    let scroll = self.scroll.value(at: now)
    rearrangement.shiftExitingTiles(by: scroll - before.scroll)
    let exitingTiles = rearrangement.exitingTiles(at: now)
    var indices = arrivingIndices(at: now)
    var gone: [Photo.ID] = []
    for photo in before.seen.keys {
      if let index = collection.index(of: photo) {
        indices.insert(index)
      } else {
        gone.append(photo)
      }
    }

    func old(_ index: Int) -> Pose { pose(of: index, in: before.layout, scroll: before.scroll) }
    var offsets: [Photo.ID: Pose] = [:]
    for index in indices {
      let photo = photos[index]
      let new = pose(of: index, in: layout, scroll: scroll)
      if let oldIndex = before.collection.index(of: photo) {
        let offset = old(oldIndex) - new
        if offset != .zero { offsets[photo] = options.motion.travels ? offset : .unseen }
      } else if let exitingTile = exitingTiles.last(where: { $0.photo == photo }) {
        offsets[photo] = exitingTile.pose + .moved(by: -scroll) - new
      } else {
        offsets[photo] = vanished(new) - new
      }
    }
    let timing = options.motion.rearrangement
    for photo in gone.sorted() where photo != removalFade?.photo {
      guard let index = before.collection.index(of: photo) else { continue }
      let pose = old(index) + .moved(by: scroll)
      rearrangement.fade(photo, from: pose, to: vanished(pose), timing, at: now)
    }
    let collection = collection
    rearrangement.add(offsets, timing, at: now) { collection.index(of: $0) }
  }

  /// How a tile is seen in its own place in the picture area.
  private func pose(of index: Int, in layout: TileLayout, scroll: Double) -> Pose {
    Pose(frame: waitingPlace(layout.frame(at: index).offset(x: 0, y: -scroll)), backdrop: 1)
  }

  /// What a tile comes from, or goes to, that was not there, or is no more.
  private func vanished(_ pose: Pose) -> Pose {
    pose.vanished(to: options.motion.travels ? Self.smallTile : 1)
  }

  /// The tiles that are in sight now by their own places, or will be when the scrolling is over.
  private func arrivingIndices(at now: Instant) -> Set<Int> {
    let area = viewport.pictureArea
    return [scroll.value(at: now), scroll.target].reduce(into: Set()) { all, offset in
      all.formUnion(layout.indices(in: area.offset(x: 0, y: offset)))
    }
  }

  /// A tile's place in the picture area; one that is far out of sight waits a screen away, so that
  /// it comes and goes at a speed that can be followed.
  func waitingPlace(_ frame: PixelRect) -> PixelRect {
    let height = viewport.pictureSize.height
    let y = min(max(frame.minY, -height - frame.height), 2 * height)
    return frame.offset(x: 0, y: y - frame.minY)
  }
}
