/// The state of the program that is on screen, and how events change it.
///
/// A value: time comes in with every event, effects go out as values, and `scene(at:)` is what there
/// is to see. `mode` says what takes the events, `Browser+Events` and `Browser+Routing` hand them on,
/// and `Browser+Commands` carries out what keys ask for. Its parts know nothing of each other: where
/// one has to follow another, it is the browser that says so.
package struct Browser: Equatable, Sendable {
  /// What the command line chose, with what keys have changed since.
  package internal(set) var options: Options
  /// The terminal's size, and what of it belongs to pictures.
  package internal(set) var viewport: Viewport
  /// The photos and folders that there are.
  package internal(set) var collection: PhotoCollection
  /// The tiles.
  package internal(set) var grid: Grid
  /// What is shown, and takes the events: the grid, an open photo or a slideshow.
  var mode = Mode.grid(closing: nil, nil)
  /// Keys of a command that is not complete.
  var keyboard = Keyboard()
  /// Previews of folders, and the transition between two of them.
  var folders = FolderNavigation()
  /// The pointer in the grid.
  var pointer = Pointer()
  /// The way to any date at the right edge.
  var scrubber = Scrubber()
  /// Operations on the photos' files.
  var files = FileOperations()
  /// The fade-out of an open photo whose file was removed.
  var removalFade: RemovalFade?
  /// The animated photo that plays.
  var animator = Animator()
  /// The bar and its messages.
  package internal(set) var statusBar: StatusBar

  /// A browser without photos yet.
  ///
  /// - Parameters:
  ///   - options: What the command line chose.
  ///   - order: The order of the photos.
  ///   - filter: What photos have to meet to be shown; nil shows all.
  ///   - grouping: By what they are put into sections.
  ///   - cells: The size of the terminal.
  ///   - metrics: The size of its cells.
  package init(
    options: Options, order: SortOrder = .listed, filter: Filter? = nil,
    grouping: Grouping = .none, cells: CellSize, metrics: CellMetrics
  ) {
    self.options = options
    statusBar = StatusBar(isVisible: options.showsBar)
    viewport = Viewport(cells: cells, metrics: metrics, hasBar: options.showsBar)
    grid = Grid(style: options.layout, contentMode: options.crop, viewport: viewport)
    collection = PhotoCollection(order: order, filter: filter, grouping: grouping)
  }

  /// The photos by order, filter and marks.
  package var album: Album { collection.album }

  /// What has a tile, in the order on screen: the folders, then the photos.
  package var photos: [Photo.ID] { collection.items }

  /// Handles an event; returns what the program has to do about it.
  package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    settle(at: now)
    var effects: [Effect] = []
    route(event, at: now, effects: &effects)
    // What was drawn just now is on show, and stays so until the next event.
    if case .drawn = event { return effects }
    settleCrossFade(at: now)
    followSlideshow(at: now)
    play(at: now)
    return effects
  }

  /// The photo that keys are about: the open one unless it closes, else the selected one; nil where
  /// that is a folder.
  package var current: Photo.ID? { currentIndex.map { photos[$0] } }

  /// The index of that photo.
  var currentIndex: Int? {
    let index = viewer.flatMap { $0.isClosing ? nil : $0.index } ?? selection
    return photos.indices.contains(index) && index >= folderCount ? index : nil
  }

  /// Whether the next frame will differ from this one by time alone.
  package func isAnimating(at now: Instant) -> Bool {
    if grid.isAnimating(at: now) { return true }
    if let removalFade, !removalFade.way.isOver(at: now) { return true }
    if folders.isAnimating(at: now) || scrubber.isMoving(at: now) { return true }
    return viewer?.isAnimating(at: now) ?? false
  }

  /// When something changes by itself though nothing moves; nil if nothing does.
  package var nextChange: Instant? {
    [
      statusBar.nextChange, pointer.lostDragEnd, nextPage, collection.refreshDue, nextSlideChange,
      keyboard.nextChange, scrubber.nextChange,
    ]
    .compactMap { $0 }.min()
  }

  // MARK: - Time

  /// Ends what has arrived and drops what has run out.
  private mutating func settle(at now: Instant) {
    grid.settle(at: now)
    if let removalFade, removalFade.way.isOver(at: now) { self.removalFade = nil }
    folders.settle(at: now)
    scrubber.settle(at: now)
    statusBar.settle(at: now)
    if let end = pointer.lostDragEnd, end <= now { endDrag(at: now) }
    if let due = collection.refreshDue, due <= now { refreshIfDue(at: now) }
    if let viewer, let context = viewerContext(of: viewer.index, at: now),
      self.viewer?.settle(in: context) == true
    {
      self.viewer = nil
    }
    settleCrossFade(at: now)
  }
}
