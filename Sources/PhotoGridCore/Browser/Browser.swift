/// The state of the program that is on screen, and how events change it.
///
/// A value: time comes in with every event, effects go out as values, and `scene(at:)` says what is
/// to be seen. See `Browser+Grid`, `Browser+Detail`, `Browser+Mouse`, `Browser+Playback`,
/// `Browser+Folders` and `Browser+Scene` for the parts.
package struct Browser: Equatable, Sendable {
  /// What the command line chose.
  package struct Options: Equatable, Sendable {
    package var layout = LayoutStyle()
    package var motion = MotionSetting.full
    /// Whether tiles are clipped photos or hold whole ones.
    package var crop = ContentMode.fill
    package var showsBar = true
    /// Whether a single photo opens on the whole screen at once.
    package var opensSinglePhoto = false
    package var order = SortOrder.listed
    /// Nil where all photos are shown.
    package var filter: Filter?
    /// How long a slideshow shows each photo, in seconds.
    package var slideSeconds = 5.0
    /// What keys do.
    package var keys = KeyMap.standard
    /// Whether nothing may be done to files, nor with them by other programs.
    package var isReadOnly = false

    /// The defaults.
    package init() {}
  }

  package internal(set) var options: Options
  package internal(set) var viewport: Viewport
  /// All photos, and which of them are shown.
  package internal(set) var album = Album()
  /// Nil while the listing goes on.
  package internal(set) var summary: ListingNotes?
  /// The index of the selected tile; 0 where there is none.
  package internal(set) var selection = 0
  /// The open photo, whatever it is doing.
  package internal(set) var viewer: Viewer?
  /// The page of the help that is open.
  package internal(set) var helpPage: Int?
  /// Whether the panel about the present photo is wanted.
  package internal(set) var wantsInformation = false
  package internal(set) var slideshow: Slideshow?
  /// The photo that gives way to the one on the screen.
  var crossFade: CrossFade?
  /// Keys of a command that is not complete.
  var keyboard = Keyboard()
  /// What is being typed in the bar.
  package internal(set) var prompt: Prompt?
  /// The search that goes on.
  var search: Search?
  /// Previews of folders, and the transition between two of them.
  var folders = FolderNavigation()
  /// Where a range was begun that is to be marked.
  var rangeAnchor: Photo.ID?
  /// The pointer in the grid.
  var pointer = Pointer()
  /// Operations on the photos' files.
  var files = FileOperations()
  /// When what became known of files takes effect on what is shown.
  var refreshDue: Instant?
  /// Where one was before a filter was asked for; nil where there is none to come back from.
  var viewBeforeFilter: FolderView?
  /// The lines that were accepted in prompts.
  var promptHistory = PromptHistory()
  /// From the top of the content to the top of the picture area, in pixels.
  var scroll = Animated(0.0)
  /// Whether scrolling went up the last time.
  var scrollsUp = false
  var layout: TileLayout
  /// The way of the tiles from the layout or the order before.
  var rearrangement = Rearrangement()
  /// The photo that was last out when it ceased to be there, while it fades.
  var removalFade: RemovalFade?
  /// Whether the person did anything yet; before that the first photo is selected, whichever it is.
  var hasUserInteracted = false
  /// 0 where tiles are clipped photos, 1 where they hold whole ones.
  var fitProgress: Animated<Double>
  /// As the files have the photos, upright; see `size(of:)`.
  var sizes: [Photo.ID: PixelSize] = [:]
  /// How photos are turned beyond that.
  var rotations: [Photo.ID: Orientation] = [:]
  /// How many frames the animated photos have; all others stand still.
  var frameCounts: [Photo.ID: Int] = [:]
  /// The animated photo that is looked at.
  var animator = Animator()
  var notice: Notice?
  /// What `A` returns to.
  private var motionBeforeSlow: MotionSetting?

  /// A browser without photos yet.
  package init(options: Options, cells: CellSize, metrics: CellMetrics) {
    self.options = options
    viewport = Viewport(cells: cells, metrics: metrics, hasBar: options.showsBar)
    layout = options.layout.snapped(
      0, in: viewport.pictureSize, metrics: metrics, isCentered: true)
    fitProgress = Animated(options.crop == .fit ? 1 : 0)
    album.sort(by: options.order)
    album.show(only: options.filter)
  }

  /// The open photo; nil in the grid.
  package var outing: Viewer? { viewer }

  /// What has a tile, in the order on screen: the folders, then the photos.
  package var photos: [Photo.ID] { album.tiles }

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

  private mutating func route(_ event: Event, at now: Instant, effects: inout [Effect]) {
    switch event {
    case .key(let key):
      hasUserInteracted = true
      defer { keyboard.updateHint(at: now) }
      if let confirmation = files.confirmation {
        answer(key, to: confirmation, at: now, effects: &effects)
      } else if prompt == nil {
        press(key, at: now, effects: &effects)
      } else {
        pressInPrompt(key, at: now, effects: &effects)
      }
    case .mouse(let mouse):
      hasUserInteracted = true
      if case .pressed = mouse.kind { files.confirmation = nil }
      guard slideshow == nil else {
        pointInSlideshow(mouse)
        break
      }
      handle(mouse, at: now, effects: &effects)
    case .pasted(let text): paste(text, at: now, effects: &effects)
    case .focusLost:
      if isPointerDown { pointer.focusLost(at: now) }
    case .focusGained:
      pointer.lostDragEnd = nil
    case .resized(let cells, let metrics):
      let before = viewport
      viewport = Viewport(cells: cells, metrics: metrics, hasBar: options.showsBar)
      if !viewport.isLaidOut(as: before) { adapt(at: now) }
      // The picture that was ready was one for the screen before.
      if viewport != before { slideshow?.isNextReady = false }
    case .found(let more):
      album.append(more)
      relayout()
      if !hasUserInteracted { selection = firstSelection }
      // More photos can take less room: the last segments of a mosaic depend on their number.
      if scroll.target > scrollLimit { scroll.jump(to: scrollLimit) }
      updateSearch()
      scheduleRefresh(at: now)
    case .named(let batch):
      album.name(batch)
      scheduleRefresh(at: now)
    case .learned(let news): learn(news, at: now)
    case .arranged(let order):
      arrange(order, at: now)
    case .listed(let summary):
      let isFirst = self.summary == nil
      self.summary = summary
      scheduleRefresh(at: now)
      if isFirst, options.opensSinglePhoto, photos.count == 1, folderCount == 0, viewer == nil {
        viewer = Viewer(index: 0, phase: .resting)
      }
    case .measured(let photo, let size, let frames):
      frameCounts[photo] = frames > 1 ? frames : nil
      measure(photo, size, at: now)
    case .reeled(let photo, let reel):
      animator.receive(reel, of: photo, at: now)
    case .drawn(let isWhole):
      animator.isDrawnWhole = isWhole
    case .jumped(let index):
      hasUserInteracted = true
      select(index, at: now)
      scroll.jump(to: scroll.target)
    case .slideshowAsked: startSlideshow(nil, at: now)
    case .prepared(let photo, let isShown):
      slideshow?.receive(isShown: isShown, of: photo, at: now)
    case .nameTold(let photo, let name): askName(of: photo, name, at: now)
    case .filed(let results): receive(results, at: now, effects: &effects)
    case .told(let text):
      showNotice(text, for: 5, at: now)
    case .leaving:
      files.isLeaving = true
      if !options.showsBar { toggleBar(at: now, effects: &effects) }
    case .moved(let move): self.move(move, at: now)
    case .landed(let folder): land(on: folder, at: now)
    case .glanced(let folder, let preview): folders.receive(preview, of: folder)
    case .tick:
      break
    }
  }

  /// The photo that keys are about: the one out of its tile unless it is on its way back, else the
  /// selected one; nil where that is a folder.
  package var current: Photo.ID? { currentIndex.map { photos[$0] } }

  /// The place of that photo in the order on screen.
  var currentIndex: Int? {
    let index = viewer.flatMap { $0.isClosing ? nil : $0.index } ?? selection
    return photos.indices.contains(index) && index >= folderCount ? index : nil
  }

  /// Whether the next frame will differ from this one by time alone.
  package func isAnimating(at now: Instant) -> Bool {
    if !scroll.isOver(at: now) || !fitProgress.isOver(at: now) || !rearrangement.isOver(at: now) {
      return true
    }
    if let removalFade, !removalFade.way.isOver(at: now) { return true }
    if folders.isAnimating(at: now) { return true }
    if let crossFade, !crossFade.share.isOver(at: now) { return true }
    switch viewer?.phase {
    case .flying, .snapping: return true
    case .resting, .held, .dragging, .panning, .swiping, nil: return false
    }
  }

  /// When something changes by itself though nothing moves; nil if nothing does.
  package var nextChange: Instant? {
    [
      notice?.end, pointer.lostDragEnd, nextPage, refreshDue, nextSlideChange,
      keyboard.nextChange,
    ]
    .compactMap { $0 }.min()
  }

  // MARK: - Keys

  private mutating func press(_ key: Key, at now: Instant, effects: inout [Effect]) {
    notice = nil
    guard slideshow == nil else {
      return pressInSlideshow(key, at: now, effects: &effects)
    }
    // Whatever was typed before it, this key ends the program.
    guard key != .control("c") else { return effects.append(.interrupt) }
    let isInDetail = isInDetail
    let hadInput = keyboard.reader.isPending
    guard let reading = keyboard.reader.read(key, inDetail: isInDetail, by: options.keys) else {
      if let unknown = keyboard.reader.unknown {
        if helpPage != nil { helpPage = nil } else { sayUnknown(unknown, at: now) }
      }
      return
    }
    if helpPage != nil, reading.command != .quit { return pressInHelp(reading) }
    switch reading.command {
    case .quit: effects.append(.quit)
    case .interrupt: effects.append(.interrupt)
    case .quitAndPrint:
      effects.append((current ?? currentFolder).map { .quitPrinting($0) } ?? .quit)
    case .choose: choose(at: now, effects: &effects)
    case .suspend:
      endDrag(at: now)
      effects.append(.suspend)
    case .redraw: effects.append(.redraw)
    case .reload:
      showNotice("looking again", for: 1, at: now)
      folders.expirePreviews()
      effects.append(.reload)
    case .toggleHelp:
      endDrag(at: now)
      helpPage = 0
    case .toggleSlowMotion: toggleSlowMotion(at: now)
    case .toggleBar: toggleBar(at: now, effects: &effects)
    case .toggleLabels: rearrange(at: now) { $0.hasLabels.toggle() }
    case .nextLayout: changeLayout(by: reading.count ?? 1, at: now)
    case .previousLayout: changeLayout(by: -(reading.count ?? 1), at: now)
    case .largerTiles: enlarge(by: reading.count ?? 1, at: now)
    case .smallerTiles: enlarge(by: -(reading.count ?? 1), at: now)
    case .resetTiles: rearrange(at: now) { $0.enlargement = 0 }
    case .toggleCrop: toggleCrop(at: now)
    case .toggleInformation: wantsInformation.toggle()
    case .startSlideshow: startSlideshow(reading.count.map(Double.init), at: now)
    case .togglePlaying, .stepFrame: runPlayback(reading, at: now)
    case .stepOut where hadInput && key == .escape: break
    case .album(let command):
      run(command, count: reading.count, inDetail: isInDetail, at: now)
    case .files(let command):
      run(command, count: reading.count, inDetail: isInDetail, at: now, effects: &effects)
    default:
      if isInDetail {
        runInDetail(reading, at: now)
      } else {
        runInGrid(reading, at: now, effects: &effects)
      }
    }
  }

  /// Says that keys do nothing.
  private mutating func sayUnknown(_ typed: String, at now: Instant) {
    showNotice(
      "\(PrintableText.from(typed.utf8)) does nothing here; ? shows the keys", for: 1, at: now)
  }

  /// Whether keys are about a photo on the screen.
  var isInDetail: Bool { viewer.map { !$0.isClosing } ?? false }

  private mutating func toggleBar(at now: Instant, effects: inout [Effect]) {
    options.showsBar.toggle()
    viewport.hasBar = options.showsBar
    adapt(at: now)
    effects.append(.redraw)
  }

  private mutating func toggleSlowMotion(at now: Instant) {
    if options.motion == .slow {
      options.motion = motionBeforeSlow ?? .full
      showNotice(
        "animations at \(options.motion == .full ? "full speed" : "their setting")", for: 1, at: now
      )
    } else {
      motionBeforeSlow = options.motion
      options.motion = .slow
      showNotice("slow animations", for: 1, at: now)
    }
  }

  // MARK: - Time

  /// Ends what has arrived and drops what has run out.
  private mutating func settle(at now: Instant) {
    if scroll.isOver(at: now) { scroll.jump(to: scroll.target) }
    if fitProgress.isOver(at: now) { fitProgress.jump(to: fitProgress.target) }
    rearrangement.settle(at: now)
    if let removalFade, removalFade.way.isOver(at: now) { self.removalFade = nil }
    folders.settle(at: now)
    if let notice, notice.end <= now { self.notice = nil }
    if let end = pointer.lostDragEnd, end <= now { endDrag(at: now) }
    if let due = refreshDue, due <= now { scheduleRefresh(at: now) }
    defer { settleCrossFade(at: now) }
    switch viewer?.phase {
    case .flying(let flight, let destination):
      guard flight.value(at: now).isClose(to: flight.target, tolerance: halfQuantum) else { break }
      switch destination {
      case .tile: viewer = nil
      case .screen: viewer?.phase = .resting
      }
    case .snapping(let offset):
      if abs(offset.value(at: now)) <= halfQuantum.width { viewer?.phase = .resting }
    case .resting, .held, .dragging, .panning, .swiping, nil: break
    }
  }

  private var halfQuantum: PixelSize { viewport.metrics.quantum.scaled(by: 0.5) }

  // MARK: - Layout

  /// Lays out anew for the present photos, viewport and options.
  mutating func relayout() {
    layout = options.layout.snapped(
      photos.count, in: viewport.pictureSize, metrics: viewport.metrics, isCentered: true)
  }

  /// Follows a change of the viewport or of the layout: the selection stays in sight, and a photo
  /// on its way goes on to its new target.
  private mutating func adapt(at now: Instant) {
    relayout()
    rearrangement = Rearrangement()
    folders.transition = nil
    pointer.gridPress = nil
    scroll.jump(to: scrollOffset(showing: selection, from: scroll.target))
    guard case .flying(var flight, let destination) = viewer?.phase, let index = viewer?.index
    else { return }
    flight.retarget(to: pose(of: index, at: destination), options.motion.tap, at: now)
    viewer?.phase = .flying(flight, to: destination)
  }

  private mutating func measure(_ photo: Photo.ID, _ size: PixelSize, at now: Instant) {
    guard !size.isEmpty, sizes[photo] != size else { return }
    sizes[photo] = size
    if current == photo { retargetScreen(at: now) }
  }
}
