import PhotoGridCore
import WorkerProtocol

/// What is wanted of the workers and not yet done.
struct WishList {
  /// All pictures wanted now, most urgent first, the satisfied ones too.
  private(set) var demands: [Demand] = []
  /// All demands before this one are done.
  private var firstOpen = 0
  private var descriptions: [Photo.ID] = []
  private var firstDescription = 0
  private(set) var undescribed: Set<Photo.ID> = []

  /// Something to ask a worker for.
  enum Wish: Equatable {
    case describe(Photo.ID)
    case decode(Demand)
    /// Frames of the photo that plays.
    case run(Demand, FrameRange)

    var photo: Photo.ID {
      switch self {
      case .describe(let photo): photo
      case .decode(let demand), .run(let demand, _): demand.photo
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
    if undescribed.insert(photo).inserted { descriptions.append(photo) }
  }

  /// Notes that a photo's facts are known, or never will be.
  mutating func settleDescription(of photo: Photo.ID) {
    undescribed.remove(photo)
  }

  /// How many wishes are open; a picture and the facts of the same photo count once each.
  ///
  /// - Complexity: O(number of demands).
  func openCount(isDone: (Demand) -> Bool) -> Int {
    undescribed.count + demands[firstOpen...].count { !isDone($0) }
  }

  /// The most urgent wish that can be asked for now: pictures first, then facts.
  ///
  /// `isDone` tells whether a demand is satisfied or hopeless, `isBusy` whether a worker is at that
  /// photo.
  mutating func next(isDone: (Demand) -> Bool, isBusy: (Photo.ID) -> Bool) -> Wish? {
    for index in firstOpen..<demands.count {
      let demand = demands[index]
      if isDone(demand) {
        if index == firstOpen { firstOpen += 1 }
      } else if !isBusy(demand.photo) {
        return .decode(demand)
      }
    }
    for index in firstDescription..<descriptions.count {
      let photo = descriptions[index]
      if !undescribed.contains(photo) {
        if index == firstDescription { firstDescription += 1 }
      } else if !isBusy(photo) {
        return .describe(photo)
      }
    }
    if firstDescription == descriptions.count {
      descriptions.removeAll()
      firstDescription = 0
    }
    return nil
  }

  /// Takes every open wish back.
  ///
  /// - Returns: the photos that were wished for.
  mutating func removeAll(isDone: (Demand) -> Bool) -> Set<Photo.ID> {
    let photos = undescribed.union(demands.filter { !isDone($0) }.map(\.photo))
    self = WishList()
    return photos
  }
}
