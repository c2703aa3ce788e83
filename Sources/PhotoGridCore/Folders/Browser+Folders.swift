/// Folders among the tiles: their previews, and entering and leaving them.
extension Browser {
  /// The number of tiles that are folders; they come first.
  package var folderCount: Int { collection.folderCount }

  /// The selected folder; nil if a photo is selected or open.
  package var currentFolder: Photo.ID? {
    !isInDetail && mode.periods == nil && selection < folderCount
      ? collection.items[selection] : nil
  }

  // MARK: - Tiles

  /// Returns the preview of a folder; nil until the folder has been read.
  package func folderPreview(of folder: Photo.ID) -> FolderPreview? { folders.previews[folder] }

  /// The visible and nearly visible folders whose previews are missing or out of date, nearest to
  /// the selection first.
  package var missingPreviews: [Photo.ID] {
    guard folderCount > 0, mode.periods == nil else { return [] }
    let step = grid.layout.scrollStep
    let view = PixelRect(
      x: 0, y: grid.scroll.target - step, width: viewport.pictureSize.width,
      height: viewport.pictureSize.height + 2 * step)
    let selection = selection
    return grid.layout.indices(in: view)
      .filter { $0 < folderCount && folders.needsPreview(collection.items[$0]) }
      .sorted { abs($0 - selection) < abs($1 - selection) }
      .map { collection.items[$0] }
  }

  /// Returns the parts of a folder's tile.
  func folderTile(at index: Int) -> FolderTile {
    FolderTile(at: index, in: grid.layout, metrics: viewport.metrics)
  }

  /// Returns the first photos of a folder, with their frames on its tile, given the tile's current
  /// frame.
  func folderSamples(at index: Int, in frame: PixelRect) -> [(photo: Photo.ID, frame: PixelRect)] {
    let samples = folders.previews[collection.items[index]]?.samples ?? []
    return Array(zip(samples, folderTile(at: index).sampleFrames(samples.count, in: frame)))
  }

  // MARK: - Entering and leaving

  /// Enters a folder, unless it is known to be unreadable.
  mutating func enter(_ folder: Photo.ID, at now: Instant, effects: inout [Effect]) {
    if let preview = folders.previews[folder], preview.isCurrent, let words = preview.failure {
      showNotice("Cannot read the folder: \(words)", for: 2, at: now)
    } else {
      effects.append(.enter(folder))
    }
  }

  /// Replaces the photos with the photos of another folder.
  mutating func move(_ move: FolderMove, at now: Instant) {
    endDrag(at: now)
    folders.leave(move.from, at: grid.position)
    let transition = options.motion == .none ? nil : self.transition(for: move, at: now)
    animator.stop()
    (mode, removalFade) = (.grid(closing: nil, nil), nil)
    (pointer.painting, options.opensSinglePhoto) = (nil, false)
    collection.show(folder: move.to == [0] ? options.folder : move.to)
    collection.move(to: move.photos)
    if case .outOf(let folder?) = move.direction { folders.expirePreview(of: folder) }
    grid.reset(to: position(after: move), in: gridContext(at: now))
    refreshIfDue(at: now)
    folders.transition = transition
    if case .outOf(let folder?) = move.direction { retargetTransition(at: folder, at: now) }
  }

  /// Selects the folder that was left, or a photo of it, once it is found, unless the user has done
  /// something in the meantime.
  mutating func selectPending(_ tile: Photo.ID, at now: Instant) {
    guard !grid.hasUserInteracted, let index = collection.index(of: tile) else { return }
    jump(to: index, at: now)
    retargetTransition(at: tile, at: now)
  }

  /// Returns the selection and the scroll offset after a move; nil for the first ones of a grid.
  ///
  /// They are the ones with which the folder was last left, but after leaving a subfolder, the
  /// subfolder is selected.
  private func position(after move: FolderMove) -> Grid.Position? {
    let position = folders.position(in: move.to)
    guard case .outOf(let folder?) = move.direction, collection.index(of: folder) != nil else {
      return position
    }
    return Grid.Position(selected: folder, scroll: position?.scroll ?? 0)
  }

  // MARK: - Motion

  /// Returns the transition that shows a move, starting from the current screen.
  private func transition(for move: FolderMove, at now: Instant) -> FolderTransition {
    let screen = viewport.pictureArea
    var tile = PixelRect(center: screen.center, size: screen.size.scaled(by: 0.2))
    if move.isInward, let index = move.folder.flatMap({ collection.index(of: $0) }) {
      tile = tilePose(of: index, in: gridContext(at: now)).frame
    }
    return transition(
      isInward: move.isInward, of: move.folder.map { .folder($0) }, tile: tile, at: now)
  }

  /// Returns the transition to another grid, starting from the current screen.
  ///
  /// - Parameters:
  ///   - isInward: Whether the other grid is the inner one.
  ///   - item: The item whose contents the inner grid shows; nil if it is unknown.
  ///   - tile: The frame of the item's tile on the screen of the outer grid; a provisional frame
  ///     for a folder that is left, whose tile is not known yet.
  ///   - now: The current time.
  /// - Returns: The transition.
  func transition(
    isInward: Bool, of item: FolderTransition.Item?, tile: PixelRect, at now: Instant
  ) -> FolderTransition {
    let screen = viewport.pictureArea
    let timing = options.motion.tap
    let end = { (tile: PixelRect) in
      isInward
        ? Pose(frame: screen, backdrop: 0, opacity: 1)
        : Pose(frame: tile, backdrop: 1, opacity: 0)
    }
    // If the user turns back midway, the arriving grid departs along the same path.
    if var transition = folders.transition, transition.isInward != isInward,
      transition.tileItem == item, transition.tile == tile || item?.mayMove ?? true
    {
      var browser = self
      (browser.folders.transition, browser.viewer) = (nil, nil)
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
    guard var transition = folders.transition, !transition.isInward, options.motion.travels,
      let index = collection.index(of: folder)
    else { return }
    transition.tileItem = .folder(folder)
    transition.tile = restingTileFrame(of: index)
    transition.progress.retarget(
      to: Pose(frame: transition.tile, backdrop: 1, opacity: 0), options.motion.tap, at: now)
    folders.transition = transition
  }
}
