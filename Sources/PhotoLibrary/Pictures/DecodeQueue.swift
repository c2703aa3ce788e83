import Geometry
import Photos
import SceneModel
import WorkerProtocol

/// A request to a decoding worker.
enum DecodeRequest: Equatable {
  /// The facts of a file.
  case describe(Photo.ID)
  /// The cached thumbnail or the embedded preview, for a demand.
  case preview(Demand)
  /// The whole photo or a region, for a demand.
  case decode(Demand)
  /// Frames of the video that plays.
  case frames(Demand, FrameRange)
  /// A thumbnail in the shared cache.
  case cacheThumbnail(Photo.ID, ThumbnailSize)
  /// A small picture for the hash: the thumbnail or preview, or else the decoded photo.
  case hash(Photo.ID, decodes: Bool)

  /// The photo whose file is read.
  var photo: Photo.ID {
    switch self {
    case .describe(let photo), .cacheThumbnail(let photo, _), .hash(let photo, _): photo
    case .preview(let demand), .decode(let demand), .frames(let demand, _): demand.photo
    }
  }
}

/// A queue of the open demands for pictures, facts, thumbnails and hashes.
///
/// Previews of everything visible come first, then better pictures, then facts and thumbnails, and
/// hashes last.
struct DecodeQueue {
  /// The pictures needed now, most urgent first, including those that are cached.
  private(set) var demands: [Demand] = []
  /// The index of the first demand that may be open.
  private var firstOpen = 0
  /// Requests for facts and thumbnails in their order, some of them fulfilled.
  private var background: [DecodeRequest] = []
  /// The index of the first request of `background` that may be open.
  private var firstBackground = 0
  /// The photos whose facts are requested.
  private var undescribed: Set<Photo.ID> = []
  /// The photos whose thumbnails are requested.
  private var uncached: Set<Photo.ID> = []
  /// The photos whose hashes are demanded.
  private var hashDemands = HashDemands()

  /// The progress of a demand.
  enum Progress {
    /// Answered, or known to fail.
    case done
    /// No preview has been requested yet.
    case untried
    /// The preview, if there is one, has arrived, but the photo is not decoded.
    case previewed(suffices: Bool)
  }

  /// The stages of work; a stage is served when all earlier ones are empty.
  private enum Stage: Int {
    case previewsInSight, picturesInSight
    /// Rows that may become visible by scrolling.
    case previewsNearby
    /// The photos before and after the open one.
    case neighbors
    /// Pictures whose preview is large enough already; it could be out of date, but rarely is.
    case remainingPicturesInSight
    case picturesNearby

    /// The stage of a demand; nil if it is done.
    init?(_ demand: Demand, _ progress: Progress) {
      switch (progress, demand.proximity) {
      case (.done, _): return nil
      case (.untried, .visible): self = .previewsInSight
      case (.untried, .neighbor), (.untried, .nearby): self = .previewsNearby
      case (.previewed(let suffices), .visible):
        self = suffices ? .remainingPicturesInSight : .picturesInSight
      case (.previewed, .neighbor): self = .neighbors
      case (.previewed, .nearby): self = .picturesNearby
      }
    }
  }

  // MARK: Filling

  /// Replaces the demands for pictures.
  mutating func setDemands(_ demands: [Demand]) {
    self.demands = demands
    firstOpen = 0
  }

  /// Adds a request for a photo's facts.
  mutating func describe(_ photo: Photo.ID) {
    if undescribed.insert(photo).inserted { background.append(.describe(photo)) }
  }

  /// Adds a request for a photo's thumbnail in the cache.
  mutating func cacheThumbnail(of photo: Photo.ID, _ size: ThumbnailSize) {
    if uncached.insert(photo).inserted { background.append(.cacheThumbnail(photo, size)) }
  }

  /// Replaces the photos whose hashes are found after all other work, in their order.
  ///
  /// - Returns: Whether they differ from the ones before.
  @discardableResult
  mutating func setHashDemands(_ photos: [Photo.ID]) -> Bool { hashDemands.set(photos) }

  /// The number of photos whose hashes are demanded and not known.
  var unhashedCount: Int { hashDemands.count }

  // MARK: Results

  /// Closes the demand for a photo's hash.
  mutating func didHash(_ photo: Photo.ID) { hashDemands.remove(photo) }

  /// Records that a photo has no preview whose hash could be taken.
  mutating func didTryHashOfPreview(_ photo: Photo.ID) { hashDemands.didTryPreview(photo) }

  /// Closes the request for a photo's facts.
  mutating func didDescribe(_ photo: Photo.ID) { undescribed.remove(photo) }

  /// Closes the request for a photo's thumbnail.
  mutating func didCacheThumbnail(of photo: Photo.ID) { uncached.remove(photo) }

  /// Closes the requests for a photo that cannot be shown.
  mutating func didFail(_ photo: Photo.ID) {
    undescribed.remove(photo)
    uncached.remove(photo)
    hashDemands.remove(photo)
  }

  /// Checks all demands again, because the file of a photo may have changed.
  mutating func restart() { firstOpen = 0 }

  /// Removes all demands and requests.
  ///
  /// - Returns: The photos for which any were open.
  @discardableResult
  mutating func removeAll(progress: (Demand) -> Progress) -> Set<Photo.ID> {
    let open = demands.filter { Stage($0, progress($0)) != nil }
    let photos = undescribed.union(uncached).union(open.map(\.photo)).union(hashDemands.photos)
    setDemands([])
    (background, firstBackground) = ([], 0)
    (undescribed, uncached) = ([], [])
    setHashDemands([])
    return photos
  }

  // MARK: Serving

  /// Returns the number of open requests, without hashes; a picture and the facts of the same photo
  /// count once each.
  ///
  /// - Complexity: O(number of demands).
  func openCount(progress: (Demand) -> Progress) -> Int {
    undescribed.count + uncached.count + demands.count { Stage($0, progress($0)) != nil }
  }

  /// Returns the most urgent request that can be sent now.
  ///
  /// - Parameters:
  ///   - progress: Returns how far a demand is fulfilled.
  ///   - isBusy: Returns whether a request for a photo has to wait.
  /// - Returns: Nil if no request can be sent.
  mutating func next(
    progress: (Demand) -> Progress, isBusy: (Photo.ID) -> Bool
  ) -> DecodeRequest? {
    var best: (stage: Stage, request: DecodeRequest)?
    for index in firstOpen..<demands.count {
      let demand = demands[index]
      let progress = progress(demand)
      guard let stage = Stage(demand, progress) else {
        if index == firstOpen { firstOpen += 1 }
        continue
      }
      guard stage.rawValue < best?.stage.rawValue ?? .max, !isBusy(demand.photo) else { continue }
      if case .untried = progress {
        best = (stage, .preview(demand))
      } else {
        best = (stage, .decode(demand))
      }
      if stage == .previewsInSight { break }
    }
    return best?.request ?? nextInBackground(isBusy) ?? hashDemands.next(isBusy)
  }

  private mutating func nextInBackground(_ isBusy: (Photo.ID) -> Bool) -> DecodeRequest? {
    for index in firstBackground..<background.count {
      let request = background[index]
      if !isOpen(request) {
        if index == firstBackground { firstBackground += 1 }
      } else if !isBusy(request.photo) {
        return request
      }
    }
    if firstBackground == background.count {
      background.removeAll()
      firstBackground = 0
    }
    return nil
  }

  private func isOpen(_ request: DecodeRequest) -> Bool {
    switch request {
    case .describe(let photo): undescribed.contains(photo)
    case .cacheThumbnail(let photo, _): uncached.contains(photo)
    case .preview, .decode, .frames, .hash: false
    }
  }
}

/// The photos whose hashes are demanded, in their order.
struct HashDemands {
  /// The size of the picture that is hashed, in pixels.
  ///
  /// It is the smallest size of thumbnails, so that a photo decoded for its hash gets a thumbnail
  /// too.
  static let size = PixelSize(width: 128, height: 128)

  private var demands: [Photo.ID] = []
  /// The index of the first demand that may be open.
  private var firstOpen = 0
  /// The photos whose hashes are not known.
  private var open = PhotoSet()
  /// The photos that were found to have no preview.
  private var withoutPreview = PhotoSet()

  /// The number of open demands.
  var count: Int { open.count }

  /// The photos of the open demands.
  var photos: [Photo.ID] { open.photos }

  /// Replaces the demands.
  ///
  /// - Complexity: O(1) if these are the same array as before.
  /// - Returns: Whether they differ from the ones before.
  mutating func set(_ photos: [Photo.ID]) -> Bool {
    guard photos != demands else { return false }
    demands = photos
    firstOpen = 0
    open = PhotoSet(photos)
    return true
  }

  /// Closes the demand for a photo.
  mutating func remove(_ photo: Photo.ID) {
    open.remove(photo)
    withoutPreview.remove(photo)
  }

  /// Records that a photo has no preview, so that it is decoded for its hash.
  mutating func didTryPreview(_ photo: Photo.ID) { withoutPreview.insert(photo) }

  /// Returns the next request that can be sent now; nil if none can.
  mutating func next(_ isBusy: (Photo.ID) -> Bool) -> DecodeRequest? {
    for index in firstOpen..<demands.count {
      let photo = demands[index]
      if !open.contains(photo) {
        if index == firstOpen { firstOpen += 1 }
      } else if !isBusy(photo) {
        return .hash(photo, decodes: withoutPreview.contains(photo))
      }
    }
    return nil
  }
}

/// A record of earlier attempts to decode photos, by which futile ones are not repeated.
struct DecodeHistory {
  /// Sizes for which a preview was requested, by photo.
  private var previewAttempts: [Photo.ID: [PreviewAttempt]] = [:]
  /// Photos whose regions cannot be decoded separately, so the whole picture is shown.
  private var regionUnsupported: Set<Photo.ID> = []
  private var timedOut: Set<Photo.ID> = []
  /// The memory in bytes that decoding takes according to the headers, for photos that need much.
  private(set) var neededMemory: [Photo.ID: Int] = [:]
  /// Photos that timed out, and that are decoded with a longer timeout while they are open.
  private var retried: Set<Photo.ID> = []

  /// The size and mode of a demand whose preview was requested.
  private struct PreviewAttempt: Equatable {
    var size: PixelSize
    var mode: ContentMode

    init(_ demand: Demand) { (size, mode) = (demand.size, demand.mode) }
  }

  /// Records that a preview was requested for a demand, with or without success.
  mutating func didTryPreview(_ demand: Demand) {
    previewAttempts[demand.photo, default: []].append(PreviewAttempt(demand))
  }

  /// Whether a preview was requested for a demand of this size and mode.
  func hasTriedPreview(_ demand: Demand) -> Bool {
    previewAttempts[demand.photo]?.contains(PreviewAttempt(demand)) ?? false
  }

  /// Records that no region of a photo can be decoded.
  mutating func didFailRegion(of photo: Photo.ID) { regionUnsupported.insert(photo) }

  /// Whether regions of a photo can be decoded; true until one failed.
  func supportsRegions(of photo: Photo.ID) -> Bool { !regionUnsupported.contains(photo) }

  /// Records how much memory decoding a photo takes, in bytes.
  ///
  /// - Returns: Whether that was not known before.
  mutating func didNeedMemory(_ bytes: Int, for photo: Photo.ID) -> Bool {
    neededMemory.updateValue(bytes, forKey: photo) == nil
  }

  /// Records that a photo's decoding timed out.
  mutating func didTimeOut(_ photo: Photo.ID) { timedOut.insert(photo) }

  /// Whether a photo is decoded again, with a longer timeout.
  func isRetried(_ photo: Photo.ID) -> Bool { retried.contains(photo) }

  /// Records which photos are open.
  ///
  /// - Returns: The photos to decode again because they timed out; a photo is returned once each
  ///   time it is opened.
  mutating func didOpen(_ photos: @autoclosure () -> Set<Photo.ID>) -> Set<Photo.ID> {
    guard !timedOut.isEmpty else { return [] }
    let open = photos()
    let new = open.intersection(timedOut).subtracting(retried)
    retried = retried.intersection(open).union(new)
    return new
  }

  /// Drops all timeouts, so that the photos are decoded as if for the first time.
  mutating func forgetTimeouts() { (timedOut, retried) = ([], []) }

  /// Forgets the preview attempts of a photo that has been decoded or cannot be shown.
  mutating func forgetPreviews(of photo: Photo.ID) { previewAttempts[photo] = nil }

  /// Drops everything about a photo whose file may have changed.
  mutating func forget(_ photo: Photo.ID) {
    previewAttempts[photo] = nil
    regionUnsupported.remove(photo)
    timedOut.remove(photo)
    neededMemory[photo] = nil
  }
}
