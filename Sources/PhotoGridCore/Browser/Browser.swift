import Geometry
import Photos
import SceneModel

/// The state of the user interface, and how events change it.
///
/// A browser is a value that reads no clock and does no input or output: the time comes in with
/// every event, effects go out as values, and a scene describes what the user sees.
///
///     let effects = browser.handle(.key(.enter), at: now)
///     let scene = browser.scene(at: now)
///
/// The gallery is what all screens share. The screens handle what concerns one view alone; the
/// gallery and the file operations run commands that are the same everywhere. All of them return
/// outcomes. The browser passes events to whom they concern, and interprets the outcomes.
package struct Browser: Sendable {
  var gallery: Gallery
  var screens = ScreenStack()
  /// The prompt, help page or question that receives the keys before the screens; nil if there is
  /// none.
  var modal: Modal?
  /// The keys of an incomplete command, culling mode, and the history of the prompts.
  var keyboard = Keyboard()
  package internal(set) var files = FileOperations()
  package internal(set) var statusBar: StatusBar
  var effects: [Effect] = []

  /// Creates a browser without photos.
  ///
  /// Without a filter, all photos will be shown. If `joinsPairs`, a picture and its raw files are
  /// one photo. Successive photos of a camera that were taken less than `stackSeconds` apart are in
  /// the same stack; there are no stacks if it is nil.
  package init(
    options: Options, order: SortOrder = .listed, filter: Filter? = nil,
    grouping: Grouping = .none, joinsPairs: Bool = true, stackSeconds: Double? = nil,
    cells: CellSize, metrics: CellMetrics
  ) {
    statusBar = StatusBar(isVisible: options.showsBar)
    gallery = Gallery(
      options: options,
      viewport: Viewport(cells: cells, metrics: metrics, hasBar: options.showsBar),
      collection: PhotoCollection(
        order: order, filter: filter, grouping: grouping, joinsPairs: joinsPairs,
        stackSeconds: stackSeconds))
    gallery.collection.show(folder: options.folder)
    gallery.collection.date(by: options.dating)
    if let stackSeconds { gallery.options.stackSeconds = stackSeconds }
  }

  /// Handles an event, and returns the effects for the program to perform.
  package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    effects = []
    settle(at: now)
    route(event, at: now)
    followTiles(at: now)
    // The frame that was just drawn stays on the screen until the next event.
    if case .drawn = event { return effects }
    for place in ScreenStack.Place.allCases {
      ask(place, at: now) { $0.advance(in: &$1, at: now) }
    }
    makeRoom(at: now)
    screens.play(in: &gallery, at: now)
    return effects
  }

  // MARK: - The gallery

  /// Options from the command line, as changed by keys since.
  package var options: Options { gallery.options }
  package var viewport: Viewport { gallery.viewport }
  /// The photos and folders.
  package var collection: PhotoCollection { gallery.collection }
  package var grid: Grid { gallery.grid }
  /// The listing, with its order, filter and marks.
  package var album: Album { gallery.album }
  /// The items that have tiles, in display order: the folders, then the photos.
  package var items: [Photo.ID] { gallery.items }
  /// The number of tiles that are saved filters and folders; they come first.
  package var folderCount: Int { gallery.collection.folderCount }
  package var selection: Int { gallery.selection }

  /// The photo that commands apply to: the open photo unless it is closing, otherwise the selected
  /// one; nil if a folder, a month, a year or nothing is selected.
  package var current: Photo.ID? { currentIndex.map { items[$0] } }

  var currentIndex: Int? { activeScreen.currentIndex(in: gallery) }

  /// The selected folder; nil if a photo is selected or open, or a saved filter is selected.
  package var currentFolder: Photo.ID? { activeScreen.currentFolder(in: gallery) }

  /// The selected saved filter; nil if something else is selected.
  package var currentFilter: FilterTile? { activeScreen.currentFilter(in: gallery) }

  mutating func endRange() { activeScreen.endRange(in: &gallery) }

  // MARK: - Screens

  var activeScreen: any Screen { screens.active }

  /// The view whose key bindings apply to the active screen.
  package var keyView: KeyMap.View { activeScreen.traits.keyView }

  /// The photo that is open alone or in a slideshow, also while it opens or closes; nil in the grid.
  package var openPhoto: Photo.ID? { screens.covering?.traits.openPhoto }

  package var isHelpOpen: Bool { if case .help? = modal { true } else { false } }

  /// Whether the user types the path of a folder.
  package var completesFolders: Bool { modal?.completesFolders == true }

  /// Opens a prompt, a page of the help, or a question; a slideshow ends.
  mutating func present(_ modal: Modal) {
    guard self.modal == nil || !modal.yields else { return }
    if let slideshow = activeScreen as? Slideshow { screens.covering = slideshow.viewer }
    self.modal = modal
  }

  /// Lets the screen in a place, if there is one, handle something, and interprets its outcomes.
  ///
  /// - Returns: Whether the screen has handled it.
  @discardableResult
  private mutating func ask(
    _ place: ScreenStack.Place, at now: Instant,
    _ body: (inout any Screen, inout Gallery) -> [ScreenOutcome]?
  ) -> Bool {
    let outcomes = screens.ask(place, in: &gallery, body)
    interpret(outcomes ?? [], at: now)
    // Without motion, photos are in their tiles immediately.
    if options.motion == .none, screens.covering?.traits.isClosing == true {
      screens.covering = nil
    }
    return outcomes != nil
  }

  /// Lets the screen that receives the keys handle something.
  ///
  /// - Returns: Whether the screen has handled it.
  @discardableResult
  mutating func askActiveScreen(
    at now: Instant, _ body: (inout any Screen, inout Gallery) -> [ScreenOutcome]?
  ) -> Bool {
    ask(screens.activePlace, at: now, body)
  }

  /// Lets the screen that receives the keys handle something that only one kind of screen does.
  ///
  /// - Returns: Whether the screen is of that kind and has handled it.
  mutating func askActiveScreen<Kind: Screen>(
    as kind: Kind.Type, at now: Instant,
    _ body: (inout Kind, inout Gallery) -> [ScreenOutcome]?
  ) -> Bool {
    askActiveScreen(at: now) { screen, gallery in
      guard var own = screen as? Kind else { return nil }
      defer { screen = own }
      return body(&own, &gallery)
    }
  }

  /// Tells all screens about a change of the gallery.
  mutating func tellScreens(_ change: GalleryChange, at now: Instant) {
    for place in ScreenStack.Place.allCases {
      ask(place, at: now) { $0.follow(change, in: &$1, at: now) }
    }
  }

  /// Lets photos that fly to their tiles follow these, if they have moved.
  mutating func followTiles(at now: Instant) {
    guard let timing = gallery.movedTiles else { return }
    gallery.movedTiles = nil
    tellScreens(.tiles(timing), at: now)
  }

  /// Interprets outcomes in order; those that follow from one come before the next.
  mutating func interpret(_ outcomes: [ScreenOutcome], at now: Instant) {
    var rest = Array(outcomes.reversed())
    while let outcome = rest.popLast() {
      switch outcome {
      case .notice(let text, let seconds): statusBar.show(text, for: seconds, at: now)
      case .show(let screen): screens.covering = screen
      case .zoom(let zoom): interpret(zoom, at: now)
      case .open(let index): open(index, at: now)
      case .change(let change): changeCollection(at: now, change)
      case .mark(let photos, let isMarked):
        let files = activeScreen.files(of: photos, in: album)
        changeCollection(at: now) { $0.mark(files, isMarked) }
      case .request(let operations): rest += files.request(operations).reversed()
      case .present(let modal): present(modal)
      case .ask(let kind): ask(kind, at: now)
      case .turned: reshapeIfDue(at: now)
      case .select(let item): collection.index(of: item).map { gallery.select($0, at: now) }
      case .go(let index): go(to: index, at: now)
      case .refresh: refreshIfDue(at: now)
      case .startQueued:
        guard modal?.delaysFiles != true else { break }
        rest += files.startQueued(in: &gallery, at: now).reversed()
      case .effect(let effect): effects.append(effect)
      case .beginSequence(let key): keyboard.reader.begin(key, in: keyView, by: options.keys)
      case .awaitStars: keyboard.awaitsStars = true
      case .then(let next):
        let screen = activeScreen
        rest += next(&gallery, screen, now).reversed()
      }
    }
  }

  // MARK: - Opening

  /// Opens the photo, fans the stack out or enters the folder at an index.
  mutating func open(_ index: Int, at now: Instant) {
    guard items.indices.contains(index) else { return }
    gallery.grid.selected = collection.item(at: index)
    if index < folderCount {
      interpret(gallery.enter(items[index]), at: now)
    } else if let outcomes = gallery.fanOutStack(index) {
      interpret(outcomes, at: now)
    } else {
      screens.covering = photoOpened(at: index, at: now)
    }
  }

  /// Returns the photo at an index as it begins to open, or turns around if it is closing.
  private mutating func photoOpened(at index: Int, at now: Instant) -> Viewer {
    gallery.grid.selected = collection.item(at: index)
    let open = screens.covering as? any PhotoScreen
    if let viewer = open?.reopened(at: index, in: &gallery, at: now) { return viewer }
    let context = Viewer.Context(ofItemAt: index, in: gallery, at: now)
    // Another photo that is still closing reaches its tile immediately: only one is open at a time.
    let tile =
      gallery.folders.transition == nil
      ? Pose(frame: context.tile, backdrop: 1)
      : gallery.tilePose(of: index, in: gallery.gridContext(at: now))
    return Viewer(opening: items[index], from: tile, in: context)
  }

  mutating func compare(at now: Instant) {
    endDrag(at: now)
    let (current, earlier) = (currentIndex, screens.covering)
    interpret(Comparison.open(current: current, after: earlier, in: &gallery, at: now), at: now)
  }

  /// The longest time per photo that a count can set, in seconds: a day.
  private static let maxSlideSeconds = 86_400.0

  /// Starts a slideshow with the current photo, on the whole screen; without a time per photo, the
  /// one in the options applies.
  mutating func startSlideshow(_ seconds: Double?, at now: Instant) {
    switch modal {
    case .prompt: return
    case .confirmation: modal = nil
    case .help, .palette, nil: break
    }
    // From a folder, start with the first photo.
    guard let index = currentIndex ?? (album.shown.isEmpty ? nil : folderCount) else {
      return statusBar.show("No photos to show", for: 2, at: now)
    }
    endDrag(at: now)
    let open = activeScreen as? any PhotoScreen
    let viewer = open?.photoAlone(in: &gallery, at: now) ?? photoOpened(at: index, at: now)
    modal = nil
    let seconds = seconds.map { min($0, Self.maxSlideSeconds) } ?? options.slideSeconds
    screens.covering = Slideshow(from: viewer, seconds: seconds)
    statusBar.show("Slideshow: \(seconds.shortText) s per photo · Space pauses", for: 2, at: now)
    ask(.covering, at: now) { $0.advance(in: &$1, at: now) }
  }

  /// The pictures that the slideshow waits for; `Event.prepared` must report that each is ready or
  /// has failed.
  package var awaitedPictures: [Demand] {
    (screens.covering as? Slideshow)?.awaitedPictures(in: gallery) ?? []
  }

  // MARK: - Months and years

  /// Starts the transition to another grid, from the current screen.
  private mutating func interpret(_ zoom: GridZoom, at now: Instant) {
    endDrag(at: now)
    gallery.folders.transition =
      options.motion == .none
      ? nil
      : screens.transition(
        isInward: zoom.isInward, of: zoom.item, tile: zoom.tile, in: gallery, at: now)
    gallery.removalFade = nil
    switch zoom.destination {
    case .periods(let periods): screens.covering = periods
    case .month(let date):
      screens.covering = nil
      gallery.collection.needDates(false)
      interpret(gallery.show(month: date) + [.refresh], at: now)
    case .photos:
      screens.covering = nil
      gallery.collection.needDates(false)
      refreshIfDue(at: now)
    }
  }

  // MARK: - Other changes

  /// Adapts to a new viewport: the selection stays visible, and a moving photo continues to its new
  /// target.
  mutating func adapt(at now: Instant) {
    gallery.folders.transition = nil
    tellScreens(.viewport, at: now)
  }

  /// The columns that open photos leave to the information panel.
  var panelColumns: Int { hasInformation ? viewport.columnsBesidePhotos : 0 }

  /// Moves open photos beside the information panel, or gives them the whole screen again.
  private mutating func makeRoom(at now: Instant) {
    guard panelColumns != viewport.panelColumns else { return }
    let before = viewport
    gallery.viewport.panelColumns = panelColumns
    tellScreens(.room(before: before), at: now)
  }

  /// Leaves all screens but the grid.
  mutating func leaveScreens() {
    screens.covering = nil
    modal = nil
  }

  /// Goes to the photos of a date, or the nearest one.
  mutating func go(to date: CalendarDate, at now: Instant) {
    askActiveScreen(at: now) { $0.go(to: date, in: &$1, at: now) }
  }

  /// Shows or selects the photo at an index.
  mutating func go(to index: Int, at now: Instant) {
    askActiveScreen(at: now) {
      $0.go(to: index, in: &$1, at: now)
      return []
    }
  }

  // MARK: - The pointer

  /// Handles a mouse event; a closing photo comes before the grid.
  mutating func point(_ event: MouseEvent, at now: Instant) {
    gallery.pointer.lostDragEnd = nil
    // The release was lost, perhaps outside the window.
    if event.kind == .moved { return endDrag(at: now) }
    for place in ScreenStack.Place.allCases.reversed() {
      if ask(place, at: now, { $0.point(event, in: &$1, at: now) }) { break }
    }
  }

  /// Whether a mouse button is held in a drag, press or painting.
  var isPointerDown: Bool {
    gallery.isPointerDown || screens.covering?.traits.isGrabbed == true
  }

  mutating func endDrag(at now: Instant) {
    gallery.endPresses(at: now)
    tellScreens(.pressesEnded, at: now)
  }

  // MARK: - Time

  /// Ends motions that are over, and removes what has expired.
  private mutating func settle(at now: Instant) {
    ask(.grid, at: now) { $0.settle(in: &$1, at: now) }
    if let fade = gallery.removalFade, fade.animatedPose.isOver(at: now) {
      gallery.removalFade = nil
    }
    gallery.folders.settle(at: now)
    statusBar.settle(at: now)
    if let end = gallery.pointer.lostDragEnd, end <= now { endDrag(at: now) }
    keyboard.settle(at: now)
    if let due = keyboard.nextToCull?.due, due <= now { goToNextToCull(at: now) }
    if let due = collection.refreshDue, due <= now { refreshIfDue(at: now) }
    if let due = grid.reshapeDue, due <= now { reshapeIfDue(at: now) }
    ask(.covering, at: now) { $0.settle(in: &$1, at: now) }
  }

  /// Whether the next frame will differ just because time passes.
  package func isAnimating(at now: Instant) -> Bool {
    screens.isAnimating(in: gallery, at: now)
  }

  /// The time of the next change that comes without an event and without motion, such as the end of
  /// a message; nil if none is due.
  package var nextChange: Instant? {
    let shared = [
      statusBar.nextChange, gallery.pointer.lostDragEnd, screens.nextPlaybackChange(in: gallery),
      collection.refreshDue, keyboard.nextChange,
    ]
    return (shared + screens.all.map { $0.nextChange(in: gallery) }).compactMap(\.self).min()
  }

  // MARK: - Options

  /// Options from the command line.
  package struct Options: Equatable, Sendable {
    package var layout = LayoutStyle()
    package var motion = MotionSetting.full
    /// Whether photos fill their tiles and are cropped, or fit inside.
    package var crop = ContentMode.fill
    /// Whether the last row of the terminal is the bar.
    package var showsBar = true
    /// Whether a single photo opens in full screen as soon as the listing is complete.
    package var opensSinglePhoto = false
    /// How long a slideshow shows each photo, in seconds.
    package var slideSeconds = 5.0
    /// The time in seconds below which successive photos of a camera are in the same stack.
    package var stackSeconds = 2.0
    /// How dates are written.
    package var dates = DateFormat.english
    package var keys = KeyMap.standard
    /// Whether a panel shows the keys that can follow the first key of a sequence.
    package var showsHints = true
    /// Whether commands that may change files, or that run other programs, are disabled.
    package var isReadOnly = false

    /// The memory for pictures, in bytes, of which those of magnified photos take a part.
    package var pictureMemory = 256 << 20
    /// The rule for the dates of photos, with the current day.
    package var dating = DateRule()
    /// The folder that is shown at the start, with a slash at its end; empty for the folder that the
    /// program was started in, and for several folders or a list.
    package var folder: [UInt8] = []
    /// The folders that photos were moved or copied into in earlier sessions, the latest last.
    package var recentFolders: [String] = []

    /// The folders to go back to.
    package var places = Places()

    package var namedFilters: [NamedFilter] = []

    /// The setting that slow motion replaced; nil while slow motion is off.
    var motionBeforeSlow: MotionSetting?

    package init() {}
  }
}
