import Geometry

/// What the album knows of what a photo's file says.
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
  package var hasRecordedInfo: Bool { facts.hasRecordedInfo }

  /// The last known size of a photo after orientation, in pixels.
  package func size(of photo: Photo.ID) -> PixelSize? {
    facts.size(of: photo).map { PixelSize(width: Double($0.width), height: Double($0.height)) }
  }

  /// The last known number of a photo's frames; nil for a still photo, and if it was never known.
  package func frameCount(of photo: Photo.ID) -> Int? {
    let count = facts.rows.indices.contains(photo.index) ? facts.rows[photo.index].frameCount : 1
    return count > 1 ? count : nil
  }

  /// Returns what moves in a photo; nil for a still photo, and until its file has been read.
  package func motion(of photo: Photo.ID) -> PhotoMotion? {
    if frameCount(of: photo) != nil { return .frames }
    if facts(of: photo)?.format == .film { return .film }
    return kinds(besides: photo).contains("LIVE") ? .live : nil
  }
}
