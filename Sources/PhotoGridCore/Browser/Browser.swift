/// The state of the user interface, and how events change it.
///
/// A browser is a value that reads no clock and does no input or output: the time comes in with
/// every event, effects go out as values, and a scene describes what the user sees.
///
///     let effects = browser.handle(.key(.enter), at: now)
///     let scene = browser.scene(at: now)
///
/// `mode` determines which part receives an event, `Browser+Events` and `Browser+Routing` dispatch
/// it, and `Browser+Commands` runs the commands of keys. The parts do not access each other; only
/// the browser coordinates them.
package struct Browser: Equatable, Sendable {
  /// Options from the command line, as changed by keys since.
  package internal(set) var options: Options
  /// The size of the terminal, and the picture area in it.
  package internal(set) var viewport: Viewport
  /// The photos and folders.
  package internal(set) var collection: PhotoCollection
  /// The grid of tiles.
  package internal(set) var grid: Grid
  /// The current view, which receives the events: the grid, an open photo, a slideshow, months or
  /// years, or photos side by side.
  var mode = Mode.grid(closing: nil, nil)
  /// The keys of an incomplete command, culling mode, and the history of the prompts.
  var keyboard = Keyboard()
  /// Previews of folders, and the transition between two folders.
  var folders = FolderNavigation()
  /// Presses and drags of the pointer in the grid.
  var pointer = Pointer()
  /// The operations on the photos' files.
  var files = FileOperations()
  /// The fade-out of an open photo whose file was removed.
  var removalFade: RemovalFade?
  /// The playback of an animated photo.
  var animator = Animator()
  /// The status bar and its messages.
  package internal(set) var statusBar: StatusBar

  /// Creates a browser without photos.
  ///
  /// - Parameters:
  ///   - options: Options from the command line.
  ///   - order: The order of the photos.
  ///   - filter: The filter that photos must pass to be shown; nil shows all.
  ///   - grouping: The grouping of photos into sections.
  ///   - joinsPairs: Whether a picture and its raw files are shown as one photo.
  ///   - stackSeconds: The time in seconds below which successive photos of a camera are in the
  ///     same stack; nil for no stacks.
  ///   - cells: The size of the terminal.
  ///   - metrics: The size of the terminal's cells.
  package init(
    options: Options, order: SortOrder = .listed, filter: Filter? = nil,
    grouping: Grouping = .none, joinsPairs: Bool = true, stackSeconds: Double? = nil,
    cells: CellSize, metrics: CellMetrics
  ) {
    self.options = options
    statusBar = StatusBar(isVisible: options.showsBar)
    viewport = Viewport(cells: cells, metrics: metrics, hasBar: options.showsBar)
    grid = Grid(style: options.layout, contentMode: options.crop, viewport: viewport)
    collection = PhotoCollection(
      order: order, filter: filter, grouping: grouping, joinsPairs: joinsPairs,
      stackSeconds: stackSeconds)
    collection.show(folder: options.folder)
    collection.date(by: options.dating)
    if let stackSeconds { self.options.stackSeconds = stackSeconds }
  }

  /// The listing, with its order, filter and marks.
  package var album: Album { collection.album }

  /// The items that have tiles, in display order: the folders, then the photos.
  package var photos: [Photo.ID] { collection.items }

  /// Handles an event, and returns the effects for the program to perform.
  package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    settle(at: now)
    var effects: [Effect] = []
    route(event, at: now, effects: &effects)
    // The frame that was just drawn stays on the screen until the next event.
    if case .drawn = event { return effects }
    settleCrossFade(at: now)
    followSlideshow(at: now)
    play(at: now)
    updatePeriodsIfDue(at: now)
    return effects
  }

  /// The photo that commands apply to: the open photo unless it is closing, otherwise the selected
  /// one; nil if a folder, a month, a year or nothing is selected.
  package var current: Photo.ID? { currentIndex.map { photos[$0] } }

  /// The index of the current photo.
  var currentIndex: Int? {
    guard mode.periods == nil else { return nil }
    if let comparedIndex { return comparedIndex }
    let index = (viewer?.isClosing == false ? viewerIndex : nil) ?? selection
    return photos.indices.contains(index) && index >= folderCount ? index : nil
  }

  /// Whether the next frame will differ just because time passes.
  package func isAnimating(at now: Instant) -> Bool {
    if (mode.periods?.grid ?? grid).isAnimating(at: now) { return true }
    if let removalFade, !removalFade.animatedPose.isOver(at: now) { return true }
    if mode.comparison?.isAnimating(at: now) == true { return true }
    if folders.isAnimating(at: now) || grid.scrubber.isMoving(at: now) { return true }
    return viewer?.isAnimating(at: now) ?? false
  }

  /// The time of the next change that comes without an event and without motion, such as the end of
  /// a message; nil if none is due.
  package var nextChange: Instant? {
    [
      statusBar.nextChange, pointer.lostDragEnd, nextPage, collection.refreshDue, nextSlideChange,
      keyboard.nextChange, grid.reshapeDue, grid.scrubber.nextChange, periodUpdateDue,
      viewer?.wholeDue,
    ]
    .compactMap { $0 }.min()
  }

  // MARK: - Time

  /// Ends motions that are over, and removes what has expired.
  private mutating func settle(at now: Instant) {
    grid.settle(at: now)
    if let removalFade, removalFade.animatedPose.isOver(at: now) { self.removalFade = nil }
    folders.settle(at: now)
    grid.scrubber.settle(at: now)
    statusBar.settle(at: now)
    if let end = pointer.lostDragEnd, end <= now { endDrag(at: now) }
    if let due = collection.refreshDue, due <= now { refreshIfDue(at: now) }
    if let due = grid.reshapeDue, due <= now { reshapeIfDue(at: now) }
    if let index = viewerIndex, let context = viewerContext(of: index, at: now),
      self.viewer?.settle(in: context) == true
    {
      self.viewer = nil
    }
    settleCrossFade(at: now)
    settlePeriods(at: now)
    settleComparison(at: now)
  }
}
