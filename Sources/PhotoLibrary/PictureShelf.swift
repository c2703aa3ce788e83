import PhotoGridCore
import WorkerProtocol

/// The pictures that are held, within a budget.
///
/// Above the budget the ones furthest from what is wanted go first, of those equally far the
/// largest. What is in sight always stays; but what is larger than wanted is cut down to that. Of
/// what goes a tiny picture is left, as long as these together take no more than a share of the
/// budget, so that coming back never finds a blank tile.
struct PictureShelf {
  private var held: [Photo.ID: Held] = [:]
  /// The one part of a photo that is held, beside the whole: what was last looked at closely.
  private var part: (photo: Photo.ID, part: Part)?
  private(set) var byteCount = 0
  /// The bytes of what is left of pictures that had to go.
  private var remnantByteCount = 0
  private let budget: Int

  /// An empty shelf for so many bytes of pictures.
  init(budget: Int) { self.budget = budget }

  private struct Held {
    var picture: Mipmap
    var byteCount: Int
    /// The largest size that the picture answers for, in pixels: nothing, where the photo itself
    /// has not been decoded for it.
    var answers: (width: Int, height: Int)
    /// How many photos lie between this one and what was last wanted.
    var distance = 0
    var isRemnant = false
    /// Whether the file may show something else by now.
    var isExpired = false

    init(_ picture: Mipmap, answers: (width: Int, height: Int)) {
      self.picture = picture
      self.answers = answers
      byteCount = picture.byteCount
    }
  }

  /// A picture of a part of a photo.
  struct Part {
    /// What it shows.
    var region: PhotoRegion
    var picture: Mipmap
  }

  /// The longest side of what is left of a picture, in pixels.
  private static let remnantSide = 32
  /// What is left of pictures takes at most this part of the budget.
  private static let remnantShare = 8
  /// So much of the budget is made free at once, so that it is not sorted for every picture.
  private static let slack = 16

  /// The best picture of a photo.
  subscript(photo: Photo.ID) -> Mipmap? { held[photo]?.picture }

  /// Whether it is time to know what may go.
  var isFilling: Bool { byteCount > budget / 2 }

  /// Whether the photo itself was decoded for the picture at hand, at whatever size.
  func isDecoded(_ photo: Photo.ID) -> Bool { held[photo].map { $0.answers.width > 0 } ?? false }

  /// Whether the picture of a photo of the given size is as large as is wanted of it, and decoded.
  func satisfies(_ demand: Demand, of size: PixelSize) -> Bool {
    guard let held = held[demand.photo], !held.isExpired else { return false }
    let target = targetSize(of: size, in: demand.size, mode: demand.mode)
    return held.answers.width >= target.width && held.answers.height >= target.height
  }

  /// Whether the picture is as large as is wanted, whatever it was made of.
  func suffices(_ demand: Demand, of size: PixelSize) -> Bool {
    guard let picture = held[demand.photo]?.picture.full else { return false }
    let target = targetSize(of: size, in: demand.size, mode: demand.mode)
    // A pixel less where the preview was cut out of bars.
    return picture.width + 1 >= target.width && picture.height + 1 >= target.height
  }

  /// Puts a decoded picture in the place of what there was.
  ///
  /// The target is the size that was asked for. The picture may be smaller if the photo cannot be
  /// decoded that large, and counts as an answer all the same.
  mutating func put(_ picture: Mipmap, for photo: Photo.ID, target: (width: Int, height: Int)) {
    replace(
      photo,
      Held(
        picture,
        answers: (max(target.width, picture.full.width), max(target.height, picture.full.height))))
  }

  /// Puts a picture that was at hand in the place of a smaller one; a decoded one stays.
  ///
  /// - Returns: whether it did.
  mutating func putPreview(_ picture: Mipmap, for photo: Photo.ID) -> Bool {
    if let old = held[photo] {
      let isBetter = old.answers.width == 0 && old.picture.full.width < picture.full.width
      guard old.isExpired || isBetter else { return false }
    }
    replace(photo, Held(picture, answers: (0, 0)))
    return true
  }

  /// Lets a photo's picture answer for nothing any more.
  ///
  /// It is shown until there is another. A part of it goes at once, since the whole is there in its
  /// place.
  mutating func expire(_ photo: Photo.ID) {
    held[photo]?.isExpired = true
    if part?.photo == photo { removePart() }
  }

  /// Forgets a photo's picture if it has expired: there will be no other.
  mutating func removeExpired(_ photo: Photo.ID) {
    if held[photo]?.isExpired ?? false { remove(photo) }
  }

  /// Forgets a photo's picture if it is not decoded: there will be no other.
  mutating func removePreview(_ photo: Photo.ID) {
    if held[photo]?.answers.width == 0 { replace(photo, nil) }
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
    replace(photo, nil)
  }

  private mutating func replace(_ photo: Photo.ID, _ new: Held?) {
    if let old = held[photo] {
      byteCount -= old.byteCount
      if old.isRemnant { remnantByteCount -= old.byteCount }
    }
    held[photo] = new
    guard let new else { return }
    byteCount += new.byteCount
    if new.isRemnant { remnantByteCount += new.byteCount }
  }

  /// Notes how far everything is from what is wanted now.
  mutating func measure(_ distance: (Photo.ID) -> Int) {
    for photo in held.keys { held[photo]?.distance = distance(photo) }
  }

  // MARK: The budget

  /// Whether a picture for a demand would have room beside what is in sight and more urgent.
  ///
  /// `wanted` is the sum of the bytes of all that is wanted and held.
  func hasRoom(for demand: Demand, of size: PixelSize?, beside wanted: Int) -> Bool {
    let sides =
      size.map { targetSize(of: $0, in: demand.size, mode: demand.mode) }
      ?? (Int(demand.size.width.rounded(.up)), Int(demand.size.height.rounded(.up)) * 3 / 2)
    // All halves together are a third of the whole.
    return wanted + sides.0 * sides.1 * 4 * 4 / 3 <= budget - budget / Self.slack
  }

  /// The bytes of all that is held of some photos.
  func byteCount(of photos: some Sequence<Photo.ID>) -> Int {
    photos.reduce(0) { $0 + (held[$1]?.byteCount ?? 0) }
  }

  /// Brings the pictures back within the budget, as far as what is in sight allows.
  mutating func tidy(_ demands: [Demand], sizeOf: (Photo.ID) -> PixelSize?) {
    guard byteCount > budget else { return }
    defer { limitRemnants(to: budget / Self.remnantShare) }
    if let part, !demands.contains(where: { $0.photo == part.photo && $0.part != nil }) {
      removePart()
      if byteCount <= budget { return }
    }
    let goal = budget - budget / Self.slack
    let wanted = Set(demands.map(\.photo))
    for photo in furthestFirst(where: { !wanted.contains($0) && !$1.isRemnant }) {
      shrink(photo)
      if byteCount <= goal { return }
    }
    for (photo, target) in largestTargets(demands, sizeOf: sizeOf) {
      trim(photo, to: target)
      if byteCount <= budget { return }
    }
    let seen = Set(demands.lazy.filter { $0.place == .inSight }.map(\.photo))
    for demand in demands.reversed() where !seen.contains(demand.photo) {
      shrink(demand.photo)
      if byteCount <= budget { return }
    }
    for photo in furthestFirst(where: { !seen.contains($0) && $1.isRemnant }) {
      replace(photo, nil)
      if byteCount <= budget { return }
    }
  }

  private func furthestFirst(where isMeant: (Photo.ID, Held) -> Bool) -> [Photo.ID] {
    held.filter { isMeant($0.key, $0.value) }
      .sorted {
        ($0.value.distance, $0.value.byteCount, $0.key)
          > ($1.value.distance, $1.value.byteCount, $1.key)
      }
      .map(\.key)
  }

  private mutating func limitRemnants(to limit: Int) {
    guard remnantByteCount > limit else { return }
    for photo in furthestFirst(where: { $1.isRemnant }) {
      replace(photo, nil)
      if remnantByteCount <= limit - limit / Self.slack { return }
    }
  }

  /// Leaves a tiny picture of a photo.
  private mutating func shrink(_ photo: Photo.ID) {
    guard let entry = held[photo], !entry.isRemnant else { return }
    let levels = entry.picture.levels
    let level = levels.first { max($0.width, $0.height) <= Self.remnantSide } ?? levels[0]
    var remnant = Held(Mipmap(level), answers: (0, 0))
    remnant.distance = entry.distance
    remnant.isRemnant = true
    replace(photo, remnant.byteCount <= budget / Self.remnantShare ? remnant : nil)
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
    guard let entry = held[photo] else { return }
    let sufficient = entry.picture.levels.last {
      $0.width >= target.width && $0.height >= target.height
    }
    guard let sufficient, sufficient.width < entry.picture.full.width else { return }
    let isDecoded = entry.answers.width > 0
    var cut = Held(
      Mipmap(sufficient), answers: isDecoded ? (sufficient.width, sufficient.height) : (0, 0))
    cut.distance = entry.distance
    replace(photo, cut)
  }
}
