import PhotoGridCore
import WorkerProtocol

/// What workers answer, and what fails.
extension PhotoStore {
  /// Uses the answer to a request.
  func accept(_ message: DecodeProtocol.Response, to request: DecodeRequest) -> DecodePool.Answer {
    let photo = request.photo
    switch (message, request) {
    case (.described(_, let info), .describe):
      learn(info, of: photo)
    case (.decodedRegion(_, let region, let bitmap), .decode(let demand)):
      guard let part = demand.part, region.satisfies(part.wanted),
        region.sampleSize == (bitmap.width, bitmap.height)
      else { return .violation }
      cache.put(PictureCache.Part(region: region, picture: Mipmap(bitmap)), of: photo)
      events.append(.pictureReady(photo))
    case (.decoded(_, let info, let bitmap), .decode(let demand)) where demand.part == nil,
      (.decoded(_, let info, let bitmap), .preview(let demand)):
      return acceptPicture(bitmap, info, for: demand)
    case (.previewed(_, let info, let bitmap), .preview(let demand)):
      return acceptPreview(bitmap, info, for: demand)
    case (.noPreview, .preview(let demand)):
      history.didTryPreview(demand)
      return .declined
    case (.thumbnailCached(_, let outcome), .cacheThumbnail):
      queue.didCacheThumbnail(of: photo)
      events.append(.thumbnailCached(photo, outcome))
    case (.frames(_, let info, let run), .frames(let demand, let range)):
      guard accept(run, of: info, answering: range, at: demand) else { return .violation }
    case (.failed(_, .needsMemory(let bytes)), _)
    where history.didNeedMemory(bytes, for: photo):
      // The request stays open, and is sent again with the memory when there is enough.
      return .declined
    case (.failed(_, let reason), _):
      // Of a file that is gone, the picture is all that is left.
      if reason != .vanished { cache.removeExpired(photo) }
      if case .preview = request {
        fail(photo, reason.message)
      } else {
        fail(request, reason.message)
      }
      return .declined
    default:
      return .violation
    }
    return .finished
  }

  private func acceptPicture(
    _ bitmap: Bitmap, _ info: PhotoInfo, for demand: Demand
  ) -> DecodePool.Answer {
    let target = targetSize(of: info.size, in: demand.size, mode: demand.mode)
    guard bitmap.width <= target.width, bitmap.height <= target.height else { return .violation }
    let picture = Mipmap(bitmap)
    learn(info, of: demand.photo)
    history.forgetPreviews(of: demand.photo)
    facts[demand.photo].average = picture.averageColor
    cache.put(picture, for: demand.photo, target: target)
    events.append(.pictureReady(demand.photo))
    return .finished
  }

  private func acceptPreview(
    _ bitmap: Bitmap, _ info: PhotoInfo, for demand: Demand
  ) -> DecodePool.Answer {
    let target = targetSize(of: info.size, in: demand.size, mode: demand.mode)
    guard bitmap.width <= target.width, bitmap.height <= target.height else { return .violation }
    let picture = Mipmap(bitmap)
    learn(info, of: demand.photo)
    history.didTryPreview(demand)
    if cache.putPreview(picture, for: demand.photo) {
      facts[demand.photo].average = picture.averageColor
      events.append(.pictureReady(demand.photo))
    }
    return .finished
  }

  private func learn(_ info: PhotoInfo, of photo: Photo.ID) {
    queue.didDescribe(photo)
    guard facts[photo].info != info else { return }
    facts[photo].info = info
    events.append(.described(photo))
  }

  // MARK: Failures

  /// Fails the request that a lost worker was working on.
  func handle(_ loss: DecodePool.Loss) {
    switch loss.ending {
    case .stopped where !loss.hadGreeted, .protocolViolation where !loss.hadGreeted:
      // The worker never read the photo, so the request stays open.
      if pool.launchFailures >= limits.maxLaunchFailures { giveUp(.workerFails) }
    case .stopped:
      if let request = loss.current { fail(request, "the decoder stopped") }
    case .timedOut:
      if let request = loss.current {
        history.didTimeOut(request.photo)
        fail(request, "took too long")
      }
    case .protocolViolation:
      if let request = loss.current { fail(request, "the decoder answered nonsense") }
    case .otherVersion(let version):
      giveUp(.otherVersion(worker: version, program: ProgramVersion.current))
    }
  }

  func fail(_ request: DecodeRequest, _ message: String) {
    switch request {
    case .describe(let photo), .cacheThumbnail(let photo, _): fail(photo, message)
    // Without its preview a photo is decoded as usual.
    case .preview(let demand): history.didTryPreview(demand)
    case .decode(let demand) where demand.part != nil: history.didFailRegion(of: demand.photo)
    case .decode(let demand):
      // The preview would hide that the photo cannot be shown.
      cache.removePreview(demand.photo)
      fail(demand.photo, message)
    case .frames(let demand, let range): endAnimation(of: demand.photo, at: range.start)
    }
  }

  func fail(_ photo: Photo.ID, _ message: String) {
    failures[photo] = message
    history.forgetPreviews(of: photo)
    queue.didFail(photo)
    events.append(.failed(photo))
  }

  /// Fails all requests, now and later.
  func giveUp(_ problem: LibraryError) {
    guard self.problem == nil else { return }
    self.problem = problem
    pool.releaseAll()
    frames = nil
    failAllRequests(problem)
    events.append(.unusable(problem))
  }

  func failAllRequests(_ problem: LibraryError) {
    for photo in queue.removeAll(progress: progress).sorted() { fail(photo, problem.message) }
  }
}
