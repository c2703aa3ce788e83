import Geometry
import Glibc
import Photos
import SceneModel
import WorkerProtocol

/// A pool of decoding workers, whose jobs are the requests of a store.
typealias DecodePool = WorkerPool<DecodeProtocol, DecodeRequest>

/// The pictures and facts of all photos, which decoding workers provide on demand.
///
/// The store never blocks, decodes or opens a photo. Poll `pollRequests` until `nextDeadline`,
/// then call `service(at:)`, which returns what has changed.
package final class PhotoStore {
  /// The paths of the photos, which the store itself identifies by their IDs.
  package let index: PathIndex
  /// The reason why nothing more can be decoded; nil while workers can be started.
  package internal(set) var problem: LibraryError?

  /// The limits of workers, memory and time.
  let limits: StoreLimits
  /// The workers that decode pictures and read facts.
  let pool: DecodePool
  /// The worker that decodes the frames of the video that plays.
  let framePool: DecodePool
  /// The open requests.
  var queue = DecodeQueue()
  /// A record of attempts to decode, by which futile ones are not repeated.
  var history = DecodeHistory()
  /// The pictures of photos.
  var cache: PictureCache
  /// The facts of photos.
  var facts = RetainedFacts()
  /// Messages about photos that cannot be shown, by photo; also those on the tiles of folders.
  var failures: [Photo.ID: String] = [:]
  /// The photos for whose disk a worker has waited.
  var waitingForDisk: Set<Photo.ID> = []
  /// The frames of the video that plays.
  var frames: FrameBuffer?
  /// The video that the worker of `framePool` has open; nil if it has none.
  var openVideo: Photo.ID?
  /// Since when that video no longer plays; nil while it does.
  var closing: Instant?
  /// Events that the next `service(at:)` returns.
  var events: [StoreEvent] = []
  /// Since when the workers have had nothing to do; nil while they have.
  private var idleSince: Instant?

  /// Creates a store without pictures, which starts workers with the first demands.
  ///
  /// - Parameters:
  ///   - worker: The program that decodes.
  ///   - limits: The limits of workers, memory and time.
  ///   - thumbnails: The shared thumbnail cache that the workers read and fill; nil for none.
  ///   - paths: The paths of the photos.
  package init(
    worker: WorkerExecutable, limits: StoreLimits = StoreLimits(),
    thumbnails: ThumbnailAccess? = nil, paths: PathIndex = PathIndex()
  ) {
    self.limits = limits
    index = paths
    cache = PictureCache(budget: limits.memoryBudget)
    pool = WorkerPool(
      worker, limits: limits.pool, preamble: thumbnails.map { [.useThumbnails($0)] } ?? [])
    framePool = WorkerPool(worker, limits: limits.framePool)
  }

  /// Messages for the user about workers that cannot be started; each appears once.
  package var notices: [String] { pool.notices }

  // MARK: Content

  /// Returns a cached picture of a photo, or else a message or its mean color.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - size: The size in pixels at which the whole photo is shown.
  /// - Returns: The smallest picture that is as large, or else the best; without a size always the
  ///   best.
  package func content(of photo: Photo.ID, covering size: PixelSize? = nil) -> TileContent {
    let picture = size.flatMap { cache.picture(of: photo, covering: $0) } ?? cache[photo]
    if let picture { return .picture(picture) }
    if let message = failures[photo] {
      // The bar says once what to install.
      guard message == FailureReason.needsFFmpeg.message else { return .failed(message) }
      let path = index[photo]
      return .failed(PrintableText.from(path[path.nameStart...]))
    }
    if waitingForDisk.contains(photo) { return .failed("waiting for the disk") }
    return .waiting(facts[photo].meanColor)
  }

  /// Returns the cached picture of a region of a photo, or else the content of the whole photo.
  package func content(of region: PhotoRegion, of photo: Photo.ID) -> TileContent {
    guard let cached = cache.regionPicture(of: photo), cached.region == region else {
      return content(of: photo)
    }
    return .picture(cached.picture)
  }

  /// Whether the picture was decoded from the photo, rather than from a preview.
  package func isDecoded(_ photo: Photo.ID) -> Bool { cache.isDecoded(photo) }

  /// Whether the cached picture of a whole photo is as large as a demand asks for.
  package func isFulfilled(_ demand: Demand) -> Bool {
    facts[demand.photo].size.map { cache.satisfies(demand, of: $0) } ?? false
  }

  /// Returns the region of a photo whose picture is cached; nil if there is none.
  package func closeUp(of photo: Photo.ID) -> CloseUp? {
    cache.regionPicture(of: photo).map {
      CloseUp(region: $0.region, isOpaque: $0.picture.full.isOpaque)
    }
  }

  /// The facts of a photo's file; nil until a worker has read it.
  package func info(of photo: Photo.ID) -> PhotoInfo? { facts[photo].info }

  /// Why a photo, or its picture at the size last demanded, cannot be shown; printable ASCII.
  package func failure(of photo: Photo.ID) -> String? { failures[photo] }

  /// The number of open requests.
  ///
  /// - Complexity: O(number of demands).
  package var remaining: Int { queue.openCount(progress: progress) }

  /// Whether no request is open, no worker is busy, and no event is to be returned.
  package var isIdle: Bool {
    events.isEmpty && pool.isIdle && framePool.isIdle && remaining == 0
      && queue.unhashedCount == 0 && missingFrames == nil
  }

  /// The memory of the cached pictures and of the video that plays, in bytes.
  package var heldByteCount: Int { cache.byteCount + (frames?.byteCount ?? 0) }

  /// The memory of the pictures that the display has made of these, in bytes: with messages that are
  /// arriving, it is a part of the budget.
  package var derivedByteCount = 0
  /// The memory that drawing takes, in bytes, which is a part of the budget too.
  package var drawingByteCount = 0

  // MARK: Demands

  /// Replaces the demands for pictures.
  ///
  /// Jobs that workers have started continue. A demand that a cached picture satisfies costs
  /// nothing.
  ///
  /// - Parameters:
  ///   - demands: The pictures needed now, most urgent first.
  ///   - now: The current time.
  ///   - distance: Returns how many photos are between a photo and the screen: the farthest are
  ///     evicted first. By default it is the distance in the listing from the first demand.
  package func setDemands(
    _ demands: [Demand], at now: Instant,
    distance: @autoclosure () -> ((Photo.ID) -> Int)? = nil
  ) {
    guard demands != queue.demands else { return }
    // Tiles are cropped to fill; an open photo is fitted to the screen.
    let retries = history.didOpen(
      Set(demands.lazy.filter { $0.mode == .fit && $0.proximity == .visible }.map(\.photo)))
    for photo in retries { failures[photo] = nil }
    queue.setDemands(
      demands.filter {
        isKnown($0.photo) && !$0.size.isEmpty && $0.size.width.isFinite && $0.size.height.isFinite
      })
    if cache.isFilling {
      let first = demands.first?.photo.index ?? 0
      cache.setDistances(distance() ?? { abs($0.index - first) })
    }
    evict()
    advance(at: now)
  }

  /// Requests thumbnails in the shared cache, after all pictures.
  package func cacheThumbnails(
    of photos: some Sequence<Photo.ID>, _ size: ThumbnailSize, at now: Instant
  ) {
    for photo in photos where isKnown(photo) && failures[photo] == nil {
      queue.cacheThumbnail(of: photo, size)
    }
    advance(at: now)
  }

  /// Requests the facts of photos, after all pictures.
  package func describe(_ photos: some Sequence<Photo.ID>, at now: Instant) {
    for photo in photos where isKnown(photo) && failures[photo] == nil && info(of: photo) == nil {
      queue.describe(photo)
    }
    advance(at: now)
  }

  /// Replaces the photos whose hashes are found after all other work, most urgent first.
  ///
  /// A `hashed` or `failed` event follows for each.
  package func setHashDemands(_ photos: [Photo.ID], at now: Instant) {
    guard queue.setHashDemands(photos) else { return }
    for photo in photos where !isKnown(photo) || failures[photo] != nil {
      queue.didHash(photo)
      events.append(.failed(photo))
    }
    advance(at: now)
  }

  /// Removes all demands and requests; jobs that workers have started continue.
  package func cancelRequests() { queue.removeAll { _ in .done } }

  /// Fetches the demanded pictures and facts of a photo again, because its file may have changed.
  ///
  /// Its picture stays until the new one arrives.
  package func reload(_ photo: Photo.ID, at now: Instant) {
    guard isKnown(photo) else { return }
    failures[photo] = nil
    waitingForDisk.remove(photo)
    expirePictures(of: photo)
    facts[photo].info = nil
    for pool in [pool, framePool] { pool.markStale { $0.photo == photo } }
    advance(at: now)
  }

  /// Reads the facts of a photo again, because its sidecar may have changed, and fetches its pictures
  /// again if that turns it.
  package func recheck(_ photo: Photo.ID, at now: Instant) {
    guard isKnown(photo), failures[photo] == nil, info(of: photo) != nil else { return }
    queue.describe(photo)
    advance(at: now)
  }

  /// Fetches the demanded pictures of a photo again; the present one stays until then.
  func expirePictures(of photo: Photo.ID) {
    history.forget(photo)
    queue.restart()
    cache.expire(photo)
    if frames?.photo == photo { frames = nil }
  }

  /// Drops all failures, so that the photos are decoded again on demand.
  package func forgetFailures() {
    failures = [:]
    waitingForDisk = []
    history.forgetTimeouts()
  }

  /// Sets the message on a tile that is not a photo's, such as a folder's; nil removes it.
  package func setMessage(_ message: String?, of tile: Photo.ID) { failures[tile] = message }

  // MARK: The loop

  /// Starts the workers before the first demands, since loading the codecs takes a worker as long
  /// as decoding a photo.
  package func prepare(at now: Instant) {
    for slot in pool.slots.indices where pool.slots[slot].worker == nil {
      guard launch(in: slot, at: now) else { return }
    }
  }

  /// Kills all workers and removes all requests; the pictures stay.
  package func shutDown() {
    endWorkers()
    cancelRequests()
  }

  /// Kills all workers, and stops the video that plays.
  func endWorkers() {
    for pool in [pool, framePool] { pool.releaseAll() }
    (frames, openVideo, closing) = (nil, nil, nil)
  }

  /// The descriptors to poll, with the events to poll for.
  package var pollRequests: [pollfd] { pool.pollRequests + framePool.pollRequests }

  /// The time at which to call `service(at:)` at the latest, whatever the descriptors report.
  package var nextDeadline: Instant? {
    guard events.isEmpty else { return Instant(nanoseconds: 0) }
    let release = pool.runningCount > 1 ? idleSince : nil
    return [
      pool.nextDeadline, framePool.nextDeadline, closedVideoEnd,
      release?.advanced(bySeconds: limits.idleSeconds),
    ].compactMap(\.self).min()
  }

  /// Reads the messages that have arrived, replaces lost workers, and sends the next requests.
  ///
  /// - Returns: The changes since the last call.
  package func service(at now: Instant) -> [StoreEvent] {
    for pool in [pool, framePool] {
      for loss in pool.service(at: now, answer: accept) { handle(loss, of: pool) }
    }
    noteLateAnswers()
    evict()
    advance(at: now)
    releaseSpareWorkers(at: now)
    defer { events = [] }
    return events
  }

  /// Ends all workers of `pool` but one after a while without requests: the next request finds that one
  /// ready.
  private func releaseSpareWorkers(at now: Instant) {
    guard pool.isIdle else { return idleSince = nil }
    let start = idleSince ?? now
    idleSince = start
    guard now >= start.advanced(bySeconds: limits.idleSeconds), pool.runningCount > 1 else {
      return
    }
    let running = pool.slots.indices.filter { pool.slots[$0].worker != nil }
    for slot in running.dropFirst() { pool.release(slot) }
  }
}

/// Choosing which request goes to which worker.
extension PhotoStore {
  /// Whether the ID belongs to a photo.
  func isKnown(_ photo: Photo.ID) -> Bool { (0..<index.count).contains(photo.index) }

  /// Returns the progress of a demand.
  func progress(of demand: Demand) -> DecodeQueue.Progress {
    let photo = demand.photo
    if failures[photo] != nil { return .done }
    if let part = demand.region {
      if cache.satisfies(part, of: photo) || !history.supportsRegions(of: photo) { return .done }
      let hasRoom = demand.proximity == .visible || cache.hasRoom(for: demand, of: nil)
      return hasRoom ? .previewed(suffices: false) : .done
    }
    let size = facts[photo].size
    if let size, cache.satisfies(demand, of: size) {
      let isDone = !demand.isExact || cache.hasExact(demand, of: size)
      return isDone ? .done : .previewed(suffices: true)
    }
    if demand.proximity != .visible, !cache.hasRoom(for: demand, of: size) { return .done }
    // Previews are no larger than a tile; a larger demand gains nothing from a second one.
    let isLarge =
      max(demand.size.width, demand.size.height) > Double(ThumbnailSize.doubleExtraLarge.side)
    if !history.hasTriedPreview(demand), !isLarge || cache[photo] == nil { return .untried }
    return .previewed(suffices: size.map { cache.isAsLarge(as: demand, of: $0) } ?? false)
  }

  /// Evicts pictures until the budget is kept.
  func evict() {
    cache.reserved =
      derivedByteCount + drawingByteCount + pool.unreadByteCount + framePool.unreadByteCount
      + (frames?.byteCount ?? 0)
    cache.evict(queue.demands) { [self] in facts[$0].size }
  }

  /// Sends requests to the free workers, and starts workers while there is more to do.
  func advance(at now: Instant) {
    if let problem { return failAllRequests(problem) }
    advanceFrames(at: now)
    let slots = pool.slots
    // Running workers first: starting one takes as long as decoding a photo.
    var free =
      slots.indices.filter { slots[$0].worker != nil && slots[$0].jobs.isEmpty }
      + slots.indices.filter { slots[$0].worker == nil }
    // A worker that waits for a disk is given up for a photo elsewhere; its own request stays open.
    if free.isEmpty, let late = pool.slots.firstIndex(where: \.isLate),
      nextRequest(isAnew: true) != nil
    {
      pool.release(late)
      free = [late]
    }
    for slot in free {
      guard let request = nextRequest(),
        isAvailable(send(request, to: slot, of: pool, at: now))
      else { return }
    }
  }

  /// Returns the next request of the queue, those for photos whose disk has not responded last;
  /// photos whose paths are too long to be opened fail.
  ///
  /// With `isAnew`, the former are left out.
  func nextRequest(isAnew: Bool = false) -> DecodeRequest? {
    while true {
      let request =
        queue.next(progress: progress) { isBusy(with: $0) || isOnDeadDisk($0) }
        ?? (isAnew || waitingForDisk.isEmpty
          ? nil
          : queue.next(progress: progress) { isBusy(with: $0) || isInWaitingFolder($0) })
      guard let request, index[request.photo].count >= Int(PATH_MAX) else { return request }
      fail(request.photo, FailureReason(errno: ENAMETOOLONG).message)
    }
  }

  /// Returns whether a request for a photo has to wait: a worker is reading its file, or there is not
  /// enough free memory to decode it.
  private func isBusy(with photo: Photo.ID) -> Bool {
    if limits.share(of: history.neededMemory[photo] ?? 0) > freeMemory { return true }
    return pool.slots.contains { $0.jobs.first?.task.photo == photo }
  }

  /// The memory for decoding that is not reserved by requests in flight, in bytes.
  private var freeMemory: Int {
    pool.slots.reduce(limits.decodeMemory) { rest, slot in
      rest
        - (slot.jobs.first.map { limits.share(of: history.neededMemory[$0.task.photo] ?? 0) } ?? 0)
    }
  }

  /// Sends a request to a worker, which is started if necessary.
  func send(
    _ request: DecodeRequest, to slot: Int, of pool: DecodePool, at now: Instant
  ) -> DecodePool.Assignment {
    let path = index[request.photo]
    let timeFactor = history.isRetried(request.photo) ? limits.retryFactor : 1
    let seconds = limits.seconds(for: request) * timeFactor
    var allowance = DecodeProtocol.Request.Allowance()
    allowance.seconds = Int(seconds.rounded(.up))
    if let bytes = history.neededMemory[request.photo] { allowance.memory = bytes }
    return pool.assign(
      request, .photo(path: path, request.work, allowance), to: slot,
      timeout: seconds * StoreLimits.clockFactor, payloadLimit: request.payloadLimit, at: now)
  }

  /// Starts a worker in an empty slot.
  ///
  /// - Returns: Whether it was started.
  func launch(in slot: Int, at now: Instant) -> Bool {
    isAvailable(pool.launch(in: slot, at: now))
  }

  private func isAvailable(_ outcome: DecodePool.Assignment) -> Bool {
    if case .unavailable(let error) = outcome { giveUp(error) }
    return outcome == .sent
  }
}

extension DecodeRequest {
  /// The work for a worker.
  fileprivate var work: DecodeProtocol.Request.Work {
    switch self {
    case .describe: .describe
    case .decode(let demand):
      demand.region.map { .decodeRegion($0.wanted) } ?? .decode(demand.size, demand.mode)
    case .preview(let demand): .preview(demand.size, demand.mode)
    case .cacheThumbnail(_, let size): .cacheThumbnail(size)
    case .hash(_, decodes: true): .decode(HashDemands.size, .fit)
    case .hash: .preview(HashDemands.size, .fit)
    case .frames(let demand, let range): .frames(demand.size, demand.mode, range)
    }
  }

  /// The longest payload of the answer, in bytes.
  fileprivate var payloadLimit: Int {
    switch self {
    case .describe: DecodeProtocol.Response.maxFactsLength
    case .cacheThumbnail: DecodeProtocol.Response.maxHeadLength
    case .hash: DecodeProtocol.Response.payloadLimit(size: HashDemands.size, mode: .fit)
    case .preview(let demand):
      DecodeProtocol.Response.payloadLimit(size: demand.size, mode: demand.mode)
    case .decode(let demand):
      demand.region.map { DecodeProtocol.Response.payloadLimit(region: $0.wanted) }
        ?? DecodeProtocol.Response.payloadLimit(size: demand.size, mode: demand.mode)
    case .frames(let demand, let range):
      DecodeProtocol.Response.payloadLimit(
        frameCount: range.count, size: demand.size, mode: demand.mode)
    }
  }
}

/// A change in a photo store.
package enum StoreEvent: Equatable, Sendable {
  /// The photo's facts have arrived, or changed.
  case described(Photo.ID)
  /// A picture has arrived, or a better one.
  case pictureReady(Photo.ID)
  /// The photo cannot be shown, or not at the demanded size.
  case failed(Photo.ID)
  /// The photo's disk has not responded for some time.
  case waitingForDisk(Photo.ID)
  /// The frames of the video that plays have changed.
  case framesChanged(Photo.ID)
  /// The film that plays ends early, for this reason in printable ASCII.
  case filmFailed(Photo.ID, String)
  /// A thumbnail was stored in the shared cache, or cannot be.
  case thumbnailCached(Photo.ID, ThumbnailOutcome)
  /// A picture of the whole photo was hashed; the facts have the hash.
  case hashed(Photo.ID, PhotoInfo)
  /// Nothing can be decoded any more; all requests have failed.
  case unusable(LibraryError)
}
