/// The facts of photos' files, by photo number, and the texts that they refer to.
///
/// A library has few cameras and lenses, so each name is stored once. The album stores sizes of
/// photos and numbers of frames nowhere else.
struct InfoTable: Equatable, Sendable {
  /// By photo number; not `isKnown` for a file that has not been read, or has changed since.
  private(set) var rows: [PackedInfo] = []
  private(set) var pools = TextPools()
  /// Whether any facts that an earlier session read have arrived.
  private(set) var hasRecordedInfo = false

  /// The facts of a photo's file; nil if it has not been read.
  subscript(photo: Photo.ID) -> PackedInfo? {
    guard rows.indices.contains(photo.index), rows[photo.index].isKnown else { return nil }
    return rows[photo.index]
  }

  /// The last known size of a photo after orientation, in pixels, even if its file has changed since;
  /// nil if it was never known.
  func size(of photo: Photo.ID) -> (width: UInt32, height: UInt32)? {
    guard rows.indices.contains(photo.index) else { return nil }
    let row = rows[photo.index]
    return row.width > 0 && row.height > 0 ? (row.width, row.height) : nil
  }

  enum Change {
    case none
    /// Only metadata was added.
    case metadata
    /// The file became known or unknown, or says something else.
    case info
  }

  /// Stores the facts of many photos' files.
  ///
  /// - `block`: In the order of the photos; unknown photos stay as they are.
  /// - `isRecorded`: Whether an earlier session read the files.
  /// - `capacity`: The number of photos to reserve memory for.
  /// - `body`: Receives each photo, its change, and whether its size is another one.
  mutating func update(
    _ block: InfoBlock, of photos: [Photo.ID], isRecorded: Bool, capacity: Int,
    _ body: (Photo.ID, Change, _ isResized: Bool) -> Void
  ) {
    if isRecorded, block.knownCount > 0 { hasRecordedInfo = true }
    var renumbering = PoolRenumbering(from: block.pools)
    for (photo, new) in zip(photos, block.rows) where new.isKnown && photo.index >= 0 {
      var new = new
      // The album stores ratings and hashes apart; what is read from the file has none.
      new.rating = nil
      new.removeHash()
      renumbering.translate(&new, to: &pools)
      if photo.index >= rows.count {
        let count = max(photo.index + 1, capacity)
        rows.append(contentsOf: repeatElement(PackedInfo(), count: count - rows.count))
      }
      let row = rows[photo.index]
      // The tile of a file that cannot be read any more keeps its shape.
      if !new.isReadable { (new.width, new.height) = (row.width, row.height) }
      new = new.keeping(row.isKnown ? row : nil)
      guard row != new else { continue }
      rows[photo.index] = new
      // A sidecar that has changed or gone changes the date of a photo that is the same otherwise.
      let isSame = row.isKnown && row.takenBits == new.takenBits && row.keeping(new) == new
      let change: Change = isSame ? .metadata : .info
      body(photo, change, (row.width, row.height) != (new.width, new.height))
    }
  }

  /// Records that a photo's file has changed and must be read again.
  ///
  /// - Returns: Whether it was known.
  mutating func expire(_ photo: Photo.ID) -> Bool {
    guard self[photo] != nil else { return false }
    rows[photo.index].isKnown = false
    return true
  }

  /// Records that the metadata of a photo must be read again.
  ///
  /// - Returns: Whether it was known.
  mutating func expireMetadata(of photo: Photo.ID) -> Bool {
    guard self[photo]?.hasMetadata == true, rows[photo.index].isReadable else { return false }
    rows[photo.index].hasMetadata = false
    return true
  }
}
