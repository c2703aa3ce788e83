extension Browser {
  // MARK: - Tiles

  package func folderPreview(of folder: Photo.ID) -> FolderPreview? {
    gallery.folders.previews[folder]
  }

  /// The visible and nearly visible folders whose previews are missing or out of date, nearest to
  /// the selection first.
  package var missingPreviews: [Photo.ID] {
    visibleScreens.first?.missingPreviews(in: gallery) ?? []
  }

  // MARK: - Entering and leaving

  /// Enters a folder, unless it is known to be unreadable; shows the photos of a saved filter.
  mutating func enter(_ folder: Photo.ID, at now: Instant) {
    if let saved = album.filterTile(folder) { return show(filterNamed: saved.filter.name, at: now) }
    if let preview = gallery.folders.previews[folder], preview.isCurrent,
      let words = preview.failure
    {
      showNotice("Cannot read the folder: \(words)", for: 2, at: now)
    } else {
      effects.append(.enter(folder))
    }
  }

  mutating func move(_ move: FolderMove, at now: Instant) {
    endDrag(at: now)
    files.move(move)
    gallery.folders.leave(move.from, at: grid.position)
    let transition = options.motion == .none ? nil : self.transition(for: move, at: now)
    gallery.animator.stop()
    leaveScreens()
    gallery.removalFade = nil
    (gallery.pointer.painting, gallery.options.opensSinglePhoto) = (nil, false)
    gallery.collection.show(folder: move.to == [0] ? options.folder : move.to)
    gallery.collection.move(to: move.photos)
    if case .outOf(let folder?) = move.direction { gallery.folders.expirePreview(of: folder) }
    gallery.grid.reset(
      to: gallery.folders.position(after: move, in: collection), in: gallery.gridContext(at: now))
    refreshIfDue(at: now)
    gallery.folders.transition = transition
    if case .outOf(let folder?) = move.direction { retargetTransition(at: folder, at: now) }
  }

  /// Selects the folder that was left, or a photo of it, once it is found, unless the user has done
  /// something in the meantime.
  mutating func selectPending(_ tile: Photo.ID, at now: Instant) {
    guard !grid.hasUserInteracted, let index = collection.index(of: tile) else { return }
    gallery.jump(to: index, at: now)
    retargetTransition(at: tile, at: now)
  }

  // MARK: - Motion

  /// Returns the transition that shows a move, starting from the current screen.
  private func transition(for move: FolderMove, at now: Instant) -> FolderTransition {
    let screen = viewport.pictureArea
    var tile = PixelRect(center: screen.center, size: screen.size.scaled(by: 0.2))
    if move.isInward, let index = move.folder.flatMap({ collection.index(of: $0) }) {
      tile = gallery.tilePose(of: index, in: gallery.gridContext(at: now)).frame
    }
    return transition(
      isInward: move.isInward, of: move.folder.map { .folder($0) }, tile: tile, at: now)
  }

  /// Returns the transition to another grid, starting from the current screen.
  ///
  /// - Returns: The transition.
  func transition(
    isInward: Bool, of item: ItemID?, tile: PixelRect, at now: Instant
  ) -> FolderTransition {
    let screen = viewport.pictureArea
    let timing = options.motion.tap
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
      var browser = withoutOpenPhoto
      browser.gallery.folders.transition = nil
      transition.isInward = isInward
      transition.left = browser.scene(at: now).placements
      transition.progress.retarget(to: end(transition.tile), timing, at: now)
      return transition
    }
    let tile = options.motion.travels ? tile : screen
    let start =
      isInward
      ? Pose(frame: tile, backdrop: 1, opacity: 0) : Pose(frame: screen, backdrop: 0, opacity: 1)
    return FolderTransition(
      isInward: isInward, tileItem: item, tile: tile, left: scene(at: now).placements,
      screen: screen, progress: Animated(from: start, to: end(tile), timing, at: now))
  }

  /// Directs an outward transition to the tile of the folder that was left.
  private mutating func retargetTransition(at folder: Photo.ID, at now: Instant) {
    guard var transition = gallery.folders.transition, !transition.isInward, options.motion.travels,
      let index = collection.index(of: folder)
    else { return }
    transition.tileItem = .folder(folder)
    transition.tile = gallery.restingTileFrame(of: index)
    transition.progress.retarget(
      to: Pose(frame: transition.tile, backdrop: 1, opacity: 0), options.motion.tap, at: now)
    gallery.folders.transition = transition
  }
}
