import Geometry
import Photos

/// The item that commands apply to: a photo, a folder, or a saved filter.
extension Screen {
  /// Returns the index of the photo that commands apply to; nil if there is none.
  func currentIndex(in gallery: Gallery) -> Int? {
    currentItem(in: gallery).flatMap { gallery.collection.photoIndex($0) }
  }

  func current(in gallery: Gallery) -> Photo.ID? {
    currentIndex(in: gallery).map { gallery.items[$0] }
  }

  /// Returns the index of the folder or saved filter that is selected, to which commands about
  /// photos do not apply; nil if none is.
  func currentTile(in gallery: Gallery) -> Int? {
    currentItem(in: gallery).flatMap { $0 < gallery.collection.folderCount ? $0 : nil }
  }

  /// Returns the selected folder; nil if something else is selected.
  func currentFolder(in gallery: Gallery) -> Photo.ID? {
    currentTile(in: gallery).flatMap {
      $0 < gallery.album.shownFilterCount ? nil : gallery.items[$0]
    }
  }

  /// Returns the selected saved filter; nil if something else is selected.
  func currentFilter(in gallery: Gallery) -> FilterTile? {
    currentTile(in: gallery).flatMap { gallery.album.filterTile(gallery.items[$0]) }
  }

  func currentFiles(in gallery: Gallery) -> [Photo.ID] {
    current(in: gallery).map { files(of: [$0], in: gallery.album) } ?? []
  }
}

/// The photos that commands apply to: among tiles, those of the range being selected, else the
/// marked ones, else those of the selected tile, which stands for its whole stack; on a screen of
/// open photos, the current one.
extension Screen {
  /// Whether commands apply to the current photo only, even if others are marked.
  private var actsOnOnePhoto: Bool { self is any PhotoScreen }

  /// Returns the files that a command on photos applies to.
  func files(of photos: [Photo.ID], in album: Album) -> [Photo.ID] {
    actsOnOnePhoto ? album.files(of: photos) : album.files(ofTiles: photos)
  }

  /// Returns the files that commands on several photos apply to.
  func chosenFiles(in gallery: Gallery) -> [Photo.ID] {
    let album = gallery.album
    guard !actsOnOnePhoto else { return currentFiles(in: gallery) }
    if let range = gallery.rangePhotos { return album.files(ofTiles: range) }
    return album.marks.isEmpty ? currentFiles(in: gallery) : album.markedInOrder
  }

  /// Returns the note that commands do not apply to other, marked photos; nil if there are none.
  func keptMarksNote(in gallery: Gallery) -> String? {
    guard actsOnOnePhoto else { return nil }
    let isMarked = current(in: gallery).map { gallery.album.marks.contains($0) } ?? false
    let others = gallery.album.markedCount - (isMarked ? 1 : 0)
    return others > 0 ? "\(others) marked photo\(others == 1 ? "" : "s") not included" : nil
  }

  /// Returns the note of a prompt about the chosen files: among tiles `hint`, otherwise whether
  /// other photos are marked.
  func promptNote(or hint: String?, in gallery: Gallery) -> String? {
    actsOnOnePhoto ? keptMarksNote(in: gallery).map { "only this photo; \($0)" } : hint
  }

  /// Returns the effect that begins renaming: a single photo gets a name, several photos or marked
  /// ones a pattern.
  func renaming(in gallery: Gallery) -> Effect? {
    let (album, current) = (gallery.album, current(in: gallery))
    let photos = actsOnOnePhoto ? [] : album.grouped(chosenFiles(in: gallery)).map { $0[0] }
    guard photos.count > 1 || !actsOnOnePhoto && gallery.range == nil && !album.marks.isEmpty else {
      return (current ?? photos.first).map { .requestName($0) }
    }
    return .requestNames(photos)
  }

  /// Trashes photos from the selection on if there is a count, otherwise the chosen ones; the user
  /// must confirm if these are several tiles or in a stack.
  func trash(_ count: Int?, in gallery: inout Gallery) -> [ScreenOutcome] {
    guard !actsOnOnePhoto else {
      return [.request(gallery.album.trashing(currentFiles(in: gallery)))]
    }
    let (album, range) = (gallery.album, gallery.rangePhotos)
    if let count {
      gallery.collection.rangeAnchor = nil
      guard gallery.selection >= gallery.collection.folderCount else {
        return [.notice("This works on photos, not folders", seconds: 2)]
      }
      return [album.trash(tiles: gallery.items[gallery.selection...].prefix(count))]
    }
    let chosen = range ?? album.markedInOrder
    // A range of one photo needs no confirmation, as it is the selected photo.
    guard !chosen.isEmpty, range == nil || chosen.count > 1 else {
      gallery.collection.rangeAnchor = nil
      let tiles = chosen.isEmpty ? current(in: gallery).map { [$0] } ?? [] : chosen
      return [album.trash(tiles: tiles[...])]
    }
    return [
      range == nil
        ? album.confirmTrash(of: album.files(of: chosen), .marked)
        : album.confirmTrash(of: album.files(ofTiles: chosen), .range)
    ]
  }

  /// Ends the range of photos that a command was applied to.
  func endRange(in gallery: inout Gallery) {
    if !actsOnOnePhoto, gallery.range != nil { gallery.collection.rangeAnchor = nil }
  }

  /// Returns the photo or folder whose path the first Ctrl-C copies; nil if it ends the program.
  func copiedItem(in gallery: Gallery) -> Photo.ID? {
    guard !actsOnOnePhoto, let index = currentItem(in: gallery) else { return nil }
    return index < gallery.album.shownFilterCount ? nil : gallery.items[index]
  }
}

extension Album {
  /// Returns the outcome that trashes the files of tiles; if one of these is a stack, the user must
  /// confirm first.
  fileprivate func trash(tiles: ArraySlice<Photo.ID>) -> ScreenOutcome {
    let files = files(ofTiles: tiles)
    return tiles.contains { stackCount(of: $0) > 1 }
      ? confirmTrash(of: files, .tiles) : .request(trashing(files))
  }

  fileprivate func confirmTrash(of files: [Photo.ID], _ subject: Confirmation.Subject)
    -> ScreenOutcome
  {
    .present(
      .confirmation(
        .trash(
          Confirmation.Trashing(photos: files, count: photoCount(of: files), subject: subject))))
  }
}
