import Glibc
import Photos
import SceneModel
import WorkerProtocol

/// Handling the answers of workers, and failures.
extension PhotoStore {
  /// Handles the answer to a request.
  func accept(_ message: DecodeProtocol.Response, to request: DecodeRequest) -> DecodePool.Answer {
    let photo = request.photo
    waitingForDisk.remove(photo)
    switch (message, request) {
    case (.described(let info), .describe):
      let known = facts[photo].info
      if known?.orientation != info.orientation, known != nil { expirePictures(of: photo) }
      learn(info, of: photo)
    case (.decodedRegion(let region, let bitmap), .decode(let demand)):
      return accept(bitmap, region, for: demand)
    case (.decoded(let info, let bitmap), .decode(let demand)) where demand.region == nil,
      (.decoded(let info, let bitmap), .preview(let demand)):
      return accept(bitmap, info, for: demand, isPreview: false)
    case (.previewed(let info, let bitmap), .preview(let demand)):
      return accept(bitmap, info, for: demand, isPreview: true)
    case (.noPreview, .preview(let demand)):
      history.didTryPreview(demand)
      return .declined
    case (.decoded(let info, let bitmap), .hash), (.previewed(let info, let bitmap), .hash):
      return acceptHash(info, of: photo, from: bitmap)
    case (.noPreview, .hash(_, decodes: false)):
      queue.didTryHashOfPreview(photo)
      return .declined
    case (.thumbnailCached(let outcome, let info), .cacheThumbnail):
      if let info { noteHash(info, of: photo) }
      queue.didCacheThumbnail(of: photo)
      events.append(.thumbnailCached(photo, outcome))
    case (.frames(let info, let run), .frames(let demand, let range)):
      guard accept(run, of: info, answering: range, at: demand) else { return .violation }
    case (.failed(.needsMemory(let bytes)), _)
    where history.didNeedMemory(bytes, for: photo):
      // The request stays open, and is sent again with the memory when there is enough.
      return .declined
    case (.failed(let reason), _):
      fail(request, reason)
      return .declined
    default:
      return .violation
    }
    return .finished
  }

  /// Stores the picture of a photo's region.
  ///
  /// - Returns: `.violation` if it is not the requested region, or has another size.
  private func accept(
    _ bitmap: Bitmap, _ region: PhotoRegion, for demand: Demand
  ) -> DecodePool.Answer {
    guard let part = demand.region, region.satisfies(part.wanted),
      region.sampleSize == (bitmap.width, bitmap.height)
    else { return .violation }
    var picture = Mipmap(bitmap)
    picture.isComplete = region.reduction == 1
    cache.put(PictureCache.RegionPicture(region: region, picture: picture), of: demand.photo)
    events.append(.pictureReady(demand.photo))
    return .finished
  }

  /// Records the hash of a photo's picture.
  ///
  /// - Returns: `.violation` if the picture is larger than the request allows.
  private func acceptHash(
    _ info: PhotoInfo, of photo: Photo.ID, from bitmap: Bitmap
  ) -> DecodePool.Answer {
    let target = targetSize(of: info.size, in: HashDemands.size, mode: .fit)
    guard bitmap.width <= target.width, bitmap.height <= target.height else { return .violation }
    learn(info, of: photo)
    noteHash(info, of: photo)
    return .finished
  }

  /// Records why a request has failed.
  private func fail(_ request: DecodeRequest, _ reason: FailureReason) {
    // If a file was removed, the expired picture is all that remains of it.
    if reason != .vanished { cache.removeExpired(request.photo) }
    if reason == .unreadable(ETIMEDOUT) { history.didTimeOut(request.photo) }
    switch request {
    case .preview, .hash: fail(request.photo, reason.message)
    default: fail(request, reason.message)
    }
  }

  /// Stores the picture or preview of a whole photo.
  ///
  /// - Returns: `.violation` if it is larger than the request allows.
  private func accept(
    _ bitmap: Bitmap, _ info: PhotoInfo, for demand: Demand, isPreview: Bool
  ) -> DecodePool.Answer {
    let photo = demand.photo
    let target = targetSize(of: info.size, in: demand.size, mode: demand.mode)
    guard bitmap.width <= target.width, bitmap.height <= target.height else { return .violation }
    var picture = Mipmap(bitmap)
    picture.isComplete = !isPreview && bitmap.size == info.size
    learn(info, of: photo)
    noteHash(info, of: photo)
    if isPreview {
      history.didTryPreview(demand)
      guard cache.putPreview(picture, for: photo) else { return .finished }
    } else {
      history.forgetPreviews(of: photo)
      cache.put(picture, for: photo, target: target)
    }
    facts[photo].meanColor = picture.averageColor
    events.append(.pictureReady(photo))
    return .finished
  }

  /// Reports the hash of a photo, which came with a picture.
  private func noteHash(_ info: PhotoInfo, of photo: Photo.ID) {
    queue.didHash(photo)
    events.append(.hashed(photo, info))
  }

  /// Stores the facts of a photo.
  private func learn(_ info: PhotoInfo, of photo: Photo.ID) {
    queue.didDescribe(photo)
    var info = info
    // The `hashed` event delivers the hash; it is not stored here.
    info.hash = nil
    guard facts[photo].info != info else { return }
    facts[photo].info = info
    events.append(.described(photo))
  }

  // MARK: - Failures

  /// Fails the request of a lost worker, unless the worker was lost before it read the photo.
  func handle(_ loss: DecodePool.Loss, of pool: DecodePool) {
    switch loss.ending {
    case .stopped where !loss.hadGreeted, .protocolViolation where !loss.hadGreeted:
      // The worker has not read the photo, so the request stays open.
      if pool.launchFailures >= limits.maxLaunchFailures { giveUp(pool, .workerFails) }
    case .stopped:
      if let request = loss.current { fail(request, "the decoder stopped") }
    // The request stays open, until the disk responds, or another process does; but a video cannot be
    // played from a disk for which two workers in a row have waited.
    case .overdue
    where limits.waitsForDisks && (pool === self.pool || pool.consecutiveFailures < 2):
      break
    case .timedOut, .overdue:
      if let request = loss.current {
        history.didTimeOut(request.photo)
        fail(request, "took too long")
      }
    case .protocolViolation:
      if let request = loss.current { fail(request, "the decoder sent an invalid response") }
    case .otherVersion(let version):
      giveUp(pool, .otherVersion(worker: version, program: ProgramVersion.current))
    }
  }

  /// Fails all requests to the workers of a pool, which cannot be started.
  private func giveUp(_ pool: DecodePool, _ problem: LibraryError) {
    if pool === self.pool { return giveUp(problem) }
    if let missingFrames { fail(missingFrames, problem.message) }
  }

  /// Fails a request; without a preview or a region, a photo is still decoded as a whole.
  func fail(_ request: DecodeRequest, _ message: String) {
    switch request {
    case .describe(let photo), .cacheThumbnail(let photo, _): fail(photo, message)
    case .hash(let photo, let decodes):
      if decodes { fail(photo, message) } else { queue.didTryHashOfPreview(photo) }
    // A photo without a preview is decoded as usual.
    case .preview(let demand): history.didTryPreview(demand)
    case .decode(let demand) where demand.region != nil: history.didFailRegion(of: demand.photo)
    case .decode(let demand):
      // A preview would hide that the photo cannot be shown.
      cache.removePreview(demand.photo)
      fail(demand.photo, message)
    case .frames(let demand, let range):
      failFrames(of: demand.photo, at: range.start, message)
    }
  }

  /// Fails all requests for a photo, whose tile shows the message.
  func fail(_ photo: Photo.ID, _ message: String) {
    failures[photo] = message
    waitingForDisk.remove(photo)
    history.forgetPreviews(of: photo)
    queue.didFail(photo)
    events.append(.failed(photo))
  }

  /// Fails all requests, now and later.
  func giveUp(_ problem: LibraryError) {
    guard self.problem == nil else { return }
    self.problem = problem
    endWorkers()
    failAllRequests(problem)
    events.append(.unusable(problem))
  }

  /// Fails all open requests.
  func failAllRequests(_ problem: LibraryError) {
    for photo in queue.removeAll(progress: progress).sorted() { fail(photo, problem.message) }
  }
}

/// Photos on a disk that does not respond, as far as late answers tell.
///
/// One worker, or a few that were asked at the same time, waits for a folder; no other photo in it is
/// requested meanwhile. It is given up when its time is over, or for a photo elsewhere.
extension PhotoStore {
  /// Whether a photo is on a disk for which a worker waits, or has waited in vain.
  func isOnDeadDisk(_ photo: Photo.ID) -> Bool {
    waitingForDisk.contains(photo) || isInWaitingFolder(photo)
  }

  /// Whether a worker waits for the disk of a photo's folder.
  func isInWaitingFolder(_ photo: Photo.ID) -> Bool {
    guard limits.waitsForDisks else { return false }
    return slots.contains { slot in
      guard slot.isLate, let job = slot.jobs.first else { return false }
      return job.task.photo != photo && folder(of: job.task.photo) == folder(of: photo)
    }
  }

  private var slots: [DecodePool.Slot] { pool.slots + framePool.slots }

  private func folder(of photo: Photo.ID) -> ArraySlice<UInt8> {
    let path = index[photo]
    return path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
  }

  /// Reports each photo for whose disk a worker seems to wait.
  func noteLateAnswers() {
    for slot in slots where slot.isLate {
      guard let job = slot.jobs.first, !job.isStale,
        waitingForDisk.insert(job.task.photo).inserted
      else { continue }
      events.append(.waitingForDisk(job.task.photo))
    }
  }
}
