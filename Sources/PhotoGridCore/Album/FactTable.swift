/// The facts of photos' files, by photo number, and the texts that they refer to.
///
/// A library has few cameras and lenses, so each name is stored once.
struct FactTable: Equatable, Sendable {
  /// The facts by photo number; not `isKnown` for a file that has not been read.
  private(set) var rows: [PackedFacts] = []
  /// The texts that the facts refer to.
  private(set) var pools = TextPools()
  /// Whether facts of an earlier session have arrived.
  private(set) var hasRecordedFacts = false

  /// The facts of a photo's file; nil if it has not been read.
  subscript(photo: Photo.ID) -> PackedFacts? {
    guard rows.indices.contains(photo.index), rows[photo.index].isKnown else { return nil }
    return rows[photo.index]
  }

  /// A change of the facts of a photo's file.
  enum Change {
    /// Nothing has changed.
    case none
    /// Only metadata was added; everything else is unchanged.
    case metadata
    /// The facts became known or unknown, or differ from the old ones.
    case facts
  }

  /// Stores the facts of a photo's file; nil if the file must be read again.
  ///
  /// - Parameters:
  ///   - new: The facts.
  ///   - photo: The photo.
  ///   - capacity: The number of photos to reserve memory for.
  /// - Returns: The kind of change.
  mutating func update(_ new: FileFacts?, of photo: Photo.ID, capacity: Int) -> Change {
    store(new.map { PackedFacts($0, &pools) }, of: photo, capacity: capacity)
  }

  /// Stores the facts of many photos' files.
  ///
  /// - Parameters:
  ///   - block: The facts, in the order of the photos, with texts of their own; photos without
  ///     known facts stay as they are.
  ///   - photos: The photos.
  ///   - isRecorded: Whether an earlier session read the facts.
  ///   - capacity: The number of photos to reserve memory for.
  ///   - body: A closure that is called for each photo, with its change.
  mutating func update(
    _ block: FactBlock, of photos: [Photo.ID], isRecorded: Bool, capacity: Int,
    _ body: (Photo.ID, Change) -> Void
  ) {
    if isRecorded, block.knownCount > 0 { hasRecordedFacts = true }
    var (camera, lens, profile) = (TextRenumbering(), TextRenumbering(), TextRenumbering())
    for (photo, facts) in zip(photos, block.facts) where facts.isKnown {
      var facts = facts
      // The album stores ratings and hashes apart; facts that are read from the file have none.
      facts.rating = nil
      facts.removeHash()
      _ = camera.translate(&facts.camera, from: block.pools.camera, to: &pools.camera)
      _ = lens.translate(&facts.lens, from: block.pools.lens, to: &pools.lens)
      _ = profile.translate(&facts.profile, from: block.pools.profile, to: &pools.profile)
      body(photo, store(facts, of: photo, capacity: capacity))
    }
  }

  private mutating func store(_ new: PackedFacts?, of photo: Photo.ID, capacity: Int) -> Change {
    guard photo.index >= 0 else { return .none }
    let old = self[photo]
    let new = new?.keeping(old)
    guard old != new else { return .none }
    if photo.index >= rows.count {
      let count = max(photo.index + 1, capacity)
      rows.append(contentsOf: repeatElement(PackedFacts(), count: count - rows.count))
    }
    rows[photo.index] = new ?? PackedFacts()
    guard let old, let new else { return .facts }
    return old.keeping(new) == new ? .metadata : .facts
  }
}

extension Album {
  /// Returns all facts of a photo's file.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - place: Where it was taken, which is stored apart; nil if that is not known.
  /// - Returns: The facts; nil unless all of them are known.
  package func info(of photo: Photo.ID, takenAt place: PhotoMetadata.Place?) -> PhotoInfo? {
    facts(of: photo)?.info(texts: facts.pools, takenAt: place)
  }

  /// Whether facts of an earlier session have arrived.
  var hasRecordedFacts: Bool { facts.hasRecordedFacts }

  /// The size of a photo after orientation, in pixels; nil if its file has not been read, or cannot
  /// be.
  package func size(of photo: Photo.ID) -> PixelSize? {
    guard let facts = facts(of: photo), facts.isReadable else { return nil }
    return PixelSize(width: Double(facts.width), height: Double(facts.height))
  }
}
