/// The grid: its keys, and what follows it.
extension Browser {
  /// What surrounds the grid.
  func gridContext(at now: Instant) -> Grid.Context {
    Grid.Context(collection: collection, viewport: viewport, motion: options.motion, now: now)
  }

  /// Changes the grid; a photo that flies to its tile follows.
  ///
  /// - Parameters:
  ///   - now: The moment.
  ///   - timing: How the photo follows; nil is as the grid scrolls.
  ///   - change: Changes the grid.
  mutating func changeGrid(
    at now: Instant, _ timing: Timing? = nil, _ change: (inout Grid, Grid.Context) -> Void
  ) {
    change(&grid, gridContext(at: now))
    retargetReturn(timing ?? options.motion.scroll, at: now)
  }

  /// The index of the selected tile; 0 where there is none.
  package var selection: Int { grid.selection(in: collection) }

  /// Selects the tile at an index, or the nearest one that there is, and brings it into sight.
  mutating func select(_ index: Int, at now: Instant) {
    changeGrid(at: now) { $0.select(index, in: $1) }
  }

  // MARK: - Keys

  /// Runs a command on the grid.
  mutating func runInGrid(
    _ reading: KeyReader.Reading, at now: Instant, effects: inout [Effect]
  ) {
    let count = reading.count ?? 1
    switch reading.command {
    case .left: changeGrid(at: now) { $0.move(.left, count, in: $1) }
    case .right: changeGrid(at: now) { $0.move(.right, count, in: $1) }
    case .up: changeGrid(at: now) { $0.move(.up, count, in: $1) }
    case .down: changeGrid(at: now) { $0.move(.down, count, in: $1) }
    case .pageForward: movePages(Double(count), at: now)
    case .pageBack: movePages(-Double(count), at: now)
    case .halfPageForward: movePages(Double(count) / 2, at: now)
    case .halfPageBack: movePages(-Double(count) / 2, at: now)
    case .open: open(selection, at: now, effects: &effects)
    case .goUp: effects.append(.goUp)
    case .first, .last, .forwardTen, .backTen:
      if let index = destination(of: reading, from: selection) { select(index, at: now) }
    case .stepOut: stepOutOfCollection(at: now)
    default: break  // done for both views, or for photos alone
    }
  }

  private mutating func movePages(_ pages: Double, at now: Instant) {
    changeGrid(at: now) { $0.movePages(pages, in: $1) }
  }

  /// The index where the commands lead that count photos one by one, in both views.
  func destination(of reading: KeyReader.Reading, from index: Int) -> Int? {
    let count = reading.count ?? 1
    let number = reading.count.map { collection.folderCount + $0 - 1 }
    switch reading.command {
    case .first: return number ?? 0
    case .last: return number ?? collection.items.count - 1
    case .forwardTen: return index + 10 * count
    case .backTen: return index - 10 * count
    case .next: return index + count
    case .previous: return index - count
    default: return nil  // the others do not count photos
    }
  }

  // MARK: - Layout

  /// Changes the style; tiles fly to their new places, and the selection stays in sight.
  mutating func restyle(at now: Instant, _ change: (inout LayoutStyle) -> Void) {
    pointer.gridPress = nil
    changeGrid(at: now, options.motion.rearrangement) { $0.restyle(in: $1, change) }
  }

  /// Goes on to another of the layouts, after the last one to the first.
  mutating func changeLayout(by step: Int, at now: Instant) {
    pointer.gridPress = nil
    changeGrid(at: now, options.motion.rearrangement) { $0.changeLayout(by: step, in: $1) }
    showNotice(grid.style.kind.rawValue, for: 1, at: now)
  }

  /// Makes tiles larger, or smaller where steps are negative.
  mutating func enlarge(by steps: Int, at now: Instant) {
    pointer.gridPress = nil
    var isFull = false
    changeGrid(at: now, options.motion.rearrangement) {
      isFull = $0.enlarge(by: steps, in: $1)
    }
    if isFull { showNotice("a tile fills the view already", for: 1, at: now) }
  }

  // MARK: - Tiles

  /// How a tile is seen at a moment, in the picture area.
  func tilePose(of index: Int, in context: Grid.Context) -> Pose {
    let pose = grid.tilePose(of: index, in: context)
    return folders.transition?.arriving(pose, at: context.now) ?? pose
  }

  /// The frame of a tile once the grid rests, or would rest if it were scrolled to an offset.
  func restingTileFrame(of index: Int, scrolledTo offset: Double? = nil) -> PixelRect {
    grid.restingTileFrame(of: index, scrolledTo: offset, collection, in: viewport)
  }

  /// The index of the item that is seen at a point of the picture area.
  func index(at point: PixelPoint, _ now: Instant) -> Int? {
    let context = gridContext(at: now)
    // Where tiles cross on their way, the one drawn last is in front.
    return grid.visibleIndices(in: context).last {
      tilePose(of: $0, in: context).frame.contains(point)
    }
  }

  // MARK: - Changes of the items

  /// Changes the items; tiles fly to their new places, and what is open or selected stays so where
  /// it is still there.
  mutating func changeCollection(at now: Instant, _ change: (inout PhotoCollection) -> Void) {
    moveTiles(at: now, change)
    refreshIfDue(at: now)
  }

  /// Lets new facts take effect: at once where all are known, else after a while.
  mutating func refreshIfDue(at now: Instant) {
    if collection.isRefreshDue(at: now) { moveTiles(at: now) { $0.refresh() } }
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
      if let viewer, let pose { follow(viewer, at: pose, from: before.collection, now) }
    }
    guard hasOtherItems || grid.layout != before.layout else { return }
    let removed = removalFade?.photo
    changeGrid(at: now, options.motion.rearrangement) {
      $0.moveTiles(from: before, removed: removed, in: $1)
    }
  }

  /// The open photo stays open where it is still there. One that is gone fades out where it is; on
  /// the screen the one that takes its place appears.
  private mutating func follow(
    _ viewer: Viewer, at pose: Pose, from old: PhotoCollection, _ now: Instant
  ) {
    let photo = old.items[viewer.index]
    let replacement = collection.replacement(for: photo, in: old)
    let index = replacement.flatMap { collection.index(of: $0) }
    guard replacement != photo else {
      if let index { self.viewer?.index = index }
      return
    }
    if options.motion != .none {
      removalFade = RemovalFade(
        photo: photo,
        way: Animated(
          from: pose, to: pose.vanished(in: options.motion), options.motion.rearrangement,
          at: now))
    }
    let isOnScreen =
      switch viewer.phase {
      case .flying(_, to: .tile), .held, .dragging, .panning: false
      case .flying(_, to: .screen), .resting, .swiping, .snapping: true
      }
    guard isOnScreen, let index = index.flatMap({ collection.photoIndex($0) }),
      let context = viewerContext(of: index, at: now)
    else {
      self.viewer = nil
      return
    }
    grid.selected = replacement
    self.viewer = Viewer(replacing: pose, with: index, in: context)
  }
}
