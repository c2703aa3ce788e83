import Glibc
import PhotoGridCore
import WorkerProtocol

/// The pictures and facts of all photos, fetched from worker processes as they are wanted.
///
/// Nothing here waits, decodes or opens a photo. Poll `pollDescriptors` until `nextDeadline`, then
/// call `service(at:)`, which says what has changed.
package final class PhotoStore {
  /// The photos' paths; a photo's identity is its number here.
  package private(set) var paths = PathTable()
  /// Sentences about what does not work as it should, for the person; each is told once.
  package private(set) var notices: [String] = []
  /// What fails everything, once it has happened.
  package private(set) var problem: LibraryError?

  let limits: StoreLimits
  /// The frames of the photo that plays.
  var reel: ReelBuffer?
  /// Events that came up outside of `service(at:)`.
  var pending: [StoreEvent] = []
  private let executable: WorkerExecutable
  private var wishes = WishList()
  private var shelf: PictureShelf
  private var facts = FactsTable()
  private let thumbnails: ThumbnailAccess?
  /// For which wishes it was looked what is at hand, by the photos that are not decoded yet.
  private var looks: [Photo.ID: [Look]] = [:]
  /// The bytes of what is held of all that is wanted.
  private var wantedByteCount = 0
  private var failures: [Photo.ID: String] = [:]
  /// Photos of which no part can be had; the whole has to do.
  private var indivisible: Set<Photo.ID> = []
  private var slots: [Slot]
  /// The place of the worker that has the photo open that plays.
  private var reelSlot = 0
  private var ended = EndedProcesses()
  private var lastToken: UInt32 = 0
  /// How many workers ended, or did not start, since one answered.
  private var futileStarts = 0
  /// How many in a row did not even start, or ended before their greeting.
  private var stillbornCount = 0
  /// No worker is started before this.
  private var nextStart: Instant?
  /// Whether there is something to do for a worker that cannot be started yet.
  private var isHeldBack = false

  /// A place for a worker, and what it is at.
  private struct Slot {
    var worker: WorkerProcess?
    var job: Job?

    /// Whether it is at a photo's picture or facts.
    func isBusy(with photo: Photo.ID) -> Bool {
      switch job?.wish {
      case .describe(let other), .keep(let other, _): other == photo
      case .preview(let demand), .decode(let demand): demand.photo == photo
      case .run, nil: false
      }
    }
  }

  /// A wish for which it was looked what is at hand.
  private struct Look: Equatable {
    var size: PixelSize
    var mode: ContentMode

    init(_ demand: Demand) { (size, mode) = (demand.size, demand.mode) }
  }

  /// A request that has not been answered.
  private struct Job {
    var token: UInt32
    var wish: WishList.Wish
    var deadline: Instant
    /// Whether the file may have changed since, so that the answer is worth nothing.
    var isStale = false
  }

  /// A store without photos, which starts workers when there is something to do.
  ///
  /// - Parameters:
  ///   - worker: The program that decodes.
  ///   - limits: What may be used.
  ///   - thumbnails: The cache that the workers read and fill; nil for none.
  package init(
    worker: WorkerExecutable, limits: StoreLimits = StoreLimits(),
    thumbnails: ThumbnailAccess? = nil
  ) {
    executable = worker
    self.limits = limits
    self.thumbnails = thumbnails
    shelf = PictureShelf(budget: limits.memoryBudget)
    slots = Array(repeating: Slot(), count: max(1, limits.workerCount))
  }

  /// Adds photos under the next numbers.
  package func append(_ paths: some Sequence<[UInt8]>) {
    for path in paths { self.paths.append(path) }
  }

  /// Adds photos under the next numbers.
  ///
  /// - Returns: their numbers.
  @discardableResult
  package func append(_ batch: PhotoBatch) -> Range<Int> { paths.append(batch) }

  /// Notes that a photo's file has another path by now; all that is known of it stays.
  package func rename(_ photo: Photo.ID, to path: PhotoPath) { paths.rename(photo, to: path) }

  /// Notes that photos are listed through another root.
  package func reroot(_ photos: some Sequence<Photo.ID>, to root: Int) {
    paths.reroot(photos, to: root)
  }

  /// Has a tile that is no photo's say some printable words; nil takes them back.
  package func label(_ tile: Photo.ID, _ words: String?) { failures[tile] = words }

  // MARK: What is known

  /// What there is to show of a photo at the moment.
  package func content(of photo: Photo.ID) -> TileContent {
    if let picture = shelf[photo] { return .picture(picture) }
    if let words = failures[photo] { return .failed(words) }
    return .waiting(facts[photo].average)
  }

  /// Whether what there is to show of a photo is what decoding it showed.
  package func isDecoded(_ photo: Photo.ID) -> Bool { shelf.isDecoded(photo) }

  /// Whether a picture is there that is all that a wish for a whole photo asks for.
  package func isFulfilled(_ demand: Demand) -> Bool {
    facts[demand.photo].size.map { shelf.satisfies(demand, of: $0) } ?? false
  }

  /// What there is to show of a part of a photo, if it is still there.
  package func content(of region: PhotoRegion, of photo: Photo.ID) -> TileContent {
    guard let part = shelf.part(of: photo), part.region == region else { return content(of: photo) }
    return .picture(part.picture)
  }

  /// The picture of a part of a photo that there is.
  package func closeUp(of photo: Photo.ID) -> CloseUp? {
    shelf.part(of: photo).map {
      CloseUp(region: $0.region, isOpaque: $0.picture.full.isOpaque)
    }
  }

  /// The facts of a photo's file; nil until a worker has looked at it.
  package func info(of photo: Photo.ID) -> PhotoInfo? { facts[photo].info }

  /// Why a photo, or its picture at the last size wanted, cannot be had; printable words.
  package func failure(of photo: Photo.ID) -> String? { failures[photo] }

  /// How many wishes are still open.
  ///
  /// - Complexity: O(number of demands).
  package var remaining: Int { wishes.openCount(standing: standing) }

  /// Whether no wish is open, no worker is at work, and nothing is left to be told.
  package var isIdle: Bool {
    pending.isEmpty && slots.allSatisfy { $0.job == nil } && remaining == 0
      && missingRun == nil
  }

  /// The memory that the held pictures take, in bytes.
  package var heldByteCount: Int { shelf.byteCount }

  // MARK: What is wanted

  /// Says which pictures are wanted, most urgent first, instead of those said before.
  ///
  /// What a worker is at already goes on. A wish that the picture at hand satisfies costs nothing.
  ///
  /// `distance` gives what tells how many photos lie between one and what is on the screen: where
  /// memory is short, the ones furthest away go first. Without it the numbers of the photos tell.
  package func want(
    _ demands: [Demand], at now: Instant,
    distance: @autoclosure () -> ((Photo.ID) -> Int)? = nil
  ) {
    guard demands != wishes.demands else { return }
    wishes.replaceDemands(
      demands.filter {
        isKnown($0.photo) && !$0.size.isEmpty && $0.size.width.isFinite && $0.size.height.isFinite
      })
    if shelf.isFilling {
      let first = demands.first?.photo.index ?? 0
      shelf.measure(distance() ?? { abs($0.index - first) })
    }
    tidy()
    advance(at: now)
  }

  /// Adds photos whose thumbnails are wanted in the cache, after all pictures.
  package func keep(
    _ photos: some Sequence<Photo.ID>, _ size: ThumbnailSize, at now: Instant
  ) {
    for photo in photos where isKnown(photo) && failures[photo] == nil {
      wishes.keep(photo, size)
    }
    advance(at: now)
  }

  /// Takes all wishes back; what the workers are at goes on.
  package func takeBackWishes() { _ = wishes.removeAll(standing: { _ in .done }) }

  /// Adds photos whose facts are wanted, after all pictures.
  package func describe(_ photos: some Sequence<Photo.ID>, at now: Instant) {
    for photo in photos where isKnown(photo) && failures[photo] == nil && info(of: photo) == nil {
      wishes.describe(photo)
    }
    advance(at: now)
  }

  /// Forgets what is known of a photo, because its file may have changed; what is wanted of it is
  /// fetched anew, and its picture stands until then.
  package func reload(_ photo: Photo.ID, at now: Instant) {
    guard isKnown(photo) else { return }
    failures[photo] = nil
    indivisible.remove(photo)
    looks[photo] = nil
    shelf.expire(photo)
    if reel?.photo == photo { reel = nil }
    facts[photo].info = nil
    for index in slots.indices where slots[index].job?.wish.photo == photo {
      slots[index].job?.isStale = true
    }
    wishes.replaceDemands(wishes.demands)
    advance(at: now)
  }

  /// Lets every photo that could not be shown be tried again when it is wanted.
  package func forgetFailures() { failures = [:] }

  /// Starts the workers before there is anything to do for them: linking the codecs takes them as
  /// long as decoding a photo.
  package func prepare(at now: Instant) {
    for index in slots.indices where slots[index].worker == nil {
      guard let worker = start(at: now) else { return }
      slots[index].worker = worker
    }
  }

  /// Kills all workers and takes all wishes back; what is held stays.
  package func shutDown() {
    for index in slots.indices { release(index) }
    reel = nil
    _ = wishes.removeAll(standing: { _ in .done })
  }

  // MARK: The loop

  /// What to poll for reading, and for writing too where `wantsWrite`.
  package var pollDescriptors: [(descriptor: Int32, wantsWrite: Bool)] {
    slots.compactMap { slot in slot.worker.map { ($0.descriptor, $0.wantsWrite) } }
  }

  /// When `service(at:)` has to be called at the latest, whatever the descriptors say.
  package var nextDeadline: Instant? {
    if !pending.isEmpty { return Instant(nanoseconds: 0) }
    let start = isHeldBack ? nextStart : nil
    return (slots.compactMap { $0.job?.deadline } + [start].compactMap(\.self)).min()
  }

  /// Takes what has arrived, replaces what is lost, asks for what comes next.
  package func service(at now: Instant) -> [StoreEvent] {
    ended.reap()
    forgiveSleep(until: now)
    for index in slots.indices { receive(index, at: now) }
    for index in slots.indices {
      if let job = slots[index].job, job.deadline <= now {
        fail(job.wish, "took too long")
        lose(index, at: now)
      }
    }
    tidy()
    advance(at: now)
    defer { pending = [] }
    return pending
  }
}

extension PhotoStore {
  private func isKnown(_ photo: Photo.ID) -> Bool { (0..<paths.count).contains(photo.index) }

  /// How far a demand is fulfilled.
  private func standing(of demand: Demand) -> WishList.Standing {
    let photo = demand.photo
    if failures[photo] != nil { return .done }
    if let part = demand.part {
      return indivisible.contains(photo) || shelf.satisfies(part, of: photo)
        ? .done : .seen(previewSuffices: false)
    }
    let size = facts[photo].size
    if let size, shelf.satisfies(demand, of: size) { return .done }
    if demand.place != .inSight {
      let others = wantedByteCount - shelf.byteCount(of: CollectionOfOne(photo))
      guard shelf.hasRoom(for: demand, of: size, beside: others) else { return .done }
    }
    // What is at hand is no larger than a tile, and for more there is that already.
    let isLarge =
      max(demand.size.width, demand.size.height) > Double(ThumbnailSize.doubleExtraLarge.side)
    let isSeen = looks[photo]?.contains(Look(demand)) ?? false
    if !isSeen, !isLarge || shelf[photo] == nil { return .unseen }
    return .seen(previewSuffices: size.map { shelf.suffices(demand, of: $0) } ?? false)
  }

  private func tidy() {
    shelf.tidy(wishes.demands) { [self] in facts[$0].size }
    wantedByteCount = shelf.byteCount(of: Set(wishes.demands.lazy.map(\.photo)))
  }

  private func fail(_ wish: WishList.Wish, _ words: String) {
    switch wish {
    case .describe(let photo), .keep(let photo, _): fail(photo, words)
    // What would only have been at hand is not missed.
    case .preview(let demand): looks[demand.photo, default: []].append(Look(demand))
    case .decode(let demand) where demand.part != nil: indivisible.insert(demand.photo)
    case .decode(let demand):
      // What was at hand would hide that the photo itself cannot be shown.
      shelf.removePreview(demand.photo)
      fail(demand.photo, words)
    case .run(let demand, let range): endReel(of: demand.photo, at: range.start)
    }
  }

  private func fail(_ photo: Photo.ID, _ words: String) {
    failures[photo] = words
    looks[photo] = nil
    wishes.settleDescription(of: photo)
    wishes.settleKeeping(of: photo)
    pending.append(.failed(photo))
  }

  private func learn(_ info: PhotoInfo, of photo: Photo.ID) {
    wishes.settleDescription(of: photo)
    guard facts[photo].info != info else { return }
    facts[photo].info = info
    pending.append(.described(photo))
  }

  // MARK: Workers

  /// Where the program itself was stopped or held up for long, the workers are not to blame.
  private func forgiveSleep(until now: Instant) {
    guard let earliest = slots.compactMap({ $0.job?.deadline }).min() else { return }
    let late = now.seconds(since: earliest)
    guard late > 1 else { return }
    for index in slots.indices {
      guard var job = slots[index].job else { continue }
      job.deadline = job.deadline.advanced(bySeconds: late + 1)
      slots[index].job = job
    }
  }

  /// Takes what a worker has sent.
  private func receive(_ index: Int, at now: Instant) {
    guard let worker = slots[index].worker else { return }
    worker.flush()
    let (messages, ending) = worker.receive()
    for message in messages {
      guard accept(message, index) else {
        lose(index, .nonsense, at: now)
        return
      }
      futileStarts = 0
    }
    if let ending { lose(index, ending, at: now) }
  }

  /// Uses an answer.
  ///
  /// - Returns: whether it answers what was asked.
  private func accept(_ message: Response, _ index: Int) -> Bool {
    guard let job = slots[index].job else { return false }
    let photo = job.wish.photo
    if job.isStale, message.token == job.token {
      slots[index].job = nil
      return true
    }
    switch (message, job.wish) {
    case (.described(job.token, let info), .describe):
      learn(info, of: photo)
    case (.decodedRegion(job.token, let region, let bitmap), .decode(let demand)):
      guard let part = demand.part, region.satisfies(part.wanted),
        region.sampleSize == (bitmap.width, bitmap.height)
      else { return false }
      shelf.put(PictureShelf.Part(region: region, picture: Mipmap(bitmap)), of: photo)
      pending.append(.pictureReady(photo))
    case (.decoded(job.token, let info, let bitmap), .decode(let demand)) where demand.part == nil,
      (.decoded(job.token, let info, let bitmap), .preview(let demand)):
      let target = targetSize(of: info.size, in: demand.size, mode: demand.mode)
      guard bitmap.width <= target.width, bitmap.height <= target.height else { return false }
      let picture = Mipmap(bitmap)
      learn(info, of: photo)
      looks[photo] = nil
      facts[photo].average = picture.averageColor
      shelf.put(picture, for: photo, target: target)
      pending.append(.pictureReady(photo))
    case (.previewed(job.token, let info, let bitmap), .preview(let demand)):
      let target = targetSize(of: info.size, in: demand.size, mode: demand.mode)
      guard bitmap.width <= target.width, bitmap.height <= target.height else { return false }
      let picture = Mipmap(bitmap)
      learn(info, of: photo)
      looks[photo, default: []].append(Look(demand))
      guard shelf.putPreview(picture, for: photo) else { break }
      facts[photo].average = picture.averageColor
      pending.append(.pictureReady(photo))
    case (.noPreview(job.token), .preview(let demand)):
      looks[photo, default: []].append(Look(demand))
    case (.kept(job.token, let outcome), .keep):
      wishes.settleKeeping(of: photo)
      pending.append(.kept(photo, outcome))
    case (.frames(job.token, let info, let run), .run(let demand, let range)):
      guard accept(run, of: info, answering: range, at: demand) else { return false }
    case (.failed(job.token, let reason), _):
      // The picture of a file that is gone is all that is left of it.
      if reason != .vanished { shelf.removeExpired(photo) }
      if case .preview = job.wish {
        fail(photo, reason.words)
      } else {
        fail(job.wish, reason.words)
      }
    default:
      return false
    }
    slots[index].job = nil
    return true
  }

  /// Gives up a worker that ended or has to end, and what it was at.
  private func lose(_ index: Int, _ ending: WorkerProcess.Ending, at now: Instant) {
    let wish = slots[index].job?.wish
    let hadGreeted = slots[index].worker?.hasGreeted ?? false
    lose(index, at: now)
    stillbornCount = hadGreeted ? 0 : stillbornCount + 1
    switch ending {
    case .stopped where !hadGreeted, .nonsense where !hadGreeted:
      // Not the photo's fault: it never got that far. The wish stays open.
      if stillbornCount >= limits.mostFutileStarts { giveUp(.workerFails) }
    case .stopped:
      if let wish { fail(wish, "the decoder stopped") }
    case .usedUpTime:
      if let wish { fail(wish, "took too long") }
    case .nonsense:
      if let wish { fail(wish, "the decoder answered nonsense") }
    case .otherVersion(let version):
      giveUp(.otherVersion(worker: version, program: ProgramVersion.current))
    }
  }

  private func lose(_ index: Int, at now: Instant) {
    release(index)
    futileStarts += 1
    nextStart = now.advanced(bySeconds: limits.pause(after: futileStarts))
  }

  private func release(_ index: Int) {
    slots[index].worker?.end(into: &ended)
    slots[index] = Slot()
  }

  /// Fails everything, now and later.
  private func giveUp(_ problem: LibraryError) {
    guard self.problem == nil else { return }
    self.problem = problem
    for index in slots.indices { release(index) }
    reel = nil
    failAllWishes(problem)
    pending.append(.unusable(problem))
  }

  private func failAllWishes(_ problem: LibraryError) {
    for photo in wishes.removeAll(standing: standing).sorted() { fail(photo, problem.words) }
  }

  // MARK: Asking

  /// Gives each free worker something to do, and starts workers as long as there is more.
  func advance(at now: Instant) {
    isHeldBack = false
    if let problem { return failAllWishes(problem) }
    // Those that run already first: starting one takes as long as decoding a photo.
    var order =
      slots.indices.filter { slots[$0].worker != nil && slots[$0].job == nil }
      + slots.indices.filter { slots[$0].worker == nil }
    if let run = nextRun, let index = place(forRunAmong: order) {
      reelSlot = index
      order.removeAll { $0 == index }
      guard give(run, to: index, at: now) else { return }
    }
    for index in order {
      guard let wish = nextWish(), give(wish, to: index, at: now) else { return }
    }
  }

  /// Asks a worker for something, starting it if need be.
  ///
  /// - Returns: whether there was a worker.
  private func give(_ wish: WishList.Wish, to index: Int, at now: Instant) -> Bool {
    guard let worker = slots[index].worker ?? start(at: now) else { return false }
    slots[index].worker = worker
    ask(wish, of: index, worker, at: now)
    return true
  }

  /// The run to ask for; one at a time.
  private var nextRun: WishList.Wish? {
    let isUnderway = slots.contains { if case .run = $0.job?.wish { true } else { false } }
    return isUnderway ? nil : missingRun
  }

  /// The worker that has the photo open, if it is free, else any other if it is gone.
  private func place(forRunAmong free: [Int]) -> Int? {
    let isThere = slots.indices.contains(reelSlot) && slots[reelSlot].worker != nil
    return isThere ? free.first { $0 == reelSlot } : free.first
  }

  private func nextWish() -> WishList.Wish? {
    while true {
      let wish = wishes.next(
        standing: standing,
        isBusy: { [self] photo in slots.contains { $0.isBusy(with: photo) } })
      guard let wish, paths[wish.photo].count >= Int(PATH_MAX) else { return wish }
      fail(wish.photo, FailureReason(errno: ENAMETOOLONG).words)
    }
  }

  private func ask(
    _ wish: WishList.Wish, of index: Int, _ worker: WorkerProcess, at now: Instant
  ) {
    lastToken &+= 1
    let path = Array(paths[wish.photo])
    let seconds: Double
    switch wish {
    case .describe:
      seconds = limits.quickSeconds
      worker.send(.describe(token: lastToken, path: path))
    case .decode(let demand):
      seconds = limits.seconds(for: demand)
      worker.send(
        demand.part.map { .decodeRegion(token: lastToken, path: path, region: $0.wanted) }
          ?? .decode(token: lastToken, path: path, size: demand.size, mode: demand.mode))
    case .preview(let demand):
      seconds = limits.quickSeconds
      worker.send(
        .preview(token: lastToken, path: path, size: demand.size, mode: demand.mode))
    case .keep(_, let size):
      seconds = limits.slowSeconds
      worker.send(.keep(token: lastToken, path: path, size: size))
    case .run(let demand, let range):
      seconds = limits.seconds(for: demand)
      worker.send(
        .frames(token: lastToken, path: path, size: demand.size, mode: demand.mode, range))
    }
    slots[index].job = Job(
      token: lastToken, wish: wish, deadline: now.advanced(bySeconds: seconds))
  }

  /// A new worker, unless it is too early for one or the system refuses.
  private func start(at now: Instant) -> WorkerProcess? {
    if let nextStart, now < nextStart {
      isHeldBack = true
      return nil
    }
    // A disk that hangs keeps even killed workers: others would only join them.
    guard ended.count < limits.mostHanging else {
      nextStart = now.advanced(bySeconds: limits.longestPause)
      isHeldBack = true
      return nil
    }
    do throws(LibraryError) {
      let worker = try WorkerProcess(executable)
      if let thumbnails { worker.send(.useThumbnails(thumbnails)) }
      return worker
    } catch {
      refuse(error, at: now)
      return nil
    }
  }

  /// Makes do with the workers that there are; without any, tries a few times more.
  private func refuse(_ error: LibraryError, at now: Instant) {
    stillbornCount += 1
    nextStart = now.advanced(bySeconds: limits.pause(after: stillbornCount + 1))
    isHeldBack = true
    let running = slots.filter { $0.worker != nil }
    if case .cannotStart = error {
      if !running.isEmpty {
        notices.append(
          "\(running.count) of \(slots.count) workers decode: \(error.words)")
        slots = running
        stillbornCount = 0
      } else if stillbornCount >= limits.mostFutileStarts {
        giveUp(error)
      }
    } else if running.isEmpty {
      giveUp(error)
    } else {
      slots = running
      notices.append(error.words)
    }
  }
}
