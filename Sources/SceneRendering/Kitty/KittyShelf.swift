import PhotoGridCore

/// The images that the terminal holds of ours, within a budget.
struct KittyShelf {
  private var pictures: [KittySubject: [KittyPicture]] = [:]
  private var subjects: [UInt32: KittySubject] = [:]
  /// What all of them take there, in pixels of four bytes.
  private(set) var pixelCount = 0
  /// What they may take: terminals keep some 320 MB for all programs in them.
  var budget = 150_000_000 / 4
  private var lastID: UInt32

  /// More images than this are not held, however small they are.
  private static let countLimit = 2000
  /// Identifiers have 24 bits, as many as a colour can say in a placeholder.
  private static let idLimit: UInt32 = 0xFF_FFFF

  /// An empty shelf whose identifiers begin after the given one: other programs in the terminal
  /// have theirs.
  init(after id: UInt32) { lastID = id & Self.idLimit }

  /// The images of a subject.
  func pictures(of subject: KittySubject) -> [KittyPicture] { pictures[subject] ?? [] }

  /// The image with an identifier.
  func picture(_ id: UInt32) -> KittyPicture? {
    subjects[id].flatMap { pictures[$0] }?.first { $0.id == id }
  }

  /// An image that serves as the one wished for; whatever it was made from.
  func picture(for spec: KittySpec) -> KittyPicture? {
    pictures[spec.subject]?.first { spec.isSatisfied(by: $0.spec) }
  }

  /// Whether an image that serves as the one wished for is there, made from a picture that is as
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

  /// Takes an image in and gives it an identifier that no other of ours has.
  mutating func add(_ spec: KittySpec, source: PictureStamp?, frame: Int) -> UInt32 {
    let id = takeID()
    subjects[id] = spec.subject
    pictures[spec.subject, default: []].append(
      KittyPicture(id: id, spec: spec, source: source, lastFrame: frame))
    pixelCount += spec.pixelCount
    return id
  }

  /// An identifier that is free; they are used again only once all were used.
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

  /// Takes less of the terminal from now on: it said that it has no more room.
  mutating func lowerBudget() { budget = min(budget, pixelCount) / 4 * 3 }
}
