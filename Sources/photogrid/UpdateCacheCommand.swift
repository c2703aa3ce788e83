import Glibc
import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

/// `--update-cache`: thumbnails of all photos are made that are not there yet.
///
/// Each is complete or not there, so the command can be stopped at any moment and goes on where it
/// was when it is started again.
struct UpdateCacheCommand {
  private let store: PhotoStore
  private let size: ThumbnailSize
  private var source: PhotoSource
  private var progress = ProgressLine()
  private let showsProgress = isatty(STDERR_FILENO) == 1
  /// Whether nothing is said of photos that cannot be shown, but how many there are.
  private let isQuiet: Bool
  private var nextShow: Instant
  private var counts = Counts()
  private var isListed = false
  /// Whether something that was named cannot be read.
  private var hasProblems = false
  /// What keeps thumbnails from being kept at all.
  private var refusal: Int32?

  private struct Counts {
    var made = 0
    var present = 0
    var tooNew = 0
    var own = 0
    var failed = 0

    var all: Int { made + present + tooNew + own + failed }
  }

  /// Between two looks at the signals and two progress lines, in seconds.
  private static let tick = 0.1
  /// A stopped command waits for what the workers are at, but no longer than this, in seconds.
  private static let patience = 2.0

  /// A command that makes thumbnails of one size.
  init(size: ThumbnailSize, store: PhotoStore, source: PhotoSource, isQuiet: Bool) {
    self.size = size
    self.isQuiet = isQuiet
    self.store = store
    self.source = source
    nextShow = MonotonicClock.now.advanced(bySeconds: Self.tick)
  }

  /// Works until everything is done, or a signal comes.
  ///
  /// - Throws: What kept the program from keeping anything.
  mutating func run() throws(CommandFailure) -> ExitStatus {
    defer {
      progress.hide()
      source.shutDown()
      store.shutDown()
    }
    var signals = PendingSignals()
    while !isListed || !store.isIdle, refusal == nil {
      try step()
      if let number = signals.next() { return stop(by: number) }
    }
    progress.hide()
    if let refusal {
      let why = refusal == 0 ? "neither XDG_CACHE_HOME nor HOME is set" : Self.words(refusal)
      throw CommandFailure("thumbnail cache: \(why)", status: .nothingShown)
    }
    guard store.paths.count > 0 else {
      // What was told of folders that cannot be read is all there is to say.
      if hasProblems { return .nothingShown }
      throw CommandFailure("\(source.title): no photos here", status: .nothingShown)
    }
    try StandardStream.deliver(summary + "\n")
    store.notices.forEach { StandardStream.complain($0) }
    return counts.failed == counts.all ? .nothingShown : .done
  }

  private mutating func step() throws(CommandFailure) {
    var requests = store.pollDescriptors.map {
      pollfd(fd: $0.descriptor, events: Int16(POLLIN | ($0.wantsWrite ? POLLOUT : 0)), revents: 0)
    }
    let sourceRequest = source.pollRequest
    if let sourceRequest { requests.append(sourceRequest) }
    let tick = MonotonicClock.now.advanced(bySeconds: Self.tick)
    let ready = Poll.wait(requests, until: store.nextDeadline.map { min($0, tick) } ?? tick)
    let now = MonotonicClock.now
    let isSourceReady = ready.last.map { $0.fd == sourceRequest?.fd && $0.revents != 0 } ?? false
    for event in source.service(isReadable: isSourceReady, at: now) { try take(event, at: now) }
    for event in store.service(at: now) { try take(event) }
    if showsProgress, now >= nextShow {
      progress.show(counts.all, of: isListed ? store.paths.count : nil, at: now)
      nextShow = now.advanced(bySeconds: Self.tick)
    }
  }

  private mutating func take(
    _ event: PhotoSource.Event, at now: Instant
  ) throws(CommandFailure) {
    switch event {
    case .found(let batch):
      store.keep(store.append(batch).map { Photo.ID($0) }, size, at: now)
    case .finished(_, let problems):
      hasProblems = !problems.isEmpty
      progress.hide()
      if !isQuiet { problems.forEach { StandardStream.complain($0) } }
      isListed = true
    case .failed(let words):
      throw CommandFailure(words, status: .nothingShown)
    case .relisting, .relisted, .changed, .lost, .glanced: break  // only where folders are watched
    }
  }

  private mutating func take(_ event: StoreEvent) throws(CommandFailure) {
    switch event {
    case .kept(_, .made): counts.made += 1
    case .kept(_, .wasThere): counts.present += 1
    case .kept(_, .tooNew): counts.tooNew += 1
    case .kept(_, .isThumbnail): counts.own += 1
    case .kept(_, .refused(let code)): refusal = code
    case .failed(let photo):
      counts.failed += 1
      guard !isQuiet else { break }
      progress.hide()
      StandardStream.complain(
        "\(PrintableArgument.text(store.paths[photo])): \(store.failure(of: photo) ?? "failed")")
    case .unusable(let error): throw CommandFailure(error.words, status: .nothingShown)
    case .described, .pictureReady, .framesChanged: break
    }
  }

  /// Lets the workers finish what they are at, so that nothing is done in vain.
  private mutating func stop(by number: Int32) -> ExitStatus {
    store.takeBackWishes()
    let end = MonotonicClock.now.advanced(bySeconds: Self.patience)
    while !store.isIdle, MonotonicClock.now < end, (try? step()) != nil {}
    progress.hide()
    StandardStream.complain("stopped: \(summary); the same command goes on from here")
    return .signal(number)
  }

  private var summary: String {
    var parts = ["\(counts.made) made", "\(counts.present) there before"]
    if counts.tooNew > 0 { parts.append("\(counts.tooNew) changed just now and left out") }
    if counts.own > 0 { parts.append("\(counts.own) thumbnails themselves") }
    if counts.failed > 0 { parts.append("\(counts.failed) cannot be shown") }
    return "\(counts.all) of \(store.paths.count) photos: \(parts.joined(separator: ", "))"
  }

  private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}
