import Geometry
import Photos
import SceneModel

/// The grid and, if there is one, the screen that covers it: what they show together of a gallery.
struct ScreenStack: Sendable {
  /// The places of screens, back to front.
  enum Place: CaseIterable { case grid, covering }

  /// The grid, whose state is in the gallery.
  let grid = GridScreen()
  /// The screen over the grid, or in its place; nil while the grid is alone.
  var covering: (any Screen)?

  /// The screens, back to front.
  var all: [any Screen] { covering.map { [grid, $0] } ?? [grid] }

  /// The place of the screen that receives the keys.
  var activePlace: Place { covering?.traits.isClosing == false ? .covering : .grid }

  /// The screen that receives the keys.
  var active: any Screen { covering.flatMap { $0.traits.isClosing ? nil : $0 } ?? grid }

  /// The screens that are drawn, back to front.
  var visible: ArraySlice<any Screen> { all[(all.lastIndex { $0.traits.replacesGrid } ?? 0)...] }

  private var photoScreen: (any PhotoScreen)? { covering as? any PhotoScreen }

  /// Lets a screen change itself and the gallery; nil without a screen in the place.
  mutating func ask(
    _ place: Place, in gallery: inout Gallery,
    _ body: (inout any Screen, inout Gallery) -> [ScreenOutcome]?
  ) -> [ScreenOutcome]? {
    guard var screen: any Screen = place == .grid ? grid : covering else { return nil }
    let outcomes = body(&screen, &gallery)
    if place == .covering { covering = screen }
    return outcomes
  }

  // MARK: - Scene

  /// Returns the contents of the picture area at a moment, back to front.
  func scene(
    of gallery: Gallery, at now: Instant, name: @escaping (Photo.ID) -> String = { _ in "" },
    closeUp: @escaping (Photo.ID) -> CloseUp? = { _ in nil }
  ) -> Scene {
    var scene = Scene(size: gallery.viewport.pictureSize)
    let removed = gallery.removalFade?.animatedPose.value(at: now)
    let frame = SceneFrame(
      gallery: gallery, now: now,
      gridOpacity: photoScreen?.gridOpacity(in: gallery, at: now) ?? removed?.backdrop ?? 1,
      photoScreen: photoScreen, name: name, closeUp: closeUp)
    if frame.gridOpacity > 1 / 256 {
      let transition = gallery.folders.transition
      let departing =
        transition?.departing(
          at: now, on: gallery.viewport.pictureArea, opacity: frame.gridOpacity) ?? []
      // The inner grid lies above the outer one.
      if transition?.isInward == true { scene.placements += departing }
      visible.first?.draw(into: &scene, frame)
      if transition?.isInward == false { scene.placements += departing }
      scene.tileCount = scene.placements.count
    }
    for screen in visible.dropFirst() { screen.draw(into: &scene, frame) }
    if let fade = gallery.removalFade, let removed {
      scene.placements.append(
        gallery.placement(of: fade.photo, in: removed.frame, opacity: removed.opacity))
    }
    scene.isMoving = isAnimating(in: gallery, at: now) || followsPointer(in: gallery)
    return scene
  }

  /// Whether the next frame will differ just because time passes.
  func isAnimating(in gallery: Gallery, at now: Instant) -> Bool {
    if visible.contains(where: { $0.isAnimating(in: gallery, at: now) }) { return true }
    if let fade = gallery.removalFade, !fade.animatedPose.isOver(at: now) { return true }
    return gallery.folders.isAnimating(at: now)
  }

  private func followsPointer(in gallery: Gallery) -> Bool {
    active is any PhotoScreen && (active.traits.isGrabbed || gallery.isPointerDown)
  }

  /// Returns the frame of the selected tile, which a panel should not hide; nil if there is none.
  func selectedTile(in gallery: Gallery) -> PixelRect? {
    active is any PhotoScreen || gallery.items.isEmpty
      ? nil : gallery.restingTileFrame(of: gallery.selection)
  }

  // MARK: - Pictures

  /// Returns the pictures that the screens need, most urgent first.
  ///
  /// What lies over the grid comes first, then the visible tiles, what a step would show, and the
  /// tiles just outside the viewport.
  func demands(in gallery: Gallery) -> [Demand] {
    var demands = visible.reversed().map { $0.demands(in: gallery) }
    let memory = gallery.options.pictureMemory - gallery.drawingByteCount
    var rest = memory
    for index in demands.indices {
      // Tiles behind an open photo stay, so that it has a grid to return to.
      rest -= gallery.limit(&demands[index], to: max(rest, memory / 8))
    }
    return demands.flatMap(\.visible) + demands.flatMap(\.ahead)
  }

  /// The longest time that demands wait for the end of a listing, in seconds from its first item.
  private static let maxWait = 1.0

  /// Whether the photos will be sorted again soon, by recorded facts that arrive with the listing.
  func isOrderProvisional(in gallery: Gallery, at now: Instant) -> Bool {
    let album = gallery.album
    guard gallery.collection.listingNotes == nil, album.isStale, album.order.needsFacts,
      album.hasRecordedInfo, covering == nil, let since = gallery.grid.filledSince
    else { return false }
    return now.seconds(since: since) < Self.maxWait
  }

  /// Returns a function that returns a photo's distance from the visible tiles, in items.
  func distanceFromViewport(in gallery: Gallery) -> (Photo.ID) -> Int {
    let visible = gallery.visibleItems
    let collection = gallery.collection
    let folders = visible.prefix { $0 < collection.folderCount }
    let samples =
      folders.flatMap { gallery.folders.previews[collection.items[$0]]?.samples ?? [] }
      + all.filter(\.traits.replacesGrid).flatMap { $0.demands(in: gallery).visible.map(\.photo) }
    let onTiles = Set(samples)
    return { photo in
      guard !onTiles.contains(photo) else { return 0 }
      guard let index = collection.index(of: photo) else { return .max }
      return max(visible.lowerBound - index, index - visible.upperBound + 1, 0)
    }
  }

  // MARK: - What must be read

  /// Returns the files on the screens whose ratings are not known: of the open photo, of compared
  /// photos, and of photos with visible tiles.
  func visibleUnrated(in gallery: Gallery) -> [Photo.ID] {
    let indices = all.reversed().flatMap { $0.visibleItems(in: gallery) }
    let album = gallery.album
    return album.files(of: indices.compactMap(gallery.photo(at:)))
      .filter { !album.known.ratings.isKnown($0) }
  }

  /// Returns the photos in visible groups of near duplicates whose bytes must be compared.
  func uncomparedFiles(in gallery: Gallery) -> [Photo.ID] {
    visible.first.map {
      gallery.collection.uncomparedFiles(around: $0.visibleItems(in: gallery))
    } ?? []
  }
}

/// The video that plays.
extension ScreenStack {
  /// Returns the photo whose video plays; nil if there is none.
  func playedPhoto(in gallery: Gallery) -> PlayedPhoto? {
    if let screen = active as? any PhotoScreen { return screen.playedPhoto(in: gallery) }
    return active.currentIndex(in: gallery).map { PlayedPhoto(index: $0, isOpen: false) }
  }

  private func playedPicture(of index: Int, in gallery: Gallery) -> Demand {
    (active as? any PhotoScreen)?.playedPicture(of: index, in: gallery)
      ?? gallery.tileDemand(of: index, .visible)
  }

  /// Switches the playback to the current photo.
  ///
  /// The same photo continues to play, whatever happens to its tile and the layout.
  func play(in gallery: inout Gallery, at now: Instant) {
    let played = playedPhoto(in: gallery)
    gallery.follow(
      played?.index.map { gallery.items[$0] }, isOpen: played?.isOpen == true, at: now)
    if showsPlayback(in: gallery) { gallery.playback?.advance(to: now) }
  }

  /// Changes the playback of the current photo, or says why that is impossible.
  func changePlayback(
    in gallery: inout Gallery, at now: Instant, _ change: (inout Playback) -> Void
  ) -> [ScreenOutcome] {
    guard let photo = active.current(in: gallery), let motion = gallery.album.motion(of: photo)
    else { return [.notice("Not an animation or a video", seconds: 1)] }
    guard gallery.playback(of: photo)?.frames?.frameCount ?? 2 > 1 || motion == .film else {
      return [.notice("Only the first frame can be shown", seconds: 1)]
    }
    play(in: &gallery, at: now)
    if var playback = gallery.playback {
      change(&playback)
      gallery.playback = playback
    }
    return []
  }

  /// Whether a film or an animation is open.
  func hasOpenFilm(in gallery: Gallery) -> Bool {
    active is any PhotoScreen
      && active.current(in: gallery).flatMap { gallery.album.motion(of: $0) } != nil
  }

  /// Returns the demand for the frames needed now; nil if nothing plays.
  func frameDemand(in gallery: Gallery) -> FrameDemand? {
    guard let playback = gallery.playback, playback.hasStarted,
      showsPlayback(in: gallery), let index = playedPhoto(in: gallery)?.index
    else { return nil }
    var demand = FrameDemand(
      picture: playedPicture(of: index, in: gallery), playback.motion,
      frameIndex: playback.neededFrame, shown: playback.frameIndex)
    demand.isPlaying = playback.isPlaying
    if demand.motion != .frames, gallery.viewport.metrics.samplesPerPixel < 1 {
      // Cells show half of the samples that a photo is decoded to, which is enough for what moves.
      demand.picture.size = demand.picture.size.scaled(by: 0.5)
    }
    return demand
  }

  /// Returns the time at which the playback changes; nil if it is unknown or nothing visible plays.
  func nextPlaybackChange(in gallery: Gallery) -> Instant? {
    showsPlayback(in: gallery) ? gallery.playback?.nextChange : nil
  }

  private func showsPlayback(in gallery: Gallery) -> Bool {
    guard let index = active.currentIndex(in: gallery) else { return true }
    return gallery.restingTileFrame(of: index).intersects(gallery.viewport.pictureArea)
      || photoScreen?.showsPhoto(at: index, in: gallery) == true
  }
}

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
    if covering?.traits.openPhoto != nil { screens.covering = nil }
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
