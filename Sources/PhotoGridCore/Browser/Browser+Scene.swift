/// What the user sees: the scene, its pictures, and the animated photo that plays.
extension Browser {
  /// Returns the contents of the picture area at a moment, back to front.
  ///
  /// `name` returns the printable name of a photo or folder for its label, and `closeUp` a finer
  /// picture of a part of a photo, or nil if only the picture of the whole photo exists.
  package func scene(
    at now: Instant, name: @escaping (Photo.ID) -> String = { _ in "" },
    closeUp: @escaping (Photo.ID) -> CloseUp? = { _ in nil }
  ) -> Scene {
    var scene = Scene(size: viewport.pictureSize)
    let removed = gallery.removalFade?.animatedPose.value(at: now)
    let frame = SceneFrame(
      gallery: gallery, now: now,
      gridOpacity: overlay?.gridOpacity(in: gallery, at: now) ?? removed?.backdrop ?? 1,
      overlay: overlay, hasOpenPhoto: viewer != nil, name: name, closeUp: closeUp)
    let visible = visibleScreens
    if frame.gridOpacity > 1 / 256 {
      let transition = gallery.folders.transition
      let departing =
        transition?.departing(at: now, on: viewport.pictureArea, opacity: frame.gridOpacity) ?? []
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
    scene.isMoving = isAnimating(at: now) || activeScreen.followsPointer(in: gallery)
    return scene
  }

  package func visibleTiles(at now: Instant) -> [Photo.ID] {
    let top = grid.scroll.value(at: now)
    return grid.visibleIndices(in: gallery.gridContext(at: now))
      .filter {
        grid.layout.frame(at: $0).offset(x: 0, y: -top).intersects(viewport.pictureArea)
      }
      .map { items[$0] }
  }

  // MARK: - Pictures

  /// Returns the pictures that are needed now, most urgent first; none while the visible tiles are
  /// about to change.
  package func demands(at now: Instant) -> [Demand] { isOrderProvisional(at: now) ? [] : demands }

  /// The longest time that demands wait for the end of a listing, in seconds from its first item.
  private static let maxWait = 1.0

  /// Whether the photos will be sorted again soon, by recorded facts that arrive with the listing.
  private func isOrderProvisional(at now: Instant) -> Bool {
    guard collection.listingNotes == nil, album.isStale, album.order.needsFacts,
      album.hasRecordedInfo, overlay == nil, let since = grid.filledSince
    else { return false }
    return now.seconds(since: since) < Self.maxWait
  }

  /// The pictures that the current screen needs, most urgent first.
  ///
  /// What lies over the grid comes first, then the visible tiles, what a step would show, and the
  /// tiles just outside the viewport.
  package var demands: [Demand] {
    var demands = visibleScreens.reversed().map { $0.demands(in: gallery) }
    let memory = options.pictureMemory - drawingByteCount
    var rest = memory
    for index in demands.indices {
      // Tiles behind an open photo stay, so that it has a grid to return to.
      rest -= gallery.limit(&demands[index], to: max(rest, memory / 8))
    }
    return demands.flatMap(\.visible) + demands.flatMap(\.ahead)
  }

  /// The memory that drawing takes, in bytes, which is a part of the memory for pictures.
  package var drawingByteCount: Int { gallery.drawingByteCount }

  /// A function that returns a photo's distance from the visible tiles, in items.
  ///
  /// The distance is 0 for a visible photo, also on the tile of a folder, a month or a year, and
  /// `Int.max` for a photo without a tile.
  package var distanceFromViewport: (Photo.ID) -> Int {
    let visible = grid.layout.indices(in: grid.restingView(in: viewport))
    let collection = collection
    let folders = visible.prefix { $0 < collection.folderCount }
    let samples =
      folders.flatMap { gallery.folders.previews[collection.items[$0]]?.samples ?? [] }
      + screens.filter(\.replacesGrid).flatMap { $0.demands(in: gallery).visible.map(\.photo) }
    let onTiles = Set(samples)
    return { photo in
      guard !onTiles.contains(photo) else { return 0 }
      guard let index = collection.index(of: photo) else { return .max }
      return max(visible.lowerBound - index, index - visible.upperBound + 1, 0)
    }
  }

  // MARK: - What must be read

  /// The photos whose files must be read: for the pattern while one is typed, else for the album.
  package var missingFacts: [Photo.ID] {
    guard let missing = prompt?.missingFacts(in: album) else {
      // The same array as long as nothing changes, which is compared with the last one in no time.
      let urgent = gallery.missingCaptions + album.known.outdated.photos
      return urgent.isEmpty ? collection.missingFacts : urgent + collection.missingFacts
    }
    return missing.isEmpty ? collection.missingFacts : missing
  }

  /// The photos whose ratings must be read: for the pattern while one is typed, else for the album.
  package var missingRatings: [Photo.ID] {
    let missing = prompt?.missingRatings(in: album) ?? []
    return missing.isEmpty ? collection.missingRatings : missing
  }

  /// The files on the screen whose ratings are not known: of the open photo, of compared photos,
  /// and of photos with visible tiles.
  package var visibleUnrated: [Photo.ID] {
    let indices = screens.reversed().flatMap { $0.visibleItems(in: gallery) }
    let shown = indices.compactMap { collection.photoIndex($0).map { items[$0] } }
    return album.files(of: shown).filter { !album.known.ratings.isKnown($0) }
  }

  /// The photos in visible groups of near duplicates whose bytes must be compared.
  package var uncomparedFiles: [Photo.ID] {
    visibleScreens.first.map {
      collection.uncomparedFiles(around: $0.visibleItems(in: gallery))
    } ?? []
  }

  // MARK: - Animated photos

  /// Switches the playback to the current photo.
  ///
  /// The same photo continues to play, whatever happens to its tile and the layout.
  mutating func play(at now: Instant) {
    let played = activeScreen.playedPhoto(in: gallery)
    let photo = played?.index.map { items[$0] }
    // With reduced motion, the user starts the photo.
    gallery.animator.follow(
      photo.flatMap { photo in album.motion(of: photo).map { (photo, $0) } },
      isPlaying: options.motion.travels, isOpen: played?.isOpen == true, at: now)
    if isPlaybackVisible { gallery.animator.advance(to: now) }
  }

  /// Changes the playback of the current photo, or shows a notice if that is impossible.
  mutating func runPlayback(at now: Instant, _ change: (inout Animator) -> Void) {
    guard let photo = current, let motion = album.motion(of: photo) else {
      return showNotice("Not an animation or a video", for: 1, at: now)
    }
    let frameCount = gallery.animator.playback.flatMap { $0.photo == photo ? $0.animation : nil }?
      .frameCount
    guard frameCount ?? 2 > 1 || motion == .film else {
      return showNotice("Only the first frame can be shown", for: 1, at: now)
    }
    play(at: now)
    change(&gallery.animator)
  }

  /// The demand for the frames needed now; nil if nothing plays.
  package var animationDemand: AnimationDemand? {
    guard let playback = gallery.animator.playback, playback.hasStarted, isPlaybackVisible,
      let index = activeScreen.playedPhoto(in: gallery)?.index
    else { return nil }
    var demand = AnimationDemand(
      picture: activeScreen.playedPicture(of: index, in: gallery),
      frameIndex: playback.neededFrame, shown: playback.frameIndex)
    demand.isFilm = album.motion(of: playback.photo).map { $0 != .frames } ?? false
    demand.isPlaying = playback.isPlaying
    if demand.isFilm, viewport.metrics.samplesPerPixel < 1 {
      // Cells show half of the samples that a photo is decoded to, which is enough for what moves.
      demand.picture.size = demand.picture.size.scaled(by: 0.5)
    }
    return demand
  }

  /// The time at which the next frame is due; nil if it is unknown or nothing visible plays.
  var nextAnimationFrame: Instant? { isPlaybackVisible ? gallery.animator.nextChange : nil }

  private var isPlaybackVisible: Bool {
    guard let index = currentIndex else { return true }
    return screens.contains { $0.showsPhoto(at: index, in: gallery) }
  }
}

/// The status bar and the window title.
extension Browser {
  package func bar(_ facts: Bar.Facts, at now: Instant) -> Bar {
    if let bar = modal?.bar { return bar }
    let leaving = files.isLeaving ? "Will quit when file operations finish; q quits now" : nil
    return statusBar.bar(statusContent(facts, question: leaving ?? modal?.question), at: now)
  }

  package func title(_ facts: Bar.Facts) -> String {
    statusBar.title(statusContent(facts, question: nil))
  }

  private func statusContent(_ facts: Bar.Facts, question: String?) -> StatusBar.Content {
    let frameCount = facts.info?.frameCount ?? 1
    let prompt = prompt
    var content = StatusBar.Content(
      facts: facts, collection: collection, selection: selection, photoIndex: currentIndex,
      isFolder: currentFolder != nil, question: question, prompt: prompt,
      commandPhotoCount: prompt?.kind == .command ? chosenFiles.count : 0,
      count: keyboard.reader.count, fileProgress: files.progress, isLeaving: files.isLeaving,
      frames: frameCount > 1
        ? gallery.animator.frameLabel(frameCount: frameCount)
        : current.flatMap { gallery.animator.filmLabel(of: $0) },
      isReadOnly: options.isReadOnly,
      culling: culling == nil ? nil : Culling.status(left: album.unratedCount),
      rating: current.flatMap { album.rating(of: $0) }?.symbols)
    for screen in screens { screen.describe(&content, in: gallery) }
    return content
  }

  /// Shows a message in the bar for a number of seconds.
  mutating func showNotice(_ text: String, for seconds: Double, at now: Instant) {
    statusBar.show(text, for: seconds, at: now)
  }

  /// Shows a message in the bar, if there is one.
  mutating func showNotice(_ notice: Notice.Text?, at now: Instant) {
    if let notice { showNotice(notice.text, for: notice.seconds, at: now) }
  }
}

/// The information panel about the current item.
extension Browser {
  /// The photo that the panel describes; nil if the panel is hidden or describes a folder.
  package var inspectedPhoto: Photo.ID? { showsInformation ? current : nil }

  /// The folder that the panel describes; nil if the panel is hidden or describes a photo.
  package var inspectedFolder: Photo.ID? { showsInformation ? currentFolder : nil }

  private var showsInformation: Bool {
    statusBar.showsInformation && screens.allSatisfy(\.showsInformation)
      && modal?.coversScreen != true
  }

  /// Returns the side on which the panel is drawn: the left if a panel on the right would hide the
  /// selected tile and a panel on the left would not, otherwise the right.
  package func position(of panel: Panel) -> Panel.Position {
    panel.position(beside: activeScreen.selectedTile(in: gallery), in: viewport)
  }
}
