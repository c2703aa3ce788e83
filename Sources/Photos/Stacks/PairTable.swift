/// The pairs of a listing: a picture, and the raw files and the film of the same shot beside it.
///
/// Files belong together if they are in the same folder and have the same name up to the extension.
/// The picture is the file that is shown, a JPEG rather than a HEIC; the raw files are hidden
/// behind it: `sea.jpg` hides `sea.cr2`, and `sea.heic` hides `sea.mov`, the film of a live photo,
/// which is treated like a raw file. The pairs do not depend on the order in which files
/// arrive.
struct PairTable: Equatable, Sendable {
  /// The files with the extension of a raw format, or of the film of a live photo.
  private var raws = PhotoSet()
  private var jpegs = PhotoSet()
  private var heics = PhotoSet()
  /// The hashes of the folder and the name up to the extension, by photo number.
  private var hashes: [UInt32] = []
  /// The extensions of raw files, in their original case and without the dot.
  private var extensions: [Photo.ID: [UInt8]] = [:]
  /// The last added file with each hash; the files added before it follow in `next`.
  private var heads: [UInt32: Int32] = [:]
  /// The file with the same hash that was added before, by photo number; −1 for none.
  private var next: [Int32] = []
  /// The picture of an attached file, by photo number; −1 for other files.
  private var pictures: [Int32] = []
  /// The listed files that are hidden behind a picture.
  private(set) var hidden = PhotoSet()
  /// The files that have a picture in this listing, or had one in an earlier listing.
  private(set) var attached = PhotoSet()
  /// Whether the listing has raw files; without any, nothing is looked up.
  private var isBuilt = false
  /// The highest number of a listed photo.
  private var highest = -1

  var isEmpty: Bool { hidden.isEmpty }

  // MARK: - Names

  /// Stores the names of a batch of photos.
  ///
  /// - Returns: Whether a photo has been renamed, so that it may belong to other files now.
  mutating func name(_ batch: NameBatch) -> Bool {
    guard batch.first.index >= 0 else { return false }
    var folder = NameHash()
    for byte in batch.folder { folder.mix(byte) }
    let count = batch.first.index + batch.count
    let knownCount = hashes.count
    if hashes.count < count {
      hashes.append(contentsOf: repeatElement(0, count: count - hashes.count))
    }
    var isChanged = false
    var photo = batch.first.index
    batch.names.withUnsafeBufferPointer { names in
      var start = 0
      for end in names.indices where names[end] == 0 {
        let name = UnsafeBufferPointer(rebasing: names[start..<end])
        let dot = name.extensionStart
        var hash = folder
        for byte in name[..<dot] { hash.mix(byte) }
        let role = Role(extension: name[dot...].dropFirst())
        let photoID = Photo.ID(photo)
        if photo < knownCount || photo <= highest {
          isChanged = isChanged || hashes[photo] != hash.value || self.role(of: photoID) != role
          forget(photoID)
        }
        hashes[photo] = hash.value
        switch role {
        case .raw:
          raws.insert(photoID)
          extensions[photoID] = Array(name[dot...].dropFirst())
        case .jpeg: jpegs.insert(photoID)
        case .heic: heics.insert(photoID)
        case nil: break
        }
        photo += 1
        start = end + 1
      }
    }
    return isChanged
  }

  private mutating func forget(_ photo: Photo.ID) {
    raws.remove(photo)
    jpegs.remove(photo)
    heics.remove(photo)
    extensions[photo] = nil
  }

  private func role(of photo: Photo.ID) -> Role? {
    if jpegs.contains(photo) { return .jpeg }
    if raws.contains(photo) { return .raw }
    return heics.contains(photo) ? .heic : nil
  }

  /// Returns the extension of a raw file in its original case, without the dot; empty for other
  /// files.
  func fileExtension(of photo: Photo.ID) -> [UInt8] { extensions[photo] ?? [] }

  // MARK: - Files that belong together

  /// Forgets the previous listing.
  ///
  /// Photos that are not in the new listing keep their pictures, since they may be marked.
  mutating func begin(_ listing: [Photo.ID]) {
    heads = [:]
    isBuilt = false
    hidden = PhotoSet()
    detach(listing[...])
  }

  private mutating func detach(_ photos: ArraySlice<Photo.ID>) {
    guard !attached.isEmpty else { return }
    for photo in photos where attached.remove(photo) { pictures[photo.index] = -1 }
  }

  /// Adds photos to the listing.
  ///
  /// - `listing`: The whole listing, which ends with them.
  mutating func pair(
    _ photos: ArraySlice<Photo.ID>, in listing: [Photo.ID], names: PhotoNames
  ) -> [Photo.ID] {
    for photo in photos { highest = max(highest, photo.index) }
    detach(photos)
    var new = photos
    if !isBuilt {
      guard photos.contains(where: raws.contains) else { return [] }
      isBuilt = true
      new = listing[...]
      heads.reserveCapacity(listing.count / 2)
    }
    if next.count < hashes.count {
      let missing = hashes.count - next.count
      next.append(contentsOf: repeatElement(-1, count: missing))
      pictures.append(contentsOf: repeatElement(-1, count: missing))
    }
    var changed: [Photo.ID] = []
    let newcomers = PhotoSet(photos)
    for photo in new where role(of: photo) != nil {
      let hash = hashes[photo.index]
      next[photo.index] = heads.updateValue(photo.number, forKey: hash) ?? -1
      if next[photo.index] >= 0 { changed += pair(photo, names).filter { !newcomers.contains($0) } }
    }
    return changed
  }

  /// Returns whether any of some new photos is the picture of a listed raw file that is not hidden.
  func hidesListed(_ photos: [Photo.ID], _ names: PhotoNames) -> Bool {
    guard isBuilt else { return false }
    return photos.contains { photo in
      guard jpegs.contains(photo) || heics.contains(photo) else { return false }
      return chain(of: photo, names).contains { raws.contains($0) && !hidden.contains($0) }
    }
  }

  /// Finds the picture of the files with a photo's name, and returns the raw files whose picture
  /// has changed.
  private mutating func pair(_ photo: Photo.ID, _ names: PhotoNames) -> [Photo.ID] {
    let files = chain(of: photo, names)
    let pictures = files.filter { jpegs.contains($0) } + files.filter { heics.contains($0) }
    let picture =
      pictures.count > 1 ? self.picture(among: pictures, names) : pictures.first
    var changed: [Photo.ID] = []
    for file in files where raws.contains(file) {
      guard self.pictures[file.index] != picture?.number ?? -1 else { continue }
      self.pictures[file.index] = picture?.number ?? -1
      if picture == nil {
        hidden.remove(file)
        attached.remove(file)
      } else {
        hidden.insert(file)
        attached.insert(file)
      }
      changed.append(file)
    }
    return changed
  }

  /// Returns the picture to show: the first JPEG by name, or the first picture if there is no JPEG.
  private func picture(among pictures: [Photo.ID], _ names: PhotoNames) -> Photo.ID? {
    let best = pictures.filter { jpegs.contains($0) }
    return names.sorted((best.isEmpty ? pictures : best).sorted()).first
  }

  /// Returns the listed files with the folder and stem of a photo that has a role, including
  /// itself.
  private func chain(of photo: Photo.ID, _ names: PhotoNames) -> [Photo.ID] {
    var files: [Photo.ID] = []
    var number = heads[hashes[photo.index]] ?? -1
    while number >= 0 {
      let file = Photo.ID(Int(number))
      // Different names may have the same hash.
      if file == photo || names.haveSameStem(file, photo) { files.append(file) }
      number = next[Int(number)]
    }
    return files
  }

  /// Returns the picture that a file is hidden behind; the file itself if it is not hidden.
  func picture(of photo: Photo.ID) -> Photo.ID {
    hidden.contains(photo) ? lastPicture(of: photo) : photo
  }

  /// Returns the picture that a file is hidden behind, or was hidden behind in an earlier listing;
  /// the file itself if there is none.
  func lastPicture(of photo: Photo.ID) -> Photo.ID {
    attached.contains(photo) ? Photo.ID(Int(pictures[photo.index])) : photo
  }

  /// Returns the files that are hidden behind a picture, in the order of their names.
  func files(behind picture: Photo.ID, _ names: PhotoNames) -> [Photo.ID] {
    guard isBuilt, !hidden.isEmpty, picture.index >= 0, picture.index < pictures.count,
      role(of: picture) != nil
    else { return [] }
    let files = chain(of: picture, names).filter { pictures[$0.index] == picture.number }
    return files.count > 1 ? names.sorted(files) : files
  }

  /// The part that a file can have in a pair.
  private enum Role {
    case jpeg, heic, raw

    /// Creates the role of a file with an extension in upper or lower case; nil if it has none.
    init?(extension bytes: Slice<UnsafeBufferPointer<UInt8>>) {
      guard (2...4).contains(bytes.count) else { return nil }
      var code: UInt32 = 0
      for byte in bytes { code = code << 8 | UInt32(byte &- 0x41 < 26 ? byte | 0x20 : byte) }
      if Self.jpegCodes.contains(code) {
        self = .jpeg
      } else if Self.rawCodes.contains(code) {
        self = .raw
      } else if Self.heicCodes.contains(code) {
        self = .heic
      } else {
        return nil
      }
    }

    private static let jpegCodes = codes(of: .jpeg)
    private static let heicCodes = codes(of: .heic)
    private static let rawCodes = codes(of: .raw) + [0x6D_6F76]  // mov

    private static func codes(of format: ImageFormat) -> [UInt32] {
      format.fileExtensions.map { $0.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
    }
  }
}

private struct NameHash {
  private(set) var value: UInt32 = 0x811C_9DC5

  mutating func mix(_ byte: UInt8) { value = (value ^ UInt32(byte)) &* 0x0100_0193 }
}
