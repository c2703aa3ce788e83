/// The scene: the contents of the picture area.
extension Browser {
  /// Returns the contents of the picture area at a moment.
  ///
  /// - Parameters:
  ///   - now: The time of the frame.
  ///   - name: Returns the printable name of a photo or folder, for its label.
  ///   - closeUp: Returns a finer picture of a part of a photo; nil if only the picture of the
  ///     whole photo exists.
  /// - Returns: The contents of the picture area, back to front.
  package func scene(
    at now: Instant, name: (Photo.ID) -> String = { _ in "" },
    closeUp: (Photo.ID) -> CloseUp? = { _ in nil }
  ) -> Scene {
    var scene = Scene(size: viewport.pictureSize)
    let pose = currentPose(at: now)
    let parting = removalFade?.animatedPose.value(at: now)
    let gridOpacity =
      pose?.backdrop ?? mode.comparison?.backdrop.value(at: now) ?? parting?.backdrop ?? 1
    if gridOpacity > 1 / 256 {
      let left =
        folders.transition?.departing(at: now, on: viewport.pictureArea, opacity: gridOpacity)
        ?? []
      // The inner grid lies above the outer one.
      if folders.transition?.isInward == true { scene.placements += left }
      if let periods = mode.periods {
        addPeriods(periods, to: &scene, opacity: gridOpacity, at: now)
      } else {
        addGrid(to: &scene, opacity: gridOpacity, at: now, name)
      }
      if folders.transition?.isInward == false { scene.placements += left }
      scene.tileCount = scene.placements.count
      if mode.periods == nil {
        addHeadings(to: &scene, opacity: gridOpacity, at: now)
        addScrubber(to: &scene, opacity: gridOpacity, at: now)
      }
    }
    if let viewer, let pose { addViewer(viewer, pose, to: &scene, at: now, closeUp) }
    if let comparison = mode.comparison { add(comparison, to: &scene, at: now, closeUp) }
    if let removalFade, let parting {
      scene.placements.append(
        placement(of: removalFade.photo, in: parting.frame, opacity: parting.opacity))
    }
    scene.isMoving = isAnimating(at: now) || isPointerDown && isInDetail
    return scene
  }

  private func addGrid(
    to scene: inout Scene, opacity: Double, at now: Instant, _ name: (Photo.ID) -> String
  ) {
    let context = gridContext(at: now)
    for (item, pose) in grid.exitingTiles(in: context) {
      add(item, pose, to: &scene, opacity: opacity)
    }
    guard !collection.items.isEmpty else {
      if collection.listingNotes == nil, collection.album.listing.isEmpty {
        addSkeleton(to: &scene, opacity: opacity, at: now)
      }
      return
    }
    let selection = selection
    let range = collection.range(to: selection)
    func isMarked(_ index: Int) -> Bool { collection.isMarked(index, in: range) }
    let isArranged = grid.rearrangement.isOver(at: now) && folders.transition == nil
    // The selected tile flies above its neighbors, unless a photo lies over all of them.
    let isRaised = !grid.rearrangement.isOver(at: now) && viewer == nil && removalFade == nil
    for index in grid.visibleIndices(in: context) {
      let label = labelFrame(of: index)
      func text() -> String { (isMarked(index) ? "*" : "") + name(collection.items[index]) }
      if isArranged, let label {
        let frame = label.offset(x: 0, y: -grid.scroll.value(at: now))
        add(text(), in: frame, to: &scene, opacity: opacity)
      }
      if isMarked(index) {
        scene.marks.append(ring(of: index, .marked, opacity: opacity, in: context))
      }
      if isArranged {
        let isOnTile = label == nil && grid.style.hasLabels
        addRating(
          of: index, isOnTile ? text() : nil, to: &scene, opacity: opacity, in: context)
      }
      if !isRaised || index != selection {
        addTile(index, to: &scene, opacity: opacity, in: context)
      }
    }
    if isRaised { addTile(selection, to: &scene, opacity: opacity, in: context) }
    scene.ring = ring(
      of: selection, isMarked(selection) ? .selectedAndMarked : .selected, opacity: opacity,
      in: context)
    scene.ring?.isRaised = isRaised
  }

  /// The frame of an item's name, in content coordinates; nil if no name is drawn.
  private func labelFrame(of index: Int) -> PixelRect? {
    grid.layout.labelFrame(at: index)
      ?? (index < collection.folderCount ? folderTile(at: index).labelFrame : nil)
  }

  private func add(
    _ name: String, in frame: PixelRect, to scene: inout Scene, opacity: Double
  ) {
    let columns = viewport.metrics.columns(inside: frame).count
    let text = CellText(name).truncatedMiddle(to: columns).string
    scene.labels.append(Scene.Label(text: text, frame: frame, opacity: opacity))
  }

  /// Adds the tile of an item; the tile of a photo that is out stays empty.
  private func addTile(
    _ index: Int, to scene: inout Scene, opacity: Double, in context: Grid.Context
  ) {
    let pose = tilePose(of: index, in: context)
    let item = collection.items[index]
    if context.motion.travels {
      guard viewer?.photo != item, mode.comparison?.contains(item) != true else { return }
    }
    if index < collection.folderCount {
      addFolder(at: index, pose, to: &scene, opacity: opacity)
    } else {
      add(collection.items[index], pose, to: &scene, opacity: opacity)
    }
  }

  private func ring(
    of index: Int, _ meaning: Scene.Ring.Meaning, opacity: Double, in context: Grid.Context
  ) -> Scene.Ring {
    let pose = tilePose(of: index, in: context)
    return Scene.Ring(
      tile: pose.frame, opacity: folders.transition == nil ? opacity : opacity * pose.opacity,
      meaning: meaning)
  }

  /// Adds a photo's tile, if any of it is visible.
  func add(_ photo: Photo.ID, _ pose: Pose, to scene: inout Scene, opacity: Double) {
    guard pose.frame.intersects(viewport.pictureArea) else { return }
    scene.placements.append(
      placement(of: photo, in: pose.frame, opacity: opacity * pose.opacity))
  }

  /// Adds a folder's tile: a tab, and a plate with its first photos on it.
  private func addFolder(at index: Int, _ pose: Pose, to scene: inout Scene, opacity: Double) {
    guard pose.frame.intersects(viewport.pictureArea) else { return }
    let opacity = opacity * pose.opacity
    let tile = folderTile(at: index)
    for part in [tile.tab(in: pose.frame), tile.plate(in: pose.frame)] where part.height > 0 {
      scene.placements.append(
        Placement(photo: collection.items[index], frame: part, crop: .unit, opacity: opacity)
          .clipped(to: viewport.pictureArea))
    }
    for (photo, frame) in folderSamples(at: index, in: pose.frame) {
      scene.placements.append(placement(of: photo, in: frame, opacity: opacity))
    }
  }

  /// Adds a screenful of placeholder tiles, shown until the listing finds the first photos.
  private func addSkeleton(to scene: inout Scene, opacity: Double, at now: Instant) {
    var index = 0
    while grid.layout.frame(at: index).minY < scene.size.height, index < 100_000 {
      let still = Pose(frame: grid.layout.frame(at: index), backdrop: 1)
      let pose = folders.transition?.arriving(still, at: now) ?? still
      scene.placements.append(
        Placement(
          photo: .unlisted, frame: pose.frame, crop: .unit, opacity: opacity * pose.opacity))
      index += 1
    }
  }

  private func addViewer(
    _ viewer: Viewer, _ pose: Pose, to scene: inout Scene, at now: Instant,
    _ closeUp: (Photo.ID) -> CloseUp?
  ) {
    guard let index = collection.index(of: viewer.photo),
      let context = viewerContext(of: index, at: now)
    else { return }
    let offset = viewer.neighborOffset(in: context)
    if offset != 0, let neighbor = context.neighbor(at: offset) {
      let beside = offset < 0 ? offset + context.swipePitch : offset - context.swipePitch
      let frame = screenFrame(of: index + (offset < 0 ? 1 : -1)).offset(x: beside, y: 0)
      scene.placements.append(placement(of: neighbor, in: frame, opacity: 1))
    }
    let photo = viewer.photo
    let whole = placement(of: photo, in: pose.frame, opacity: pose.opacity)
      .clipped(to: viewport.pictureArea)
    if let crossFade = viewer.crossFade, crossFade.next == photo {
      scene.placements.append(fading(crossFade, behind: pose.frame, at: now))
      var coming = whole
      coming.opacity = crossFade.progress.value(at: now)
      scene.placements.append(coming)
      return
    }
    guard let closeUp = closeUp(photo), let stage = context.stage else {
      scene.placements.append(whole)
      return
    }
    scene.placements += closeUp.placements(over: whole, in: pose.frame, on: stage)
  }

  /// Returns the placement of a photo that fills a frame, cropped to the frame's proportions.
  func placement(of photo: Photo.ID, in frame: PixelRect, opacity: Double) -> Placement {
    let crop =
      collection.size(of: photo).map { PixelRect.fillCrop(of: $0, in: frame.size) } ?? .unit
    return Placement(
      photo: photo, frameIndex: animator.frameIndex(of: photo), frame: frame, crop: crop,
      opacity: opacity,
      orientation: collection.orientation(of: photo))
  }
}
