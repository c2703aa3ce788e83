import Photos
import SceneModel

extension Gallery {
  func badges(of photo: Photo.ID) -> Badges? {
    let album = collection.album
    return Badges(
      album.rating(of: photo), count: album.stackCount(of: photo),
      note: note(on: photo))
  }

  /// Returns the badges of an open photo: its rating and its label; nil if it has neither.
  func badges(ofOpen photo: Photo.ID) -> Badges? { Badges(collection.album.rating(of: photo)) }

  /// Returns what belongs to a photo: its raw file or its film, that it is an exact copy of a near
  /// duplicate, or the length of a film.
  private func note(on photo: Photo.ID) -> String {
    let album = collection.album
    let isCopy = collection.grouping == .similar && album.similarity.copies.contains(photo)
    let length = album.facts(of: photo)?.length.map(Information.length)
    let words = [isCopy ? "COPY" : nil] + album.kinds(besides: photo) + [length]
    return words.compactMap(\.self).joined(separator: " ")
  }

  func badges(onTileOf index: Int) -> Badges? {
    var badges = badges(of: items[index])
    badges?.isAboveName = grid.style.hasLabels && grid.layout.labelFrame(at: index) == nil
    return badges
  }
}
