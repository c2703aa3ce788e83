/// The grid: its commands, its layout, and changes of its items.
extension Browser {
  /// The context that the grid reads.
  func gridContext(at now: Instant) -> Grid.Context {
    Grid.Context(collection: collection, viewport: viewport, motion: options.motion, now: now)
  }

  /// Changes the grid; a photo that is flying to its tile follows.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - timing: The timing with which the photo follows; nil for the timing of scrolling.
  ///   - change: Changes the grid.
  mutating func changeGrid(
    at now: Instant, _ timing: Timing? = nil, _ change: (inout Grid, Grid.Context) -> Void
  ) {
    let offset = grid.scroll.target
    change(&grid, gridContext(at: now))
    if timing == nil, grid.scroll.target != offset { showScrubber(at: now) }
    retargetClosing(timing ?? options.motion.scroll, at: now)
  }

  /// The index of the selected tile; 0 if there is none.
  package var selection: Int { grid.selection(in: collection) }

  /// Selects the tile at an index, or the nearest existing one, and scrolls it into view.
  mutating func select(_ index: Int, at now: Instant) {
    changeGrid(at: now) { $0.select(index, in: $1) }
  }

  // MARK: - Keys

  /// Moves the selection, opens the selected item, or steps out.
  mutating func navigateInGrid(
    _ command: Command.Navigation, _ count: Int?, at now: Instant, effects: inout [Effect]
  ) {
    let number = count ?? 1
    switch command {
    case .left: changeGrid(at: now) { $0.move(.left, number, in: $1) }
    case .right: changeGrid(at: now) { $0.move(.right, number, in: $1) }
    case .up: changeGrid(at: now) { $0.move(.up, number, in: $1) }
    case .down: changeGrid(at: now) { $0.move(.down, number, in: $1) }
    case .pageForward: movePages(Double(number), at: now)
    case .pageBack: movePages(-Double(number), at: now)
    case .halfPageForward: movePages(Double(number) / 2, at: now)
    case .halfPageBack: movePages(-Double(number) / 2, at: now)
    case .open: open(selection, at: now, effects: &effects)
    case .first, .last, .forwardTen, .backTen:
      if let index = destination(of: command, count, from: selection) { select(index, at: now) }
    case .stepOut: stepOutOfCollection(at: now)
    case .next, .previous: break  // no key of the grid
    }
  }

  private mutating func movePages(_ pages: Double, at now: Instant) {
    changeGrid(at: now) { $0.movePages(pages, in: $1) }
  }

  /// Returns the index to which a command that counts items leads, in the grid and in the viewer;
  /// nil for all other commands.
  func destination(of command: Command.Navigation, _ count: Int?, from index: Int) -> Int? {
    let number = count ?? 1
    switch command {
    case .first: return count.map { collection.folderCount + $0 - 1 } ?? 0
    case .last: return count.map { collection.folderCount + $0 - 1 } ?? collection.items.count - 1
    case .forwardTen: return index + 10 * number
    case .backTen: return index - 10 * number
    case .next: return index + number
    case .previous: return index - number
    case .left, .right, .up, .down, .pageForward, .pageBack, .halfPageForward, .halfPageBack,
      .open, .stepOut:
      return nil
    }
  }

  // MARK: - Layout

  /// Changes the layout style; tiles fly to their new places, and the selection stays visible.
  mutating func restyle(at now: Instant, _ change: (inout LayoutStyle) -> Void) {
    changeLayout(at: now) { $0.restyle(in: $1, change) }
  }

  /// Switches to another layout, wrapping around from the last to the first.
  mutating func changeLayout(by step: Int, at now: Instant) {
    changeLayout(at: now) { $0.changeLayout(by: step, in: $1) }
    showNotice(grid.style.kind.rawValue, for: 1, at: now)
  }

  /// Enlarges the tiles.
  mutating func enlarge(by steps: Int, at now: Instant) {
    var limit: Grid.SizeLimit?
    changeLayout(at: now) { limit = $0.enlarge(by: steps, in: $1) }
    if limit == .fillsScreen { showNotice("Tiles cannot get larger", for: 1, at: now) }
  }

  /// Shrinks the tiles; if they cannot get smaller, zooms out to months.
  mutating func shrinkTiles(by steps: Int, at now: Instant) {
    guard !isZooming(inward: true) else { return zoomOut(at: now) }
    let before = grid.layout
    var limit: Grid.SizeLimit?
    changeLayout(at: now) { limit = $0.enlarge(by: -steps, in: $1) }
    if limit == .smallest, grid.layout == before { zoomOut(at: now) }
  }

  /// Changes the layout; a photo that is flying to its tile follows if the layout differs.
  mutating func changeLayout(
    at now: Instant, _ change: (inout Grid, Grid.Context) -> Void
  ) {
    pointer.gridPress = nil
    let before = grid.layout
    change(&grid, gridContext(at: now))
    if grid.layout != before { retargetClosing(options.motion.rearrangement, at: now) }
  }

  // MARK: - Tiles

  /// Returns the pose of a tile at the time of the context, in pixels of the picture area.
  func tilePose(of index: Int, in context: Grid.Context) -> Pose {
    let pose = grid.tilePose(of: index, in: context)
    return folders.transition?.arriving(pose, at: context.now) ?? pose
  }

  /// Returns the frame of a tile once the grid is at rest, in pixels of the picture area.
  ///
  /// The grid rests at the target of its scrolling, or at the given scroll offset.
  func restingTileFrame(of index: Int, scrolledTo offset: Double? = nil) -> PixelRect {
    grid.restingTileFrame(of: index, scrolledTo: offset, collection, in: viewport)
  }

  /// Returns the index of the item at a point of the picture area; nil if there is none.
  func index(at point: PixelPoint, _ now: Instant) -> Int? {
    guard sectionHeading(at: point, now) == nil else { return nil }
    let context = gridContext(at: now)
    // Where moving tiles overlap, the last one drawn is in front.
    return grid.visibleIndices(in: context).last {
      tilePose(of: $0, in: context).frame.contains(point)
    }
  }

  // MARK: - Changes of the items

  /// Changes the items; tiles fly to their new places, and the open photo and the selection are
  /// kept if they still exist.
  mutating func changeCollection(at now: Instant, _ change: (inout PhotoCollection) -> Void) {
    moveTiles(at: now, change)
    refreshIfDue(at: now)
  }

  /// Returns the items whose tiles are visible.
  package func visibleTiles(at now: Instant) -> [Photo.ID] {
    let (items, area) = (collection.items, viewport.pictureArea)
    let top = grid.scroll.value(at: now)
    return grid.visibleIndices(in: gridContext(at: now))
      .filter { grid.layout.frame(at: $0).offset(x: 0, y: -top).intersects(area) }
      .map { items[$0] }
  }

  /// Applies new facts, immediately if all are known, otherwise after a delay.
  mutating func refreshIfDue(at now: Instant) {
    if collection.isRefreshDue(at: now) { moveTiles(at: now) { $0.refresh() } }
  }

  /// Lays out rows again for photos whose proportions became known, for many photos at a time.
  mutating func reshapeIfDue(at now: Instant) {
    guard !collection.shapes.changed.isEmpty else { return }
    guard grid.style.kind == .rows else {
      _ = collection.drainReshaped()
      return
    }
    guard grid.isReshapeDue(at: now) else { return }
    let items = collection.drainReshaped()
    changeGrid(at: now, options.motion.rearrangement) { $0.reshape(items, in: $1) }
  }

  private mutating func moveTiles(at now: Instant, _ change: (inout PhotoCollection) -> Void) {
    let before = grid.snapshot(in: gridContext(at: now))
    let pose = currentPose(at: now)
    change(&collection)
    let hasOtherItems = collection.items != before.collection.items
    grid.layOut(in: gridContext(at: now))
    if hasOtherItems {
      grid.followSelection(from: before.collection, in: collection)
      if let fade = removalFade, collection.index(of: fade.photo) != nil { removalFade = nil }
      followComparison(at: now)
      if let viewer, let pose { follow(viewer, at: pose, from: before.collection, now) }
    }
    countPeriods(soon: true, at: now)
    guard hasOtherItems || grid.layout != before.layout else { return }
    let removed = removalFade?.photo
    changeGrid(at: now, options.motion.rearrangement) {
      $0.moveTiles(from: before, removed: removed, in: $1)
    }
  }

  /// Keeps the open photo open if it still exists.
  ///
  /// A removed photo fades out where it is; if it was on the screen, its replacement appears there.
  private mutating func follow(
    _ viewer: Viewer, at pose: Pose, from old: PhotoCollection, _ now: Instant
  ) {
    let photo = viewer.photo
    let replacement = collection.replacement(for: photo, in: old)
    let index = replacement.flatMap { collection.index(of: $0) }
    guard replacement != photo else { return }
    if options.motion != .none {
      removalFade = RemovalFade(
        photo: photo,
        animatedPose: Animated(
          from: pose, to: pose.vanished(in: options.motion), options.motion.rearrangement,
          at: now))
    }
    let isOnScreen =
      switch viewer.phase {
      case .flying(_, to: .tile), .held, .dragging, .panning: false
      case .flying(_, to: .screen), .resting, .swiping, .snapping: true
      }
    guard isOnScreen, let replacement, let index = index.flatMap({ collection.photoIndex($0) }),
      let context = viewerContext(of: index, at: now)
    else {
      self.viewer = nil
      return
    }
    grid.selected = replacement
    self.viewer = Viewer(replacing: pose, with: replacement, in: context)
  }
}
