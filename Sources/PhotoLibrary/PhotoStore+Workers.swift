import Glibc
import PhotoGridCore
import WorkerProtocol

/// What the workers are asked for, what they answer, and those that are lost.
extension PhotoStore {
  /// Where the program itself was stopped or held up for long, the workers are not to blame.
  func forgiveSleep(until now: Instant) {
    guard let earliest = slots.compactMap({ $0.job?.deadline }).min() else { return }
    let late = now.seconds(since: earliest)
    guard late > 1 else { return }
    for index in slots.indices {
      guard var job = slots[index].job else { continue }
      job.deadline = job.deadline.advanced(bySeconds: late + 1)
      slots[index].job = job
    }
  }

  /// Has photos that took too long tried again where they are opened, once each time, with more
  /// time.
  func giveTime(to demands: [Demand]) {
    // Tiles are filled; what is on the screen by itself fits it.
    let opened = Set(
      demands.lazy.filter { $0.mode == .fit && $0.place == .inSight }.map(\.photo))
    patientPhotos.formIntersection(opened)
    for photo in opened.intersection(slowPhotos) where failures[photo] != nil {
      if patientPhotos.insert(photo).inserted { failures[photo] = nil }
    }
  }

  /// Takes what a worker has sent.
  func receive(_ index: Int, at now: Instant) {
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
  func accept(_ message: Response, _ index: Int) -> Bool {
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
  func lose(_ index: Int, _ ending: WorkerProcess.Ending, at now: Instant) {
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
      if let wish {
        slowPhotos.insert(wish.photo)
        fail(wish, "took too long")
      }
    case .nonsense:
      if let wish { fail(wish, "the decoder answered nonsense") }
    case .otherVersion(let version):
      giveUp(.otherVersion(worker: version, program: ProgramVersion.current))
    }
  }

  func lose(_ index: Int, at now: Instant) {
    release(index)
    futileStarts += 1
    nextStart = now.advanced(bySeconds: limits.pause(after: futileStarts))
  }

  func release(_ index: Int) {
    slots[index].worker?.end(into: &ended)
    slots[index] = Slot()
  }

  /// Fails everything, now and later.
  func giveUp(_ problem: LibraryError) {
    guard self.problem == nil else { return }
    self.problem = problem
    for index in slots.indices { release(index) }
    reel = nil
    failAllWishes(problem)
    pending.append(.unusable(problem))
  }

  func failAllWishes(_ problem: LibraryError) {
    for photo in wishes.removeAll(standing: standing).sorted() { fail(photo, problem.words) }
  }

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
  func give(_ wish: WishList.Wish, to index: Int, at now: Instant) -> Bool {
    guard let worker = slots[index].worker ?? start(at: now) else { return false }
    slots[index].worker = worker
    ask(wish, of: index, worker, at: now)
    return true
  }

  /// The run to ask for; one at a time.
  var nextRun: WishList.Wish? {
    let isUnderway = slots.contains { if case .run = $0.job?.wish { true } else { false } }
    return isUnderway ? nil : missingRun
  }

  /// The worker that has the photo open, if it is free, else any other if it is gone.
  func place(forRunAmong free: [Int]) -> Int? {
    let isThere = slots.indices.contains(reelSlot) && slots[reelSlot].worker != nil
    return isThere ? free.first { $0 == reelSlot } : free.first
  }

  func nextWish() -> WishList.Wish? {
    while true {
      let wish = wishes.next(
        standing: standing,
        isBusy: { [self] photo in slots.contains { $0.isBusy(with: photo) } })
      guard let wish, paths[wish.photo].count >= Int(PATH_MAX) else { return wish }
      fail(wish.photo, FailureReason(errno: ENAMETOOLONG).words)
    }
  }

  func ask(
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
      let patience = patientPhotos.contains(demand.photo) ? limits.patience : 1
      seconds = limits.seconds(for: demand) * patience
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
  func start(at now: Instant) -> WorkerProcess? {
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
  func refuse(_ error: LibraryError, at now: Instant) {
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
