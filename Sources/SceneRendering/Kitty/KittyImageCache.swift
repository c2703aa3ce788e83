import PhotoGridCore

/// This program's images in the terminal, within a budget.
struct KittyImageCache {
  private var pictures: [KittySubject: [KittyPicture]] = [:]
  private var subjects: [UInt32: KittySubject] = [:]
  /// What all of them take there, in pixels of four bytes.
  private(set) var pixelCount = 0
  /// What they may take: terminals keep some 320 MB for all programs in them.
  var budget = 150_000_000 / 4
  private var lastID: UInt32

  /// More images than this are not held, however small they are.
  private static let countLimit = 2000
  /// Identifiers have 24 bits, as many as the colour of a placeholder can encode.
  private static let idLimit: UInt32 = 0xFF_FFFF

  /// Creates an empty cache whose identifiers follow the given one: other programs in the terminal
  /// have theirs.
  init(after id: UInt32) { lastID = id & Self.idLimit }

  /// The images of a subject.
  func pictures(of subject: KittySubject) -> [KittyPicture] { pictures[subject] ?? [] }

  /// The image with an identifier.
  func picture(_ id: UInt32) -> KittyPicture? {
    subjects[id].flatMap { pictures[$0] }?.first { $0.id == id }
  }

  /// A held image that satisfies a specification, from any picture.
  func picture(for spec: KittySpec) -> KittyPicture? {
    pictures[spec.subject]?.first { spec.isSatisfied(by: $0.spec) }
  }

  /// Whether a held image satisfies a specification, and was made from a picture that is as
  /// good as another for it.
  func isHeld(_ spec: KittySpec, from stamp: PictureStamp) -> Bool {
    guard let held = picture(for: spec) else { return false }
    return !(held.source?.isOutdated(by: stamp, for: spec) ?? false)
  }

  /// Identifiers of all images.
  var ids: [UInt32] { subjects.keys.sorted() }

  /// Identifiers of all rings.
  var ringIDs: [UInt32] {
    pictures.filter { if case .ring = $0.key { true } else { false } }.values.joined().map(\.id)
  }

  /// Whether nothing is held.
  var isEmpty: Bool { subjects.isEmpty }

  /// Adds an image under an identifier that no other image has.
  mutating func add(_ spec: KittySpec, id: UInt32, source: PictureStamp?, frame: Int) {
    subjects[id] = spec.subject
    pictures[spec.subject, default: []].append(
      KittyPicture(id: id, spec: spec, source: source, lastFrame: frame))
    pixelCount += spec.pixelCount
  }

  /// An identifier that is free; they are taken again only once all were.
  mutating func takeID() -> UInt32 {
    repeat {
      lastID = lastID >= Self.idLimit ? 1 : lastID + 1
    } while subjects[lastID] != nil
    return lastID
  }

  /// Notes that a frame shows an image.
  mutating func use(_ id: UInt32, frame: Int) {
    guard let subject = subjects[id] else { return }
    guard let index = pictures[subject]?.firstIndex(where: { $0.id == id }) else { return }
    pictures[subject]?[index].lastFrame = frame
  }

  /// Forgets an image.
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

  /// Forgets all images.
  mutating func removeAll() {
    pictures = [:]
    subjects = [:]
    pixelCount = 0
  }

  /// Forgets images that no present frame shows, longest unused first, until there is room.
  ///
  /// - Parameters:
  ///   - pixels: How much room is needed.
  ///   - frame: The number of the frame that is being made; what it or the one before showed stays.
  /// - Returns: The forgotten images, or nil if there is no room without those on screen.
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

  /// Lowers the budget after the terminal reported that it is full.
  mutating func lowerBudget() { budget = min(budget, pixelCount) / 4 * 3 }
}
