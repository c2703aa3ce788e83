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
  package internal(set) var notices: [String] = []
  /// What fails everything, once it has happened.
  package internal(set) var problem: LibraryError?

  let limits: StoreLimits
  /// The frames of the photo that plays.
  var reel: ReelBuffer?
  /// Events that came up outside of `service(at:)`.
  var pending: [StoreEvent] = []
  let executable: WorkerExecutable
  var wishes = WishList()
  var shelf: PictureShelf
  var facts = FactsTable()
  let thumbnails: ThumbnailAccess?
  /// For which wishes it was looked what is at hand, by the photos that are not decoded yet.
  var looks: [Photo.ID: [Look]] = [:]
  /// The bytes of what is held of all that is wanted.
  var wantedByteCount = 0
  var failures: [Photo.ID: String] = [:]
  /// Photos that took too long.
  var slowPhotos: Set<Photo.ID> = []
  /// Those of them that are opened, and have more time for that.
  var patientPhotos: Set<Photo.ID> = []
  /// Photos of which no part can be had; the whole has to do.
  var indivisible: Set<Photo.ID> = []
  var slots: [Slot]
  /// The place of the worker that has the photo open that plays.
  var reelSlot = 0
  var ended = EndedProcesses()
  var lastToken: UInt32 = 0
  /// How many workers ended, or did not start, since one answered.
  var futileStarts = 0
  /// How many in a row did not even start, or ended before their greeting.
  var stillbornCount = 0
  /// No worker is started before this.
  var nextStart: Instant?
  /// Whether there is something to do for a worker that cannot be started yet.
  var isHeldBack = false

  /// A place for a worker, and what it is at.
  struct Slot {
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
  struct Look: Equatable {
    var size: PixelSize
    var mode: ContentMode

    init(_ demand: Demand) { (size, mode) = (demand.size, demand.mode) }
  }

  /// A request that has not been answered.
  struct Job {
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
    if !slowPhotos.isEmpty { giveTime(to: demands) }
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
    slowPhotos.remove(photo)
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
  package func forgetFailures() { (failures, slowPhotos, patientPhotos) = ([:], [], []) }

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
  func isKnown(_ photo: Photo.ID) -> Bool { (0..<paths.count).contains(photo.index) }

  /// How far a demand is fulfilled.
  func standing(of demand: Demand) -> WishList.Standing {
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

  func tidy() {
    shelf.tidy(wishes.demands) { [self] in facts[$0].size }
    wantedByteCount = shelf.byteCount(of: Set(wishes.demands.lazy.map(\.photo)))
  }

  func fail(_ wish: WishList.Wish, _ words: String) {
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

  func fail(_ photo: Photo.ID, _ words: String) {
    failures[photo] = words
    looks[photo] = nil
    wishes.settleDescription(of: photo)
    wishes.settleKeeping(of: photo)
    pending.append(.failed(photo))
  }

  func learn(_ info: PhotoInfo, of photo: Photo.ID) {
    wishes.settleDescription(of: photo)
    guard facts[photo].info != info else { return }
    facts[photo].info = info
    pending.append(.described(photo))
  }

}
