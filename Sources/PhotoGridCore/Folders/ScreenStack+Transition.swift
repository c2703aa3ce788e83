/// The transitions between two grids.
extension ScreenStack {
  /// Returns the transition that shows a move, starting from the current screen.
  func transition(for move: FolderMove, in gallery: Gallery, at now: Instant) -> FolderTransition {
    let screen = gallery.viewport.pictureArea
    var tile = PixelRect(center: screen.center, size: screen.size.scaled(by: 0.2))
    if move.isInward, let index = move.folder.flatMap({ gallery.collection.index(of: $0) }) {
      tile = gallery.tilePose(of: index, in: gallery.gridContext(at: now)).frame
    }
    return transition(
      isInward: move.isInward, of: move.folder.map { .folder($0) }, tile: tile, in: gallery,
      at: now)
  }

  /// Returns the transition to another grid, starting from the current screen.
  func transition(
    isInward: Bool, of item: ItemID?, tile: PixelRect, in gallery: Gallery, at now: Instant
  ) -> FolderTransition {
    let screen = gallery.viewport.pictureArea
    let motion = gallery.options.motion
    let end = { (tile: PixelRect) in
      isInward
        ? Pose(frame: screen, backdrop: 0, opacity: 1)
        : Pose(frame: tile, backdrop: 1, opacity: 0)
    }
    // The tile of a folder may have moved since, that of a month has not.
    let mayMove = if case .period? = item { false } else { true }
    // If the user turns back midway, the arriving grid departs along the same path.
    if var transition = gallery.folders.transition, transition.isInward != isInward,
      transition.tileItem == item, mayMove || transition.tile == tile
    {
      transition.isInward = isInward
      transition.left = placementsOfGrid(in: gallery, at: now)
      transition.progress.retarget(to: end(transition.tile), motion.tap, at: now)
      return transition
    }
    let tile = motion.travels ? tile : screen
    let start =
      isInward
      ? Pose(frame: tile, backdrop: 1, opacity: 0) : Pose(frame: screen, backdrop: 0, opacity: 1)
    return FolderTransition(
      isInward: isInward, tileItem: item, tile: tile,
      left: scene(of: gallery, at: now).placements, screen: screen,
      progress: Animated(from: start, to: end(tile), motion.tap, at: now))
  }

  /// Returns the placements of the arriving grid alone, without an open photo.
  private func placementsOfGrid(in gallery: Gallery, at now: Instant) -> [Placement] {
    var (screens, gallery) = (self, gallery)
    if overlay?.openPhoto != nil { screens.show(nil) }
    gallery.folders.transition = nil
    return screens.scene(of: gallery, at: now).placements
  }
}

extension Gallery {
  /// Directs an outward transition to the tile of the folder that was left.
  mutating func retargetTransition(at folder: Photo.ID, at now: Instant) {
    guard var transition = folders.transition, !transition.isInward, options.motion.travels,
      let index = collection.index(of: folder)
    else { return }
    transition.tileItem = .folder(folder)
    transition.tile = restingTileFrame(of: index)
    transition.progress.retarget(
      to: Pose(frame: transition.tile, backdrop: 1, opacity: 0), options.motion.tap, at: now)
    folders.transition = transition
  }

  /// Enters a folder, unless it is known to be unreadable; shows the photos of a saved filter.
  func enter(_ folder: Photo.ID) -> [ScreenOutcome] {
    if let saved = album.filterTile(folder) { return show(filterNamed: saved.filter.name) }
    if let preview = folders.previews[folder], preview.isCurrent, let words = preview.failure {
      return [.notice("Cannot read the folder: \(words)", seconds: 2)]
    }
    return [.effect(.enter(folder))]
  }
}
