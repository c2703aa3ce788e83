extension Album {
  /// Shows a picture and its raw files as one photo, or as separate ones.
  package mutating func joinPairs(_ isOn: Bool) {
    pairing.joins = isOn
    update(from: .pairs)
  }

  /// Adds files to the listing.
  ///
  /// Marks the album as stale if a filter is active and the files form pairs.
  ///
  /// - Returns: The files that are shown as photos, and whether photos that were already listed are
  ///   hidden now.
  mutating func addToListing(_ files: [Photo.ID]) -> (photos: [Photo.ID], hidesOthers: Bool) {
    let count = listed.photos.count
    listed.photos.append(contentsOf: files)
    guard pairing.joins else { return (files, false) }
    let changed = pairing.table.pair(listed.photos[count...], in: listed.photos, names: names)
    guard !pairing.table.isEmpty else { return (files, false) }
    markPairs()
    let photos = files.filter { !pairing.table.hidden.contains($0) }
    if filter != nil, photos.count < files.count || !changed.isEmpty { isStale = true }
    if pairing.shown == nil {
      guard photos.count < files.count || !changed.isEmpty else { return (files, false) }
      pairing.shown = Array(listed.photos[..<count])
    }
    if !changed.isEmpty {
      pairing.shown?.removeAll { pairing.table.hidden.contains($0) }
      sorting.result?.removeAll { pairing.table.hidden.contains($0) }
      filtering.result?.removeAll { pairing.table.hidden.contains($0) }
      stacks.folded?.removeAll { pairing.table.hidden.contains($0) }
    }
    pairing.shown?.append(contentsOf: photos)
    return (photos, !changed.isEmpty)
  }

  /// Returns whether newly found photos will hide existing tiles, because they are the pictures of
  /// raw files.
  package func hidesTiles(_ found: [Photo.ID]) -> Bool {
    pairing.joins && pairing.table.hidesListed(found, names)
  }

  mutating func findPairs() {
    pairing.isStale = false
    (pairing.shown, similarity.groups) = (nil, nil)
    pairing.table.begin(listed.photos)
    guard pairing.joins else { return }
    _ = pairing.table.pair(listed.photos[...], in: listed.photos, names: names)
    guard !pairing.table.isEmpty else { return }
    markPairs()
    let photos = listed.photos.filter { !pairing.table.hidden.contains($0) }
    if photos.count < listed.photos.count { pairing.shown = photos }
  }

  private mutating func markPairs() {
    guard !marks.isEmpty else { return }
    let count = marks.count
    for file in files(of: marks.photos) { marks.insert(file) }
    if marks.count > count, showsMarkedOnly || filter?.dependsOnMarks == true { isStale = true }
  }

  /// Returns the files of photos: for each photo, the picture and the raw files of its pair,
  /// without duplicates.
  package func files(of photos: some Sequence<Photo.ID>) -> [Photo.ID] {
    guard !pairing.table.isEmpty else { return Array(photos) }
    var files: [Photo.ID] = []
    var found = PhotoSet()
    for photo in photos {
      let picture = pairing.table.picture(of: photo)
      let hidden = pairing.table.files(behind: picture, names)
      // The picture of a file in another folder may no longer exist.
      let all = picture == photo || hidden.contains(photo) ? [picture] + hidden : [photo]
      for file in all where found.insert(file) { files.append(file) }
    }
    return files
  }

  package func pairedFiles(of photo: Photo.ID) -> [Photo.ID] {
    pairing.table.isEmpty ? [] : pairing.table.files(behind: photo, names)
  }

  /// Returns what belongs to a photo: `RAW`, and `LIVE` for the film of a live photo, which is one of the
  /// files of its pair or inside the photo.
  package func kinds(besides photo: Photo.ID) -> [String] {
    let isFilm = pairedFiles(of: photo).map {
      LivePhoto.isFilm([0x61, 0x2e] + pairing.table.fileExtension(of: $0))
    }
    let isLive = isFilm.contains(true) || facts(of: photo)?.holdsFilm == true
    return (isFilm.contains(false) ? ["RAW"] : []) + (isLive ? ["LIVE"] : [])
  }

  /// Returns files in groups that belong together, in the order of each group's first file.
  package func grouped(_ files: [Photo.ID]) -> [[Photo.ID]] {
    guard !pairing.table.attached.isEmpty else { return files.map { [$0] } }
    var groups: [[Photo.ID]] = []
    var indices: [Photo.ID: Int] = [:]
    for file in files {
      let picture = pairing.table.lastPicture(of: file)
      if let index = indices[picture] {
        groups[index].append(file)
      } else {
        indices[picture] = groups.count
        groups.append([file])
      }
    }
    return groups
  }

  /// Returns the number of photos to which files belong; a pair counts once.
  package func photoCount(of files: [Photo.ID]) -> Int {
    pairing.table.attached.isEmpty ? files.count : grouped(files).count
  }

  /// The number of marked photos; a pair counts once.
  package var markedCount: Int { marks.count - marks.countShared(with: pairing.table.attached) }

  /// Returns the photo as which a file is shown: the picture of its pair, or the file itself.
  package func picture(of file: Photo.ID) -> Photo.ID { pairing.table.picture(of: file) }

  /// Returns the new names of all files of a photo for a new name of its picture; the other files
  /// get the same stem and keep their extensions.
  package func renamings(of picture: Photo.ID, to name: String) -> [Renaming] {
    let stem = Array(FileName.stem(of: name).utf8) + [UInt8(ascii: ".")]
    return [Renaming(picture, to: Array(name.utf8))]
      + pairedFiles(of: picture).map {
        Renaming($0, to: stem + pairing.table.fileExtension(of: $0))
      }
  }
}

/// Stacks: photos that one camera took shortly after each other, shown as one tile.
extension Album {
  package var hasStacks: Bool { stacks.seconds != nil }

  /// Folds photos into stacks if they were taken less than a number of seconds after each other;
  /// nil shows all photos.
  package mutating func stack(within seconds: Double?) {
    guard stacks.seconds != seconds else { return }
    stacks.seconds = seconds
    stacks.foldAll()
    update(from: .order)
  }

  mutating func findStacks() {
    guard let seconds = stacks.seconds else {
      stacks.table = StackTable()
      return
    }
    stacks.table = StackTable(photos, within: seconds) { photo in
      guard let facts = facts(of: photo), facts.camera != TextPool.none,
        let date = date(of: photo), date.precision == .second
      else { return nil }
      return StackTable.Shot(camera: facts.camera, time: date.time.seconds)
    }
  }

  /// Fans the stack of a photo out, or folds it.
  mutating func fanOut(_ photo: Photo.ID, _ isOut: Bool) {
    changeStacks { $0.fanOut(photo, isOut) }
  }

  package func isFannedOut(_ photo: Photo.ID) -> Bool { stacks.isFannedOut(photo) }

  /// Returns the number of photos that tiles stand for.
  func photoCount(of tiles: ArraySlice<Photo.ID>) -> Int {
    stacks.folded == nil ? tiles.count : tiles.reduce(0) { $0 + stacks.count(of: $1) }
  }

  /// Fans out all stacks, which can be folded again.
  package mutating func fanOutAll() { changeStacks { $0.fanOutAll() } }

  mutating func chooseFace(_ photo: Photo.ID) { changeStacks { $0.choose(photo) } }

  private mutating func changeStacks(_ change: (inout FoldedStacks) -> Void) {
    change(&stacks)
    update(from: .stacks)
  }

  /// Returns the number of a photo's stack, from 0, even if it is fanned out; nil for a photo in no
  /// stack.
  package func stack(of photo: Photo.ID) -> Int? { stacks.table[photo] }

  /// Returns the number of photos that a tile stands for; a pair counts once.
  package func stackCount(of tile: Photo.ID) -> Int {
    stacks.folded == nil ? 1 : stacks.count(of: tile)
  }

  /// Returns the photo whose tile stands for a file: the face of its folded stack, or else the
  /// picture of its pair.
  package func tile(of file: Photo.ID) -> Photo.ID {
    let picture = picture(of: file)
    return stacks.folded == nil ? picture : stacks.tile(of: picture)
  }

  /// Returns whether any of the photos that a tile stands for is marked.
  package func isMarked(_ tile: Photo.ID) -> Bool {
    guard !marks.isEmpty else { return false }
    return stackCount(of: tile) > 1
      ? stacks.photos(of: tile).contains { marks.contains($0) } : marks.contains(tile)
  }

  /// Returns the files that tiles stand for: all photos of each folded stack, each followed by the
  /// other files of its pair.
  package func files(ofTiles tiles: some Sequence<Photo.ID>) -> [Photo.ID] {
    stacks.folded == nil ? files(of: tiles) : files(of: tiles.flatMap { stacks.photos(of: $0) })
  }
}

extension TakenTime {
  /// The seconds since 29 February of the year 0 in the proleptic Gregorian calendar; only
  /// differences are used.
  var seconds: Int64 {
    let (date, time) = digits.quotientAndRemainder(dividingBy: 1_000_000)
    // Years are counted from March, so that a leap day is the last day of its year.
    let month = (date / 100 % 100 + 9) % 12
    let year = date / 10_000 - month / 10
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (month * 306 + 5) / 10 + date % 100
    return days * 86_400 + time / 10_000 * 3600 + time / 100 % 100 * 60 + time % 100
  }
}
