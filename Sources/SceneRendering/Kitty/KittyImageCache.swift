import Geometry

/// The images that this program has sent to the terminal, within a budget.
struct KittyImageCache {
  private var pictures: [KittySubject: [KittyPicture]] = [:]
  private var subjects: [UInt32: KittySubject] = [:]
  /// The memory that all images take in the terminal, in pixels of four bytes.
  private(set) var pixelCount = 0
  /// The memory that images may take, in pixels: terminals keep about 320 MB for all their
  /// programs.
  var budget = 150_000_000 / 4
  /// The number of pixels of the screen.
  var screenPixels = 0
  private var lastID: UInt32

  private static let countLimit = 2000
  /// The largest identifier: 24 bits, as many as the color of a placeholder can encode.
  private static let idLimit: UInt32 = 0xFF_FFFF

  /// Creates an empty cache whose identifiers start after the given one.
  ///
  /// Other programs in the same terminal have identifiers of their own.
  init(after id: UInt32) { lastID = id & Self.idLimit }

  func pictures(of subject: KittySubject) -> [KittyPicture] { pictures[subject] ?? [] }

  func picture(_ id: UInt32) -> KittyPicture? {
    subjects[id].flatMap { pictures[$0] }?.first { $0.id == id }
  }

  /// Returns the last image that satisfies a specification, whatever picture it was made from.
  func picture(
    for spec: KittySpec, where isUsable: (UInt32) -> Bool = { _ in true }
  ) -> KittyPicture? {
    pictures[spec.subject]?.last { spec.isSatisfied(by: $0.spec) && isUsable($0.id) }
  }

  /// Whether there is an image that satisfies a specification, and making it again from another
  /// picture would not improve it.
  func isHeld(_ spec: KittySpec, from stamp: PictureStamp) -> Bool {
    guard let held = picture(for: spec) else { return false }
    return !(held.source?.isOutdated(by: stamp, for: spec) ?? false)
  }

  var ids: [UInt32] { subjects.keys.sorted() }

  var ringIDs: [UInt32] {
    pictures.filter { if case .ring = $0.key { true } else { false } }.values.joined().map(\.id)
  }

  var isEmpty: Bool { subjects.isEmpty }

  /// Inserts an image under an identifier that no other image has.
  mutating func insert(_ spec: KittySpec, id: UInt32, source: PictureStamp?, frame: Int) {
    subjects[id] = spec.subject
    pictures[spec.subject, default: []].append(
      KittyPicture(id: id, spec: spec, source: source, lastFrame: frame))
    pixelCount += spec.pixelCount
  }

  /// Returns an unused identifier; used ones are only taken again once all were used.
  mutating func takeID() -> UInt32 {
    repeat {
      lastID = lastID >= Self.idLimit ? 1 : lastID + 1
    } while subjects[lastID] != nil
    return lastID
  }

  mutating func use(_ id: UInt32, frame: Int) {
    guard let subject = subjects[id] else { return }
    guard let index = pictures[subject]?.firstIndex(where: { $0.id == id }) else { return }
    pictures[subject]?[index].lastFrame = frame
  }

  @discardableResult
  mutating func remove(_ id: UInt32) -> KittyPicture? {
    guard let subject = subjects.removeValue(forKey: id),
      let index = pictures[subject]?.firstIndex(where: { $0.id == id })
    else { return nil }
    let picture = pictures[subject]?.remove(at: index)
    if pictures[subject]?.isEmpty ?? false { pictures[subject] = nil }
    pixelCount -= picture?.spec.pixelCount ?? 0
    return picture
  }

  mutating func removeAll() {
    pictures = [:]
    subjects = [:]
    pixelCount = 0
  }

  /// Evicts images that are not on the screen, least recently used first, until there is room.
  ///
  /// - Parameters:
  ///   - pixels: The room that is needed, in pixels.
  ///   - frame: The number of the current frame; images of this frame and the previous one stay.
  /// - Returns: The evicted images; nil if there is too little room even without them.
  mutating func makeRoom(for pixels: Int, frame: Int) -> [UInt32]? {
    guard pixelCount + pixels > budget || subjects.count >= Self.countLimit else { return [] }
    let old = pictures.values.joined().filter { $0.lastFrame < frame - 1 }
      .sorted { ($0.lastFrame, $0.id) < ($1.lastFrame, $1.id) }
    var (freed, ids) = (0, [UInt32]())
    for picture in old {
      if pixelCount - freed + pixels <= budget, subjects.count - ids.count < Self.countLimit {
        break
      }
      freed += picture.spec.pixelCount
      ids.append(picture.id)
    }
    guard pixelCount - freed + pixels <= budget, subjects.count - ids.count < Self.countLimit
    else { return nil }
    for id in ids { remove(id) }
    return ids
  }

  /// Lowers the budget, after the terminal has reported that it is full.
  ///
  /// It stays large enough for the images of one screen, since other programs may have filled the
  /// terminal only for a while. Those of small tiles have nearly as many pixels again as borders.
  mutating func lowerBudget() {
    budget = min(budget, max(min(budget, pixelCount) / 4 * 3, 2 * screenPixels))
  }
}
