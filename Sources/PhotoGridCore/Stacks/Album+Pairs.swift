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
  /// A filter has to be applied again if the files belong to photos of the listing before.
  ///
  /// - Returns: The files that are photos, and whether photos of the listing before are hidden now.
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

  /// Whether tiles are hidden once photos are appended: those of raw files by their pictures.
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

  /// Marks all files of a pair of which one is marked.
  private mutating func markPairs() {
    guard !marks.isEmpty else { return }
    let count = marks.count
    for file in files(of: marks.photos) { marks.insert(file) }
    if marks.count > count, showsMarkedOnly || filter?.dependsOnMarks == true { isStale = true }
  }

  /// The files that photos stand for: each photo, followed by those of its pair.
  package func files(of photos: some Sequence<Photo.ID>) -> [Photo.ID] {
    guard !pairs.isEmpty else { return Array(photos) }
    var files: [Photo.ID] = []
    var found = PhotoSet()
    for photo in photos {
      let picture = pairs.picture(of: photo)
      let hidden = pairs.files(behind: picture, names)
      // The picture of a file in another folder may be gone.
      let all = picture == photo || hidden.contains(photo) ? [picture] + hidden : [photo]
      for file in all where found.insert(file) { files.append(file) }
    }
    return files
  }

  /// The files of a photo's pair besides the photo; empty for a photo without one.
  package func pairedFiles(of photo: Photo.ID) -> [Photo.ID] {
    pairs.isEmpty ? [] : pairs.files(behind: photo, names)
  }

  /// Files in groups that belong together, in the order of the first of each.
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

  /// The number of photos that files are, each pair once.
  func photoCount(of files: [Photo.ID]) -> Int {
    pairs.attached.isEmpty ? files.count : grouped(files).count
  }

  /// The number of marked photos, each pair once.
  package var markedCount: Int { marks.count - marks.countShared(with: pairs.attached) }

  /// The photo that a file is shown as: the picture of its pair, or the file itself.
  package func picture(of file: Photo.ID) -> Photo.ID { pairs.picture(of: file) }

  /// The new names of a photo's files for one of its picture: the others get the same stem, and keep
  /// their extensions.
  func renamings(of picture: Photo.ID, to name: String) -> [Renaming] {
    let stem = Array(FileName.stem(of: name).utf8) + [UInt8(ascii: ".")]
    return [Renaming(picture, to: Array(name.utf8))]
      + pairedFiles(of: picture).map { Renaming($0, to: stem + pairs.fileExtension(of: $0)) }
  }
}
