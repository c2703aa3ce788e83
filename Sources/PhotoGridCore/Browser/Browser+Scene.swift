/// What is on screen, and what pictures that takes.
extension Browser {
  /// The picture area at a moment.
  ///
  /// - Parameters:
  ///   - now: The moment that the frame is for.
  ///   - name: A photo's printable name, for the labels.
  ///   - closeUp: The picture of a part of a photo that there is, besides the one of the whole.
  /// - Returns: All that is in the picture area, back to front.
  package func scene(
    at now: Instant, name: (Photo.ID) -> String = { _ in "" },
    closeUp: (Photo.ID) -> CloseUp? = { _ in nil }
  ) -> Scene {
    var scene = Scene(size: viewport.pictureSize)
    let pose = currentPose(at: now)
    let parting = removalFade?.way.value(at: now)
    let gridOpacity = pose?.backdrop ?? parting?.backdrop ?? 1
    if gridOpacity > 1 / 256 {
      let left =
        folders.transition?.departing(at: now, on: viewport.pictureArea, opacity: gridOpacity)
        ?? []
      // What is inside of the folder lies over what is around it.
      if folders.transition?.isInward == true { scene.placements += left }
      addGrid(to: &scene, opacity: gridOpacity, at: now, name)
      if folders.transition?.isInward == false { scene.placements += left }
    }
    if let viewer, let pose { addViewer(viewer, pose, to: &scene, at: now, closeUp) }
    if let removalFade, let parting {
      scene.placements.append(
        placement(of: removalFade.photo, in: parting.frame, opacity: parting.opacity))
    }
    scene.isMoving = isAnimating(at: now) || isPointerDown && viewer != nil
    return scene
  }

  private func addGrid(
    to scene: inout Scene, opacity: Double, at now: Instant, _ name: (Photo.ID) -> String
  ) {
    let offset = scroll.value(at: now)
    for (photo, tile) in rearrangement.exitingTiles(at: now) {
      let pose = pictured(
        tile + .moved(by: -offset), of: photo, fitProgress: fitProgress.value(at: now))
      add(photo, pose, to: &scene, opacity: opacity)
    }
    if photos.isEmpty {
      if collection.listingNotes == nil, album.listing.isEmpty {
        addSkeleton(to: &scene, opacity: opacity, at: now)
      }
      return
    }
    let range = range
    let folderCount = folderCount
    func isMarked(_ index: Int) -> Bool {
      index >= folderCount && range?.contains(index) ?? false
        || album.marks.contains(photos[index])
    }
    let isArranged = rearrangement.isOver(at: now) && folders.transition == nil
    for index in visibleIndices(at: now) {
      if isArranged, let label = layout.labelFrame(at: index) ?? folderLabelFrame(at: index) {
        let columns = viewport.metrics.columns(inside: label).count
        let name = (isMarked(index) ? "*" : "") + name(photos[index])
        let text = CellText(name).cutInTheMiddle(to: columns).string
        scene.labels.append(
          Scene.Label(text: text, frame: label.offset(x: 0, y: -offset), opacity: opacity))
      }
      if isMarked(index) {
        scene.marks.append(
          ring(of: index, .marked, opacity: opacity, at: now))
      }
      var pose = tilePose(of: index, at: now)
      if viewer?.index == index, options.motion.travels {
        let share = viewer?.tileOpacity(at: now, motion: options.motion) ?? 0
        guard share > 0 else { continue }
        pose.opacity *= share
      }
      if index < folderCount {
        addFolder(at: index, pose, to: &scene, opacity: opacity)
      } else {
        add(photos[index], pose, to: &scene, opacity: opacity)
      }
    }
    scene.ring = ring(
      of: selection, isMarked(selection) ? .selectedAndMarked : .selected, opacity: opacity,
      at: now)
  }

  private func ring(
    of index: Int, _ meaning: Scene.Ring.Meaning, opacity: Double, at now: Instant
  ) -> Scene.Ring {
    let pose = tilePose(of: index, at: now)
    return Scene.Ring(
      tile: pose.frame, opacity: folders.transition == nil ? opacity : opacity * pose.opacity,
      meaning: meaning)
  }

  /// Adds a tile, if anything of it is in sight.
  private func add(_ photo: Photo.ID, _ pose: Pose, to scene: inout Scene, opacity: Double) {
    guard pose.frame.intersects(viewport.pictureArea) else { return }
    scene.placements.append(
      placement(of: photo, in: pose.frame, opacity: opacity * pose.opacity))
  }

  /// A screen of quiet tiles for the time until the listing says how many there are.
  private func addSkeleton(to scene: inout Scene, opacity: Double, at now: Instant) {
    var index = 0
    while layout.frame(at: index).minY < scene.size.height, index < 100_000 {
      let still = Pose(frame: layout.frame(at: index), backdrop: 1)
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
    guard let context = viewerContext(of: viewer.index, at: now) else { return }
    let offset = viewer.swipeOffset(in: context)
    if offset != 0, context.hasNeighbor(at: offset) {
      let neighbor = viewer.index + (offset < 0 ? 1 : -1)
      let beside = offset < 0 ? offset + context.swipePitch : offset - context.swipePitch
      let frame = screenFrame(of: neighbor).offset(x: beside, y: 0)
      scene.placements.append(placement(of: photos[neighbor], in: frame, opacity: 1))
    }
    let photo = photos[viewer.index]
    let whole = placement(of: photo, in: pose.frame, opacity: pose.opacity)
      .clipped(to: viewport.pictureArea)
    if let crossFade = viewer.crossFade, crossFade.next == photo {
      scene.placements.append(fading(crossFade, behind: pose.frame, at: now))
      var coming = whole
      coming.opacity = crossFade.share.value(at: now)
      scene.placements.append(coming)
      return
    }
    guard let closeUp = closeUp(photo), let stage = context.stage else {
      scene.placements.append(whole)
      return
    }
    scene.placements += closeUp.placements(over: whole, in: pose.frame, on: stage)
  }

  /// Adds a folder's tile: a plate with its first photos on it.
  private func addFolder(at index: Int, _ pose: Pose, to scene: inout Scene, opacity: Double) {
    guard pose.frame.intersects(viewport.pictureArea) else { return }
    let opacity = opacity * pose.opacity
    let plate = folderPlate(in: pose.frame, at: index)
    for part in [folderTab(in: pose.frame, at: index), plate] where part.height > 0 {
      scene.placements.append(
        Placement(photo: photos[index], frame: part, crop: .unit, opacity: opacity)
          .clipped(to: viewport.pictureArea))
    }
    for (photo, frame) in samples(ofFolderAt: index, on: plate) {
      scene.placements.append(placement(of: photo, in: frame, opacity: opacity))
    }
  }

  /// A photo that fills a frame: its visible part is what has the frame's shape.
  func placement(of photo: Photo.ID, in frame: PixelRect, opacity: Double) -> Placement {
    let crop = size(of: photo).map { PixelRect.fillCrop(of: $0, in: frame.size) } ?? .unit
    return Placement(
      photo: photo, page: animator.frameIndex(of: photo), frame: frame, crop: crop,
      opacity: opacity,
      orientation: orientation(of: photo))
  }

  // MARK: - Demands

  /// The pictures that are wanted now, most urgent first.
  ///
  /// The photo on the screen, then the visible tiles from the selection outwards, then the
  /// neighbours on the screen, then the rows just out of sight, those first to which scrolling went
  /// last.
  package var demands: [Demand] {
    var result: [Demand] = []
    if let index = viewer?.index, viewer?.isClosing == false {
      if let demand = closeUpDemand { result.append(demand) }
      addScreen(index, .inSight, to: &result)
      if let playedIndex, playedIndex != index { addScreen(playedIndex, .inSight, to: &result) }
      if let nextSlide { addScreen(nextSlide, .inSight, to: &result) }
    }
    let view = PixelRect(
      origin: PixelPoint(x: 0, y: scroll.target), size: viewport.pictureSize)
    let visible = layout.indices(in: view)
    func addTiles(_ indices: some Sequence<Int>, _ place: Demand.Place) {
      for index in indices {
        for var demand in index < folderCount ? sampleDemands(of: index) : [tileDemand(of: index)] {
          demand.place = place
          result.append(demand)
        }
      }
    }
    addTiles(visible.sorted { abs($0 - selection) < abs($1 - selection) }, .inSight)
    if let index = viewer?.index, viewer?.isClosing == false {
      addScreen(index + 1, .neighbor, to: &result)
      addScreen(index - 1, .neighbor, to: &result)
    }
    let margin = 2 * layout.scrollStep
    let near = layout.indices(
      in: PixelRect(x: 0, y: view.minY - margin, width: 1, height: view.height + 2 * margin))
    let below = Array(visible.upperBound..<max(near.upperBound, visible.upperBound))
    let above = (min(near.lowerBound, visible.lowerBound)..<visible.lowerBound).reversed()
    addTiles(scrollsUp ? above + below : below + above, .nearby)
    return result
  }

  private func addScreen(_ index: Int, _ place: Demand.Place, to demands: inout [Demand]) {
    guard photos.indices.contains(index), index >= folderCount else { return }
    var demand = screenDemand(of: index)
    demand.place = place
    demands.append(demand)
  }

  /// How many photos lie between one and what is in sight; 0 for one in sight, `Int.max` for one
  /// that is not among those shown.
  package var distanceFromSight: (Photo.ID) -> Int {
    let view = PixelRect(origin: PixelPoint(x: 0, y: scroll.target), size: viewport.pictureSize)
    let visible = layout.indices(in: view)
    let collection = collection
    let samples = Set(
      visible.prefix { $0 < folderCount }.flatMap { folders.previews[photos[$0]]?.samples ?? [] })
    return { photo in
      guard !samples.contains(photo) else { return 0 }
      guard let index = collection.index(of: photo) else { return .max }
      return max(visible.lowerBound - index, index - visible.upperBound + 1, 0)
    }
  }

  /// The picture that a photo's tile takes.
  func tileDemand(of index: Int) -> Demand {
    demand(for: index, in: layout.frame(at: index).size, mode: .fill)
  }

  /// The picture that a photo takes on the screen where it fits.
  func screenDemand(of index: Int) -> Demand {
    demand(for: index, in: viewport.pictureSize, mode: .fit)
  }

  private func demand(for index: Int, in frame: PixelSize, mode: ContentMode) -> Demand {
    demand(for: photos[index], in: frame, mode: mode)
  }

  /// The pictures that a folder's tile takes.
  private func sampleDemands(of index: Int) -> [Demand] {
    let plate = folderPlate(in: layout.frame(at: index), at: index)
    return samples(ofFolderAt: index, on: plate).map {
      demand(for: $0.photo, in: $0.frame.size, mode: .fill)
    }
  }

  private func demand(for photo: Photo.ID, in frame: PixelSize, mode: ContentMode) -> Demand {
    let size = PixelSize(width: sampleCount(frame.width), height: sampleCount(frame.height))
    // Pictures are fetched upright, as the file has them.
    return Demand(photo: photo, size: orientation(of: photo).turned(size), mode: mode)
  }

  private func sampleCount(_ pixels: Double) -> Double {
    max((pixels * viewport.metrics.samplesPerPixel).rounded(.up), 1)
  }
}
