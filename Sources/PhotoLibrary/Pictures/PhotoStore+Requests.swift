import Glibc
import PhotoGridCore
import WorkerProtocol

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
      let hasRoom = demand.place == .visible || cache.hasRoom(for: demand, of: nil)
      return hasRoom ? .previewed(suffices: false) : .done
    }
    let size = facts[photo].size
    if let size, cache.satisfies(demand, of: size) {
      let isDone = !demand.isExact || cache.hasExact(demand, of: size)
      return isDone ? .done : .previewed(suffices: true)
    }
    if demand.place != .visible, !cache.hasRoom(for: demand, of: size) { return .done }
    // Previews are no larger than a tile; a larger demand gains nothing from a second one.
    let isLarge =
      max(demand.size.width, demand.size.height) > Double(ThumbnailSize.doubleExtraLarge.side)
    if !history.hasTriedPreview(demand), !isLarge || cache[photo] == nil { return .untried }
    return .previewed(suffices: size.map { cache.isAsLarge(as: demand, of: $0) } ?? false)
  }

  /// Evicts pictures until the budget is kept.
  func evict() { cache.evict(queue.demands) { [self] in facts[$0].size } }

  /// Sends requests to the free workers, and starts workers while there is more to do.
  func advance(at now: Instant) {
    if let problem { return failAllRequests(problem) }
    let slots = pool.slots
    // Running workers first: starting one takes as long as decoding a photo.
    var free =
      slots.indices.filter { slots[$0].worker != nil && slots[$0].jobs.isEmpty }
      + slots.indices.filter { slots[$0].worker == nil }
    if let request = nextFrames, let slot = slot(forFramesAmong: free) {
      animationSlot = slot
      free.removeAll { $0 == slot }
      guard send(request, to: slot, at: now) else { return }
    }
    for slot in free {
      guard let request = nextRequest(), send(request, to: slot, at: now) else { return }
    }
  }

  /// The frames to request next; only one such request is sent at a time.
  private var nextFrames: DecodeRequest? {
    let isUnderway = pool.slots.contains { slot in
      if case .frames = slot.jobs.first?.task { true } else { false }
    }
    return isUnderway ? nil : missingFrames
  }

  /// Returns the free slot for the next frames: only that of the worker that has the animation's
  /// file open, or any if that worker has ended.
  private func slot(forFramesAmong free: [Int]) -> Int? {
    let isRunning =
      pool.slots.indices.contains(animationSlot) && pool.slots[animationSlot].worker != nil
    return isRunning ? free.first { $0 == animationSlot } : free.first
  }

  /// Returns the next request of the queue; photos whose paths are too long to be opened fail.
  private func nextRequest() -> DecodeRequest? {
    while true {
      let request = queue.next(progress: progress, isBusy: isBusy)
      guard let request, index[request.photo].count >= Int(PATH_MAX) else { return request }
      fail(request.photo, FailureReason(errno: ENAMETOOLONG).message)
    }
  }

  /// Returns whether a request for a photo has to wait: a worker is reading its file for anything
  /// but frames, or there is not enough free memory to decode it.
  private func isBusy(with photo: Photo.ID) -> Bool {
    if limits.share(of: history.neededMemory[photo] ?? 0) > freeMemory { return true }
    return pool.slots.contains { slot in
      guard let request = slot.jobs.first?.task else { return false }
      if case .frames = request { return false }
      return request.photo == photo
    }
  }

  /// The memory for decoding that is not reserved by requests in flight, in bytes.
  private var freeMemory: Int {
    pool.slots.reduce(limits.decodeMemory) { rest, slot in
      rest
        - (slot.jobs.first.map { limits.share(of: history.neededMemory[$0.task.photo] ?? 0) } ?? 0)
    }
  }

  /// Sends a request to a worker, which is started if necessary.
  ///
  /// - Returns: Whether the request was sent.
  private func send(_ request: DecodeRequest, to slot: Int, at now: Instant) -> Bool {
    let path = index[request.photo]
    let timeFactor = history.isRetried(request.photo) ? limits.retryFactor : 1
    let timeout = limits.seconds(for: request) * timeFactor
    var allowance = DecodeProtocol.Request.Allowance()
    if timeFactor > 1 { allowance.seconds = Int(timeout.rounded(.up)) }
    if let bytes = history.neededMemory[request.photo] { allowance.memory = bytes }
    allowance.includesOtherDecoder = history.needsOtherDecoder(request.photo)
    let outcome = pool.assign(
      request, to: slot, timeout: timeout, payloadLimit: request.payloadLimit, at: now
    ) { .photo(token: $0, path: path, request.work, allowance) }
    return isAvailable(outcome)
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
    case .describe: DecodeProtocol.Response.longestFacts
    case .cacheThumbnail: DecodeProtocol.Response.longestHead
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
