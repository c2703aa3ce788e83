import PhotoGridCore
import WorkerProtocol

/// What is wanted of the workers and not yet done, and in what order it is asked for: first
/// something of everything in sight, then better.
struct WishList {
  /// All pictures wanted now, most urgent first, the satisfied ones too.
  private(set) var demands: [Demand] = []
  /// All demands before this one are done.
  private var firstOpen = 0
  private var errands: [Wish] = []
  private var firstErrand = 0
  private(set) var undescribed: Set<Photo.ID> = []
  private var unkept: Set<Photo.ID> = []

  /// Something to ask a worker for.
  enum Wish: Equatable {
    case describe(Photo.ID)
    /// Whatever is at hand for a demand.
    case preview(Demand)
    case decode(Demand)
    /// Frames of the photo that plays.
    case run(Demand, FrameRange)
    /// A thumbnail in the cache.
    case keep(Photo.ID, ThumbnailSize)

    var photo: Photo.ID {
      switch self {
      case .describe(let photo), .keep(let photo, _): photo
      case .preview(let demand), .decode(let demand), .run(let demand, _): demand.photo
      }
    }
  }

  /// How far a demand is fulfilled.
  enum Standing {
    /// Satisfied, or hopeless.
    case done
    /// It has not been looked what is at hand.
    case unseen
    /// All there is is what was at hand, or nothing.
    case seen(previewSuffices: Bool)
  }

  /// What is asked for one after the other.
  private enum Stage: Int {
    case previewsInSight, picturesInSight
    /// Rows that may come into sight.
    case previewsNearby
    /// The photos before and after the one on the screen.
    case neighbors
    /// Pictures whose preview is as large as wanted: it may be out of date, but hardly ever is.
    case remainingPicturesInSight
    case picturesNearby

    /// The stage at which something is done for a demand; nil where nothing is to be done.
    init?(_ demand: Demand, _ standing: Standing) {
      switch (standing, demand.place) {
      case (.done, _): return nil
      case (.unseen, .inSight): self = .previewsInSight
      case (.unseen, .neighbor), (.unseen, .nearby): self = .previewsNearby
      case (.seen(let suffices), .inSight):
        self = suffices ? .remainingPicturesInSight : .picturesInSight
      case (.seen, .neighbor): self = .neighbors
      case (.seen, .nearby): self = .picturesNearby
      }
    }
  }

  /// Replaces the wanted pictures.
  mutating func replaceDemands(_ demands: [Demand]) {
    self.demands = demands
    firstOpen = 0
  }

  /// Adds a photo whose facts are wanted.
  mutating func describe(_ photo: Photo.ID) {
    if undescribed.insert(photo).inserted { errands.append(.describe(photo)) }
  }

  /// Notes that a photo's facts are known, or never will be.
  mutating func settleDescription(of photo: Photo.ID) {
    undescribed.remove(photo)
  }

  /// Adds a photo whose thumbnail is wanted in the cache.
  mutating func keep(_ photo: Photo.ID, _ size: ThumbnailSize) {
    if unkept.insert(photo).inserted { errands.append(.keep(photo, size)) }
  }

  /// Notes that there is nothing more to be done for a photo's thumbnail.
  mutating func settleKeeping(of photo: Photo.ID) { unkept.remove(photo) }

  /// How many wishes are open; a picture and the facts of the same photo count once each.
  ///
  /// - Complexity: O(number of demands).
  func openCount(standing: (Demand) -> Standing) -> Int {
    undescribed.count + unkept.count
      + demands.count { if case .done = standing($0) { false } else { true } }
  }

  /// The most urgent wish that can be asked for now: pictures first, then facts and thumbnails.
  ///
  /// `isBusy` tells whether a worker is at that photo.
  mutating func next(
    standing: (Demand) -> Standing, isBusy: (Photo.ID) -> Bool
  ) -> Wish? {
    var best: (stage: Stage, wish: Wish)?
    for index in firstOpen..<demands.count {
      let demand = demands[index]
      let standing = standing(demand)
      guard let stage = Stage(demand, standing) else {
        if index == firstOpen { firstOpen += 1 }
        continue
      }
      guard stage.rawValue < best?.stage.rawValue ?? .max, !isBusy(demand.photo) else { continue }
      if case .unseen = standing {
        best = (stage, .preview(demand))
      } else {
        best = (stage, .decode(demand))
      }
      if stage == .previewsInSight { break }
    }
    return best?.wish ?? nextErrand(isBusy)
  }

  private mutating func nextErrand(_ isBusy: (Photo.ID) -> Bool) -> Wish? {
    for index in firstErrand..<errands.count {
      let errand = errands[index]
      if !isOpen(errand) {
        if index == firstErrand { firstErrand += 1 }
      } else if !isBusy(errand.photo) {
        return errand
      }
    }
    if firstErrand == errands.count {
      errands.removeAll()
      firstErrand = 0
    }
    return nil
  }

  private func isOpen(_ errand: Wish) -> Bool {
    switch errand {
    case .describe(let photo): undescribed.contains(photo)
    case .keep(let photo, _): unkept.contains(photo)
    case .preview, .decode, .run: false
    }
  }

  /// Takes every open wish back.
  ///
  /// - Returns: the photos that were wished for.
  mutating func removeAll(standing: (Demand) -> Standing) -> Set<Photo.ID> {
    let open = demands.filter { if case .done = standing($0) { false } else { true } }
    let photos = undescribed.union(unkept).union(open.map(\.photo))
    self = WishList()
    return photos
  }
}
