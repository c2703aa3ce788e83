import Geometry
import Glibc
import PhotoLibrary
import Photos
import SceneRendering
import TerminalIO
import WorkerProtocol

/// `--update-cache`: creates the missing thumbnails of all photos, and records their facts.
///
/// A thumbnail is either complete or missing, so the command can be stopped at any time, and
/// continues when it is started again.
struct UpdateCacheCommand {
  private let store: PhotoStore
  /// Fills the index of facts; nil if storing is disabled.
  private let filler: IndexFiller?
  private let size: ThumbnailSize
  private var source: PhotoSource
  private var progress = ProgressLine()
  private let showsProgress = isatty(STDERR_FILENO) == 1
  /// Whether photos that cannot be shown are counted without printing a message for each.
  private let isQuiet: Bool
  private var nextShow: Instant
  private var counts = Counts()
  private var settled = PhotoSet()
  private var isListed = false
  /// Whether any of the given paths cannot be read.
  private var hasProblems = false
  /// The reason why no thumbnail can be stored: an `errno`, or 0 without a home folder.
  private var cacheError: Int32?

  private struct Counts {
    var made = 0
    var present = 0
    var tooNew = 0
    var own = 0
    var failed = 0

    var all: Int { made + present + tooNew + own + failed }
  }

  /// The time between two checks for signals and between two progress lines, in seconds.
  private static let tick = 0.1
  /// The most time to wait for photos that workers are decoding after a signal, in seconds.
  private static let stopTimeout = 2.0

  init(
    size: ThumbnailSize, store: PhotoStore, source: PhotoSource, filler: IndexFiller?,
    isQuiet: Bool
  ) {
    self.filler = filler
    self.size = size
    self.isQuiet = isQuiet
    self.store = store
    self.source = source
    nextShow = MonotonicClock.now.advanced(bySeconds: Self.tick)
  }

  /// Runs until all thumbnails exist, or a signal arrives.
  ///
  /// - Throws: `CommandFailure` if no thumbnail can be stored.
  mutating func run() throws(CommandFailure) -> ExitStatus {
    defer {
      progress.hide()
      source.shutDown()
      store.shutDown()
      filler?.shutDown(at: MonotonicClock.now)
    }
    var signals = PendingSignals()
    while !isListed || !store.isIdle || filler?.isIdle == false, cacheError == nil {
      try step()
      if let number = signals.next() { return stop(by: number) }
    }
    progress.hide()
    if let cacheError {
      let why =
        cacheError == 0
        ? "neither XDG_CACHE_HOME nor HOME is set" : String(cString: strerror(cacheError))
      throw CommandFailure("thumbnail cache: \(why)", status: .nothingShown)
    }
    guard store.index.count > 0 else {
      // Messages about unreadable folders were printed before.
      if hasProblems { return .nothingShown }
      throw CommandFailure("\(source.title): no photos here", status: .nothingShown)
    }
    try StandardStream.deliver(summary + "\n")
    store.notices.forEach { StandardStream.printError($0) }
    return counts.failed == counts.all ? .nothingShown : .done
  }

  /// Waits for workers and signals, and handles what has arrived.
  private mutating func step() throws(CommandFailure) {
    let tick = MonotonicClock.now.advanced(bySeconds: Self.tick)
    Poll.wait(
      store.pollRequests + source.pollRequests + (filler?.pollRequests ?? []),
      until: store.nextDeadline.map { min($0, tick) } ?? tick)
    let now = MonotonicClock.now
    for event in source.service(at: now) { try handle(event, at: now) }
    for event in store.service(at: now) { try handle(event, at: now) }
    filler?.service(at: now)
    if showsProgress, now >= nextShow {
      progress.show(counts.all, of: isListed ? store.index.count : nil, at: now)
      nextShow = now.advanced(bySeconds: Self.tick)
    }
  }

  private mutating func handle(
    _ event: ListingEvent, at now: Instant
  ) throws(CommandFailure) {
    switch event {
    case .found(let batch):
      let photos = store.index.append(batch).map { Photo.ID($0) }
      try store.index.checkOverflow()
      store.cacheThumbnails(of: photos, size, at: now)
      filler?.note(photos, batch.facts)
    case .listed(let summary):
      try source.check(summary)
      let problems = source.problems(in: summary)
      hasProblems = !problems.isEmpty
      progress.hide()
      if !isQuiet { problems.forEach { StandardStream.printError($0) } }
      isListed = true
      filler?.start(at: now)
      store.setHashDemands(filler?.unhashed ?? [], at: now)
    case .failed(let message):
      throw CommandFailure(message, status: .nothingShown)
    // Only if folders are watched, or facts were looked up.
    case .located, .relisting, .relisted, .changed, .lost, .previewed, .known, .checked: break
    }
  }

  private mutating func handle(_ event: StoreEvent, at now: Instant) throws(CommandFailure) {
    if case .thumbnailCached(let photo, _) = event { settled.insert(photo) }
    switch event {
    case .thumbnailCached(_, .made): counts.made += 1
    case .thumbnailCached(_, .wasThere): counts.present += 1
    case .thumbnailCached(_, .tooNew): counts.tooNew += 1
    case .thumbnailCached(_, .isThumbnail): counts.own += 1
    case .thumbnailCached(_, .refused(let code)): cacheError = code
    case .hashed(let photo, let info): filler?.record(hashOf: photo, info, at: now)
    case .failed(let photo):
      // A photo whose thumbnail exists may fail later, when its picture is hashed.
      guard settled.insert(photo) else { break }
      counts.failed += 1
      guard !isQuiet else { break }
      progress.hide()
      StandardStream.printError(
        "\(PrintableArgument.text(store.index[photo])): \(store.failure(of: photo) ?? "failed")")
    case .unusable(let error): throw CommandFailure(error.message, status: .nothingShown)
    case .described, .pictureReady, .framesChanged, .filmFailed, .waitingForDisk: break
    }
  }

  /// Cancels all requests, and lets the workers finish the photos that they have started.
  private mutating func stop(by number: Int32) -> ExitStatus {
    store.cancelRequests()
    let end = MonotonicClock.now.advanced(bySeconds: Self.stopTimeout)
    while !store.isIdle, MonotonicClock.now < end, (try? step()) != nil {}
    progress.hide()
    StandardStream.printError("stopped: \(summary); run the command again to continue")
    return .signal(number)
  }

  private var summary: String {
    var parts = ["\(counts.made) created", "\(counts.present) existed"]
    if counts.tooNew > 0 { parts.append("\(counts.tooNew) skipped (just changed)") }
    if counts.own > 0 { parts.append("\(counts.own) thumbnails skipped") }
    if counts.failed > 0 { parts.append("\(counts.failed) cannot be decoded") }
    return "\(counts.all) of \(store.index.count) photos: \(parts.joined(separator: ", "))"
  }
}

extension ThumbnailSize {
  /// Returns the thumbnail size for the largest tiles of a configuration, at least `large`, which
  /// file managers use.
  static func tiles(of configuration: Configuration) -> ThumbnailSize {
    let (terminal, window) = (ProcessContext.terminal, ProcessContext.window)
    // The size of tiles depends on the terminal, if there is one.
    let capabilities =
      window.map { TerminalExamination(terminal, window: $0).capabilities }
      ?? TerminalCapabilities(environment: terminal)
    let traits = TerminalTraits(capabilities, configuration: configuration)
    let pictures = traits.pictures.value
    let renderer = pictures.renderer(traits.pictureTraits(for: pictures))
    let viewport = Viewport(window ?? .unknown, cell: capabilities.measurement.cell)
    let metrics = viewport.metrics
    let count = 60
    let layout = configuration.view.layout.snapped(
      count, in: metrics.size(of: configuration.view.geometry ?? viewport.pictureCells),
      metrics: metrics)
    let samples = renderer.samplesPerPixel(cell: metrics.cell)
    let side = (0..<count).map { index in
      let tile = layout.frame(at: index).size
      // Most photos have an aspect ratio of up to 3 : 2 and fill their tiles; in rows, tiles have
      // the photos' shapes.
      let factor = configuration.view.layout.kind == .rows ? 1 : 1.5
      return Int(min(factor * max(tile.width, tile.height) * samples, 10_000).rounded(.up))
    }.max()
    let size = ThumbnailSize(holding: (side ?? 0, side ?? 0)) ?? .doubleExtraLarge
    return max(size, .large)
  }
}
