/// Adding photos and folders to the listing of an album, and replacing the listing.
extension Album {
  /// Adds photos and folders at the end of the listing; `refresh` sorts them in.
  ///
  /// - Returns: Whether the photos listed before keep their tiles; a raw file loses its tile when
  ///   its picture is added.
  @discardableResult
  package mutating func append(_ found: [Photo.ID]) -> Bool {
    similar = nil
    let files = takeFolders(outOf: found)
    let shownCount = shown.count
    let (photos, hidesOthers) = addToListing(files)
    defer {
      // Joining copies all tiles: it is done only if a folder was added, or a tile removed.
      if hidesOthers || files.count < found.count {
        join()
      } else {
        let more = shown[shownCount...]
        joinedTiles?.append(contentsOf: more)
      }
    }
    sorted?.append(contentsOf: photos)
    isStale = isStale || sorted != nil || order != .listed || readsAllFiles
    if filtered == nil { folded?.append(contentsOf: photos) }
    guard filtered != nil else { return !hidesOthers }
    // A new name may contain a word that no name contained before.
    if shownCount == 0 || showsSimilarNames || filter?.needsHashes == true {
      isStale = isStale || filter != nil
    }
    let verdict = passing(among: photos)
    filtered?.append(contentsOf: verdict.passing)
    folded?.append(contentsOf: verdict.passing)
    if filter?.needsRatings == true || order.needsRatings { addMissingRatings(of: verdict.unread) }
    for photo in verdict.unread where lacksFacts(photo) {
      unknown.append(photo)
      pendingFacts.insert(photo)
    }
    return !hidesOthers
  }

  /// Replaces the listing with a newer one of the same folder; removed photos lose their marks.
  package mutating func relist(_ found: [Photo.ID]) {
    let before = listing
    folders = []
    listing = takeFolders(outOf: found)
    if !marks.isEmpty {
      var gone = PhotoSet(before)
      gone.subtract(PhotoSet(listing))
      marks.subtract(gone)
    }
    pairAgain()
    refresh()
  }

  /// Replaces the listing with the listing of another folder; all marks stay.
  package mutating func move(to found: [Photo.ID]) {
    folders = []
    listing = takeFolders(outOf: found)
    pairAgain()
    refresh()
  }

  /// Adds the folders in `found` to `folders`, and returns the photos.
  private mutating func takeFolders(outOf found: [Photo.ID]) -> [Photo.ID] {
    guard !folderSet.isEmpty else { return found }
    let new = found.filter { folderSet.contains($0) }
    guard !new.isEmpty else { return found }
    folders += new
    return found.filter { !folderSet.contains($0) }
  }

  /// Puts the folders that are shown in front of the photos that are shown.
  mutating func join() {
    shownFolders = passingFolders
    joinedTiles = shownFolders.isEmpty ? nil : shownFolders + shown
  }

  /// The folders that are shown: all of them, or only the ones whose names pass the filter.
  ///
  /// Only the name of a folder is known, and folders have no marks, so a filter with any other test
  /// hides all folders.
  private var passingFolders: [Photo.ID] {
    guard filter != nil || showsMarkedOnly else { return folders }
    guard let filter, !showsMarkedOnly, !folders.isEmpty, filter.testsNamesOnly else { return [] }
    return photos(among: folders, passing: filter).passing
  }
}
