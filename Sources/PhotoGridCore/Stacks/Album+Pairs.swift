/// Pairs: a picture and the raw files of the same shot, shown, marked and changed as one photo.
extension Album {
  /// Shows a picture and its raw files as one photo, or as separate ones.
  package mutating func joinPairs(_ isOn: Bool) {
    joinsPairs = isOn
    pairAgain()
    refresh()
  }

  /// Adds files to the listing.
  ///
  /// Marks the album as stale if a filter is active and the files form pairs.
  ///
  /// - Returns: The files that are shown as photos, and whether photos that were already listed are
  ///   hidden now.
  mutating func addToListing(_ files: [Photo.ID]) -> (photos: [Photo.ID], hidesOthers: Bool) {
    let count = listing.count
    listing.append(contentsOf: files)
    guard joinsPairs else { return (files, false) }
    let changed = pairs.add(listing[count...], to: listing, names: names)
    guard !pairs.isEmpty else { return (files, false) }
    markPairs()
    let photos = files.filter { !pairs.hidden.contains($0) }
    if filter != nil, photos.count < files.count || !changed.isEmpty { isStale = true }
    if withoutHidden == nil {
      guard photos.count < files.count || !changed.isEmpty else { return (files, false) }
      withoutHidden = Array(listing[..<count])
    }
    if !changed.isEmpty {
      withoutHidden?.removeAll { pairs.hidden.contains($0) }
      sorted?.removeAll { pairs.hidden.contains($0) }
      filtered?.removeAll { pairs.hidden.contains($0) }
      folded?.removeAll { pairs.hidden.contains($0) }
    }
    withoutHidden?.append(contentsOf: photos)
    return (photos, !changed.isEmpty)
  }

  /// Returns whether newly found photos will hide existing tiles, because they are the pictures of
  /// raw files.
  func hidesTiles(_ found: [Photo.ID]) -> Bool {
    joinsPairs && pairs.hidesListed(found, names)
  }

  /// Finds the pairs of the whole listing.
  mutating func pairAgain() {
    arePairsStale = false
    (withoutHidden, similar) = (nil, nil)
    pairs.begin(listing)
    guard joinsPairs else { return }
    _ = pairs.add(listing[...], to: listing, names: names)
    guard !pairs.isEmpty else { return }
    markPairs()
    let photos = listing.filter { !pairs.hidden.contains($0) }
    if photos.count < listing.count { withoutHidden = photos }
  }

  /// Marks all files of each pair that has a marked file.
  private mutating func markPairs() {
    guard !marks.isEmpty else { return }
    let count = marks.count
    for file in files(of: marks.photos) { marks.insert(file) }
    if marks.count > count, showsMarkedOnly || filter?.dependsOnMarks == true { isStale = true }
  }

  /// Returns the files of photos: for each photo, the picture and the raw files of its pair,
  /// without duplicates.
  package func files(of photos: some Sequence<Photo.ID>) -> [Photo.ID] {
    guard !pairs.isEmpty else { return Array(photos) }
    var files: [Photo.ID] = []
    var found = PhotoSet()
    for photo in photos {
      let picture = pairs.picture(of: photo)
      let hidden = pairs.files(behind: picture, names)
      // The picture of a file in another folder may no longer exist.
      let all = picture == photo || hidden.contains(photo) ? [picture] + hidden : [photo]
      for file in all where found.insert(file) { files.append(file) }
    }
    return files
  }

  /// Returns the other files of a photo's pair; empty for a photo without a pair.
  package func pairedFiles(of photo: Photo.ID) -> [Photo.ID] {
    pairs.isEmpty ? [] : pairs.files(behind: photo, names)
  }

  /// Returns files in groups that belong together, in the order of each group's first file.
  func grouped(_ files: [Photo.ID]) -> [[Photo.ID]] {
    guard !pairs.attached.isEmpty else { return files.map { [$0] } }
    var groups: [[Photo.ID]] = []
    var places: [Photo.ID: Int] = [:]
    for file in files {
      let picture = pairs.lastPicture(of: file)
      if let place = places[picture] {
        groups[place].append(file)
      } else {
        places[picture] = groups.count
        groups.append([file])
      }
    }
    return groups
  }

  /// Returns the number of photos to which files belong; a pair counts once.
  func photoCount(of files: [Photo.ID]) -> Int {
    pairs.attached.isEmpty ? files.count : grouped(files).count
  }

  /// The number of marked photos; a pair counts once.
  package var markedCount: Int { marks.count - marks.countShared(with: pairs.attached) }

  /// Returns the photo as which a file is shown: the picture of its pair, or the file itself.
  package func picture(of file: Photo.ID) -> Photo.ID { pairs.picture(of: file) }

  /// Returns the new names of all files of a photo for a new name of its picture; the other files
  /// get the same stem and keep their extensions.
  func renamings(of picture: Photo.ID, to name: String) -> [Renaming] {
    let stem = Array(FileName.stem(of: name).utf8) + [UInt8(ascii: ".")]
    return [Renaming(picture, to: Array(name.utf8))]
      + pairedFiles(of: picture).map { Renaming($0, to: stem + pairs.fileExtension(of: $0)) }
  }
}
