import Glibc
import PhotoGridCore
import PhotoLibrary
import SceneRendering
import TerminalIO

/// The loop that carries values from box to box: events into the browser, wishes into the store,
/// scenes into the renderer, bytes into the terminal.
struct BrowseLoop {
  let configuration: Configuration
  let terminal: TerminalSession
  let store: PhotoStore
  /// Looks at the files that are asked for by sorting and filtering.
  let factFinder: FactFinder
  let inspector: PhotoInspector
  private let pictures: TurnedPictures
  let files: PictureFiles
  /// Moves the photos' files; see `BrowseLoop+Files`.
  let keeper = FileKeeper()
  /// What became of files while photos could not be moved.
  var filed: [Filed] = []
  var openings = Openings()
  var source: PhotoSource
  var catalog: Catalog
  /// What is wrong with the folder, until it is looked at again.
  var loss: String?
  /// Whether that is that a folder is gone.
  var isRootLost = false
  /// What is wrong with the folder at the moment.
  private var trouble: String?
  var browser: Browser
  /// Where one is among the folders; see `BrowseLoop+Folders`.
  var trail: FolderTrail
  let folderName: FolderName
  /// What is to be selected once it turns up: the folder that one came from.
  var landing: [UInt8]?
  /// The folders that the lister is to look into.
  var glancing: [[UInt8]: Photo.ID] = [:]
  /// What the way of drawing was chosen by; see `BrowseLoop+Terminal`.
  var evidence: TerminalTraits.Evidence
  var isJudged = false
  var drawing: Drawing
  var renderer: any SceneRenderer
  /// What takes from the terminal what it was given by renderers before this one.
  var parting: [UInt8] = []
  private var clock: FrameClock
  /// What is left to be selected once the listing has come so far.
  var start: Configuration.Start?
  /// Whether a slideshow is still to begin.
  var isSlideshowDue: Bool
  /// How many photos were looked through for it.
  var searchedCount = 0
  /// The photos before this number have their names.
  var namedCount = 0
  /// Whether the screen may differ from what there is to show.
  var isFrameDue = true
  private var areWorkersReady = false
  var ending: Ending?
  /// What is told to whoever is new.
  var hints = Hints.none
  var complaints: [String] = []
  private var frame = FrameBytes()

  /// How the session ended, and what is left to print.
  struct Ending {
    var status: ExitStatus
    /// The paths of photos, each to be printed on a line of its own.
    var printed: [[UInt8]] = []
    /// Words for standard error.
    var complaints: [String] = []
  }

  /// A loop over an open terminal.
  init(
    _ configuration: Configuration, terminal: TerminalSession, evidence: TerminalTraits.Evidence,
    store: PhotoStore, worker: WorkerExecutable, files: PictureFiles, source: PhotoSource
  ) {
    self.configuration = configuration
    self.terminal = terminal
    self.store = store
    factFinder = FactFinder(worker: worker) { store.paths[$0] }
    inspector = PhotoInspector(
      store, worker: worker, isPlain: configuration.glyphs == .ascii || !CellText.isShown("█"))
    pictures = TurnedPictures(store)
    self.files = files
    self.source = source
    catalog = Catalog(isOrdered: source.isOrdered)
    start = configuration.start
    trail = FolderTrail(
      source.isOrdered ? source.request.roots : [], isOnePhoto: source.isOnePhoto)
    folderName = FolderName(
      current: FolderTrail.currentFolder,
      home: evidence.environment.variables["HOME"].map { Array($0.utf8) })
    isSlideshowDue = configuration.slideSeconds != nil
    self.evidence = evidence
    // By cells, which every terminal shows, until it has had its time to say what else it can do.
    drawing = Drawing(
      pictures: .cells,
      traits: TerminalTraits(evidence, configuration: configuration).pictureTraits(for: .cells))
    renderer = drawing.renderer
    var options = Browser.Options()
    options.layout = configuration.layout
    options.crop = configuration.crop
    options.motion = configuration.motion
    options.showsBar = configuration.showsBar
    options.order = configuration.order
    options.filter = configuration.filter
    if let seconds = configuration.slideSeconds { options.slideSeconds = seconds }
    options.keys = configuration.keys
    options.isReadOnly = configuration.isReadOnly
    options.opensSinglePhoto = !configuration.alwaysGrid && source.isOnePhoto
    browser = Browser(
      options: options, cells: terminal.viewport.cells,
      metrics: Self.metrics(of: terminal, for: renderer))
    terminal.showsBar = configuration.showsBar
    clock = FrameClock(framesPerSecond: 60, origin: MonotonicClock.now)
  }

  /// Runs until the person or the world ends it.
  mutating func run() -> Ending {
    while ending == nil {
      let now = MonotonicClock.now
      draw(at: now)
      // Behind the first frame, so that nothing delays that.
      if terminal.frameCount > 0, !terminal.isAsked {
        terminal.ask(evidence.environment.questions, at: now)
      }
      // Once the terminal has taken the first frame, so that nothing delays that.
      if !areWorkersReady, terminal.frameCount > 0, terminal.canTakeFrame(at: now) {
        areWorkersReady = true
        store.prepare(at: now)
      }
      wait()
    }
    terminal.farewell = parting + renderer.farewell()
    source.shutDown()
    store.shutDown()
    factFinder.shutDown()
    inspector.finder.shutDown()
    files.shutDown()
    letGoOfKeeper()
    var ending = ending ?? Ending(status: .done)
    ending.complaints += complaints + store.notices
    return ending
  }

  // MARK: - Events

  private mutating func wait() {
    let now = MonotonicClock.now
    var deadlines = [
      terminal.nextDeadline, store.nextDeadline, factFinder.nextDeadline, files.nextDeadline,
      inspector.finder.nextDeadline, keeper.nextDeadline, browser.nextChange, hints.nextLook,
      source.nextDeadline(after: now),
    ]
    if isFrameDue, terminal.canTakeFrame(at: now) { deadlines.append(clock.deadline(after: now)) }
    var requests = terminal.pollRequests
    let workers = store.pollDescriptors + factFinder.pollDescriptors
    requests += openings.pollDescriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let others = [files.pollDescriptor, inspector.finder.pollDescriptor, keeper.pollDescriptor]
    requests += (workers + others.compactMap(\.self)).map {
      pollfd(fd: $0.descriptor, events: Int16(POLLIN | ($0.wantsWrite ? POLLOUT : 0)), revents: 0)
    }
    if let request = source.pollRequest { requests.append(request) }
    let ready = Poll.wait(requests, until: deadlines.compactMap { $0 }.min())
    let isSourceReady = ready.last.map { $0.fd == source.pollRequest?.fd && $0.revents != 0 }
    take(isSourceReady: isSourceReady ?? false, at: MonotonicClock.now)
  }

  private mutating func take(isSourceReady: Bool, at now: Instant) {
    terminal.writeOutput(at: now)
    for signal in terminal.readSignals() { take(signal, at: now) }
    for input in terminal.readInput(at: now) { take(input, at: now) }
    reconsider(at: now)
    if browser.nextChange.map({ $0 <= now }) ?? false { tell(.tick, at: now) }
    for event in source.service(isReadable: isSourceReady, at: now) { take(event, at: now) }
    showNews(at: now)
    takeFiled(at: now)
    for words in openings.service() { tell(.told(words), at: now) }
    let words = source.trouble(at: now) ?? loss
    if words != trouble { isFrameDue = true }
    trouble = words
    for event in store.service(at: now) { take(event, at: now) }
    take(factFinder.service(at: now), at: now)
    giveHints(at: now)
    tellPrepared(at: now)
    if inspector.finder.service(at: now) { isFrameDue = true }
    for (id, file) in files.service(at: now) {
      renderer.take(file: file, of: id)
      isFrameDue = true
    }
  }

  private mutating func take(_ signal: SignalEvent, at now: Instant) {
    switch signal {
    case .resized:
      // The session clears the screen even where the size is the same again.
      renderer.invalidate()
      resize(at: now)
    case .terminate(let number): ending = Ending(status: .signal(number))
    case .suspend: carryOut(.suspend, at: now)
    case .continued:
      renderer.invalidate()
      resize(at: now)
    }
  }

  private mutating func take(_ input: InputEvent, at now: Instant) {
    switch input {
    case .key(let key): tell(.key(key), at: now)
    case .mouse(let mouse): if !isOnInformation(mouse) { tell(.mouse(mouse), at: now) }
    case .focusGained: tell(.focusGained, at: now)
    case .focusLost: tell(.focusLost, at: now)
    case .reply(let reply) where reply.kind == .application:
      renderer.take(graphicsReply: reply.body)
      isFrameDue = true
      noteFailure(at: now)
    case .paste(let bytes): tell(.pasted(String(decoding: bytes, as: UTF8.self)), at: now)
    case .reply: break
    case .disconnected: ending = Ending(status: .signal(SIGHUP))
    }
  }

  private mutating func take(_ event: StoreEvent, at now: Instant) {
    isFrameDue = true
    switch event {
    case .described(let photo):
      guard let info = store.info(of: photo) else { break }
      tell(.measured(photo, info.size, frames: info.frameCount), at: now)
      tell(.learned([Learned(photo, FileFacts(info))]), at: now)
      startSlideshow(at: now)
    case .framesChanged(let photo):
      if let reel = store.reel(of: photo) { tell(.reeled(photo, reel), at: now) }
    case .pictureReady, .failed, .kept: break
    case .unusable(let error):
      ending = Ending(status: .nothingShown, complaints: [error.words])
    }
  }

  private mutating func take(_ findings: [FactFinder.Finding], at now: Instant) {
    guard !findings.isEmpty else { return }
    let news = findings.map { Learned($0.photo, $0.info.map { FileFacts($0) } ?? .unreadable) }
    tell(.learned(news), at: now)
    jumpToStart(at: now)
    startSlideshow(at: now)
  }

  mutating func resize(at now: Instant) {
    tell(.resized(terminal.viewport.cells, Self.metrics(of: terminal, for: renderer)), at: now)
  }

  static func metrics(
    of terminal: TerminalSession, for renderer: any SceneRenderer
  ) -> CellMetrics {
    var metrics = terminal.viewport.metrics
    metrics.grain = renderer.grain
    metrics.samplesPerPixel = renderer.samplesPerPixel(cell: metrics.cell)
    return metrics
  }

  mutating func tell(_ event: Event, at now: Instant) {
    isFrameDue = true
    for effect in browser.handle(event, at: now) { carryOut(effect, at: now) }
    store.want(browser.demands, at: now, distance: browser.distanceFromSight)
    store.play(browser.reelDemand, at: now)
    factFinder.want(browser.wantedFacts, at: now)
    askForGlances(at: now)
    inspector.finder.want(browser.informedPhoto, at: now)
  }

  // MARK: - Frames

  /// Draws the frame that is due, if the terminal takes one and the clock says so.
  private mutating func draw(at now: Instant) {
    guard isFrameDue, terminal.canTakeFrame(at: now), clock.deadline(after: now) <= now else {
      return
    }
    _ = browser.handle(.tick, at: now)
    if browser.slideshow != nil {
      // A photo that comes here waits for the one after it, which may be there already.
      store.want(browser.demands, at: now, distance: browser.distanceFromSight)
      tellPrepared(at: now)
    }
    store.play(browser.reelDemand, at: now)
    terminal.showsBar = browser.options.showsBar
    let facts = facts
    terminal.bar = browser.bar(facts, at: now)
    terminal.title = browser.title(facts)
    terminal.setPanel(browser.panel ?? inspector.panel(for: browser))
    renderer.mask = terminal.panelArea
    renderer.hasRowBelow = terminal.viewport.hasBar
    renderer.byteBudget = terminal.byteBudget
    let scene = browser.scene(
      at: now, name: { [store] in PhotoName.printable(store.paths[$0]) },
      closeUp: { [store] in store.closeUp(of: $0) })
    frame.removeAll()
    swap(&frame.uploads, &parting)
    let pictures = pictures
    renderer.frame(
      for: scene, metrics: browser.viewport.metrics,
      content: { pictures.content(of: $0) }, into: &frame)
    pictures.forgetUnseen()
    files.add(renderer.takeEncodings(), at: now)
    // Nothing to say is no frame: the terminal need not answer for it.
    if !frame.isEmpty || terminal.needsFrame {
      terminal.present(frame.picture, uploads: frame.uploads, at: now)
    }
    clock.frameWasDrawn(at: now)
    _ = browser.handle(.drawn(isWhole: !renderer.isUnfinished), at: now)
    isFrameDue = browser.isAnimating(at: now) || renderer.isUnfinished
    noteFailure(at: now)
  }

  private var facts: Bar.Facts {
    let photo = browser.current
    let tile = photo ?? browser.currentFolder
    var facts = Bar.Facts(
      source: trail.folder.map { folderName.text($0) } ?? source.title,
      name: tile.map { PhotoName.printable(store.paths[$0]) } ?? "",
      info: photo.flatMap { store.info(of: $0) },
      failure: photo.flatMap { store.failure(of: $0) }, loading: store.remaining,
      trouble: trouble)
    facts.place = tile.map { folderName.text(folder(of: $0)) } ?? ""
    facts.hint = hints.tellsKeys ? browser.keyHint(usesMouse: configuration.usesMouse) : nil
    return facts
  }

  /// The folder that a tile is in.
  private func folder(of tile: Photo.ID) -> [UInt8] {
    let path = store.paths[tile]
    let slash = path.dropLast().lastIndex(of: UInt8(ascii: "/"))
    return slash.map { Array(path[...$0]) } ?? []
  }
}
