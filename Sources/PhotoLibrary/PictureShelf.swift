import PhotoGridCore
import WorkerProtocol

/// The pictures that are held, within a budget.
///
/// Above the budget the ones wanted longest ago go first. Those wanted now always stay; but one
/// that is larger than wanted now is cut down to what is wanted.
struct PictureShelf {
  private var held: [Photo.ID: Held] = [:]
  /// The one part of a photo that is held, beside the whole: what was last looked at closely.
  private var part: (photo: Photo.ID, part: Part)?
  private(set) var byteCount = 0
  private let budget: Int
  /// Counts the wishes, as the clock by which pictures grow old.
  private var round = 0

  /// An empty shelf for so many bytes of pictures.
  init(budget: Int) { self.budget = budget }

  private struct Held {
    var picture: Mipmap
    /// The largest size that the picture answers for, in pixels.
    var width: Int
    var height: Int
    var lastWanted: Int
    /// Whether the file may show something else by now.
    var isExpired = false
  }

  /// A picture of a part of a photo.
  struct Part {
    /// What it shows.
    var region: PhotoRegion
    var picture: Mipmap
  }

  /// The best picture of a photo.
  subscript(photo: Photo.ID) -> Mipmap? { held[photo]?.picture }

  /// Whether the picture of a photo of the given size is as large as is wanted of it.
  func satisfies(_ demand: Demand, of size: PixelSize) -> Bool {
    guard let held = held[demand.photo], !held.isExpired else { return false }
    let target = targetSize(of: size, in: demand.size, mode: demand.mode)
    return held.width >= target.width && held.height >= target.height
  }

  /// Puts a picture in the place of a smaller one.
  ///
  /// The target is the size that was asked for. The picture may be smaller if the photo cannot be
  /// decoded that large, and counts as an answer all the same.
  mutating func put(_ picture: Mipmap, for photo: Photo.ID, target: (width: Int, height: Int)) {
    removeWhole(photo)
    byteCount += picture.byteCount
    held[photo] = Held(
      picture: picture, width: max(target.width, picture.full.width),
      height: max(target.height, picture.full.height), lastWanted: round)
  }

  /// The part of a photo that there is a picture of.
  func part(of photo: Photo.ID) -> Part? { part?.photo == photo ? part?.part : nil }

  /// Whether all that is needed of a part is there.
  func satisfies(_ wanted: Demand.Part, of photo: Photo.ID) -> Bool {
    part(of: photo)?.region.satisfies(wanted.needed) ?? false
  }

  /// Puts the picture of a part in the place of the one before.
  mutating func put(_ new: Part, of photo: Photo.ID) {
    removePart()
    byteCount += new.picture.byteCount
    part = (photo, new)
  }

  private mutating func removePart() {
    byteCount -= part?.part.picture.byteCount ?? 0
    part = nil
  }

  /// Forgets a photo's pictures.
  mutating func remove(_ photo: Photo.ID) {
    if part?.photo == photo { removePart() }
    removeWhole(photo)
  }

  private mutating func removeWhole(_ photo: Photo.ID) {
    guard let old = held.removeValue(forKey: photo) else { return }
    byteCount -= old.picture.byteCount
  }

  /// Lets a photo's picture answer for nothing any more; it is shown until there is another.
  mutating func expire(_ photo: Photo.ID) { held[photo]?.isExpired = true }

  /// Forgets a photo's picture if it has expired: there will be no other.
  mutating func removeExpired(_ photo: Photo.ID) {
    if held[photo]?.isExpired ?? false { remove(photo) }
  }

  /// Notes what is wanted now.
  mutating func want(_ demands: [Demand]) {
    round += 1
    for demand in demands { held[demand.photo]?.lastWanted = round }
  }

  /// Brings the pictures back within the budget, as far as what is wanted now allows.
  mutating func tidy(_ demands: [Demand], sizeOf: (Photo.ID) -> PixelSize?) {
    guard byteCount > budget else { return }
    if let part, !demands.contains(where: { $0.photo == part.photo && $0.part != nil }) {
      removePart()
      if byteCount <= budget { return }
    }
    let wanted = Set(demands.map(\.photo))
    let old = held.filter { !wanted.contains($0.key) }
      .sorted { ($0.value.lastWanted, $0.key) < ($1.value.lastWanted, $1.key) }
    for (photo, _) in old {
      removeWhole(photo)
      if byteCount <= budget { return }
    }
    for (photo, target) in largestTargets(demands, sizeOf: sizeOf) {
      trim(photo, to: target)
      if byteCount <= budget { return }
    }
  }

  /// The size at which each photo is wanted, the least urgent first.
  private func largestTargets(
    _ demands: [Demand], sizeOf: (Photo.ID) -> PixelSize?
  ) -> [(photo: Photo.ID, target: (width: Int, height: Int))] {
    var targets: [Photo.ID: (width: Int, height: Int)] = [:]
    var order: [Photo.ID] = []
    for demand in demands where demand.part == nil {
      guard let size = sizeOf(demand.photo) else { continue }
      let target = targetSize(of: size, in: demand.size, mode: demand.mode)
      if let other = targets[demand.photo] {
        targets[demand.photo] = (max(other.width, target.width), max(other.height, target.height))
      } else {
        targets[demand.photo] = target
        order.append(demand.photo)
      }
    }
    return order.reversed().compactMap { photo in targets[photo].map { (photo, $0) } }
  }

  /// Drops the levels of a picture that are above the smallest one of at least the target's size.
  private mutating func trim(_ photo: Photo.ID, to target: (width: Int, height: Int)) {
    guard var entry = held[photo] else { return }
    let sufficient = entry.picture.levels.last {
      $0.width >= target.width && $0.height >= target.height
    }
    guard let sufficient, sufficient.width < entry.picture.full.width else { return }
    byteCount -= entry.picture.byteCount
    entry.picture = Mipmap(sufficient)
    (entry.width, entry.height) = (sufficient.width, sufficient.height)
    byteCount += entry.picture.byteCount
    held[photo] = entry
  }
}
