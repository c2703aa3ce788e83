/// What photos' files say, by photo number, and the texts that it refers to.
///
/// A library has few cameras and lenses, so each name is stored once. This is the only place where the
/// album has the size of a photo and the number of its frames.
struct InfoTable: Equatable, Sendable {
  /// By photo number; not `isKnown` for a file that has not been read, or has changed since.
  private(set) var rows: [PackedInfo] = []
  private(set) var pools = TextPools()
  /// Whether something that an earlier session read has arrived.
  private(set) var hasRecordedInfo = false

  /// What a photo's file says; nil if it has not been read.
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

  /// Stores what many photos' files say.
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
    var (camera, lens, profile) = (TextRenumbering(), TextRenumbering(), TextRenumbering())
    for (photo, new) in zip(photos, block.rows) where new.isKnown && photo.index >= 0 {
      var new = new
      // The album stores ratings and hashes apart; what is read from the file has none.
      new.rating = nil
      new.removeHash()
      _ = camera.translate(&new.camera, from: block.pools.camera, to: &pools.camera)
      _ = lens.translate(&new.lens, from: block.pools.lens, to: &pools.lens)
      _ = profile.translate(&new.profile, from: block.pools.profile, to: &pools.profile)
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

extension Album {
  /// Returns all that a photo's file says; nil unless all of it is known.
  ///
  /// - `location`: Where the photo was taken, which is stored apart; nil if that is not known.
  package func info(of photo: Photo.ID, takenAt location: PhotoMetadata.Location?) -> PhotoInfo? {
    guard let packed = facts[photo], packed.hasMetadata, packed.hasLocation == (location != nil)
    else {
      return nil
    }
    return packed.unpacked(texts: facts.pools, takenAt: location, words: words[photo])
  }

  /// Whether something that an earlier session read has arrived.
  var hasRecordedInfo: Bool { facts.hasRecordedInfo }

  /// The last known size of a photo after orientation, in pixels.
  package func size(of photo: Photo.ID) -> PixelSize? {
    facts.size(of: photo).map { PixelSize(width: Double($0.width), height: Double($0.height)) }
  }

  /// The last known number of a photo's frames; nil for a still photo, and if it was never known.
  func frameCount(of photo: Photo.ID) -> Int? {
    let count = facts.rows.indices.contains(photo.index) ? facts.rows[photo.index].frameCount : 1
    return count > 1 ? count : nil
  }

  /// Returns what moves in a photo; nil for a still photo, and until its file has been read.
  func motion(of photo: Photo.ID) -> PhotoMotion? {
    if frameCount(of: photo) != nil { return .frames }
    if facts(of: photo)?.format == .film { return .film }
    return kinds(besides: photo).contains("LIVE") ? .live : nil
  }
}
